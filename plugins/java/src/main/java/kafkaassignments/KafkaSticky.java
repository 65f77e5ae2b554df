package kafkaassignments;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        Map<String, List<TopicPartition>> held = names.named(present.owedOwners());
        Map<String, Subscription> rebuilt = new HashMap<>();
        subscriptions.forEach((member, given) -> {
            Subscription one = new Subscription(given.topics(),
                data(held.get(member), present.generation()), held.get(member),
                present.generation(), given.rackId());
            one.setGroupInstanceId(given.groupInstanceId());
            rebuilt.put(member, one);
        });
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
