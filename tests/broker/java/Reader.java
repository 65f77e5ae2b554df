import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * A thread that consumes, and records its partitions in each generation.
 *
 * Two properties are its own: reader.rate, the most records per second that it reads, and
 * reader.commit.ms, after how long it commits again; without them it reads as fast as it can and
 * commits nothing.
 */
final class Reader extends Thread implements ConsumerRebalanceListener {
    private static final Duration PAUSE = Duration.ofMillis(100);
    /** Group and partition -> the consumers that hold it, across all readers. */
    private static final Map<List<Object>, Set<String>> HOLDERS = new HashMap<>();
    private static final List<String> HELD_TWICE = new ArrayList<>();
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<Integer, List<List<Object>>> held = new TreeMap<>();
    private final String group;
    private final double rate;
    private final long commitMs;
    private volatile boolean running = true;
    private volatile boolean wantsRebalance;
    private int revokedCount;
    private String member = "";
    private String error = "";

    Reader(JsonNode config, JsonNode topics) {
        Properties properties = new Properties();
        config.properties().forEach(entry -> properties.put(entry.getKey(), entry.getValue().asText()));
        group = config.path("group.id").asText();
        rate = config.path("reader.rate").asDouble();
        commitMs = config.path("reader.commit.ms").asLong();
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
            long committed = System.nanoTime();
            while (running) {
                if (wantsRebalance) {
                    wantsRebalance = false;
                    consumer.enforceRebalance("asked to");
                }
                int read = consumer.poll(PAUSE).count();
                if (rate > 0 && read > 0) {
                    Thread.sleep(Math.round(1000 * read / rate));
                }
                if (commitMs > 0 && System.nanoTime() - committed > commitMs * 1_000_000) {
                    consumer.commitAsync();
                    committed = System.nanoTime();
                }
            }
        } catch (WakeupException woken) {
            assert !running; // it was asked to stop
        } catch (InterruptedException | RuntimeException problem) {
            error = problem.toString();
        }
    }

    /** Lets the consumer join again. */
    void rebalance() {
        wantsRebalance = true;
    }

    /** What was held by two consumers of a group at once, ever. */
    static List<String> heldTwice() {
        synchronized (HOLDERS) {
            return List.copyOf(HELD_TWICE);
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
        return Map.of(
            "member", member, "held", new TreeMap<>(held), "error", error, "revoked", revokedCount);
    }

    @Override
    public synchronized void onPartitionsAssigned(Collection<TopicPartition> added) {
        member = consumer.groupMetadata().memberId();
        List<List<Object>> now = new ArrayList<>();
        for (TopicPartition partition : consumer.assignment()) {
            now.add(List.of(partition.topic(), partition.partition()));
        }
        held.put(consumer.groupMetadata().generationId(), now);
        synchronized (HOLDERS) {
            for (TopicPartition partition : added) {
                Set<String> holders =
                    HOLDERS.computeIfAbsent(List.of(group, partition), each -> new HashSet<>());
                holders.add(member);
                if (holders.size() > 1) {
                    HELD_TWICE.add(group + ": " + partition + " by " + holders);
                }
            }
        }
    }

    @Override
    public synchronized void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        revokedCount += revoked.size(); // what is left is recorded once the rebalance is complete
        synchronized (HOLDERS) {
            revoked.forEach(partition ->
                HOLDERS.getOrDefault(List.of(group, partition), new HashSet<>()).remove(member));
        }
    }
}
