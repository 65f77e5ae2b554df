package kafkaassignments;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import kafkaassignments.strategy.Group;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupAssignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.common.Cluster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the eager assignors that see lag alone have in common: they read it and assign anew. */
final class ByLag {
    private static final Logger LOG = LoggerFactory.getLogger(ByLag.class);

    private ByLag() {}

    /** Assigns by a strategy from a group and its lags; an unknown lag counts as 0. */
    static GroupAssignment assign(String name, Settings settings, Cluster cluster,
            GroupSubscription group, BiFunction<Group, long[], int[]> strategy) {
        Numbering names = new Numbering(cluster, group.groupSubscription());
        Offsets offsets = OffsetsReader.read(settings, names.partitions(), 0);
        if (offsets.problem != null) {
            LOG.warn("{} could not read all lags of {}, and counts unknown ones as 0: {}",
                name, settings.group, offsets.problem);
        }
        if (settings.logInputs) {
            LOG.info("{} saw {}", name, InputsLine.of(name, settings, names,
                group.groupSubscription(), names.group.nobody(), UserData.NO_GENERATION,
                offsets));
        }
        int[] owners = strategy.apply(names.group, offsets.lags(settings.autoOffsetReset));
        Map<String, Assignment> assigned = new HashMap<>();
        names.named(owners)
            .forEach((member, partitions) -> assigned.put(member, new Assignment(partitions)));
        return new GroupAssignment(assigned);
    }
}
