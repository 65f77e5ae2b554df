package kafkaassignments;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import kafkaassignments.strategy.Group;
import kafkaassignments.strategy.LoadSticky;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evens out what consumers have to read, and moves few partitions for it.
 *
 * <p>The load of a partition is its lag plus what arrived in the last five minutes; the leader reads
 * both from the brokers while it assigns. If some of it cannot be read in time, no partition moves
 * that need not; if nothing can, the assignment is that of Kafka's CooperativeStickyAssignor.
 *
 * <p>Under the cooperative protocol a partition that moves is withheld until its owner has given it
 * up, and promised to its new owner in that member's user data. The next leader, whoever it is,
 * keeps the promises without reading anything, so that a rebalance ends after two rounds where the
 * first one aimed, whatever happens to lag meanwhile. A member that is too slow to hear of a round
 * costs one more; the leader that planned it repeats the plan, so that the aim stays the same.
 */
public final class LoadStickyAssignor implements ConsumerPartitionAssignor, Configurable {
    private static final Logger LOG = LoggerFactory.getLogger(LoadStickyAssignor.class);
    private static final Set<String> EAGER =
        Set.of("RangeAssignor", "RoundRobinAssignor", "StickyAssignor");
    /** Reads the offsets of partitions; never throws. */
    interface Reader {
        Offsets read(Settings settings, List<TopicPartition> partitions, long horizonMs);
    }

    private final Reader reader;
    private Settings settings;
    private UserData last = UserData.NONE;
    /** What this member planned as the leader of a round that it has not yet heard the end of. */
    private Map<String, List<TopicPartition>> planned = Map.of();

    /** The assignor as a consumer makes it. */
    public LoadStickyAssignor() {
        this(OffsetsReader::read);
    }

    LoadStickyAssignor(Reader reader) {
        this.reader = reader;
    }

    /** Checks the settings. Throws ConfigException, which fails the start of the consumer. */
    @Override
    public void configure(Map<String, ?> properties) {
        refuseOldClients();
        settings = new Settings(properties);
        Object listed = properties.get(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);
        if (listed != null && !settings.eager) {
            for (String name : listed.toString().split("[\\[\\], ]+")) {
                if (EAGER.contains(name.substring(name.lastIndexOf('.') + 1))) {
                    LOG.warn("{} in {} makes this consumer give up all its partitions before every "
                        + "rebalance, also under {}; list cooperative assignors only", name,
                        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, name());
                }
            }
        }
    }

    @Override
    public String name() {
        return settings.eager ? "load-sticky-eager" : "load-sticky";
    }

    @Override
    public List<RebalanceProtocol> supportedProtocols() {
        return settings.eager ? List.of(RebalanceProtocol.EAGER)
            : List.of(RebalanceProtocol.COOPERATIVE, RebalanceProtocol.EAGER);
    }

    @Override
    public ByteBuffer subscriptionUserData(Set<String> topics) {
        planned = Map.of(); // the round that it was for was given up
        List<TopicPartition> owned = settings.eager ? last.owned : List.of();
        return new UserData(last.generation, owned, last.promised, last.planned).encoded();
    }

    @Override
    public void onAssignment(Assignment assignment, ConsumerGroupMetadata metadata) {
        last = new UserData(metadata.generationId(), assignment.partitions(),
            UserData.decoded(assignment.userData()).promised, planned);
    }

    @Override
    public GroupAssignment assign(Cluster cluster, GroupSubscription group) {
        Map<String, Subscription> subscriptions = group.groupSubscription();
        Numbering names = new Numbering(cluster, subscriptions);
        Present present = new Present(names, subscriptions, settings.eager);
        int[] target;
        try {
            target = checked(names.group, target(names, present, subscriptions, cluster));
        } catch (RuntimeException | LinkageError bug) { // a consumer that throws here never gets on
            LOG.error("{} failed; assigning as CooperativeStickyAssignor does", name(), bug);
            target = KafkaSticky.assign(cluster, subscriptions, names, present);
        }
        return new GroupAssignment(
            settings.eager ? assigned(names, target, names.group.nobody())
                : handedOver(names, target, present));
    }

    private int[] target(Numbering names, Present present, Map<String, Subscription> subscriptions,
            Cluster cluster) {
        int[] owed = present.owedOwners();
        if (!settings.eager && present.isSecondRound()) {
            return owed;
        }
        Offsets offsets = reader.read(settings, names.partitions(), settings.horizonMs);
        long[] loads = offsets.loads(settings.autoOffsetReset);
        int unknown = 0;
        for (long load : loads) {
            unknown += load == Group.UNKNOWN ? 1 : 0;
        }
        if (settings.logInputs) {
            LOG.info("{} saw {}", name(), InputsLine.of(
                name(), settings, names, subscriptions, owed, present.generation(), offsets));
        }
        if (unknown > 0) {
            LOG.warn("{} could not read the load of {} of {} partitions of {}: {}; {}", name(),
                unknown, loads.length, settings.group, offsets.problem, unknown == loads.length
                    ? "assigning as CooperativeStickyAssignor does" : "moving none that need not move");
            if (unknown == loads.length) {
                return KafkaSticky.assign(cluster, subscriptions, names, present);
            }
        }
        return LoadSticky.assign(
            names.group, owed, loads, settings.movesPermille, settings.toleranceMillionths);
    }

    /** Withholds what somebody else still owns, and promises it. */
    private Map<String, Assignment> handedOver(Numbering names, int[] target, Present present) {
        int[] now = target.clone();
        int[] later = names.group.nobody();
        int[] changed = names.group.nobody();
        boolean isWithheld = false;
        for (int partition = 0; partition < target.length; partition++) {
            int member = target[partition];
            if (member != Group.UNOWNED && present.isWithheldFrom(partition, member)) {
                now[partition] = Group.UNOWNED;
                later[partition] = member;
                isWithheld = true;
            }
            changed[partition] = member == present.owners[partition] ? Group.UNOWNED : member;
        }
        planned = isWithheld ? names.named(changed) : Map.of(); // without, no other round follows
        return assigned(names, now, later);
    }

    private static Map<String, Assignment> assigned(Numbering names, int[] now, int[] later) {
        Map<String, List<TopicPartition>> promised = names.named(later);
        Map<String, Assignment> assigned = new HashMap<>();
        names.named(now).forEach((member, partitions) -> {
            List<TopicPartition> meant = promised.get(member);
            assigned.put(member, meant.isEmpty() ? new Assignment(partitions)
                : new Assignment(new ArrayList<>(partitions),
                    new UserData(UserData.NO_GENERATION, List.of(), meant, Map.of()).encoded()));
        });
        return assigned;
    }

    /** Returns the owners if every partition with subscribers has one of them as its owner. */
    private static int[] checked(Group group, int[] owners) {
        for (int partition = 0; partition < owners.length; partition++) {
            int owner = owners[partition];
            if (owner == Group.UNOWNED ? group.isWanted(partition) : !group.mayOwn(owner, partition)) {
                throw new IllegalStateException("partition " + partition + " went to " + owner);
            }
        }
        return owners;
    }

    private static void refuseOldClients() {
        try {
            Subscription.class.getMethod("rackId");
        } catch (NoSuchMethodException old) {
            throw new ConfigException("LoadStickyAssignor needs kafka-clients 3.4 or newer");
        }
    }
}
