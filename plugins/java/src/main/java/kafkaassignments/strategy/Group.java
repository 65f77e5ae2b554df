package kafkaassignments.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A consumer group as numbers: the input of every strategy.
 *
 * <p>Topics and members are numbered in the order of their names; the partitions of all topics form
 * one range, topic after topic. Ties go to the smaller number. An assignment is an array with the
 * number of a member, or {@link #UNOWNED}, for each partition.
 */
public final class Group {
    /** The owner of a partition that nobody owns. */
    public static final int UNOWNED = -1;
    /** A weight or an offset that is not known; not zero. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** How many members there are. */
    public final int members;
    /** One more entry than topics: topic t has the partitions topicStarts[t] to topicStarts[t + 1] - 1. */
    public final int[] topicStarts;
    /** The topic of each partition. */
    public final int[] topicOf;
    /** The subscription class of each member; members with equal subscriptions share one. */
    public final int[] classOf;
    /** For each class and topic, whether the class subscribes to it. */
    public final boolean[][] subscribes;
    /** The audience of each topic, -1 without subscribers; topics with equal subscribers share one. */
    public final int[] audienceOf;
    /** The members of each audience, ascending. */
    public final int[][] audiences;

    private final int[] memberRacks;
    private final boolean[][] replicaRacks;

    /**
     * A group.
     *
     * @param memberRacks the rack of each member, -1 if unknown; null if racks play no part
     * @param replicaRacks for each partition and rack, whether the rack has a replica
     */
    public Group(int[] topicStarts, int[] classOf, boolean[][] subscribes, int[] memberRacks,
            boolean[][] replicaRacks) {
        this.memberRacks = memberRacks;
        this.replicaRacks = replicaRacks;
        this.members = classOf.length;
        this.topicStarts = topicStarts;
        this.classOf = classOf;
        this.subscribes = subscribes;
        int topics = topicStarts.length - 1;
        topicOf = new int[topicStarts[topics]];
        for (int topic = 0; topic < topics; topic++) {
            Arrays.fill(topicOf, topicStarts[topic], topicStarts[topic + 1], topic);
        }
        audienceOf = new int[topics];
        audiences = audiencesOf(topics);
    }

    /** The number of partitions. */
    public int partitions() {
        return topicOf.length;
    }

    /** Returns whether anybody subscribes to the partition's topic. */
    public boolean isWanted(int partition) {
        return audienceOf[topicOf[partition]] >= 0;
    }

    /** Returns whether a member may own a partition. */
    public boolean mayOwn(int member, int partition) {
        return subscribes[classOf[member]][topicOf[partition]];
    }

    /** Returns whether the rack of any member or replica is known. */
    public boolean knowsRacks() {
        return memberRacks != null;
    }

    /** Returns whether a replica of the partition is in the member's rack. */
    public boolean isNear(int member, int partition) {
        return memberRacks[member] >= 0 && replicaRacks[partition][memberRacks[member]];
    }

    /** Returns whether no replica is in the member's rack; false if either is unknown. */
    public boolean isOffRack(int member, int partition) {
        return memberRacks != null && memberRacks[member] >= 0
            && !replicaRacks[partition][memberRacks[member]] && isAny(replicaRacks[partition]);
    }

    private static boolean isAny(boolean[] racks) {
        for (boolean each : racks) {
            if (each) {
                return true;
            }
        }
        return false;
    }

    /** Returns these owners without those that do not subscribe. */
    public int[] fit(int[] owners) {
        int[] fit = owners.clone();
        for (int partition = 0; partition < fit.length; partition++) {
            if (fit[partition] != UNOWNED && !mayOwn(fit[partition], partition)) {
                fit[partition] = UNOWNED;
            }
        }
        return fit;
    }

    /** Returns an assignment in which nobody owns anything. */
    public int[] nobody() {
        int[] owners = new int[partitions()];
        Arrays.fill(owners, UNOWNED);
        return owners;
    }

    /**
     * Returns the only audience of all topics with partitions; null if there are several or none.
     */
    public int[] onlyAudience() {
        int only = -1;
        for (int topic = 0; topic < audienceOf.length; topic++) {
            if (audienceOf[topic] < 0 || topicStarts[topic] == topicStarts[topic + 1]) {
                continue;
            }
            if (only >= 0 && only != audienceOf[topic]) {
                return null;
            }
            only = audienceOf[topic];
        }
        return only < 0 ? null : audiences[only];
    }

    private int[][] audiencesOf(int topics) {
        List<List<Integer>> membersOf = new ArrayList<>();
        for (int each = 0; each < subscribes.length; each++) {
            membersOf.add(new ArrayList<>());
        }
        for (int member = 0; member < members; member++) {
            membersOf.get(classOf[member]).add(member);
        }
        Map<List<Integer>, Integer> known = new HashMap<>();
        List<int[]> found = new ArrayList<>();
        for (int topic = 0; topic < topics; topic++) {
            List<Integer> classes = new ArrayList<>();
            for (int each = 0; each < subscribes.length; each++) {
                if (subscribes[each][topic] && !membersOf.get(each).isEmpty()) {
                    classes.add(each);
                }
            }
            if (classes.isEmpty()) {
                audienceOf[topic] = -1;
                continue;
            }
            Integer audience = known.get(classes);
            if (audience == null) {
                audience = found.size();
                known.put(classes, audience);
                found.add(classes.stream().flatMap(each -> membersOf.get(each).stream())
                    .mapToInt(Integer::intValue).sorted().toArray());
            }
            audienceOf[topic] = audience;
        }
        return found.toArray(new int[0][]);
    }
}
