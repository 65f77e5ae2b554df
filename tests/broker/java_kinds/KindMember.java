import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.Stores;

/**
 * A member of a group that is no consumer group: an instance of a Streams application that counts
 * records by value and joins clicks with customers, or a consumer of a share group. It runs until
 * it is killed. Arguments: "streams" or "share", topics by commas, then settings as NAME=VALUE.
 */
public final class KindMember {
    public static void main(String[] arguments) throws Exception {
        Properties settings = new Properties();
        for (int at = 2; at < arguments.length; at++) {
            String[] parts = arguments[at].split("=", 2);
            settings.put(parts[0], parts[1]);
        }
        if (arguments[0].equals("share")) {
            share(List.of(arguments[1].split(",")), settings);
        } else {
            streams(settings);
        }
    }

    private static void share(List<String> topics, Properties settings) {
        String bytes = "org.apache.kafka.common.serialization.ByteArrayDeserializer";
        settings.put("key.deserializer", bytes);
        settings.put("value.deserializer", bytes);
        try (KafkaShareConsumer<byte[], byte[]> consumer = new KafkaShareConsumer<>(settings)) {
            consumer.subscribe(topics);
            while (true) {
                consumer.poll(Duration.ofMillis(200));
            }
        }
    }

    private static void streams(Properties settings) throws InterruptedException {
        String texts = Serdes.String().getClass().getName();
        settings.put("default.key.serde", texts);
        settings.put("default.value.serde", texts);
        StreamsBuilder builder = new StreamsBuilder();
        KStream<String, String> orders = builder.stream("orders");
        orders.groupBy((key, value) -> value)
            .count(Materialized.<String, Long>as(Stores.inMemoryKeyValueStore("counts"))
                .withKeySerde(Serdes.String()).withValueSerde(Serdes.Long()));
        KafkaStreams streams = new KafkaStreams(builder.build(), settings);
        streams.start();
        new CountDownLatch(1).await();
    }
}
