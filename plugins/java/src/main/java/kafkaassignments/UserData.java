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
 * What members and leaders tell each other: a generation, owned and promised partitions.
 *
 * <p>Version 1, big endian: {@code int8 version, int32 generation, owned, promised}; a list is {@code
 * int32 topics {int16 length, UTF-8 name, int32 count, int32...}}. Later versions may only append, so
 * that every version reads every other. What cannot be read counts as nothing.
 */
final class UserData {
    static final int NO_GENERATION = -1;
    static final UserData NONE = new UserData(NO_GENERATION, List.of(), List.of());
    private static final byte VERSION = 1;

    /** The generation of what is owned and promised. */
    final int generation;
    /** What the member owned, if it cannot say so otherwise because it gave everything up (eager). */
    final List<TopicPartition> owned;
    /** What is meant for the member, but was still another's. */
    final List<TopicPartition> promised;

    UserData(int generation, Collection<TopicPartition> owned, Collection<TopicPartition> promised) {
        this.generation = generation;
        this.owned = List.copyOf(owned);
        this.promised = List.copyOf(promised);
    }

    ByteBuffer encoded() {
        Map<String, List<Integer>> own = byTopic(owned);
        Map<String, List<Integer>> meant = byTopic(promised);
        ByteBuffer buffer = ByteBuffer.allocate(1 + Integer.BYTES + size(own) + size(meant));
        buffer.put(VERSION).putInt(generation);
        write(buffer, own);
        write(buffer, meant);
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
            return new UserData(generation, read(buffer), read(buffer));
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
            byte[] name = topic.getBytes(StandardCharsets.UTF_8);
            buffer.putShort((short) name.length).put(name).putInt(numbers.size());
            numbers.forEach(buffer::putInt);
        });
    }

    static int size(Map<String, List<Integer>> byTopic) {
        int size = Integer.BYTES;
        for (Map.Entry<String, List<Integer>> topic : byTopic.entrySet()) {
            size += Short.BYTES + topic.getKey().getBytes(StandardCharsets.UTF_8).length;
            size += Integer.BYTES * (1 + topic.getValue().size());
        }
        return size;
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
            byte[] name = new byte[length(buffer, buffer.getShort())];
            buffer.get(name);
            String topic = new String(name, StandardCharsets.UTF_8);
            for (int count = length(buffer, buffer.getInt()); count > 0; count--) {
                partitions.add(new TopicPartition(topic, buffer.getInt()));
            }
        }
        return partitions;
    }

    /** Refuses a length that the rest of the buffer cannot hold, before memory is taken for it. */
    private static int length(ByteBuffer buffer, int length) {
        if (length < 0 || length > buffer.remaining()) {
            throw new IllegalArgumentException("a list of " + length + " cannot be here");
        }
        return length;
    }
}
