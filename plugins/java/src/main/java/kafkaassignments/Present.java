package kafkaassignments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import kafkaassignments.strategy.Group;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.TopicPartition;

/**
 * What members own and were promised, by their own words when they joined.
 *
 * <p>Of several claims on a partition that of the newest generation wins; between equal generations
 * nobody owns it (KAFKA-12984, KAFKA-14639).
 */
final class Present {
    /** The member that owns each partition, whether or not it still subscribes. */
    final int[] owners;
    /** The member that each partition is promised to, while the promise stands. */
    final int[] promised;
    /** Whether a partition has several newest claims, so that nobody owns it. */
    final boolean[] contested;
    /** Whether a member joined after the last assignment, so that no promise knows of it. */
    final boolean hasNewcomer;
    /** What each member claims, by number, and the generation of its claims. */
    final List<List<TopicPartition>> claims = new ArrayList<>();
    final int[] generations;
    private final Group group;
    private final int[] generationOfClaim;

    Present(Numbering names, Map<String, Subscription> subscriptions, boolean eager) {
        group = names.group;
        owners = group.nobody();
        promised = group.nobody();
        contested = new boolean[group.partitions()];
        generationOfClaim = new int[group.partitions()];
        Arrays.fill(generationOfClaim, Integer.MIN_VALUE);
        generations = new int[group.members];
        int newest = UserData.NO_GENERATION;
        List<UserData> told = new ArrayList<>();
        for (int member = 0; member < group.members; member++) {
            Subscription subscription = subscriptions.get(names.members.get(member));
            UserData data = UserData.decoded(subscription.userData());
            told.add(data);
            claims.add(eager ? data.owned : subscription.ownedPartitions());
            generations[member] =
                eager ? data.generation : subscription.generationId().orElse(data.generation);
            newest = Math.max(newest, Math.max(generations[member], data.generation));
            for (TopicPartition partition : claims.get(member)) {
                claim(names.number(partition), member);
            }
        }
        boolean isNew = false;
        for (int member = 0; member < group.members; member++) {
            UserData data = told.get(member);
            isNew |= data.generation != newest && claims.get(member).isEmpty();
            if (data.generation == newest && newest != UserData.NO_GENERATION) {
                for (TopicPartition partition : data.promised) {
                    promise(names.number(partition), member, newest);
                }
            }
        }
        hasNewcomer = isNew;
    }

    /** Returns the owners that still subscribe, with promised partitions already handed over. */
    int[] owedOwners() {
        int[] owed = group.fit(owners);
        for (int partition = 0; partition < owed.length; partition++) {
            if (promised[partition] != Group.UNOWNED) {
                owed[partition] = promised[partition];
            }
        }
        return owed;
    }

    /**
     * Returns whether the round has only promises to keep: there are some, everything else has an
     * owner, and nobody joined since they were made.
     */
    boolean isSecondRound() {
        boolean hasPromise = false;
        int[] owed = owedOwners();
        for (int partition = 0; partition < owed.length; partition++) {
            hasPromise |= promised[partition] != Group.UNOWNED;
            if (group.isWanted(partition) && owed[partition] == Group.UNOWNED) {
                return false;
            }
        }
        return hasPromise && !hasNewcomer;
    }

    /** Returns whether somebody must give a partition up before this member can have it. */
    boolean isWithheldFrom(int partition, int member) {
        return contested[partition]
            || (owners[partition] != Group.UNOWNED && owners[partition] != member);
    }

    private void claim(int partition, int member) {
        if (partition < 0 || generations[member] < generationOfClaim[partition]) {
            return;
        }
        boolean isNewer = generations[member] > generationOfClaim[partition];
        boolean isRepeated = !isNewer && owners[partition] == member;
        if (!isRepeated) {
            contested[partition] = !isNewer;
            owners[partition] = isNewer ? member : Group.UNOWNED;
            generationOfClaim[partition] = generations[member];
        }
    }

    /**
     * Notes a promise that stands. It does not if the partition has been somebody's in or since its
     * generation; a claim from before is that of a member that missed the first round.
     */
    private void promise(int partition, int member, int generation) {
        if (partition >= 0 && group.mayOwn(member, partition)
            && generationOfClaim[partition] < generation) {
            promised[partition] = member;
        }
    }
}
