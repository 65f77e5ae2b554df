package kafkaassignments.broker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import kafkaassignments.strategy.Group;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records per second of partitions, out of a file: a topic's id, a partition and a rate in each line.
 *
 * <p>Ids, because a coordinator does not tell its assignors the names; {@link TopicIds} writes such a
 * file from one with names. A deleted topic's id never comes back, so a stale line hurts nobody.
 */
final class RatesById {
    static final RatesById NONE = new RatesById(FileTime.fromMillis(0), Map.of());
    private static final Logger LOG = LoggerFactory.getLogger(RatesById.class);
    private static final int HORIZON_S = 300;

    private final FileTime time;
    private final Map<Uuid, Map<Integer, Long>> loads;

    private RatesById(FileTime time, Map<Uuid, Map<Integer, Long>> loads) {
        this.time = time;
        this.loads = loads;
    }

    /**
     * Reads a file; empty lines and those that begin with # count for nothing.
     *
     * @throws IllegalArgumentException naming the first wrong line
     */
    static RatesById read(Path file) throws IOException {
        FileTime time = Files.getLastModifiedTime(file);
        Map<Uuid, Map<Integer, Long>> loads = new HashMap<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (!line.isBlank() && !line.trim().startsWith("#")) {
                try {
                    String[] words = line.trim().split("\\s+");
                    double rate = Double.parseDouble(words[2]);
                    if (!(rate >= 0) || Double.isInfinite(rate)) {
                        throw new IllegalArgumentException();
                    }
                    loads.computeIfAbsent(topic(words[0]), id -> new HashMap<>())
                        .put(Integer.parseInt(words[1]), Math.round(rate * HORIZON_S));
                } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
                    throw new IllegalArgumentException("line " + number + ": expected a topic id, a "
                        + "partition and records per second, found \"" + line.trim()
                        + "\"; TopicIds writes such a file from one with names");
                }
            }
        }
        return new RatesById(time, loads);
    }

    /** Returns the file's rates if it has changed since, else these; also if it cannot be read now. */
    RatesById newest(Path file) {
        try {
            return Files.getLastModifiedTime(file).equals(time) ? this : read(file);
        } catch (IOException | IllegalArgumentException problem) {
            LOG.warn("{} cannot be read, so the rates before stay: {}", file, problem.toString());
            return this;
        }
    }

    /** Returns the records of a partition in five minutes; UNKNOWN if the file does not have it. */
    long load(Uuid topic, int partition) {
        return loads.getOrDefault(topic, Map.of()).getOrDefault(partition, Group.UNKNOWN);
    }

    /** Some tools write ids in the alphabet of plain base64. */
    private static Uuid topic(String id) {
        return Uuid.fromString(id.replace('/', '_').replace('+', '-'));
    }
}
