import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A thread that consumes, and records its partitions in each generation. */
final class Reader extends Thread implements ConsumerRebalanceListener {
    private static final Duration PAUSE = Duration.ofMillis(100);
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<Integer, List<List<Object>>> held = new TreeMap<>();
    private volatile boolean running = true;
    private String member = "";
    private String error = "";

    Reader(JsonNode config, JsonNode topics) {
        Properties properties = new Properties();
        config.properties().forEach(entry -> properties.put(entry.getKey(), entry.getValue().asText()));
        consumer = new KafkaConsumer<>(
            properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        List<String> names = new ArrayList<>();
        topics.forEach(topic -> names.add(topic.asText()));
        consumer.subscribe(names, this);
        setDaemon(true);
    }

    @Override
    public void run() {
        try (consumer) {
            while (running) {
                consumer.poll(PAUSE);
            }
        } catch (WakeupException woken) {
            assert !running; // it was asked to stop
        } catch (RuntimeException problem) {
            error = problem.toString();
        }
    }

    /** Leaves the group; a static member stops without leaving. */
    void close() {
        running = false;
        consumer.wakeup();
        try {
            join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The member id, and its partitions after the rebalance of each generation. */
    synchronized Map<String, Object> state() {
        return Map.of("member", member, "held", new TreeMap<>(held), "error", error);
    }

    @Override
    public synchronized void onPartitionsAssigned(Collection<TopicPartition> added) {
        member = consumer.groupMetadata().memberId();
        List<List<Object>> now = new ArrayList<>();
        for (TopicPartition partition : consumer.assignment()) {
            now.add(List.of(partition.topic(), partition.partition()));
        }
        held.put(consumer.groupMetadata().generationId(), now);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        // partitions are recorded once the rebalance is complete
    }
}
