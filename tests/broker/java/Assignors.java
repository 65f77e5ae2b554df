import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.RangeAssignor;
import org.apache.kafka.clients.consumer.RoundRobinAssignor;
import org.apache.kafka.clients.consumer.StickyAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.types.ArrayOf;
import org.apache.kafka.common.protocol.types.Field;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.Struct;
import org.apache.kafka.common.protocol.types.Type;

/** Kafka's own assignors, run on one group in group JSON. */
final class Assignors {
    private static final Map<String, ConsumerPartitionAssignor> CLIENT_SIDE = Map.of(
        "range", new RangeAssignor(),
        "roundrobin", new RoundRobinAssignor());

    private Assignors() {}

    /** Returns member -> [[topic, partition], ...]. */
    static Map<String, Object> assign(JsonNode group) {
        String strategy = group.get("strategy").asText();
        return switch (strategy) {
            case "uniform", "server-range", "broker-load-sticky" -> BrokerAssignors.assign(group);
            case "sticky" -> clientSide(group, new StickyAssignor());
            case "cooperative-sticky" -> clientSide(group, new CooperativeStickyAssignor());
            default -> clientSide(group, CLIENT_SIDE.get(strategy));
        };
    }

    private static Map<String, Object> clientSide(JsonNode group, ConsumerPartitionAssignor assignor) {
        Map<String, Subscription> subscriptions = new HashMap<>();
        for (JsonNode member : group.get("members")) {
            subscriptions.put(member.get("id").asText(), subscription(member, assignor));
        }
        Map<String, Object> answer = new TreeMap<>();
        assignor.assign(cluster(group.get("topics")),
                new ConsumerPartitionAssignor.GroupSubscription(subscriptions))
            .groupAssignment()
            .forEach((member, given) -> {
                List<List<Object>> partitions = new ArrayList<>();
                given.partitions().forEach(p -> partitions.add(List.of(p.topic(), p.partition())));
                answer.put(member, partitions);
            });
        return answer;
    }

    private static Cluster cluster(JsonNode topics) {
        Map<String, Node> nodes = new LinkedHashMap<>();
        List<PartitionInfo> partitions = new ArrayList<>();
        topics.properties().forEach(topic -> {
            JsonNode racks = topic.getValue().get("racks");
            for (int number = 0; number < topic.getValue().get("partitions").asInt(); number++) {
                List<Node> replicas = new ArrayList<>();
                if (racks != null && !racks.isNull() && racks.get(number) != null) {
                    racks.get(number).forEach(rack -> replicas.add(nodes.computeIfAbsent(
                        rack.asText(), name -> new Node(nodes.size(), "h", 1, name))));
                }
                Node[] all = replicas.toArray(Node[]::new);
                partitions.add(new PartitionInfo(topic.getKey(), number, null, all, all));
            }
        });
        return new Cluster("c", nodes.values(), partitions, Set.of(), Set.of());
    }

    private static Subscription subscription(JsonNode member, ConsumerPartitionAssignor assignor) {
        List<String> topics = new ArrayList<>();
        member.get("topics").forEach(topic -> topics.add(topic.asText()));
        List<TopicPartition> owned = new ArrayList<>();
        if (member.hasNonNull("owned")) {
            member.get("owned").forEach(p ->
                owned.add(new TopicPartition(p.get(0).asText(), p.get(1).asInt())));
        }
        Optional<Integer> generation = whole(member, "generation");
        ByteBuffer data = assignor instanceof StickyAssignor ? stickyData(owned, generation)
            : assignor instanceof CooperativeStickyAssignor ? cooperativeData(generation) : null;
        int told = whole(member, "sub_generation").or(() -> generation).orElse(-1);
        Subscription subscription =
            new Subscription(topics, data, owned, told, text(member, "rack"));
        subscription.setGroupInstanceId(text(member, "instance_id"));
        return subscription;
    }

    /** The user data of a sticky member: its partitions and their generation. */
    private static ByteBuffer stickyData(List<TopicPartition> owned, Optional<Integer> generation) {
        Schema topic = new Schema(
            new Field("topic", Type.STRING), new Field("partitions", new ArrayOf(Type.INT32)));
        Schema all = new Schema(
            new Field("previous_assignment", new ArrayOf(topic)), new Field("generation", Type.INT32));
        Map<String, List<Integer>> byTopic = new HashMap<>();
        owned.forEach(p -> byTopic.computeIfAbsent(p.topic(), t -> new ArrayList<>()).add(p.partition()));
        Struct struct = new Struct(all);
        List<Struct> topics = new ArrayList<>();
        byTopic.forEach((name, numbers) -> topics.add(
            new Struct(topic).set("topic", name).set("partitions", numbers.toArray())));
        struct.set("previous_assignment", topics.toArray());
        struct.set("generation", generation.orElse(-1));
        return written(all, struct);
    }

    private static ByteBuffer cooperativeData(Optional<Integer> generation) {
        Schema schema = new Schema(new Field("generation", Type.INT32));
        return written(schema, new Struct(schema).set("generation", generation.orElse(-1)));
    }

    private static ByteBuffer written(Schema schema, Struct struct) {
        ByteBuffer buffer = ByteBuffer.allocate(schema.sizeOf(struct));
        schema.write(buffer, struct);
        buffer.flip();
        return buffer;
    }

    static Optional<Integer> whole(JsonNode member, String key) {
        return member.hasNonNull(key) ? Optional.of(member.get(key).asInt()) : Optional.empty();
    }

    static Optional<String> text(JsonNode member, String key) {
        return member.hasNonNull(key) ? Optional.of(member.get(key).asText()) : Optional.empty();
    }
}
