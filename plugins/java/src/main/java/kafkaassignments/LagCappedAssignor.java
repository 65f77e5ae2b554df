package kafkaassignments;

import java.util.Map;
import kafkaassignments.strategy.LagCapped;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;

/**
 * Evens out lag over all topics, with counts that differ by at most one where subscriptions allow.
 *
 * <p>Eager; it ignores present owners, so that nearly everything moves once lags have changed.
 */
public final class LagCappedAssignor implements ConsumerPartitionAssignor, Configurable {
    private Settings settings;

    /** Checks the settings. Throws ConfigException, which fails the start of the consumer. */
    @Override
    public void configure(Map<String, ?> properties) {
        settings = new Settings(properties);
    }

    @Override
    public String name() {
        return "lag-capped";
    }

    @Override
    public GroupAssignment assign(Cluster cluster, GroupSubscription group) {
        return ByLag.assign(name(), settings, cluster, group, LagCapped::assign);
    }
}
