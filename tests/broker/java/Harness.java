import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One process for all uses of Kafka's own Java classes by the tests.
 *
 * A command is a line of JSON on the standard input, its result a line of JSON on the standard
 * output: {"do": "start" | "close" | "rebalance" | "state" | "threads" | "assign" | "own" | "round" |
 * "configure" | "rates" | "targets" | "java", ...}. A failed command returns {"error": ...}.
 */
public final class Harness {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, Reader> READERS = new TreeMap<>();

    public static void main(String[] arguments) throws Exception {
        PrintStream answers = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        System.setOut(System.err); // only results may go to standard output
        BufferedReader commands =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            answers.println(JSON.writeValueAsString(answer(JSON.readTree(line))));
        }
        READERS.values().forEach(Reader::close);
    }

    private static Object answer(JsonNode command) {
        try {
            return switch (command.get("do").asText()) {
                case "start" -> start(command);
                case "close" -> close(command.get("name").asText());
                case "rebalance" -> rebalance(command.get("name").asText());
                case "state" -> state();
                case "threads" -> Map.of("names", threads());
                case "assign" -> Assignors.assign(command.get("case"));
                case "own" -> kafkaassignments.OwnStrategies.assign(command.get("case"));
                case "round" -> kafkaassignments.Protocol.round(command);
                case "configure" -> kafkaassignments.Protocol.configured(command.get("config"));
                case "rates" -> kafkaassignments.Protocol.rates(command.get("file").asText());
                case "targets" -> Targets.of(command.get("history"));
                case "java" -> Map.of("version", Runtime.version().feature());
                default -> throw new IllegalArgumentException("unknown command " + command);
            };
        } catch (Exception | LinkageError problem) {
            return Map.of("error", problem.toString());
        }
    }

    private static Object start(JsonNode command) {
        Map<String, Reader> started = new TreeMap<>();
        for (JsonNode one : command.get("consumers")) {
            started.put(one.get("name").asText(), new Reader(one.get("config"), one.get("topics")));
        }
        started.values().forEach(Reader::start); // after all are created: they join together
        READERS.putAll(started);
        return Map.of();
    }

    private static Object close(String name) {
        READERS.remove(name).close();
        return Map.of();
    }

    private static Object rebalance(String name) {
        READERS.get(name).rebalance();
        return Map.of();
    }

    private static Object state() {
        Map<String, Object> states = new HashMap<>();
        READERS.forEach((name, reader) -> states.put(name, reader.state()));
        return Map.of("readers", states, "held_twice", Reader.heldTwice());
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).sorted().toList();
    }
}
