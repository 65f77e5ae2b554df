package kafkaassignments.strategy;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Cycles of members that make counts more even, or else match more racks, or else move less
 * (Klein's minimum-cost flow, 1967). docs/load-sticky.md defines their order.
 *
 * <p>Nodes are the members that take part, and one more through which counts change: an edge from a
 * member to it keeps one partition more there, one from it takes one away.
 */
final class EvenCounts {
    private static final long OFF_RACK = 1L << 15;
    private static final long SQUARE = 1L << 32;
    private static final long NO_EDGE = 1L << 60;
    private static final long CELLS = 1L << 22;
    private static final long WORK = 1L << 27;
    private final Group group;
    private final int[] home;
    private final int[] members;
    private final int[] wanted;
    private final int[] nodeOf;
    private final long[][] cost;
    private final int[][] via;
    private long workLeft = WORK;

    EvenCounts(Group group, int[] home, int[] members, int[] owners) {
        this.group = group;
        this.home = home;
        this.members = members;
        wanted = IntStream.range(0, owners.length).filter(group::isWanted).toArray();
        nodeOf = new int[group.members];
        IntStream.range(0, members.length).forEach(node -> nodeOf[members[node]] = node);
        cost = new long[members.length + 1][members.length + 1];
        via = new int[members.length][members.length];
        if (isSmallEnough()) {
            update(owners);
        }
    }

    private boolean isSmallEnough() {
        return (long) wanted.length * group.members <= CELLS;
    }

    /** Computes every edge anew for these owners. */
    void update(int[] owners) {
        int outside = members.length;
        int[] counts = new int[outside];
        for (long[] row : cost) {
            Arrays.fill(row, NO_EDGE);
        }
        for (int partition : wanted) {
            int giver = nodeOf[owners[partition]];
            counts[giver]++;
            long now = costOf(partition, owners[partition]);
            for (int taker = 0; taker < outside; taker++) {
                if (taker != giver && group.mayOwn(members[taker], partition)
                        && costOf(partition, members[taker]) - now < cost[giver][taker]) {
                    cost[giver][taker] = costOf(partition, members[taker]) - now;
                    via[giver][taker] = partition;
                }
            }
        }
        for (int node = 0; node < outside; node++) {
            cost[node][outside] = SQUARE * (2L * counts[node] + 1);
            cost[outside][node] = counts[node] == 0 ? NO_EDGE : SQUARE * (1 - 2L * counts[node]);
        }
    }

    /** Returns the next cycle as partitions and their new owners; empty if there is none. */
    int[][] cheaper() {
        int size = members.length + 1;
        long[] distance = new long[size];
        int[] before = new int[size];
        Arrays.fill(before, -1);
        while (isSmallEnough() && (long) size * size <= workLeft) {
            workLeft -= (long) size * size;
            long[] least = new long[size];
            int[] nearest = new int[size];
            Arrays.fill(least, Long.MAX_VALUE);
            for (int from = 0; from < size; from++) {
                for (int to = 0; to < size; to++) {
                    if (distance[from] + cost[from][to] < least[to]) {
                        least[to] = distance[from] + cost[from][to];
                        nearest[to] = from;
                    }
                }
            }
            boolean isNearer = false;
            for (int node = 0; node < size; node++) {
                if (least[node] < distance[node]) {
                    isNearer = true;
                    distance[node] = least[node];
                    before[node] = nearest[node];
                }
            }
            int on = isNearer ? firstOnCycle(before) : -1;
            if (on >= 0) {
                return passes(before, on);
            }
            if (!isNearer) {
                break;
            }
        }
        return new int[0][];
    }

    /** Follows predecessors from each node in order; returns the first node met twice, or -1. */
    private static int firstOnCycle(int[] before) {
        int[] metFrom = new int[before.length];
        Arrays.fill(metFrom, -1);
        for (int start = 0; start < before.length; start++) {
            int node = start;
            while (node >= 0 && metFrom[node] < 0) {
                metFrom[node] = start;
                node = before[node];
            }
            if (node >= 0 && metFrom[node] == start) {
                return node;
            }
        }
        return -1;
    }

    private int[][] passes(int[] before, int on) {
        IntStream.Builder takers = IntStream.builder().add(on);
        for (int node = before[on]; node != on; node = before[node]) {
            takers.add(node);
        }
        int outside = members.length;
        return takers.build().filter(taker -> taker != outside && before[taker] != outside)
            .mapToObj(taker -> new int[] {via[before[taker]][taker], members[taker]})
            .toArray(int[][]::new);
    }

    private long costOf(int partition, int member) {
        long isAway = home[partition] != Group.UNOWNED && home[partition] != member ? 1 : 0;
        return isAway + (group.isOffRack(member, partition) ? OFF_RACK : 0);
    }
}
