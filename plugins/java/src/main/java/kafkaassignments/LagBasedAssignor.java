package kafkaassignments;

import java.util.Map;
import kafkaassignments.strategy.LagBased;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;

/**
 * Evens out lag and counts within each topic (KAFKA-5337).
 *
 * <p>Eager; it ignores present owners, so that nearly everything moves once lags have changed.
 */
public final class LagBasedAssignor implements ConsumerPartitionAssignor, Configurable {
    private Settings settings;

    /** Checks the settings. Throws ConfigException, which fails the start of the consumer. */
    @Override
    public void configure(Map<String, ?> properties) {
        settings = new Settings(properties);
    }

    @Override
    public String name() {
        return "lag-based";
    }

    @Override
    public GroupAssignment assign(Cluster cluster, GroupSubscription group) {
        return ByLag.assign(name(), settings, cluster, group, LagBased::assign);
    }
}
