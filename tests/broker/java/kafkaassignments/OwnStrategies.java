package kafkaassignments;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import kafkaassignments.strategy.Fair;
import kafkaassignments.strategy.Group;
import kafkaassignments.strategy.LagBased;
import kafkaassignments.strategy.LagCapped;
import kafkaassignments.strategy.LoadSticky;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/** Our own strategies, run on one group in group JSON, with lags as the loads. */
public final class OwnStrategies {
    private OwnStrategies() {}

    /** Returns member -> [[topic, partition], ...]. */
    public static Map<String, Object> assign(JsonNode group) {
        Map<String, Subscription> subscriptions = new HashMap<>();
        group.get("members").forEach(member ->
            subscriptions.put(member.get("id").asText(), subscription(member)));
        Numbering names = new Numbering(cluster(group.get("topics")), subscriptions);
        Present present = new Present(names, subscriptions, false);
        long[] lags = lags(group.path("lags"), names);
        int[] owners;
        switch (group.get("strategy").asText()) {
            case "fair": owners = Fair.assign(names.group); break;
            case "lag-based": owners = LagBased.assign(names.group, lags); break;
            case "lag-capped": owners = LagCapped.assign(names.group, lags); break;
            default: owners = LoadSticky.assign(names.group, present.owedOwners(), lags,
                (int) Math.round(group.path("moves_share").asDouble(0.1) * 1000),
                (int) Math.round(group.path("tolerance").asDouble(0.05) * 1_000_000));
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        names.named(owners).forEach((member, held) -> answer.put(member, named(held)));
        return answer;
    }

    static List<List<Object>> named(List<TopicPartition> partitions) {
        List<List<Object>> named = new ArrayList<>();
        partitions.forEach(each -> named.add(List.of(each.topic(), each.partition())));
        return named;
    }

    static Cluster cluster(JsonNode topics) {
        List<PartitionInfo> partitions = new ArrayList<>();
        topics.properties().forEach(topic -> {
            JsonNode count = topic.getValue();
            int size = count.isObject() ? count.get("partitions").asInt() : count.asInt();
            for (int number = 0; number < size; number++) {
                List<Node> replicas = new ArrayList<>();
                count.path("racks").path(number).forEach(rack ->
                    replicas.add(new Node(replicas.size(), "h", 1, rack.asText())));
                Node[] all = replicas.toArray(new Node[0]);
                partitions.add(new PartitionInfo(topic.getKey(), number, null, all, all));
            }
        });
        return new Cluster("c", List.of(), partitions, Set.of(), Set.of());
    }

    static List<TopicPartition> partitions(JsonNode listed) {
        List<TopicPartition> partitions = new ArrayList<>();
        listed.forEach(each ->
            partitions.add(new TopicPartition(each.get(0).asText(), each.get(1).asInt())));
        return partitions;
    }

    static List<String> texts(JsonNode listed) {
        List<String> texts = new ArrayList<>();
        listed.forEach(each -> texts.add(each.asText()));
        return texts;
    }

    static long[] lags(JsonNode byTopic, Numbering names) {
        long[] lags = new long[names.partitions().size()];
        Arrays.setAll(lags, number -> {
            TopicPartition partition = names.partitions().get(number);
            JsonNode lag = byTopic.path(partition.topic()).path(partition.partition());
            return lag.isNumber() ? lag.asLong() : Group.UNKNOWN;
        });
        return lags;
    }

    private static Subscription subscription(JsonNode member) {
        return new Subscription(texts(member.get("topics")), null, partitions(member.path("owned")),
            member.path("generation").asInt(-1),
            member.hasNonNull("rack") ? Optional.of(member.get("rack").asText()) : Optional.empty());
    }
}
