package kafkaassignments.strategy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Keeps what members own, serves members that hold nothing, and then takes load off the busiest,
 * within a budget of moves. docs/load-sticky.md defines every choice and tie.
 */
public final class LoadSticky {
    private static final int TOLERANCE_AFRESH = 10;
    private final Group group;
    private final LoadWeights weights;
    /** The present owner of each partition that still subscribes. */
    private final int[] home;
    private final int[] members;
    private final int wanted;
    private final int budget;
    /** Whether no partition has a home, so that nothing disturbs anybody. */
    private final boolean afresh;
    private int[] owners;
    private int away;
    private int exempt;

    private LoadSticky(
            Group group, int[] present, long[] loads, int movesPermille, int toleranceMillionths) {
        this.group = group;
        home = group.fit(present);
        members = Search.takingPart(group);
        wanted = (int) IntStream.range(0, home.length).filter(group::isWanted).count();
        long homes = Arrays.stream(home).filter(owner -> owner != Group.UNOWNED).count();
        budget = (int) ((homes * movesPermille + 999) / 1000);
        afresh = homes == 0;
        weights = new LoadWeights(group, loads, afresh ? TOLERANCE_AFRESH : toleranceMillionths);
    }

    /**
     * Returns the owner of each partition.
     *
     * @param present the owner of each partition at present, or {@link Group#UNOWNED}
     * @param loads the records of each partition, lag or arrivals or both, or {@link Group#UNKNOWN}
     * @param movesPermille of a thousand partitions that could stay, how many may move
     * @param toleranceMillionths how many millionths above an even load count as even
     */
    public static int[] assign(
            Group group, int[] present, long[] loads, int movesPermille, int toleranceMillionths) {
        return new LoadSticky(group, present, loads, movesPermille, toleranceMillionths).assign();
    }

    private int[] assign() {
        owners = placed();
        if (wanted == 0) {
            return owners;
        }
        boolean[] joins = joiners();
        int most = (wanted + members.length - 1) / members.length;
        Search search = Search.ofLoads(group, weights, owners);
        boolean isRefused = false;
        boolean isRelieved = true;
        while (isRelieved && !isRefused) {
            search.feed(joins, most, step -> {
                int before = away;
                take(step);
                exempt += away - before;
            });
            if (weights.partial && !afresh) {
                return owners;
            }
            boolean[] refused = {false};
            isRelieved = search.relieve(step -> {
                refused[0] = !isWithinBudget(awayMore(step));
                if (!refused[0]) {
                    take(step);
                }
                return !refused[0];
            }) && Arrays.stream(members).anyMatch(member -> joins[member] && search.holdsNothing(member));
            isRefused = refused[0];
        }
        if (!isRefused && weights.counts && (group.onlyAudience() == null || group.knowsRacks())) {
            evenCounts();
        }
        return owners;
    }

    private boolean[] joiners() {
        boolean[] joins = new boolean[group.members];
        Arrays.stream(members).forEach(member -> joins[member] = true);
        Arrays.stream(home).filter(owner -> owner != Group.UNOWNED)
            .forEach(owner -> joins[owner] = false);
        return joins;
    }

    /** Keeps every home and places the rest, heaviest first, each with the least loaded subscriber. */
    private int[] placed() {
        int[] placed = home.clone();
        long[] loads = new long[group.members];
        int[] counts = new int[group.members];
        for (int partition = 0; partition < placed.length; partition++) {
            if (placed[partition] != Group.UNOWNED) {
                loads[placed[partition]] += weights.of[partition];
                counts[placed[partition]]++;
            }
        }
        int[] free = IntStream.range(0, placed.length)
            .filter(each -> placed[each] == Group.UNOWNED && group.isWanted(each)).boxed()
            .sorted(Comparator.comparingLong(each -> -weights.of[each]))
            .mapToInt(Integer::intValue).toArray();
        long even = Arrays.stream(weights.of).sum() / Math.max(members.length, 1);
        long most = even + weights.slack(even);
        Emptiest emptiest = new Emptiest(group, loads, counts);
        for (int partition : free) {
            int near = group.knowsRacks() ? emptiest.near(partition) : Group.UNOWNED;
            boolean fits = near != Group.UNOWNED && loads[near] + weights.of[partition] <= most;
            int member = fits ? near : emptiest.of(partition);
            placed[partition] = member;
            loads[member] += weights.of[partition];
            counts[member]++;
        }
        return placed;
    }

    private void evenCounts() {
        EvenCounts counts = new EvenCounts(group, home, members, owners);
        for (int[][] cycle = counts.cheaper(); cycle.length > 0; cycle = counts.cheaper()) {
            int more = 0;
            for (int[] pass : cycle) {
                more += awayMore(pass[0], pass[1]);
            }
            if (!isWithinBudget(more)) {
                return;
            }
            for (int[] pass : cycle) {
                take(pass[0], pass[1]);
            }
            counts.update(owners);
        }
    }

    private boolean isWithinBudget(int more) {
        return away - exempt + more <= budget;
    }

    private int awayMore(Search.Step step) {
        int back = step.returned < 0 ? 0 : awayMore(step.returned, step.giver);
        return awayMore(step.given, step.taker) + back;
    }

    /** Returns by how many more partitions are away from home if this one goes to a member. */
    private int awayMore(int partition, int member) {
        if (home[partition] == Group.UNOWNED) {
            return 0;
        }
        return (member != home[partition] ? 1 : 0) - (owners[partition] != home[partition] ? 1 : 0);
    }

    private void take(Search.Step step) {
        take(step.given, step.taker);
        if (step.returned >= 0) {
            take(step.returned, step.giver);
        }
    }

    private void take(int partition, int member) {
        away += awayMore(partition, member);
        owners[partition] = member;
    }
}
