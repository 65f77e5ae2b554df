package kafkaassignments.broker;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Puts topic ids in the place of names in a file of rates.
 *
 * <pre>bin/kafka-run-class.sh kafkaassignments.broker.TopicIds SERVERS RATES [CLIENT_PROPERTIES]</pre>
 *
 * writes the lines to its standard output; topics that do not exist are left out with a remark.
 */
public final class TopicIds {
    private TopicIds() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length < 2 || arguments.length > 3) {
            System.err.println("usage: TopicIds SERVERS RATES [CLIENT_PROPERTIES]");
            System.exit(2);
        }
        Properties properties = new Properties();
        if (arguments.length == 3) {
            try (InputStream file = new FileInputStream(arguments[2])) {
                properties.load(file);
            }
        }
        properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
        try (Admin admin = Admin.create(properties)) {
            for (String line : withIds(Files.readAllLines(Path.of(arguments[1])), admin)) {
                System.out.println(line);
            }
        }
    }

    private static List<String> withIds(List<String> lines, Admin admin)
            throws IOException, InterruptedException, ExecutionException {
        TreeSet<String> names = new TreeSet<>();
        for (String line : lines) {
            if (!line.isBlank() && !line.trim().startsWith("#")) {
                names.add(line.trim().split("\\s+")[0]);
            }
        }
        Map<String, KafkaFuture<TopicDescription>> described =
            admin.describeTopics(names).topicNameValues();
        List<String> written = new ArrayList<>();
        for (String line : lines) {
            String name = line.trim().split("\\s+")[0];
            if (names.contains(name)) {
                try {
                    String rest = line.trim().substring(name.length());
                    written.add(described.get(name).get().topicId() + rest);
                } catch (ExecutionException problem) {
                    if (!(problem.getCause() instanceof UnknownTopicOrPartitionException)) {
                        throw problem;
                    }
                    written.add("# no such topic: " + line.trim());
                }
            } else {
                written.add(line);
            }
        }
        return written;
    }
}
