package kafkaassignments.strategy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * What every member holds while an assignment is improved.
 *
 * <p>Wanted partitions have ranks by ascending weight, ties by number, so that what a member holds is
 * one sorted array.
 */
final class Holdings {
    /** The total weight of each member. */
    final long[] loads;
    /** How many partitions each member holds. */
    final int[] counts;
    private final Group group;
    private final boolean alike;
    private final int[] partitionOf;
    private final long[] weights;
    private final int[][] held;

    /** Takes these owners, one for every wanted partition. */
    Holdings(Group group, long[] weightOf, int[] owners) {
        this.group = group;
        alike = group.onlyAudience() != null;
        partitionOf = IntStream.range(0, owners.length).filter(group::isWanted).boxed()
            .sorted(Comparator.comparingLong(partition -> weightOf[partition]))
            .mapToInt(Integer::intValue).toArray();
        weights = Arrays.stream(partitionOf).mapToLong(partition -> weightOf[partition]).toArray();
        loads = new long[group.members];
        counts = new int[group.members];
        for (int rank = 0; rank < weights.length; rank++) {
            loads[owners[partitionOf[rank]]] += weights[rank];
            counts[owners[partitionOf[rank]]]++;
        }
        held = new int[group.members][];
        Arrays.setAll(held, member -> new int[counts[member] + 1]);
        int[] filled = new int[group.members];
        for (int rank = 0; rank < weights.length; rank++) {
            int owner = owners[partitionOf[rank]];
            held[owner][filled[owner]++] = rank;
        }
    }

    int partition(int rank) {
        return partitionOf[rank];
    }

    long weight(int rank) {
        return weights[rank];
    }

    /** The weight of the member's heaviest partition; 0 if it has none. */
    long heaviest(int member) {
        return counts[member] == 0 ? 0 : weights[held[member][counts[member] - 1]];
    }

    /** The weight of the member's lightest partition; 0 if it has none. */
    long lightest(int member) {
        return counts[member] == 0 ? 0 : weights[held[member][0]];
    }

    /** The weight of the heaviest partition of all and so many of the lightest. */
    long heaviestWithLightest(int lightest) {
        long heaviest = weights.length == 0 ? 0 : weights[weights.length - 1];
        return heaviest + Arrays.stream(weights, 0, Math.min(lightest, weights.length)).sum();
    }

    /** Returns the ranks that one member holds and another subscribes to, ascending. */
    int[] ranks(int holder, int subscriber) {
        int[] all = Arrays.copyOf(held[holder], counts[holder]);
        return alike ? all
            : Arrays.stream(all).filter(rank -> group.mayOwn(subscriber, partitionOf[rank])).toArray();
    }

    /**
     * Returns which of these ranks gains most when it crosses a gap and a weight comes back; ties: the
     * lighter, then the smaller number. -1 if none gains anything.
     */
    int bestAcross(int[] ranks, long gap, long back) {
        int above = firstFrom(ranks, back + gap / 2);
        int best = -1;
        long most = 0;
        if (above > 0) {
            best = ranks[firstFrom(ranks, weights[ranks[above - 1]])];
            most = gain(best, gap, back);
        }
        if (above < ranks.length && gain(ranks[above], gap, back) > Math.max(most, 0)) {
            return ranks[above];
        }
        return most > 0 ? best : -1;
    }

    /** Returns by how much the fuller of two members lowers. */
    long gain(int rank, long gap, long back) {
        long difference = weights[rank] - back;
        return Math.min(difference, gap - difference);
    }

    void move(int rank, int giver, int taker) {
        int out = Arrays.binarySearch(held[giver], 0, counts[giver], rank);
        System.arraycopy(held[giver], out + 1, held[giver], out, --counts[giver] - out);
        if (counts[taker] == held[taker].length) {
            held[taker] = Arrays.copyOf(held[taker], counts[taker] * 2 + 1);
        }
        int into = -1 - Arrays.binarySearch(held[taker], 0, counts[taker], rank);
        System.arraycopy(held[taker], into, held[taker], into + 1, counts[taker]++ - into);
        held[taker][into] = rank;
        loads[giver] -= weights[rank];
        loads[taker] += weights[rank];
    }

    /** Returns the owner of each partition. */
    int[] owners() {
        int[] owners = group.nobody();
        for (int member = 0; member < held.length; member++) {
            for (int place = 0; place < counts[member]; place++) {
                owners[partitionOf[held[member][place]]] = member;
            }
        }
        return owners;
    }

    /** Returns the first position with at least this weight. */
    private int firstFrom(int[] ranks, long weight) {
        int low = 0;
        int high = ranks.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (weights[ranks[middle]] < weight) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
