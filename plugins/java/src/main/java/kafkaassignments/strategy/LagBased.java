package kafkaassignments.strategy;

import java.util.Arrays;

/**
 * Assigns each topic's partitions, most lag first, to the subscriber with the fewest of the topic.
 *
 * <p>Ties go to the least lag of this topic, then to the smallest id. Unknown and negative lags count
 * as 0. Totals restart with every topic. Source: KAFKA-5337 and LagBasedPartitionAssignor.
 */
public final class LagBased {
    private LagBased() {}

    /** Returns the owner of each partition; {@code lags} has one entry for each partition. */
    public static int[] assign(Group group, long[] lags) {
        int[] owners = group.nobody();
        long[] counted = Weights.counted(lags);
        for (int topic = 0; topic < group.audienceOf.length; topic++) {
            if (group.audienceOf[topic] >= 0) {
                int[] order = Weights.heaviestFirst(
                    counted, group.topicStarts[topic], group.topicStarts[topic + 1]);
                inRounds(order, counted, group.audiences[group.audienceOf[topic]], owners);
            }
        }
        return owners;
    }

    /** In each round every subscriber gets one partition, so only lag and id order them. */
    private static void inRounds(int[] order, long[] lags, int[] subscribers, int[] owners) {
        Totals totals = new Totals(subscribers.length);
        Integer[] seats = new Integer[subscribers.length];
        Arrays.setAll(seats, seat -> seat);
        for (int start = 0; start < order.length; start += seats.length) {
            if (start > 0) { // a stable sort of seats in any order needs the id as well
                Arrays.sort(seats, (one, other) -> {
                    int byTotal = totals.compare(one, other);
                    return byTotal != 0 ? byTotal : one - other;
                });
            }
            int end = Math.min(start + seats.length, order.length);
            for (int place = start; place < end; place++) {
                owners[order[place]] = subscribers[seats[place - start]];
                totals.add(seats[place - start], lags[order[place]]);
            }
        }
    }
}
