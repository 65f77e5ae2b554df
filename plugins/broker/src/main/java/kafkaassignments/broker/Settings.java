package kafkaassignments.broker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;

/** The settings of the assignor, out of the broker's properties; all are checked at once. */
final class Settings {
    static final String PREFIX = "assignor.load.";
    private static final List<String> KEYS = List.of("moves.share", "tolerance", "weights.file");

    /** The file of rates; null if there is none. */
    final Path file;
    /** Of a thousand partitions that could stay, how many may move. */
    final int movesPermille;
    /** Nothing moves while the busiest is within this many millionths of an even load. */
    final int toleranceMillionths;

    Settings(Map<String, ?> properties) {
        for (String key : properties.keySet()) {
            if (key.startsWith(PREFIX) && !KEYS.contains(key.substring(PREFIX.length()))) {
                throw new ConfigException(
                    key + " is not a setting of this assignor; it has " + KEYS + ", each after " + PREFIX);
            }
        }
        Object name = properties.get(PREFIX + "weights.file");
        file = name == null || name.toString().isEmpty() ? null : Path.of(name.toString());
        movesPermille = share(properties, "moves.share", "0.1", 1000);
        toleranceMillionths = share(properties, "tolerance", "0.05", 1_000_000);
    }

    /** Reads the file for the first time. */
    RatesById read() {
        try {
            return RatesById.read(file);
        } catch (IOException | IllegalArgumentException problem) {
            throw new ConfigException(PREFIX + "weights.file", file, "expected lines of topic id, "
                + "partition and records per second; " + problem.getMessage());
        }
    }

    private static int share(Map<String, ?> properties, String key, String otherwise, int parts) {
        Object given = properties.get(PREFIX + key);
        try {
            double share = Double.parseDouble(given == null ? otherwise : given.toString().trim());
            if (share >= 0 && share <= 1) {
                return (int) Math.round(share * parts);
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw new ConfigException(PREFIX + key, given, "expected a number from 0 to 1");
    }
}
