package kafkaassignments.strategy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Counts as even as subscriptions allow: the optimal semi-matching of partitions and members
 * (Harvey, Ladner, Lovasz and Tamir, Optimal semi-matchings, 2003).
 *
 * <p>Starts from {@link Fair} and moves partitions along paths from a fuller member to an emptier one
 * until no path helps. An entry is one member of one audience.
 */
final class EvenSeats {
    private final Group group;
    private final int[] firstEntry;
    private final int[] memberOf;
    private final int[] audienceOf;
    private final List<List<Integer>> entriesOf = new ArrayList<>();
    private final int[] taken;
    private final int[] counts;
    private final boolean[] open;

    private EvenSeats(Group group) {
        this.group = group;
        firstEntry = new int[group.audiences.length + 1];
        for (int audience = 0; audience < group.audiences.length; audience++) {
            firstEntry[audience + 1] = firstEntry[audience] + group.audiences[audience].length;
        }
        int entries = firstEntry[group.audiences.length];
        memberOf = new int[entries];
        audienceOf = new int[entries];
        taken = new int[entries];
        counts = new int[group.members];
        open = new boolean[group.members];
        for (int member = 0; member < group.members; member++) {
            entriesOf.add(new ArrayList<>());
        }
        for (int audience = 0; audience < group.audiences.length; audience++) {
            for (int place = 0; place < group.audiences[audience].length; place++) {
                int entry = firstEntry[audience] + place;
                memberOf[entry] = group.audiences[audience][place];
                audienceOf[entry] = audience;
                entriesOf.get(memberOf[entry]).add(entry);
                open[memberOf[entry]] = true;
            }
        }
        int[] owners = Fair.assign(group);
        for (int partition = 0; partition < owners.length; partition++) {
            if (owners[partition] != Group.UNOWNED) {
                int audience = group.audienceOf[group.topicOf[partition]];
                int place = Arrays.binarySearch(group.audiences[audience], owners[partition]);
                taken[firstEntry[audience] + place]++;
                counts[owners[partition]]++;
            }
        }
    }

    /** Returns how many partitions each member of each audience takes. */
    static int[][] of(Group group) {
        EvenSeats seats = new EvenSeats(group);
        for (int start = seats.busiest(); start >= 0; start = seats.busiest()) {
            seats.relieve(start);
        }
        int[][] rows = new int[group.audiences.length][];
        Arrays.setAll(rows, audience -> Arrays.copyOfRange(
            seats.taken, seats.firstEntry[audience], seats.firstEntry[audience + 1]));
        return rows;
    }

    /** Returns the busiest member that a path may still relieve; -1 if there is none. */
    private int busiest() {
        int busiest = -1;
        int least = Integer.MAX_VALUE;
        for (int member = 0; member < counts.length; member++) {
            if (open[member]) {
                busiest = busiest < 0 || counts[member] > counts[busiest] ? member : busiest;
                least = Math.min(least, counts[member]);
            }
        }
        return busiest < 0 || counts[busiest] - least <= 1 ? -1 : busiest;
    }

    /** Moves partitions along one path from this member, or closes everything it reaches. */
    private void relieve(int start) {
        int[] cameBy = new int[group.members];
        int[] leftBy = new int[group.audiences.length];
        boolean[] reached = new boolean[group.members];
        Arrays.fill(leftBy, -1);
        reached[start] = true;
        Deque<Integer> queue = new ArrayDeque<>(List.of(start));
        while (!queue.isEmpty()) {
            int member = queue.remove();
            List<Integer> ways = new ArrayList<>();
            for (int entry : entriesOf.get(member)) {
                if (taken[entry] > 0 && leftBy[audienceOf[entry]] < 0) {
                    ways.add(entry);
                }
            }
            for (int entry : ways) {
                leftBy[audienceOf[entry]] = entry;
                int end = -1;
                List<Integer> found = new ArrayList<>();
                for (int way = firstEntry[audienceOf[entry]]; way < firstEntry[audienceOf[entry] + 1]; way++) {
                    int next = memberOf[way];
                    if (!reached[next]) {
                        cameBy[next] = way;
                        reached[next] = true;
                        found.add(next);
                        end = end < 0 || counts[next] < counts[end] ? next : end;
                    }
                }
                if (end >= 0 && counts[end] <= counts[start] - 2) {
                    move(start, end, cameBy, leftBy);
                    return;
                }
                queue.addAll(found);
            }
        }
        for (int member = 0; member < reached.length; member++) {
            open[member] &= !reached[member];
        }
    }

    private void move(int start, int end, int[] cameBy, int[] leftBy) {
        int amount = (counts[start] - counts[end]) / 2;
        for (int member = end; member != start; member = giver(member, cameBy, leftBy)) {
            amount = Math.min(amount, taken[leftBy[audienceOf[cameBy[member]]]]);
        }
        for (int member = end; member != start; member = giver(member, cameBy, leftBy)) {
            taken[leftBy[audienceOf[cameBy[member]]]] -= amount;
            taken[cameBy[member]] += amount;
        }
        counts[start] -= amount;
        counts[end] += amount;
    }

    private int giver(int member, int[] cameBy, int[] leftBy) {
        return memberOf[leftBy[audienceOf[cameBy[member]]]];
    }
}
