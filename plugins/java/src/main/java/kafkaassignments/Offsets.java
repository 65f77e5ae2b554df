package kafkaassignments;

import java.util.Arrays;
import kafkaassignments.strategy.Group;

/** Offsets of partitions by number, {@link Group#UNKNOWN} where they could not be read. */
final class Offsets {
    /** The committed offset of a partition without a commit. */
    static final long NOT_COMMITTED = -1;

    final long[] begin;
    final long[] end;
    final long[] committed;
    /** The time within which arrivals count; 0 if none do. */
    final long horizonMs;
    /** Records that arrived within it. */
    final long[] arrived;
    /** The first error; null if everything was read. */
    String problem;

    Offsets(int partitions, long horizonMs) {
        this.horizonMs = horizonMs;
        begin = unknown(partitions);
        end = unknown(partitions);
        committed = unknown(partitions);
        arrived = unknown(partitions);
    }

    private static long[] unknown(int partitions) {
        long[] offsets = new long[partitions];
        Arrays.fill(offsets, Group.UNKNOWN);
        return offsets;
    }

    /**
     * Returns how many records each partition is behind.
     *
     * <p>End minus committed, at least 0; without a commit 0 if the group would start at the newest
     * record, else end minus begin (KAFKA-5337).
     */
    long[] lags(String autoOffsetReset) {
        long[] lags = new long[end.length];
        Arrays.setAll(lags, each -> {
            boolean uncommitted = committed[each] == NOT_COMMITTED;
            long newest = autoOffsetReset.equals("latest") ? end[each] : begin[each];
            long start = uncommitted ? newest : committed[each];
            boolean known = end[each] != Group.UNKNOWN && start != Group.UNKNOWN;
            return known ? Math.max(end[each] - start, 0) : Group.UNKNOWN;
        });
        return lags;
    }

    /** Returns lag plus arrivals, unknown if either is. */
    long[] loads(String autoOffsetReset) {
        long[] loads = lags(autoOffsetReset);
        Arrays.setAll(loads, each -> {
            boolean known = loads[each] != Group.UNKNOWN && arrived[each] != Group.UNKNOWN;
            long sum = loads[each] + arrived[each];
            return !known ? Group.UNKNOWN : sum < 0 ? Long.MAX_VALUE : sum;
        });
        return loads;
    }
}
