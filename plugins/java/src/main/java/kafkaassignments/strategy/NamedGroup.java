package kafkaassignments.strategy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * A group and the names behind its numbers.
 *
 * @param <T> what topics are called: names in clients, ids in brokers
 */
public final class NamedGroup<T extends Comparable<T>> {
    /** The topics that anybody subscribes to, ascending. */
    public final List<T> topics;
    /** The members' ids, ascending. */
    public final List<String> members;
    public final Group group;
    private final Map<T, Integer> numberOf = new HashMap<>();

    /**
     * Numbers a group.
     *
     * @param subscriptions the topics of each member
     * @param sizes how many partitions a topic has
     * @param rackOf the rack of a member; empty if unknown
     * @param racksOf the racks of a partition's replicas
     */
    public NamedGroup(Map<String, ? extends Collection<T>> subscriptions, ToIntFunction<T> sizes,
            Function<String, String> rackOf, BiFunction<T, Integer, Collection<String>> racksOf) {
        members = List.copyOf(new TreeSet<>(subscriptions.keySet()));
        TreeSet<T> named = new TreeSet<>();
        subscriptions.values().forEach(named::addAll);
        topics = List.copyOf(named);
        int[] starts = new int[topics.size() + 1];
        for (int topic = 0; topic < topics.size(); topic++) {
            starts[topic + 1] = starts[topic] + Math.max(sizes.applyAsInt(topics.get(topic)), 0);
            numberOf.put(topics.get(topic), topic);
        }
        Map<List<T>, Integer> classes = new LinkedHashMap<>();
        int[] classOf = new int[members.size()];
        for (int member = 0; member < classOf.length; member++) {
            List<T> wanted = List.copyOf(new TreeSet<>(subscriptions.get(members.get(member))));
            classes.putIfAbsent(wanted, classes.size());
            classOf[member] = classes.get(wanted);
        }
        boolean[][] subscribes = new boolean[classes.size()][topics.size()];
        classes.forEach((wanted, each) ->
            wanted.forEach(topic -> subscribes[each][numberOf.get(topic)] = true));
        group = inRacks(starts, classOf, subscribes, rackOf, racksOf);
    }

    private Group inRacks(int[] starts, int[] classOf, boolean[][] subscribes,
            Function<String, String> rackOf, BiFunction<T, Integer, Collection<String>> racksOf) {
        Map<String, Integer> racks = new HashMap<>();
        int[] memberRacks = new int[members.size()];
        for (int member = 0; member < memberRacks.length; member++) {
            memberRacks[member] = numbered(racks, rackOf.apply(members.get(member)));
        }
        List<List<Integer>> replicas = new ArrayList<>();
        for (int topic = 0; topic < topics.size(); topic++) {
            for (int number = 0; number < starts[topic + 1] - starts[topic]; number++) {
                List<Integer> found = new ArrayList<>();
                racksOf.apply(topics.get(topic), number).forEach(rack -> found.add(numbered(racks, rack)));
                replicas.add(found);
            }
        }
        if (racks.isEmpty()) {
            return new Group(starts, classOf, subscribes, null, null);
        }
        boolean[][] replicaRacks = new boolean[replicas.size()][racks.size()];
        for (int partition = 0; partition < replicaRacks.length; partition++) {
            for (int rack : replicas.get(partition)) {
                if (rack >= 0) {
                    replicaRacks[partition][rack] = true;
                }
            }
        }
        return new Group(starts, classOf, subscribes, memberRacks, replicaRacks);
    }

    private static int numbered(Map<String, Integer> racks, String rack) {
        if (rack == null || rack.isEmpty()) {
            return -1;
        }
        racks.putIfAbsent(rack, racks.size());
        return racks.get(rack);
    }

    /** Returns the number of a partition; -1 for one that does not exist. */
    public int number(T topic, int partition) {
        Integer number = numberOf.get(topic);
        if (number == null || partition < 0) {
            return -1;
        }
        int at = group.topicStarts[number] + partition;
        return at < group.topicStarts[number + 1] ? at : -1;
    }

    /** Returns the topic of a partition. */
    public T topic(int partition) {
        return topics.get(group.topicOf[partition]);
    }

    /** Returns the number of a partition within its topic. */
    public int numberInTopic(int partition) {
        return partition - group.topicStarts[group.topicOf[partition]];
    }
}
