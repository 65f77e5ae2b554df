package kafkaassignments.strategy;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Gives every partition to the subscriber with the fewest so far, scarce topics first.
 *
 * <p>Topics with the fewest subscribers come first, then those with the most partitions, then by
 * name; ties between members go to the smaller id. It ignores present owners and takes nothing back.
 * Source: KIP-49 and the FairAssignor of its pull request.
 */
public final class Fair {
    private Fair() {}

    /** Returns the owner of each partition. */
    public static int[] assign(Group group) {
        int[] owners = group.nobody();
        int[] counts = new int[group.members];
        Comparator<Integer> emptiest = Comparator.comparingInt((Integer member) -> counts[member])
            .thenComparingInt(member -> member);
        PriorityQueue<Integer> heap = new PriorityQueue<>(emptiest);
        int heapOf = -1;
        for (int topic : scarceFirst(group)) {
            int audience = group.audienceOf[topic];
            if (audience != heapOf) { // counts of its members may have changed since its last topic
                heap.clear();
                for (int member : group.audiences[audience]) {
                    heap.add(member);
                }
                heapOf = audience;
            }
            for (int each = group.topicStarts[topic]; each < group.topicStarts[topic + 1]; each++) {
                int member = heap.remove();
                owners[each] = member;
                counts[member]++;
                heap.add(member);
            }
        }
        return owners;
    }

    private static int[] scarceFirst(Group group) {
        int[] starts = group.topicStarts;
        Comparator<Integer> order = Comparator
            .comparingInt((Integer topic) -> group.audiences[group.audienceOf[topic]].length)
            .thenComparingInt(topic -> starts[topic] - starts[topic + 1]);
        return IntStream.range(0, starts.length - 1)
            .filter(topic -> group.audienceOf[topic] >= 0 && starts[topic] < starts[topic + 1])
            .boxed().sorted(order).mapToInt(Integer::intValue).toArray();
    }
}
