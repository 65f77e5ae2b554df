package kafkaassignments;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigException;

/**
 * The settings of an assignor, out of its consumer's properties.
 *
 * <p>Everything is checked here, so that a wrong value fails the start of the consumer, where
 * somebody sees it, and not its first rebalance.
 */
final class Settings {
    static final String PREFIX = "assignor.load.";
    private static final String ADMIN = "admin.";
    private static final Set<String> KEYS = Set.of(
        "protocol", "timeout.ms", "horizon.ms", "moves.share", "tolerance", "weights.file", "log.inputs");
    private static final int DEFAULT_MAX_POLL_MS = 300_000;

    /** Whether members give up everything before each rebalance, under another protocol name. */
    final boolean eager;
    /** The time for all reads of one assignment together. */
    final long timeoutMs;
    /** Records that arrived within this time count as much as lag; 0 counts lag alone. */
    final long horizonMs;
    /** Of a thousand partitions that could stay, how many may move. */
    final int movesPermille;
    /** Nothing moves while the busiest is within this many millionths of an even load. */
    final int toleranceMillionths;
    /** Rates that replace the look-up by time; null if there is no file. */
    final Path weightsFile;
    /** Whether the leader logs everything it saw. */
    final boolean logInputs;
    final String group;
    final String autoOffsetReset;
    final boolean readCommitted;
    /** The properties of the client that reads offsets. */
    final Map<String, Object> admin;

    Settings(Map<String, ?> consumer) {
        refuseUnknown(consumer.keySet());
        String protocol = text(consumer, PREFIX + "protocol", "cooperative");
        if (!List.of("cooperative", "eager").contains(protocol)) {
            throw wrong("protocol", protocol, "cooperative or eager");
        }
        eager = protocol.equals("eager");
        timeoutMs = whole(consumer, "timeout.ms", 2000, 1);
        long maxPollMs = Long.parseLong(
            text(consumer, ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, "" + DEFAULT_MAX_POLL_MS));
        if (timeoutMs > maxPollMs / 4) {
            throw wrong("timeout.ms", timeoutMs, "at most a quarter of max.poll.interval.ms, "
                + maxPollMs / 4 + ", because a rebalance waits for it inside poll()");
        }
        horizonMs = whole(consumer, "horizon.ms", 300_000, 0);
        movesPermille = share(consumer, "moves.share", 0.1, 1000);
        toleranceMillionths = share(consumer, "tolerance", 0.05, 1_000_000);
        logInputs = truth(consumer, "log.inputs");
        weightsFile = file(consumer);
        if (weightsFile != null && horizonMs == 0) {
            throw wrong("horizon.ms", 0, "more than 0, because weights.file gives rates per second");
        }
        group = text(consumer, ConsumerConfig.GROUP_ID_CONFIG, "");
        autoOffsetReset = text(consumer, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
        readCommitted = text(consumer, ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted")
            .equals("read_committed");
        admin = adminOf(consumer);
    }

    private static void refuseUnknown(Set<String> keys) {
        for (String key : keys) {
            String own = key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : "protocol";
            if (!KEYS.contains(own) && !own.startsWith(ADMIN)) {
                throw new ConfigException(key + " is not a setting of this assignor; it has "
                    + String.join(", ", new TreeSet<>(KEYS)) + " and admin.*, each after " + PREFIX);
            }
        }
    }

    /**
     * The consumer's own connection, without its plug-ins: nothing else in a consumer's properties
     * is a property of an Admin client.
     */
    private Map<String, Object> adminOf(Map<String, ?> consumer) {
        Map<String, Object> admin = new HashMap<>();
        for (String key : AdminClientConfig.configNames()) {
            if (consumer.get(key) != null) {
                admin.put(key, consumer.get(key));
            }
        }
        admin.remove(AdminClientConfig.METRIC_REPORTER_CLASSES_CONFIG);
        admin.remove("interceptor.classes");
        admin.put(AdminClientConfig.CLIENT_ID_CONFIG,
            text(consumer, ConsumerConfig.CLIENT_ID_CONFIG, "consumer") + "-assignor");
        // A broker that hangs must leave time to ask another one.
        admin.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) Math.max(timeoutMs / 2, 1));
        admin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) timeoutMs);
        for (String optional : List.of("auto.include.jmx.reporter", "enable.metrics.push")) {
            if (AdminClientConfig.configNames().contains(optional)) {
                admin.put(optional, false);
            }
        }
        for (String key : consumer.keySet()) {
            String own = key.startsWith(PREFIX + ADMIN) ? key.substring((PREFIX + ADMIN).length()) : "";
            if (AdminClientConfig.configNames().contains(own)) {
                admin.put(own, consumer.get(key));
            }
        }
        AdminClientConfig checked = new AdminClientConfig(admin); // throws if a value is wrong
        admin.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.max((int) timeoutMs,
            checked.getInt(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG)));
        return admin;
    }

    private static Path file(Map<String, ?> consumer) {
        String name = text(consumer, PREFIX + "weights.file", "");
        if (name.isEmpty()) {
            return null;
        }
        Path path = Path.of(name);
        if (!Files.isReadable(path)) {
            throw wrong("weights.file", name, "a file that can be read");
        }
        try {
            RatesFile.read(path);
        } catch (Exception problem) {
            throw wrong("weights.file", name, "lines of topic, partition and records per second; "
                + problem.getMessage());
        }
        return path;
    }

    private static long whole(Map<String, ?> consumer, String key, long otherwise, long least) {
        String value = text(consumer, PREFIX + key, "" + otherwise);
        try {
            long number = Long.parseLong(value.trim());
            if (number >= least && number <= Integer.MAX_VALUE) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw wrong(key, value, "a whole number of milliseconds from " + least);
    }

    private static int share(Map<String, ?> consumer, String key, double otherwise, int parts) {
        String value = text(consumer, PREFIX + key, "" + otherwise);
        try {
            double number = Double.parseDouble(value.trim());
            if (number >= 0 && number <= 1) {
                return (int) Math.round(number * parts);
            }
        } catch (NumberFormatException notANumber) {
            // told below
        }
        throw wrong(key, value, "a number from 0 to 1");
    }

    private static boolean truth(Map<String, ?> consumer, String key) {
        String value = text(consumer, PREFIX + key, "false");
        if (!List.of("true", "false").contains(value)) {
            throw wrong(key, value, "true or false");
        }
        return value.equals("true");
    }

    private static String text(Map<String, ?> consumer, String key, String otherwise) {
        Object value = consumer.get(key); // marks the key as used, so that the consumer does not warn
        return value == null ? otherwise : value.toString();
    }

    private static ConfigException wrong(String key, Object value, String expected) {
        return new ConfigException(PREFIX + key, value, "expected " + expected);
    }
}
