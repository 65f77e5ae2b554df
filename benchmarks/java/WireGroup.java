import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * One consumer group as the benchmark writes it, and as Kafka's assignors take it.
 *
 * <p>Topics, members and partitions are numbered as in the file; partitions run on across topics.
 */
final class WireGroup {
    private static final Node[] NO_NODES = new Node[0];

    private final List<String> topics = new ArrayList<>();
    private final List<Integer> firstPartition = new ArrayList<>();
    private final List<List<String>> subscribedTopics = new ArrayList<>();
    private final List<String> members = new ArrayList<>();
    private final List<Integer> classOfMember = new ArrayList<>();
    private final List<Integer> generations = new ArrayList<>();
    private final List<List<TopicPartition>> owned = new ArrayList<>();
    private final List<ByteBuffer> stickyUserData = new ArrayList<>();

    WireGroup(DataInputStream in) throws IOException {
        int next = 0;
        firstPartition.add(next);
        for (int left = in.readInt(); left > 0; left--) {
            topics.add(in.readUTF());
            next += in.readInt();
            firstPartition.add(next);
        }
        List<TopicPartition> partitions = allPartitions();
        for (int left = in.readInt(); left > 0; left--) {
            List<String> wanted = new ArrayList<>();
            for (int entries = in.readInt(); entries > 0; entries--) {
                wanted.add(topics.get(in.readInt()));
            }
            subscribedTopics.add(wanted);
        }
        for (int left = in.readInt(); left > 0; left--) {
            members.add(in.readUTF());
            classOfMember.add(in.readInt());
            generations.add(in.readInt());
            List<TopicPartition> claims = new ArrayList<>();
            for (int entries = in.readInt(); entries > 0; entries--) {
                claims.add(partitions.get(in.readInt()));
            }
            owned.add(claims);
            stickyUserData.add(userData(members.size() - 1));
        }
    }

    private List<TopicPartition> allPartitions() {
        List<TopicPartition> partitions = new ArrayList<>();
        for (int topic = 0; topic < topics.size(); topic++) {
            for (int p = 0; p < size(topic); p++) {
                partitions.add(new TopicPartition(topics.get(topic), p));
            }
        }
        return partitions;
    }

    private int size(int topic) {
        return firstPartition.get(topic + 1) - firstPartition.get(topic);
    }

    /** The bytes in which a member with the eager sticky assignor reports what it owned. */
    @SuppressWarnings("removal") // no other way to tell an assignor its generation
    private ByteBuffer userData(int member) {
        StickyAssignor assignor = new StickyAssignor();
        if (!owned.get(member).isEmpty()) {
            var metadata = new ConsumerGroupMetadata(
                "bench", generations.get(member), members.get(member), Optional.empty());
            assignor.onAssignment(new Assignment(owned.get(member)), metadata);
        }
        return assignor.subscriptionUserData(new HashSet<>(subscribedTopics.get(classOfMember.get(member))));
    }

    Map<String, List<PartitionInfo>> partitionInfos() {
        Map<String, List<PartitionInfo>> infos = new HashMap<>();
        for (int topic = 0; topic < topics.size(); topic++) {
            List<PartitionInfo> ofTopic = new ArrayList<>();
            for (int p = 0; p < size(topic); p++) {
                ofTopic.add(new PartitionInfo(topics.get(topic), p, Node.noNode(), NO_NODES, NO_NODES));
            }
            infos.put(topics.get(topic), ofTopic);
        }
        return infos;
    }

    /** Fresh ones: reading a subscription's user data uses it up. */
    Map<String, Subscription> subscriptions(boolean inUserData) {
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (int member = 0; member < members.size(); member++) {
            List<String> wanted = subscribedTopics.get(classOfMember.get(member));
            ByteBuffer userData = stickyUserData.get(member);
            subscriptions.put(members.get(member), inUserData
                ? new Subscription(wanted, userData == null ? null : userData.duplicate())
                : new Subscription(
                    wanted, null, owned.get(member), generations.get(member), Optional.empty()));
        }
        return subscriptions;
    }

    /** The number of each partition's owner, -1 where nobody owns it. */
    int[] owners(Map<String, List<TopicPartition>> assignment) {
        Map<String, Integer> first = new HashMap<>();
        for (int topic = 0; topic < topics.size(); topic++) {
            first.put(topics.get(topic), firstPartition.get(topic));
        }
        int[] owners = new int[firstPartition.get(topics.size())];
        Arrays.fill(owners, -1);
        for (int member = 0; member < members.size(); member++) {
            for (TopicPartition partition : assignment.get(members.get(member))) {
                owners[first.get(partition.topic()) + partition.partition()] = member;
            }
        }
        return owners;
    }
}
