package kafkaassignments.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/** Finds the subscriber with the least load, then the fewest partitions, then the smallest number. */
final class Emptiest {
    private final Group group;
    private final long[] loads;
    private final int[] counts;
    /** For each audience, its members as they stood; what a heap holds can only be too small. */
    private final List<PriorityQueue<long[]>> heaps = new ArrayList<>();

    /** Watches loads and counts that the caller changes. */
    Emptiest(Group group, long[] loads, int[] counts) {
        this.group = group;
        this.loads = loads;
        this.counts = counts;
        for (int[] audience : group.audiences) {
            PriorityQueue<long[]> heap = new PriorityQueue<>(Arrays::compare);
            for (int member : audience) {
                heap.add(standing(member));
            }
            heaps.add(heap);
        }
    }

    /** Returns the emptiest of the partition's subscribers. */
    int of(int partition) {
        PriorityQueue<long[]> heap = heaps.get(group.audienceOf[group.topicOf[partition]]);
        while (true) {
            long[] first = heap.peek();
            long[] now = standing((int) first[2]);
            if (Arrays.equals(first, now)) {
                return (int) now[2];
            }
            heap.remove();
            heap.add(now);
        }
    }

    /** Returns the emptiest of the subscribers in a rack of a replica; UNOWNED if there is none. */
    int near(int partition) {
        int best = Group.UNOWNED;
        for (int member : group.audiences[group.audienceOf[group.topicOf[partition]]]) {
            if (group.isNear(member, partition) && (best == Group.UNOWNED
                    || Arrays.compare(standing(member), standing(best)) < 0)) {
                best = member;
            }
        }
        return best;
    }

    private long[] standing(int member) {
        return new long[] {loads[member], counts[member], member};
    }
}
