import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;

/**
 * A member of a group that is no consumer group: an instance of a Streams application that counts
 * records by value, or a consumer of a share group. It leaves when it is asked to end, and not
 * when it is killed. Arguments: "streams", "topology" (which prints it) or "share", topics by
 * commas, then settings as NAME=VALUE.
 */
public final class KindMember {
    public static void main(String[] arguments) {
        Properties settings = new Properties();
        for (int at = 2; at < arguments.length; at++) {
            String[] parts = arguments[at].split("=", 2);
            settings.put(parts[0], parts[1]);
        }
        if (arguments[0].equals("share")) {
            share(List.of(arguments[1].split(",")), settings);
        } else if (arguments[0].equals("topology")) {
            System.out.println(topology(arguments[1]).describe());
        } else {
            streams(topology(arguments[1]), settings);
        }
    }

    private static void share(List<String> topics, Properties settings) {
        String bytes = "org.apache.kafka.common.serialization.ByteArrayDeserializer";
        settings.put("key.deserializer", bytes);
        settings.put("value.deserializer", bytes);
        KafkaShareConsumer<byte[], byte[]> consumer = new KafkaShareConsumer<>(settings);
        Thread reader = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            consumer.wakeup();
            try {
                reader.join();
            } catch (InterruptedException error) {
                reader.interrupt();
            }
        }));
        try (consumer) {
            consumer.subscribe(topics);
            while (true) {
                consumer.poll(Duration.ofMillis(200));
            }
        } catch (WakeupException asked) {
            return;
        }
    }

    private static Topology topology(String topic) {
        StreamsBuilder builder = new StreamsBuilder();
        KStream<String, String> orders = builder.stream(topic);
        orders.groupBy((key, value) -> value)
            .count(Materialized.<String, Long>as(KeptStore.named("counts"))
                .withKeySerde(Serdes.String()).withValueSerde(Serdes.Long()));
        return builder.build();
    }

    private static void streams(Topology topology, Properties settings) {
        String texts = Serdes.String().getClass().getName();
        settings.put("default.key.serde", texts);
        settings.put("default.value.serde", texts);
        KafkaStreams streams = new KafkaStreams(topology, settings);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> streams.close(
            CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                .withTimeout(Duration.ofSeconds(30)))));
        streams.start();
    }
}
