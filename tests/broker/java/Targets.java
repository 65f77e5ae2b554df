import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataDelta;
import org.apache.kafka.coordinator.common.runtime.CoordinatorMetadataImage;
import org.apache.kafka.coordinator.common.runtime.CoordinatorRecord;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupTargetAssignmentMemberKey;
import org.apache.kafka.coordinator.group.generated.ConsumerGroupTargetAssignmentMemberValue;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.TargetAssignmentBuilder.ConsumerTargetAssignmentBuilder;
import org.apache.kafka.coordinator.group.modern.consumer.ConsumerGroupMember;

/**
 * The target assignments that a coordinator's own classes compute, rebalance by rebalance: each
 * builds on the last one, written to records and read back from them, as on a broker.
 */
final class Targets {
    private Targets() {}

    /** One topic as the coordinator knows it. */
    private record Topic(String name, Uuid id, int partitionCount)
            implements CoordinatorMetadataImage.TopicMetadata {
        @Override
        public List<String> partitionRacks(int partition) {
            return List.of();
        }
    }

    /** Returns, for each step of a history, member -> [[topic, partition], ...]. */
    static Map<String, Object> of(JsonNode history) {
        Map<String, Uuid> ids = new TreeMap<>();
        history.get("ids").properties().forEach(id -> ids.put(
            id.getKey(), new Uuid(id.getValue().get(0).asLong(), id.getValue().get(1).asLong())));
        Map<String, Assignment> targets = new HashMap<>();
        List<Object> answer = new ArrayList<>();
        for (JsonNode step : history.get("steps")) {
            Map<String, Topic> topics = new TreeMap<>();
            step.get("topics").properties().forEach(topic -> topics.put(topic.getKey(), new Topic(
                topic.getKey(), ids.get(topic.getKey()), topic.getValue().asInt())));
            follow(targets, members(step.get("members"), List.copyOf(topics.keySet())), topics);
            answer.add(named(targets, ids));
        }
        return Map.of("targets", answer);
    }

    private static Map<String, ConsumerGroupMember> members(JsonNode named, List<String> topics) {
        Map<String, ConsumerGroupMember> members = new LinkedHashMap<>();
        named.forEach(member -> members.put(member.asText(),
            new ConsumerGroupMember.Builder(member.asText()).setSubscribedTopicNames(topics).build()));
        return members;
    }

    private static void follow(Map<String, Assignment> targets,
            Map<String, ConsumerGroupMember> members, Map<String, Topic> topics) {
        targets.keySet().retainAll(members.keySet());
        Map<Uuid, Map<Integer, String>> owners = new HashMap<>();
        targets.forEach((member, target) -> target.partitions().forEach((id, numbers) ->
            numbers.forEach(number ->
                owners.computeIfAbsent(id, topic -> new HashMap<>()).put(number, member))));
        List<CoordinatorRecord> records = new ConsumerTargetAssignmentBuilder(
                "group", 1, new UniformAssignor())
            .withTime(Time.SYSTEM)
            .withMembers(members)
            .withSubscriptionType(SubscriptionType.HOMOGENEOUS)
            .withTargetAssignment(targets)
            .withInvertedTargetAssignment(owners)
            .withMetadataImage(image(topics))
            .withResolvedRegularExpressions(Map.of())
            .build()
            .records();
        for (CoordinatorRecord record : records) {
            if (record.key() instanceof ConsumerGroupTargetAssignmentMemberKey key) {
                targets.put(key.memberId(), Assignment.fromRecord(
                    (ConsumerGroupTargetAssignmentMemberValue) record.value().message()));
            }
        }
    }

    private static Map<String, Object> named(Map<String, Assignment> targets, Map<String, Uuid> ids) {
        Map<String, Object> answer = new TreeMap<>();
        targets.forEach((member, target) -> {
            List<List<Object>> given = new ArrayList<>();
            ids.forEach((name, id) -> target.partitions().getOrDefault(id, Set.of())
                .forEach(number -> given.add(List.of(name, number))));
            answer.put(member, given);
        });
        return answer;
    }

    private static CoordinatorMetadataImage image(Map<String, Topic> topics) {
        Map<Uuid, Topic> byId =
            topics.values().stream().collect(Collectors.toMap(Topic::id, topic -> topic));
        return new CoordinatorMetadataImage() {
            @Override
            public Set<Uuid> topicIds() {
                return byId.keySet();
            }

            @Override
            public Set<String> topicNames() {
                return topics.keySet();
            }

            @Override
            public Optional<TopicMetadata> topicMetadata(String name) {
                return Optional.ofNullable(topics.get(name));
            }

            @Override
            public Optional<TopicMetadata> topicMetadata(Uuid id) {
                return Optional.ofNullable(byId.get(id));
            }

            @Override
            public CoordinatorMetadataDelta emptyDelta() {
                return CoordinatorMetadataDelta.EMPTY;
            }

            @Override
            public long version() {
                return 0;
            }

            @Override
            public boolean isEmpty() {
                return topics.isEmpty();
            }
        };
    }
}
