package kafkaassignments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import kafkaassignments.strategy.Group;
import kafkaassignments.strategy.NamedGroup;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** A group in a client's words: subscriptions in, lists of partitions out, numbers between. */
final class Numbering {
    final List<String> members;
    final Group group;
    private final NamedGroup<String> named;
    private final List<TopicPartition> partitions = new ArrayList<>();

    /** Numbers the group; a topic that is not in the cluster's metadata has no partitions. */
    Numbering(Cluster cluster, Map<String, Subscription> subscriptions) {
        Map<String, List<String>> topics = new HashMap<>();
        subscriptions.forEach((member, each) -> topics.put(member, each.topics()));
        named = new NamedGroup<>(topics, topic -> size(cluster, topic),
            member -> subscriptions.get(member).rackId().orElse(""),
            (topic, number) -> racks(cluster.partition(new TopicPartition(topic, number))));
        members = named.members;
        group = named.group;
        for (int partition = 0; partition < group.partitions(); partition++) {
            partitions.add(new TopicPartition(named.topic(partition), named.numberInTopic(partition)));
        }
    }

    private static int size(Cluster cluster, String topic) {
        Integer count = cluster.partitionCountForTopic(topic);
        return count == null ? 0 : count;
    }

    private static List<String> racks(PartitionInfo partition) {
        return partition == null ? List.of()
            : Arrays.stream(partition.replicas()).map(Node::rack).collect(Collectors.toList());
    }

    /** Returns the partitions by number. */
    List<TopicPartition> partitions() {
        return partitions;
    }

    /** Returns the number of a partition; -1 for one that does not exist. */
    int number(TopicPartition partition) {
        return named.number(partition.topic(), partition.partition());
    }

    /** Returns what each member owns; every member has a list, empty or not. */
    Map<String, List<TopicPartition>> named(int[] owners) {
        List<List<TopicPartition>> lists = new ArrayList<>();
        Map<String, List<TopicPartition>> byMember = new TreeMap<>();
        for (String member : members) {
            lists.add(new ArrayList<>());
            byMember.put(member, lists.get(lists.size() - 1));
        }
        for (int partition = 0; partition < owners.length; partition++) {
            if (owners[partition] != Group.UNOWNED) {
                lists.get(owners[partition]).add(partitions.get(partition));
            }
        }
        return byMember;
    }

    /** Returns a list for each topic, with one entry for each of its partitions. */
    <T> Map<String, List<T>> byTopic(T[] values) {
        Map<String, List<T>> byTopic = new LinkedHashMap<>();
        for (int topic = 0; topic < named.topics.size(); topic++) {
            byTopic.put(named.topics.get(topic), Arrays.asList(values)
                .subList(group.topicStarts[topic], group.topicStarts[topic + 1]));
        }
        return byTopic;
    }
}
