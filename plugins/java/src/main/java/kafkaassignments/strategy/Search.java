package kafkaassignments.strategy;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * An assignment that improves by one move or swap at a time; docs/load-sticky.md defines every choice
 * and tie. Each step leaves both of its members below what the fuller one had, so that the sum of
 * squared loads falls with each.
 */
final class Search {
    /** A move or swap of partitions; -1 for nothing in return. */
    static final class Step {
        final int giver;
        final int taker;
        final int given;
        final int returned;

        private Step(int giver, int taker, int given, int returned) {
            this.giver = giver;
            this.taker = taker;
            this.given = given;
            this.returned = returned;
        }
    }

    private static final int COMPARISONS = 30_000;
    /** The members that subscribe to a topic with partitions. */
    final int[] members;
    private final Holdings holdings;
    private final LongUnaryOperator slack;
    private final int moveScore;
    private final int[] leastCounts;
    private final int[] mostCounts;
    private final long bound;
    private int comparisonsLeft = COMPARISONS;
    private Step best;
    private long bestScore;

    /** A search without limits on counts, in which a move scores twice its gain. */
    static Search ofLoads(Group group, LoadWeights weights, int[] owners) {
        return new Search(group, weights.of, owners, weights::slack, 2, null, null);
    }

    /**
     * A search for the smallest largest load in which each member keeps its count within limits; it
     * ends once no assignment can have a smaller one.
     */
    static Search withinCounts(Group group, long[] weights, int[] owners, int[] least, int[] most) {
        return new Search(group, weights, owners, even -> 0, 1, least, most);
    }

    private Search(Group group, long[] weights, int[] owners, LongUnaryOperator slack, int moveScore,
            int[] leastCounts, int[] mostCounts) {
        members = takingPart(group);
        holdings = new Holdings(group, weights, owners);
        this.slack = slack;
        this.moveScore = moveScore;
        this.leastCounts = leastCounts;
        this.mostCounts = mostCounts;
        bound = leastLargest();
    }

    /** Returns the members that subscribe to a topic with partitions, ascending. */
    static int[] takingPart(Group group) {
        boolean[] takesPart = new boolean[group.members];
        for (int topic = 0; topic < group.audienceOf.length; topic++) {
            if (group.audienceOf[topic] >= 0 && group.topicStarts[topic] < group.topicStarts[topic + 1]) {
                for (int member : group.audiences[group.audienceOf[topic]]) {
                    takesPart[member] = true;
                }
            }
        }
        return IntStream.range(0, group.members).filter(member -> takesPart[member]).toArray();
    }

    /** The load of the busiest member. */
    long largest() {
        return Arrays.stream(holdings.loads).max().orElse(0);
    }

    /** Whether a simple bound proves the largest load optimal. */
    boolean isBest() {
        return largest() <= bound;
    }

    /**
     * The least that the largest load can be: some member carries an even share, and some has the
     * heaviest partition, with as many of the lightest as the limits make everyone hold.
     */
    private long leastLargest() {
        if (members.length == 0) {
            return 0;
        }
        long total = Arrays.stream(holdings.loads).sum();
        long even = total / members.length + (total % members.length > 0 ? 1 : 0);
        int fewest = leastCounts == null ? 0
            : Arrays.stream(members).map(member -> leastCounts[member]).min().orElse(0);
        return Math.max(even, holdings.heaviestWithLightest(Math.max(fewest - 1, 0)));
    }

    boolean holdsNothing(int member) {
        return holdings.counts[member] == 0;
    }

    /** Returns the owner of each partition. */
    int[] owners() {
        return holdings.owners();
    }

    /** Moves up to so many partitions to each joiner, from the busiest that can give, and tells each. */
    void feed(boolean[] joins, int most, Consumer<Step> taken) {
        long even = evenOfMany();
        long enough = even - slack.applyAsLong(even);
        int[] room = new int[joins.length];
        Arrays.setAll(room, member -> joins[member] ? most : 0);
        while (true) {
            int joiner = -1;
            for (int member : members) {
                if (room[member] > 0 && holdings.loads[member] < enough
                        && (joiner < 0 || holdings.loads[member] < holdings.loads[joiner])) {
                    joiner = member;
                }
            }
            if (joiner < 0) {
                return;
            }
            Step step = gift(joiner);
            room[joiner] = step == null ? 0 : room[joiner] - 1;
            if (step != null) {
                take(step);
                taken.accept(named(step));
            }
        }
    }

    /**
     * Relieves the busiest member, then the busiest of the rest, and so on, pass after pass, until a
     * pass finds no step or one is not accepted. Returns whether any was taken.
     */
    boolean relieve(Predicate<Step> accepts) {
        boolean moved = false;
        boolean[] open = new boolean[holdings.loads.length];
        for (boolean inPass = true; inPass;) {
            inPass = false;
            Arrays.stream(members).forEach(member -> open[member] = true);
            for (int left = members.length; left > 0 && comparisonsLeft > 0;) {
                if (mostCounts != null && isBest()) {
                    break;
                }
                int busiest = busiest(open);
                long even = even(open);
                if (holdings.loads[busiest] <= even + slack.applyAsLong(even)) {
                    break;
                }
                Step step = holdings.counts[busiest] == 1 ? null : best(busiest, open);
                if (step == null) {
                    open[busiest] = false;
                    left--;
                } else if (accepts.test(named(step))) {
                    take(step);
                    inPass = true;
                } else {
                    return moved;
                }
                moved |= inPass;
            }
        }
        return moved;
    }

