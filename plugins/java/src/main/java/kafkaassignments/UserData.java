package kafkaassignments;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * What members and leaders tell each other: a generation, owned and promised partitions, and a plan.
 *
 * <p>Version 1, big endian: {@code int8 version, int32 generation, owned, promised, int32 members
 * {int16 length, UTF-8 id, planned}...}; a list is {@code int32 topics {int16 length, UTF-8 name, int32
 * count, int32...}...}. Later versions may only append, so that every version reads every other. What
 * cannot be read counts as nothing.
 */
final class UserData {
    static final int NO_GENERATION = -1;
    static final UserData NONE = new UserData(NO_GENERATION, List.of(), List.of(), Map.of());
    private static final byte VERSION = 1;

    /** The newest generation whose assignment the member received; all else is of it. */
    final int generation;
    /** What the member owned, if it cannot say so otherwise because it gave everything up (eager). */
    final List<TopicPartition> owned;
    /** What is meant for the member, but was still another's. */
    final List<TopicPartition> promised;
    /**
     * What each member should end up with that it did not have, by member id. The leader that planned
     * it says so, in case another member never hears of its share; nobody else says anything.
     */
    final Map<String, List<TopicPartition>> planned;

    UserData(int generation, Collection<TopicPartition> owned, Collection<TopicPartition> promised,
            Map<String, List<TopicPartition>> planned) {
        this.generation = generation;
        this.owned = List.copyOf(owned);
        this.promised = List.copyOf(promised);
        this.planned = Map.copyOf(planned);
    }

    ByteBuffer encoded() {
        Map<String, List<Integer>> own = byTopic(owned);
        Map<String, List<Integer>> meant = byTopic(promised);
        Map<String, Map<String, List<Integer>>> plan = new TreeMap<>();
        planned.forEach((member, share) -> plan.put(member, byTopic(share)));
        int size = 1 + 2 * Integer.BYTES + size(own) + size(meant);
        for (Map.Entry<String, Map<String, List<Integer>>> each : plan.entrySet()) {
            size += size(each.getKey()) + size(each.getValue());
        }
        ByteBuffer buffer = ByteBuffer.allocate(size);
        buffer.put(VERSION).putInt(generation);
        write(buffer, own);
        write(buffer, meant);
        buffer.putInt(plan.size());
        plan.forEach((member, share) -> {
            write(buffer, member);
            write(buffer, share);
        });
        return buffer.flip();
    }

    static UserData decoded(ByteBuffer given) {
        if (given == null) {
            return NONE;
        }
        ByteBuffer buffer = given.duplicate();
        try {
            if (buffer.get() < VERSION) {
                return NONE;
            }
            int generation = buffer.getInt();
            List<TopicPartition> owned = read(buffer);
            return new UserData(generation, owned, read(buffer), readPlan(buffer));
        } catch (BufferUnderflowException | IllegalArgumentException unreadable) {
            return NONE;
        }
    }

    /**
     * Returns a list of partitions in the form that Kafka's sticky assignors write them, too.
     */
    static void write(ByteBuffer buffer, Map<String, List<Integer>> byTopic) {
        buffer.putInt(byTopic.size());
        byTopic.forEach((topic, numbers) -> {
            write(buffer, topic);
            buffer.putInt(numbers.size());
            numbers.forEach(buffer::putInt);
        });
    }

    static int size(Map<String, List<Integer>> byTopic) {
        int size = Integer.BYTES;
        for (Map.Entry<String, List<Integer>> topic : byTopic.entrySet()) {
            size += size(topic.getKey()) + Integer.BYTES * (1 + topic.getValue().size());
        }
        return size;
    }

    private static void write(ByteBuffer buffer, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        buffer.putShort((short) bytes.length).put(bytes);
    }

    private static int size(String text) {
        return Short.BYTES + text.getBytes(StandardCharsets.UTF_8).length;
    }

    static Map<String, List<Integer>> byTopic(Collection<TopicPartition> partitions) {
        Map<String, List<Integer>> byTopic = new TreeMap<>();
        partitions.forEach(each ->
            byTopic.computeIfAbsent(each.topic(), topic -> new ArrayList<>()).add(each.partition()));
        return byTopic;
    }

    private static List<TopicPartition> read(ByteBuffer buffer) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (int topics = length(buffer, buffer.getInt()); topics > 0; topics--) {
            String topic = readText(buffer);
            for (int count = length(buffer, buffer.getInt()); count > 0; count--) {
                partitions.add(new TopicPartition(topic, buffer.getInt()));
            }
        }
        return partitions;
    }

    private static Map<String, List<TopicPartition>> readPlan(ByteBuffer buffer) {
        Map<String, List<TopicPartition>> planned = new TreeMap<>();
        for (int members = length(buffer, buffer.getInt()); members > 0; members--) {
            planned.put(readText(buffer), read(buffer));
        }
        return planned;
    }

    private static String readText(ByteBuffer buffer) {
        byte[] text = new byte[length(buffer, buffer.getShort())];
        buffer.get(text);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Refuses a length that the rest of the buffer cannot hold, before memory is taken for it. */
    private static int length(ByteBuffer buffer, int length) {
        if (length < 0 || length > buffer.remaining()) {
            throw new IllegalArgumentException("a list of " + length + " cannot be here");
        }
        return length;
    }
}
