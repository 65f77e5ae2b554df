package kafkaassignments;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafkaassignments.strategy.Group;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the offsets of a group within a deadline, each partition by itself: a broker that does not
 * answer leaves its own partitions unknown and no others.
 *
 * <p>The client lives for one reading, because a consumer never closes its assignor.
 */
final class OffsetsReader {
    private final Settings settings;
    private final List<TopicPartition> partitions;
    private final Offsets offsets;
    private final long deadlineNs;

    private OffsetsReader(Settings settings, List<TopicPartition> partitions, long horizonMs) {
        this.settings = settings;
        this.partitions = partitions;
        this.offsets = new Offsets(partitions.size(), horizonMs);
        this.deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs);
    }

    /** Reads what it can; never throws. With a horizon of 0 nothing has arrived anywhere. */
    static Offsets read(Settings settings, List<TopicPartition> partitions, long horizonMs) {
        OffsetsReader reader = new OffsetsReader(settings, partitions, horizonMs);
        Map<TopicPartition, Double> rates = reader.rates();
        Admin admin = null;
        try {
            admin = Admin.create(settings.admin);
            reader.read(admin, rates);
        } catch (RuntimeException problem) {
            reader.note(problem);
        } finally {
            if (admin != null) {
                admin.close(Duration.ZERO);
            }
        }
        return reader.offsets;
    }

    private Map<TopicPartition, Double> rates() {
        try {
            return settings.weightsFile == null || offsets.horizonMs == 0
                ? Map.of() : RatesFile.read(settings.weightsFile);
        } catch (Exception problem) { // it was fine when the consumer started; look up by time instead
            note(problem);
            return Map.of();
        }
    }

    private void read(Admin admin, Map<TopicPartition, Double> rates) {
        Map<Integer, OffsetSpec> latest = new HashMap<>();
        Map<Integer, OffsetSpec> since = new HashMap<>();
        OffsetSpec start = OffsetSpec.forTimestamp(System.currentTimeMillis() - offsets.horizonMs);
        for (int each = 0; each < partitions.size(); each++) {
            latest.put(each, OffsetSpec.latest());
            Double rate = rates.get(partitions.get(each));
            if (offsets.horizonMs == 0 || rate != null) {
                offsets.arrived[each] = rate == null ? 0 : Math.round(rate * offsets.horizonMs / 1000);
            } else {
                since.put(each, start);
            }
        }
        ListOffsetsResult ends = asked(admin, latest);
        ListOffsetsResult starts = asked(admin, since);
        KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> commits = admin
            .listConsumerGroupOffsets(Map.of(settings.group,
                new ListConsumerGroupOffsetsSpec().topicPartitions(partitions)))
            .partitionsToOffsetAndMetadata(settings.group);
        note(commits);
        ListOffsetsResult begins = asked(admin, uncommitted());
        latest.keySet().forEach(each -> offsets.end[each] = offset(ends, each));
        for (int each : since.keySet()) {
            long first = offset(starts, each);
            if (first != Group.UNKNOWN && offsets.end[each] != Group.UNKNOWN) {
                offsets.arrived[each] = first < 0 ? 0 : Math.max(offsets.end[each] - first, 0);
            }
        }
        uncommitted().keySet().forEach(each -> offsets.begin[each] = offset(begins, each));
    }

    /** Returns what to ask of partitions without a commit if the group would start at the oldest. */
    private Map<Integer, OffsetSpec> uncommitted() {
        Map<Integer, OffsetSpec> earliest = new HashMap<>();
        for (int each = 0; each < partitions.size(); each++) {
            if (offsets.committed[each] == Offsets.NOT_COMMITTED
                && !settings.autoOffsetReset.equals("latest")) {
                earliest.put(each, OffsetSpec.earliest());
            }
        }
        return earliest;
    }

    private ListOffsetsResult asked(Admin admin, Map<Integer, OffsetSpec> specs) {
        Map<TopicPartition, OffsetSpec> named = new HashMap<>();
        specs.forEach((each, spec) -> named.put(partitions.get(each), spec));
        return admin.listOffsets(named, new ListOffsetsOptions(settings.readCommitted
            ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED));
    }

    private void note(KafkaFuture<Map<TopicPartition, OffsetAndMetadata>> commits) {
        Map<TopicPartition, OffsetAndMetadata> read = inTime(commits);
        for (int each = 0; read != null && each < partitions.size(); each++) {
            TopicPartition partition = partitions.get(each);
            if (read.containsKey(partition)) { // one with an error is not in it
                OffsetAndMetadata commit = read.get(partition);
                offsets.committed[each] = commit == null ? Offsets.NOT_COMMITTED : commit.offset();
            }
        }
    }

    private long offset(ListOffsetsResult asked, int each) {
        ListOffsetsResult.ListOffsetsResultInfo info =
            inTime(asked.partitionResult(partitions.get(each)));
        return info == null ? Group.UNKNOWN : info.offset();
    }

    /** Returns the result, or null if there is none before the deadline. */
    private <T> T inTime(KafkaFuture<T> future) {
        try {
            return future.get(Math.max(deadlineNs - System.nanoTime(), 0), TimeUnit.NANOSECONDS);
        } catch (ExecutionException problem) {
            note(problem.getCause());
        } catch (TimeoutException late) {
            note(new TimeoutException("no answer within " + settings.timeoutMs + " ms"));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            note(interrupted);
        }
        return null;
    }

    private void note(Throwable problem) {
        if (offsets.problem == null) {
            offsets.problem = problem.toString();
        }
    }
}
