package kafkaassignments;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.TopicPartition;

/**
 * The rounds of one group without a broker: members are assignors, everything they say to each other
 * is serialized as on the wire, and the offsets that a leader reads are given.
 */
public final class Protocol {
    private static final Map<String, Member> MEMBERS = new TreeMap<>();
    private static int generation;

    /** One consumer: its assignor, and what it owns. */
    private static final class Member {
        private final LoadStickyAssignor assignor;
        private JsonNode loads;
        private boolean hasRead;
        private int generation = -1;
        private Set<TopicPartition> owned = new LinkedHashSet<>();

        Member(JsonNode config) {
            assignor = new LoadStickyAssignor(this::read);
            Map<String, String> properties = new HashMap<>();
            config.properties().forEach(each -> properties.put(each.getKey(), each.getValue().asText()));
            assignor.configure(properties);
        }

        private Offsets read(Settings settings, List<TopicPartition> partitions, long horizonMs) {
            hasRead = true;
            Offsets offsets = new Offsets(partitions.size(), horizonMs);
            for (int each = 0; each < partitions.size(); each++) {
                TopicPartition partition = partitions.get(each);
                JsonNode load = loads.path(partition.topic()).path(partition.partition());
                if (load.isNumber()) {
                    offsets.committed[each] = 0;
                    offsets.end[each] = load.asLong();
                    offsets.arrived[each] = 0;
                }
            }
            return offsets;
        }
    }

    private Protocol() {}

    /** Configures an assignor as a consumer does; returns its name and the reading client's properties. */
    public static Map<String, Object> configured(JsonNode config) {
        Map<String, String> properties = new HashMap<>();
        config.properties().forEach(each -> properties.put(each.getKey(), each.getValue().asText()));
        LoadStickyAssignor assignor = new LoadStickyAssignor();
        assignor.configure(properties);
        Map<String, String> admin = new TreeMap<>();
        new Settings(properties).admin.forEach((key, value) -> admin.put(key, value.toString()));
        return Map.of("name", assignor.name(), "admin", admin);
    }

    /** Reads a file of rates as a leader does: topic -> [[partition, records per second], ...]. */
    public static Map<String, Object> rates(String file) throws IOException {
        Map<String, List<List<Object>>> rates = new TreeMap<>();
        RatesFile.read(Path.of(file)).forEach((partition, rate) ->
            rates.computeIfAbsent(partition.topic(), topic -> new ArrayList<>())
                .add(List.of(partition.partition(), rate)));
        return new TreeMap<>(rates);
    }

    /** Plays one round and returns what everybody owns and was promised, and what happened. */
    public static Map<String, Object> round(JsonNode asked) {
        if (asked.path("fresh").asBoolean()) {
            MEMBERS.clear();
            generation = 0;
        }
        Map<String, JsonNode> wanted = new TreeMap<>();
        asked.get("members").properties().forEach(each -> wanted.put(each.getKey(), each.getValue()));
        MEMBERS.keySet().retainAll(wanted.keySet());
        wanted.keySet().forEach(id -> MEMBERS.computeIfAbsent(id, name -> new Member(asked.path("config"))));
        Map<String, Subscription> subscriptions = new HashMap<>();
        wanted.forEach((id, topics) -> subscriptions.put(id, joined(id, OwnStrategies.texts(topics), asked)));
        Member leader = MEMBERS.get(asked.get("leader").asText());
        leader.loads = asked.path("loads");
        leader.hasRead = false;
        Map<String, Assignment> assigned = leader.assignor
            .assign(OwnStrategies.cluster(asked.get("topics")), new GroupSubscription(subscriptions))
            .groupAssignment();
        generation++;
        Set<String> missing = new HashSet<>(OwnStrategies.texts(asked.path("misses")));
        Set<String> revoking = new HashSet<>(assigned.keySet());
        revoking.removeIf(id -> assigned.get(id).partitions().containsAll(MEMBERS.get(id).owned));
        if (missing.containsAll(revoking)) { // then nobody joins again before they hear
            missing.clear();
        }
        Map<String, Object> owned = new TreeMap<>();
        Map<String, Object> promised = new TreeMap<>();
        for (Map.Entry<String, Member> each : MEMBERS.entrySet()) {
            Member member = each.getValue();
            Assignment given = assigned.get(each.getKey());
            member.generation = generation; // as JoinGroup tells it
            if (!missing.contains(each.getKey())) {
                synced(each.getKey(), member, given);
            }
            owned.put(each.getKey(), OwnStrategies.named(new ArrayList<>(member.owned)));
            promised.put(each.getKey(),
                OwnStrategies.named(UserData.decoded(given.userData()).promised));
        }
        return Map.of("owned", owned, "promised", promised, "revoked", !revoking.isEmpty(),
            "missed", !missing.isEmpty(), "read", leader.hasRead);
    }

    private static Subscription joined(String id, List<String> topics, JsonNode asked) {
        Member member = MEMBERS.get(id);
        member.owned.removeIf(each -> !topics.contains(each.topic())); // revoked before it joins
        boolean isEager = asked.path("config").path("assignor.load.protocol").asText().equals("eager");
        ByteBuffer told = member.assignor.subscriptionUserData(new HashSet<>(topics));
        if (asked.path("garbage").isArray()
                && OwnStrategies.texts(asked.get("garbage")).contains(id)) {
            told = ByteBuffer.wrap(new byte[] {1, 0, 0, 0, 5, 0, 0, 0, 1, -1, -1});
        }
        if (OwnStrategies.texts(asked.path("liars")).contains(id)) {
            List<TopicPartition> all = new ArrayList<>();
            asked.get("topics").properties().forEach(topic -> {
                for (int number = 0; number < topic.getValue().asInt(); number++) {
                    all.add(new TopicPartition(topic.getKey(), number));
                }
            });
            told = new UserData(Integer.MAX_VALUE, all, all, Map.of()).encoded();
        }
        return ConsumerProtocol.deserializeSubscription(ConsumerProtocol.serializeSubscription(
            new Subscription(topics, told, isEager ? List.of() : List.copyOf(member.owned),
                isEager ? -1 : member.generation, Optional.empty())));
    }

    private static void synced(String id, Member member, Assignment given) {
        Assignment read =
            ConsumerProtocol.deserializeAssignment(ConsumerProtocol.serializeAssignment(given));
        member.assignor.onAssignment(
            read, new ConsumerGroupMetadata("group", generation, id, Optional.empty()));
        member.owned = new LinkedHashSet<>(read.partitions());
    }
}
