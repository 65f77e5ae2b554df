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
 * One consumer group: read as the benchmark writes it, passed on as Kafka's assignors expect it.
 *
 * <p>Topics, members and partitions are numbered as in the file, partitions across all topics.
 */
final class WireGroup {
    private static final Node[] NO_NODES = new Node[0];

    private final List<String> topics;
    private final List<String> members;
    private final int[] sizes;
    private final int[] classOfMember;
    private final int[] generations;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final List<List<String>> subscribedTopics;
    private final List<List<TopicPartition>> owned;
    private final List<ByteBuffer> stickyUserData = new ArrayList<>();

    WireGroup(DataInputStream in) throws IOException {
        topics = names(in);
        members = names(in);
        sizes = numbers(in);
        subscribedTopics = rows(numbers(in), numbers(in), topics);
        classOfMember = numbers(in);
        generations = numbers(in);
        for (int topic = 0; topic < sizes.length; topic++) {
            for (int p = 0; p < sizes[topic]; p++) {
                partitions.add(new TopicPartition(topics.get(topic), p));
            }
        }
        owned = rows(numbers(in), numbers(in), partitions);
        for (int member = 0; member < members.size(); member++) {
            stickyUserData.add(userData(member));
        }
    }

    private static List<String> names(DataInputStream in) throws IOException {
        String[] names = new String[in.readInt()];
        for (int i = 0; i < names.length; i++) {
            names[i] = in.readUTF();
        }
        return List.of(names);
    }

    private static int[] numbers(DataInputStream in) throws IOException {
        int[] numbers = new int[in.readInt()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = in.readInt();
        }
        return numbers;
    }

    /** Returns rows of values; {@code starts[r]} is the first index of row r in the numbers. */
    private static <T> List<List<T>> rows(int[] starts, int[] numbers, List<T> meant) {
        List<List<T>> rows = new ArrayList<>();
        for (int row = 0; row + 1 < starts.length; row++) {
            List<T> values = new ArrayList<>();
            for (int i = starts[row]; i < starts[row + 1]; i++) {
                values.add(meant.get(numbers[i]));
            }
            rows.add(values);
        }
        return rows;
    }

    /** The user data in which a member with the eager sticky assignor reports its partitions. */
    @SuppressWarnings("removal") // the only way to pass an assignor its generation
    private ByteBuffer userData(int member) {
        StickyAssignor assignor = new StickyAssignor();
        if (!owned.get(member).isEmpty()) {
            var metadata = new ConsumerGroupMetadata(
                "bench", generations[member], members.get(member), Optional.empty());
            assignor.onAssignment(new Assignment(owned.get(member)), metadata);
        }
        return assignor.subscriptionUserData(new HashSet<>(subscribedTopics.get(classOfMember[member])));
    }

    Map<String, List<PartitionInfo>> partitionInfos() {
        Map<String, List<PartitionInfo>> infos = new HashMap<>();
        for (int topic = 0; topic < topics.size(); topic++) {
            List<PartitionInfo> ofTopic = new ArrayList<>();
            for (int p = 0; p < sizes[topic]; p++) {
                ofTopic.add(new PartitionInfo(topics.get(topic), p, Node.noNode(), NO_NODES, NO_NODES));
            }
            infos.put(topics.get(topic), ofTopic);
        }
        return infos;
    }

    /** New subscriptions each time, because reading the user data consumes it. */
    Map<String, Subscription> subscriptions(boolean inUserData) {
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (int member = 0; member < members.size(); member++) {
            List<String> wanted = subscribedTopics.get(classOfMember[member]);
            ByteBuffer userData = stickyUserData.get(member);
            subscriptions.put(members.get(member), inUserData
                ? new Subscription(wanted, userData == null ? null : userData.duplicate())
                : new Subscription(
                    wanted, null, owned.get(member), generations[member], Optional.empty()));
        }
        return subscriptions;
    }

    /** The number of each partition's owner; -1 if it has none. */
    int[] owners(Map<String, List<TopicPartition>> assignment) {
        Map<TopicPartition, Integer> place = new HashMap<>();
        partitions.forEach(partition -> place.put(partition, place.size()));
        int[] owners = new int[partitions.size()];
        Arrays.fill(owners, -1);
        for (int member = 0; member < members.size(); member++) {
            for (TopicPartition partition : assignment.get(members.get(member))) {
                owners[place.get(partition)] = member;
            }
        }
        return owners;
    }
}
