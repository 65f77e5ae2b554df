package kafkaassignments;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kafkaassignments.strategy.Group;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.TopicPartition;

/**
 * Where Kafka's CooperativeStickyAssignor leads to, for a group whose loads nobody knows.
 *
 * <p>That class withholds by itself what moves, and does not say from whom. StickyAssignor has the
 * same target and says it; it finds present owners in user data of its own form.
 */
final class KafkaSticky {
    private KafkaSticky() {}

    /** Returns the owner of each partition; promised partitions count as owned. */
    static int[] assign(
        Cluster cluster, Map<String, Subscription> subscriptions, Numbering names, Present present) {
        List<List<TopicPartition>> held = new ArrayList<>();
        present.claims.forEach(claims -> held.add(new ArrayList<>(claims)));
        int newest = UserData.NO_GENERATION;
        for (int generation : present.generations) {
            newest = Math.max(newest, generation);
        }
        int[] generations = present.generations.clone();
        for (int partition = 0; partition < present.promised.length; partition++) {
            int member = present.promised[partition];
            if (member != Group.UNOWNED) {
                held.get(member).add(names.partitions().get(partition));
                generations[member] = newest;
            }
        }
        Map<String, Subscription> rebuilt = new HashMap<>();
        for (int member = 0; member < names.members.size(); member++) {
            Subscription given = subscriptions.get(names.members.get(member));
            Subscription one = new Subscription(given.topics(),
                data(held.get(member), generations[member]), held.get(member),
                generations[member], given.rackId());
            one.setGroupInstanceId(given.groupInstanceId());
            rebuilt.put(names.members.get(member), one);
        }
        int[] owners = names.group.nobody();
        Map<String, Assignment> assigned =
            new StickyAssignor().assign(cluster, new GroupSubscription(rebuilt)).groupAssignment();
        for (int member = 0; member < names.members.size(); member++) {
            for (TopicPartition each : assigned.get(names.members.get(member)).partitions()) {
                owners[names.number(each)] = member;
            }
        }
        return owners;
    }

    private static ByteBuffer data(List<TopicPartition> owned, int generation) {
        Map<String, List<Integer>> byTopic = UserData.byTopic(owned);
        ByteBuffer buffer = ByteBuffer.allocate(UserData.size(byTopic) + Integer.BYTES);
        UserData.write(buffer, byTopic);
        return buffer.putInt(generation).flip();
    }
}
