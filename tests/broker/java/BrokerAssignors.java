import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import kafkaassignments.broker.LoadStickyAssignor;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.ConsumerGroupPartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.assignor.RangeAssignor;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.GroupSpecImpl;
import org.apache.kafka.coordinator.group.modern.MemberSubscriptionAndAssignmentImpl;

/**
 * The group coordinator's assignors. Members, and the partitions of each, are passed in order of
 * their ids and numbers or, where "hashed" is true, as a broker's hash map of members and hash sets
 * of numbers iterate them. Topics get ids that iterate as their names do.
 */
final class BrokerAssignors {
    private BrokerAssignors() {}

    static Map<String, Object> assign(JsonNode group) {
        JsonNode topics = group.get("topics");
        Map<String, Uuid> ids = idsOf(group);
        Map<Uuid, String> names = new HashMap<>();
        ids.forEach((name, id) -> names.put(id, name));
        boolean hashed = group.path("hashed").asBoolean();
        Map<Uuid, Map<Integer, String>> owners = new HashMap<>();
        Map<String, MemberSubscriptionAndAssignmentImpl> members =
            hashed ? new HashMap<>() : new TreeMap<>();
        Set<Set<String>> subscriptions = new LinkedHashSet<>();
        for (JsonNode member : group.get("members")) {
            Set<Uuid> wanted = new LinkedHashSet<>();
            Set<String> named = new TreeSet<>(texts(member.get("topics")));
            named.forEach(name -> wanted.add(ids.get(name)));
            wanted.remove(null);
            subscriptions.add(named); // a broker compares the names, unknown ones too
            Map<Uuid, Set<Integer>> owned = owned(member, ids, owners);
            if (hashed) {
                owned.replaceAll((topic, numbers) -> new HashSet<>(numbers)); // by number, as read
            }
            members.put(member.get("id").asText(), new MemberSubscriptionAndAssignmentImpl(
                Assignors.text(member, "rack"), Assignors.text(member, "instance_id"), wanted,
                new Assignment(owned)));
        }
        SubscriptionType type = subscriptions.size() > 1
            ? SubscriptionType.HETEROGENEOUS : SubscriptionType.HOMOGENEOUS;
        if (group.hasNonNull("subscription_type")) {
            type = SubscriptionType.valueOf(group.get("subscription_type").asText().toUpperCase());
        }
        ConsumerGroupPartitionAssignor assignor = assignor(group);
        Map<String, Object> answer = new TreeMap<>();
        assignor.assign(new GroupSpecImpl(members, type, owners), describer(topics, names))
            .members()
            .forEach((member, given) -> answer.put(member, named(given.partitions(), names)));
        return answer;
    }

    private static ConsumerGroupPartitionAssignor assignor(JsonNode group) {
        return switch (group.get("strategy").asText()) {
            case "uniform" -> new UniformAssignor();
            case "server-range" -> new RangeAssignor();
            default -> {
                LoadStickyAssignor own = new LoadStickyAssignor();
                own.configure(Map.of());
                yield own;
            }
        };
    }

    /** Ids whose hashes ascend: a hash set of them iterates in the order of the names. */
    private static Map<String, Uuid> idsOf(JsonNode group) {
        Set<String> known = new TreeSet<>(fieldNames(group.get("topics")));
        if (group.hasNonNull("unknown_topics")) {
            group.get("members").forEach(member -> known.addAll(texts(member.get("topics"))));
        }
        Map<String, Uuid> ids = new TreeMap<>();
        for (String name : known) {
            ids.put(name, new Uuid(0, ids.size() + 1));
        }
        return ids;
    }

    private static Map<Uuid, Set<Integer>> owned(
            JsonNode member, Map<String, Uuid> ids, Map<Uuid, Map<Integer, String>> owners) {
        Map<Uuid, Set<Integer>> owned = new HashMap<>();
        if (member.hasNonNull("owned")) {
            for (JsonNode partition : member.get("owned")) {
                Uuid id = ids.get(partition.get(0).asText());
                int number = partition.get(1).asInt();
                if (id != null) {
                    owned.computeIfAbsent(id, topic -> new TreeSet<>()).add(number);
                    owners.computeIfAbsent(id, topic -> new HashMap<>())
                        .put(number, member.get("id").asText());
                }
            }
        }
        return owned;
    }

    private static SubscribedTopicDescriber describer(JsonNode topics, Map<Uuid, String> names) {
        return new SubscribedTopicDescriber() {
            @Override
            public int numPartitions(Uuid topic) {
                String name = names.get(topic);
                return topics.has(name) ? topics.get(name).get("partitions").asInt() : -1;
            }

            @Override
            public Set<String> racksForPartition(Uuid topic, int partition) {
                Set<String> racks = new HashSet<>();
                topics.path(names.get(topic)).path("racks").path(partition)
                    .forEach(rack -> racks.add(rack.asText()));
                return racks;
            }
        };
    }

    private static List<List<Object>> named(Map<Uuid, Set<Integer>> given, Map<Uuid, String> names) {
        List<List<Object>> partitions = new ArrayList<>();
        given.forEach((topic, numbers) ->
            numbers.forEach(number -> partitions.add(List.of(names.get(topic), number))));
        return partitions;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.asText()));
        return texts;
    }

    private static List<String> fieldNames(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
