package kafkaassignments.strategy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Assigns all partitions by total lag among members below their even count; then improves.
 *
 * <p>With equal subscriptions counts differ by at most one and the busiest never has more lag than
 * under round robin; with unequal ones counts are as even as possible. Unknown and negative lags
 * count as 0; present owners do not count.
 */
public final class LagCapped {
    private static final int PER_BATCH = 16;
    private final Group group;
    private final long[] counted;

    private LagCapped(Group group, long[] counted) {
        this.group = group;
        this.counted = counted;
    }

    /** Returns the owner of each partition; {@code lags} has one entry for each partition. */
    public static int[] assign(Group group, long[] lags) {
        return new LagCapped(group, Weights.counted(lags)).assign();
    }

    private int[] assign() {
        int[] order = Arrays.stream(Weights.heaviestFirst(counted, 0, counted.length))
            .filter(group::isWanted).toArray();
        int[] members = group.onlyAudience();
        if (members == null) {
            int[] start = bySeats(order);
            int[] counts = new int[group.members];
            Arrays.stream(order).forEach(partition -> counts[start[partition]]++);
            return improved(Search.withinCounts(
                group, Weights.comparable(counted), start, counts.clone(), counts.clone())).owners();
        }
        int fewest = order.length / members.length;
        int most = fewest + (order.length % members.length > 0 ? 1 : 0);
        Search search = improved(searchFrom(greedy(order, members, fewest, most), fewest, most));
        if (!search.isBest()) {
            int[] roundRobin = group.nobody();
            int turn = 0;
            for (int partition = 0; partition < roundRobin.length; partition++) {
                if (group.isWanted(partition)) {
                    roundRobin[partition] = members[turn++ % members.length];
                }
            }
            Search other = searchFrom(roundRobin, fewest, most);
            if (other.largest() < search.largest()) {
                search = improved(other);
            }
        }
        return search.owners();
    }

    private Search searchFrom(int[] owners, int fewest, int most) {
        int[] least = new int[group.members];
        int[] limit = new int[group.members];
        Arrays.fill(least, fewest);
        Arrays.fill(limit, most);
        return Search.withinCounts(group, Weights.comparable(counted), owners, least, limit);
    }

    private static Search improved(Search search) {
        search.relieve(step -> true);
        return search;
    }

    /**
     * Gives each partition to the least lag, then the fewest partitions, then the smallest number, as
     * long as enough are left for those below {@code fewest}; those without lag by count first.
     */
    private int[] greedy(int[] order, int[] members, int fewest, int most) {
        Totals totals = new Totals(members.length);
        int[] counts = new int[members.length];
        int[] owners = group.nobody();
        int behind = 0;
        while (behind < order.length && counted[order[behind]] > 0) {
            behind++;
        }
        Comparator<Integer> byTotal = totals::compare;
        int spare = order.length - members.length * fewest;
        spare = give(Arrays.copyOf(order, behind), members, counts, totals, owners, fewest, most, spare,
            byTotal.thenComparingInt(seat -> counts[seat]).thenComparingInt(seat -> seat));
        Integer[] seats = IntStream.range(0, members.length).boxed().toArray(Integer[]::new);
        Arrays.sort(seats, byTotal.thenComparingInt(seat -> seat));
        int[] rank = new int[members.length];
        IntStream.range(0, seats.length).forEach(place -> rank[seats[place]] = place);
        give(Arrays.copyOfRange(order, behind, order.length), members, counts, totals, owners, fewest,
            most, spare, Comparator.comparingInt((Integer seat) -> counts[seat])
                .thenComparingInt(seat -> rank[seat]));
        return owners;
    }

    private int give(int[] partitions, int[] members, int[] counts, Totals totals, int[] owners,
            int fewest, int most, int spare, Comparator<Integer> order) {
        PriorityQueue<Integer> heap = new PriorityQueue<>(order);
        IntStream.range(0, members.length).filter(seat -> counts[seat] < most).forEach(heap::add);
        for (int partition : partitions) {
            while (spare == 0 && counts[heap.peek()] >= fewest) {
                heap.remove();
            }
            int seat = heap.remove();
            owners[partition] = members[seat];
            spare -= counts[seat] >= fewest ? 1 : 0;
            counts[seat]++;
            totals.add(seat, counted[partition]);
            if (counts[seat] < most) {
                heap.add(seat);
            }
        }
        return spare;
    }

    /**
     * Gives partitions to members with seats of their audience left, a batch of up to a sixteenth of
     * its members at a time: most lag to the least total, then the smallest number.
     */
    private int[] bySeats(int[] order) {
        int[][] seats = EvenSeats.of(group);
        int[] owners = group.nobody();
        long[] loads = new long[group.members];
        long[] comparable = Weights.comparable(counted);
        int[][] waiting = new int[group.audiences.length][];
        int[] filled = new int[waiting.length];
        int[] wanted = new int[waiting.length];
        Arrays.stream(order).forEach(partition -> wanted[audience(partition)]++);
        for (int audience = 0; audience < waiting.length; audience++) {
            waiting[audience] = new int[wanted[audience]];
        }
        for (int partition : order) {
            waiting[audience(partition)][filled[audience(partition)]++] = partition;
        }
        int[] done = new int[waiting.length];
        for (int partition : order) {
            int audience = audience(partition);
            int[] rows = waiting[audience];
            if (done[audience] == rows.length || rows[done[audience]] != partition) {
                continue; // not the first of a batch
            }
            int size = Math.max(group.audiences[audience].length / PER_BATCH, 1);
            int end = Math.min(done[audience] + size, rows.length);
            while (done[audience] < end) {
                done[audience] += deal(rows, done[audience], end, group.audiences[audience],
                    seats[audience], loads, comparable, owners);
            }
        }
        return owners;
    }

    private static int deal(int[] rows, int start, int end, int[] members, int[] seats, long[] loads,
            long[] comparable, int[] owners) {
        int[] free = IntStream.range(0, members.length).filter(place -> seats[place] > 0).boxed()
            .sorted(Comparator.comparingLong(place -> loads[members[place]]))
            .mapToInt(Integer::intValue).toArray();
        int dealt = Math.min(free.length, end - start);
        for (int place = 0; place < dealt; place++) {
            int member = members[free[place]];
            owners[rows[start + place]] = member;
            loads[member] += comparable[rows[start + place]];
            seats[free[place]]--;
        }
        return dealt;
    }

    private int audience(int partition) {
        return group.audienceOf[group.topicOf[partition]];
    }
}
