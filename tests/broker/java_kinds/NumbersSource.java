import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** A source connector with as many tasks as it may have, which make no records. */
public final class NumbersSource extends SourceConnector {
    @Override public void start(Map<String, String> settings) { }

    @Override public Class<? extends Task> taskClass() {
        return Idle.class;
    }

    @Override public List<Map<String, String>> taskConfigs(int most) {
        List<Map<String, String>> tasks = new ArrayList<>();
        for (int at = 0; at < most; at++) {
            tasks.add(Map.of("at", Integer.toString(at)));
        }
        return tasks;
    }

    @Override public void stop() { }

    @Override public ConfigDef config() {
        return new ConfigDef();
    }

    @Override public String version() {
        return "1";
    }

    /** A task that waits. */
    public static final class Idle extends SourceTask {
        @Override public void start(Map<String, String> settings) { }

        @Override public List<SourceRecord> poll() throws InterruptedException {
            Thread.sleep(200);
            return null;
        }

        @Override public void stop() { }

        @Override public String version() {
            return "1";
        }
    }
}
