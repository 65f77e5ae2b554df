package kafkaassignments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import kafkaassignments.strategy.Group;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.TopicPartition;

/** Everything a leader saw, as the group JSON that the dashboard and the command line read. */
final class InputsLine {
    private InputsLine() {}

    /** Returns one line of JSON; whose a partition is, or by a promise will be, is decided by then. */
    static String of(String strategy, Settings settings, Numbering names,
            Map<String, Subscription> subscriptions, int[] owned, int generation, Offsets offsets) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", settings.group);
        document.put("strategy", strategy);
        document.put("auto_offset_reset", settings.autoOffsetReset.equals("latest") ? "latest" : "earliest");
        Map<String, Object> topics = new LinkedHashMap<>();
        names.byTopic(new Object[owned.length]).forEach((topic, list) -> topics.put(topic, list.size()));
        document.put("topics", topics);
        Map<String, List<TopicPartition>> held = names.named(owned);
        List<Object> members = new ArrayList<>();
        for (int number = 0; number < names.members.size(); number++) {
            String member = names.members.get(number);
            Subscription subscription = subscriptions.get(member);
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("id", member);
            told.put("instance_id", subscription.groupInstanceId().orElse(null));
            told.put("rack", subscription.rackId().orElse(null));
            told.put("topics", List.copyOf(new TreeSet<>(subscription.topics())));
            told.put("owned", held.get(member).stream()
                .map(each -> List.of(each.topic(), each.partition())).collect(Collectors.toList()));
            told.put("generation", generation);
            members.add(told);
        }
        document.put("members", members);
        document.put("lags", named(names, offsets.lags(settings.autoOffsetReset)));
        document.put("arrived", named(names, offsets.arrived));
        document.put("horizon_ms", offsets.horizonMs);
        document.put("moves_share", settings.movesPermille / 1000.0);
        document.put("tolerance", settings.toleranceMillionths / 1_000_000.0);
        document.put("rates", rates(names, offsets));
        document.put("offsets", offsetsOf(names, offsets));
        return json(document);
    }

    private static Map<String, Object> offsetsOf(Numbering names, Offsets offsets) {
        Map<String, List<Long>> begin = named(names, offsets.begin);
        Map<String, List<Long>> end = named(names, offsets.end);
        Map<String, List<Long>> committed = named(names, Arrays.stream(offsets.committed)
            .map(each -> each == Offsets.NOT_COMMITTED ? Group.UNKNOWN : each).toArray());
        Map<String, Object> byTopic = new LinkedHashMap<>();
        end.forEach((topic, list) -> byTopic.put(topic,
            Map.of("begin", begin.get(topic), "end", list, "committed", committed.get(topic))));
        return byTopic;
    }

    /** Records per second within the horizon, null where unknown; without a horizon none are. */
    private static Map<String, List<Double>> rates(Numbering names, Offsets offsets) {
        return names.byTopic(Arrays.stream(offsets.arrived)
            .mapToObj(each -> each == Group.UNKNOWN || offsets.horizonMs == 0 ? null
                : Double.valueOf(each * 1000.0 / offsets.horizonMs)).toArray(Double[]::new));
    }

    private static Map<String, List<Long>> named(Numbering names, long[] values) {
        return names.byTopic(Arrays.stream(values)
            .mapToObj(value -> value == Group.UNKNOWN ? null : value).toArray(Long[]::new));
    }

    private static String json(Object value) {
        if (value instanceof Map) {
            return ((Map<?, ?>) value).entrySet().stream()
                .map(entry -> json(entry.getKey()) + ":" + json(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List) {
            return ((List<?>) value).stream().map(InputsLine::json)
                .collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof String ? quoted((String) value) : String.valueOf(value);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char each : text.toCharArray()) {
            boolean isPlain = each >= ' ' && each <= '~' && each != '"' && each != '\\';
            quoted.append(isPlain ? String.valueOf(each) : String.format("\\u%04x", (int) each));
        }
        return quoted.append('"').toString();
    }
}
