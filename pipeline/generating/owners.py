"""Who owns what after each rebalance: the answers of the real strategies."""

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, Group, LongArray
from assignors.registry import STRATEGIES
from pipeline.generating.plan import Plan
from pipeline.generating.traits import SHIPPED

NOBODY = UNOWNED


def groups_to_rebalance(plan: Plan, at: int) -> LongArray:
    """Return the numbers of the groups whose members or partitions change at this snapshot."""
    if at == 0:
        return np.arange(len(plan.traits))
    everyone = plan.members
    return np.unique(
        np.concatenate(
            [
                everyone.group[everyone.born == at],
                everyone.group[everyone.gone == at],
                plan.group[plan.born == at],
            ]
        )
    )


def rebalance(plan: Plan, group: int, at: int, owner: LongArray) -> None:
    """Give the group's partitions new owners, in place; ``owner`` (P,) has member numbers.

    Departed members own nothing; all others claim what they owned.
    """
    everyone = plan.members
    here = slice(int(plan.partition_starts[group]), int(plan.partition_starts[group + 1]))
    known = here.start + np.flatnonzero(plan.born[here] <= at)
    of_group = slice(int(everyone.starts[group]), int(everyone.starts[group + 1]))
    present = of_group.start + np.flatnonzero(
        (everyone.born[of_group] <= at) & (everyone.gone[of_group] > at)
    )
    if not present.size:
        owner[here] = NOBODY
        return
    place = np.searchsorted(present, owner[known])
    place = np.minimum(place, present.size - 1)
    claimed = np.where(present[place] == owner[known], place, UNOWNED)
    strategy = STRATEGIES[SHIPPED[int(plan.traits.strategy[group])]]
    answer = strategy.settle(_asked(plan, group, known, present, claimed))
    owner[known] = np.where(answer == UNOWNED, NOBODY, present[answer])


def _asked(
    plan: Plan, group: int, known: LongArray, present: LongArray, claimed: LongArray
) -> Group:
    """Return the group as its strategy sees it, without lags."""
    everyone = plan.members
    topics = slice(int(plan.topic_starts[group]), int(plan.topic_starts[group + 1]))
    count = topics.stop - topics.start
    is_static = bool(plan.traits.is_static[group])
    is_mixed = bool(plan.traits.is_mixed[group])
    members = present.tolist()
    return Group.of(
        plan.topics[topics],
        np.bincount(plan.topic[known] - topics.start, minlength=count),
        [everyone.ids[m] for m in members],
        class_of_member=everyone.is_partial[present] if is_mixed else None,
        class_topics=[np.arange(count), np.arange((count + 1) // 2)] if is_mixed else None,
        owners=claimed,
        instance_ids=[everyone.instances[m] for m in members] if is_static else None,
        lags=np.full(known.size, UNKNOWN),
    )
