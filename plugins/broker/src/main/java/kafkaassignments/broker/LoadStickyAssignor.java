package kafkaassignments.broker;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kafkaassignments.strategy.Group;
import kafkaassignments.strategy.LoadSticky;
import kafkaassignments.strategy.NamedGroup;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.ConsumerGroupPartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.GroupAssignment;
import org.apache.kafka.coordinator.group.api.assignor.GroupSpec;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evens out what consumers of a group have to read, inside the group coordinator (KIP-848).
 *
 * <p>What a partition has to carry comes from a file of rates; a coordinator tells its assignors no
 * group, no lag and no names of topics. Without a file every partition weighs the same: then counts
 * are as even as subscriptions allow, most partitions have a replica in their consumer's rack, and
 * as few as possible move. docs/load-sticky.md has the rules.
 *
 * <p>It reads nothing but that file, and that only when its time has changed, because the coordinator
 * waits for the answer.
 */
public final class LoadStickyAssignor implements ConsumerGroupPartitionAssignor, Configurable {
    private static final Logger LOG = LoggerFactory.getLogger(LoadStickyAssignor.class);
    private Settings settings;
    private RatesById rates = RatesById.NONE;

    /** Checks the settings. Throws ConfigException, which fails the start of the broker. */
    @Override
    public void configure(Map<String, ?> properties) {
        settings = new Settings(properties);
        rates = settings.file == null ? RatesById.NONE : settings.read();
    }

    @Override
    public String name() {
        return "load-sticky";
    }

    @Override
    public synchronized GroupAssignment assign(GroupSpec spec, SubscribedTopicDescriber topics) {
        NamedGroup<Uuid> names = named(spec, topics);
        int[] owners;
        try {
            if (settings.file != null) {
                rates = rates.newest(settings.file);
            }
            owners = LoadSticky.assign(names.group, present(names, spec), loads(names),
                settings.movesPermille, settings.toleranceMillionths);
        } catch (RuntimeException bug) { // without an answer no consumer could join
            LOG.error("{} failed; everybody keeps what it has, and the rest goes by count", name(), bug);
            owners = LoadSticky.assign(names.group, present(names, spec),
                new long[names.group.partitions()], 0, 0);
        }
        return new GroupAssignment(byMember(names, owners));
    }

    private static NamedGroup<Uuid> named(GroupSpec spec, SubscribedTopicDescriber topics) {
        Map<String, Set<Uuid>> subscriptions = new HashMap<>();
        for (String member : spec.memberIds()) {
            subscriptions.put(member, spec.memberSubscription(member).subscribedTopicIds());
        }
        return new NamedGroup<>(subscriptions, topics::numPartitions,
            member -> spec.memberSubscription(member).rackId().orElse(""), topics::racksForPartition);
    }

    private static int[] present(NamedGroup<Uuid> names, GroupSpec spec) {
        int[] owners = names.group.nobody();
        for (int member = 0; member < names.members.size(); member++) {
            int owner = member;
            spec.memberAssignment(names.members.get(member)).partitions().forEach((topic, numbers) -> {
                for (int number : numbers) {
                    int partition = names.number(topic, number);
                    if (partition >= 0) {
                        owners[partition] = owner;
                    }
                }
            });
        }
        return owners;
    }

    private long[] loads(NamedGroup<Uuid> names) {
        long[] loads = new long[names.group.partitions()];
        for (int partition = 0; partition < loads.length; partition++) {
            loads[partition] = settings.file == null ? 0
                : rates.load(names.topic(partition), names.numberInTopic(partition));
        }
        return loads;
    }

    private static Map<String, MemberAssignment> byMember(NamedGroup<Uuid> names, int[] owners) {
        List<String> members = names.members;
        Map<String, Map<Uuid, Set<Integer>>> held = new HashMap<>();
        members.forEach(member -> held.put(member, new HashMap<>()));
        for (int partition = 0; partition < owners.length; partition++) {
            if (owners[partition] != Group.UNOWNED) {
                held.get(members.get(owners[partition]))
                    .computeIfAbsent(names.topic(partition), topic -> new HashSet<>())
                    .add(names.numberInTopic(partition));
            }
        }
        Map<String, MemberAssignment> assigned = new HashMap<>();
        held.forEach((member, partitions) -> assigned.put(member, () -> partitions));
        return assigned;
    }
}
