package kafkaassignments;

import java.util.HashMap;
import java.util.Map;
import kafkaassignments.strategy.Fair;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;

/**
 * Evens out the counts of partitions over all topics, even where subscriptions differ (KIP-49).
 *
 * <p>Eager; it ignores present owners, so that a restart can move everything.
 */
public final class FairAssignor implements ConsumerPartitionAssignor {
    @Override
    public String name() {
        return "fair";
    }

    @Override
    public GroupAssignment assign(Cluster cluster, GroupSubscription group) {
        Numbering names = new Numbering(cluster, group.groupSubscription());
        Map<String, Assignment> assigned = new HashMap<>();
        names.named(Fair.assign(names.group))
            .forEach((member, partitions) -> assigned.put(member, new Assignment(partitions)));
        return new GroupAssignment(assigned);
    }
}
