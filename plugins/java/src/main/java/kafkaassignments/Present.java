package kafkaassignments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import kafkaassignments.strategy.Group;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.TopicPartition;

/**
 * What members own and were promised, by their own words when they joined.
 *
 * <p>Of several claims on a partition that of the newest generation wins; between equal generations
 * nobody owns it (KAFKA-12984, KAFKA-14639). A consumer whose SyncGroup came too late (error
 * REBALANCE_IN_PROGRESS) joins again with the new generation and what it owned before; its user data
 * still has the generation that it heard of last.
 */
final class Present {
    /** The member that owns each partition, whether or not it still subscribes. */
    final int[] owners;
    /** The member that each partition is promised to, while the promise stands. */
    private final int[] promised;
    /** Whether a partition has several newest claims, so that nobody owns it. */
    private final boolean[] contested;
    /** What each member claims, by number, and the generation of its claims. */
    private final List<List<TopicPartition>> claims = new ArrayList<>();
    private final int[] generations;
    private final Group group;
    private final List<String> members;
    /** What each member's user data says, by number. */
    private final List<UserData> told = new ArrayList<>();
    private final int[] generationOfClaim;
    /** The newest generation whose assignment a member received from an assignor of this kind. */
    private final int newest;
    /** Whether no assignor of another kind can have assigned since. */
    private final boolean isNewestOurs;

    Present(Numbering names, Map<String, Subscription> subscriptions, boolean eager) {
        group = names.group;
        members = names.members;
        owners = group.nobody();
        promised = group.nobody();
        contested = new boolean[group.partitions()];
        generationOfClaim = new int[group.partitions()];
        Arrays.fill(generationOfClaim, Integer.MIN_VALUE);
        generations = new int[group.members];
        int known = subscriptions.values().stream()
            .mapToInt(each -> each.generationId().orElse(UserData.NO_GENERATION)).max()
            .orElse(UserData.NO_GENERATION);
        for (int member = 0; member < group.members; member++) {
            Subscription subscription = subscriptions.get(members.get(member));
            UserData data = believed(UserData.decoded(subscription.userData()), known);
            told.add(data);
            claims.add(eager ? data.owned : subscription.ownedPartitions());
            generations[member] =
                eager ? data.generation : subscription.generationId().orElse(data.generation);
        }
        newest = told.stream().mapToInt(data -> data.generation).max().orElse(UserData.NO_GENERATION);
        isNewestOurs = Arrays.stream(generations).allMatch(generation -> generation <= newest);
        for (int member = 0; member < group.members; member++) {
            if (isNewestOurs) {
                generations[member] = told.get(member).generation;
            }
            for (TopicPartition partition : claims.get(member)) {
                claim(names.number(partition), member);
            }
        }
        for (int member = 0; member < group.members; member++) {
            UserData data = told.get(member);
            if (data.generation == newest && newest != UserData.NO_GENERATION) {
                promise(names, member, data.promised);
                data.planned.forEach((id, partitions) ->
                    promise(names, Collections.binarySearch(members, id), partitions));
            }
        }
    }

    /**
     * Returns what a member's user data says, or nothing if it claims a generation that no member's
     * client knows of: a group would follow whoever claims one, and never come to rest.
     */
    private static UserData believed(UserData data, int known) {
        return known != UserData.NO_GENERATION && data.generation > known ? UserData.NONE : data;
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

    /** Returns the newest generation that anybody's claims are of. */
    int generation() {
        return Arrays.stream(generations).max().orElse(UserData.NO_GENERATION);
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
        return hasPromise && !hasNewcomer();
    }

    /** Returns whether a member has nothing because the newest assignment did not know it. */
    private boolean hasNewcomer() {
        for (int member = 0; member < group.members; member++) {
            int number = member;
            if (claims.get(member).isEmpty() && told.get(member).generation != newest
                    && Arrays.stream(promised).noneMatch(each -> each == number)) {
                return true;
            }
        }
        return false;
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
     * Notes the promises that stand. One does not if the partition has been somebody's in or since its
     * generation; a claim from before is that of a member that missed the first round.
     */
    private void promise(Numbering names, int member, List<TopicPartition> partitions) {
        if (member < 0) {
            return;
        }
        int tooNew = isNewestOurs ? newest : Integer.MIN_VALUE + 1;
        for (TopicPartition each : partitions) {
            int partition = names.number(each);
            if (partition >= 0 && group.mayOwn(member, partition)
                    && generationOfClaim[partition] < tooNew) {
                promised[partition] = member;
            }
        }
    }
}