    /** Returns the move that gains most from the busiest member that can give one; null if none can. */
    private Step gift(int joiner) {
        IntPredicate isFuller = member -> holdings.loads[member] > holdings.loads[joiner];
        for (int giver : byLoad(isFuller, true)) {
            long gap = holdings.loads[giver] - holdings.loads[joiner];
            int rank = holdings.bestAcross(holdings.ranks(giver, joiner), gap, 0);
            if (rank >= 0) {
                return new Step(giver, joiner, rank, -1);
            }
        }
        return null;
    }

    /** The even load of the members other than those with a single partition above it. */
    private long evenOfMany() {
        boolean[] counted = new boolean[holdings.loads.length];
        Arrays.stream(members).forEach(member -> counted[member] = true);
        while (true) {
            int busiest = busiest(counted);
            long even = even(counted);
            if (holdings.counts[busiest] != 1 || holdings.loads[busiest] <= even) {
                return even;
            }
            counted[busiest] = false;
        }
    }

    /** Returns the step with the largest score, moves before swaps; null if none gains anything. */
    private Step best(int giver, boolean[] open) {
        int[] takers =
            byLoad(member -> open[member] && holdings.loads[member] < holdings.loads[giver], false);
        best = null;
        bestScore = 0;
        tryMoves(giver, takers);
        for (int taker : takers) {
            long half = (holdings.loads[giver] - holdings.loads[taker]) / 2;
            if (half <= bestScore || comparisonsLeft == 0) {
                break;
            }
            long hope = Math.min(half, holdings.heaviest(giver) - holdings.lightest(taker));
            if (holdings.counts[taker] > 0 && hope > bestScore) {
                comparisonsLeft--;
                trySwaps(giver, taker);
            }
        }
        return best;
    }

    private void tryMoves(int giver, int[] takers) {
        if (leastCounts != null && holdings.counts[giver] <= leastCounts[giver]) {
            return;
        }
        for (int taker : takers) {
            if (mostCounts != null && holdings.counts[taker] >= mostCounts[taker]) {
                continue;
            }
            long gap = holdings.loads[giver] - holdings.loads[taker];
            if (moveScore * Math.min(holdings.heaviest(giver), gap / 2) <= bestScore
                    || comparisonsLeft == 0) {
                return;
            }
            comparisonsLeft--;
            int rank = holdings.bestAcross(holdings.ranks(giver, taker), gap, 0);
            if (rank >= 0 && moveScore * holdings.gain(rank, gap, 0) > bestScore) {
                best = new Step(giver, taker, rank, -1);
                bestScore = moveScore * holdings.gain(rank, gap, 0);
            }
        }
    }

    private void trySwaps(int giver, int taker) {
        long gap = holdings.loads[giver] - holdings.loads[taker];
        int[] gives = holdings.ranks(giver, taker);
        for (int returned : holdings.ranks(taker, giver)) {
            int given = holdings.bestAcross(gives, gap, holdings.weight(returned));
            if (given >= 0 && holdings.gain(given, gap, holdings.weight(returned)) > bestScore) {
                best = new Step(giver, taker, given, returned);
                bestScore = holdings.gain(given, gap, holdings.weight(returned));
            }
        }
    }

    private void take(Step step) {
        holdings.move(step.given, step.giver, step.taker);
        if (step.returned >= 0) {
            holdings.move(step.returned, step.taker, step.giver);
        }
    }

    /** Returns a step with numbers of partitions instead of their ranks. */
    private Step named(Step step) {
        return new Step(step.giver, step.taker, holdings.partition(step.given),
            step.returned < 0 ? -1 : holdings.partition(step.returned));
    }

    private int busiest(boolean[] of) {
        int busiest = -1;
        for (int member : members) {
            if (of[member] && (busiest < 0 || holdings.loads[member] > holdings.loads[busiest])) {
                busiest = member;
            }
        }
        return busiest;
    }

    private long even(boolean[] of) {
        long total = 0;
        int number = 0;
        for (int member : members) {
            total += of[member] ? holdings.loads[member] : 0;
            number += of[member] ? 1 : 0;
        }
        return total / number;
    }

    private int[] byLoad(IntPredicate which, boolean busiestFirst) {
        Comparator<Integer> byLoad = Comparator.comparingLong(member -> holdings.loads[member]);
        return Arrays.stream(members).filter(which).boxed()
            .sorted(busiestFirst ? byLoad.reversed() : byLoad).mapToInt(Integer::intValue).toArray();
    }
}
