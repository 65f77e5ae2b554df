package kafkaassignments.strategy;

import java.util.Arrays;
import java.util.stream.IntStream;

/** What each partition weighs when load is balanced: whole numbers of at least 1, in one unit. */
final class LoadWeights {
    private static final int TOTAL_BITS = 62;
    private static final long MILLION = 1_000_000;
    private static final long HEAVIEST = (1L << TOTAL_BITS) - 1;

    /** The weight of each partition; 0 without subscribers. Their total fits a long. */
    final long[] of;
    /** Whether some loads are known and others are not. */
    final boolean partial;
    /** Whether all weigh the same, so that only counts matter. */
    final boolean counts;
    private final int tolerance;

    /**
     * Weighs the partitions.
     *
     * @param tolerance how many millionths above an even load count as even
     */
    LoadWeights(Group group, long[] loads, int tolerance) {
        int[] wanted =
            IntStream.range(0, group.partitions()).filter(group::isWanted).toArray();
        of = new long[group.partitions()];
        int known = 0;
        for (int each : wanted) {
            known += loads[each] == Group.UNKNOWN ? 0 : 1;
            of[each] = Math.min(Math.max(loads[each], 0), HEAVIEST - 1) + 1;
        }
        partial = known > 0 && known < wanted.length;
        if (partial) {
            fill(group, loads);
        }
        long heaviest = Arrays.stream(of).max().orElse(0);
        int shift = bits(heaviest) + bits(wanted.length) - TOTAL_BITS;
        if (shift > 0) {
            Arrays.stream(wanted).forEach(each -> of[each] = Math.max(of[each] >> shift, 1));
        }
        counts = Arrays.stream(wanted).allMatch(each -> of[each] == of[wanted[0]]);
        if (counts) {
            Arrays.stream(wanted).forEach(each -> of[each] = 1);
        }
        this.tolerance = counts ? 0 : tolerance; // counts do not fluctuate
    }

    /** Returns by how much a load may exceed an even one. */
    long slack(long even) {
        return even / MILLION * tolerance + even % MILLION * tolerance / MILLION;
    }

    /** Gives partitions of unknown load the lower median of their topic, else of all. */
    private void fill(Group group, long[] loads) {
        long everywhere = median(group, loads, 0, group.partitions());
        for (int topic = 0; topic < group.audienceOf.length; topic++) {
            int start = group.topicStarts[topic];
            int end = group.topicStarts[topic + 1];
            long ofTopic = median(group, loads, start, end);
            for (int each = start; each < end; each++) {
                if (group.isWanted(each) && loads[each] == Group.UNKNOWN) {
                    of[each] = ofTopic > 0 ? ofTopic : everywhere;
                }
            }
        }
    }

    private long median(Group group, long[] loads, int start, int end) {
        long[] known = IntStream.range(start, end)
            .filter(each -> group.isWanted(each) && loads[each] != Group.UNKNOWN)
            .mapToLong(each -> of[each]).sorted().toArray();
        return known.length == 0 ? 0 : known[(known.length - 1) / 2];
    }

    private static int bits(long value) {
        return Long.SIZE - Long.numberOfLeadingZeros(value);
    }
}
