"""Who owns what after each rebalance: the answers of the real strategies."""

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, Group, LongArray
from assignors.registry import STRATEGIES
from pipeline.generating.members import Members
from pipeline.generating.plan import Plan


def groups_to_rebalance(plan: Plan, at: int) -> LongArray:
    """Return the numbers of the groups whose members or partitions change at this snapshot."""
    if at == 0:
        return np.arange(len(plan.traits))
    members = plan.members
    has_changed = (members["born"] == at) | (members["gone"] == at)
    return np.union1d(members["group"][has_changed], plan.group[plan.born == at])


def rebalance(plan: Plan, group: int, at: int, owner: LongArray) -> None:
    """Give the group's partitions new owners, in place; ``owner`` (P,) has member numbers.

    Departed members own nothing; all others claim what they owned.
    """
    here = slice(*plan.partition_starts[group : group + 2].tolist())
    known = here.start + np.flatnonzero(plan.born[here] <= at)
    first, end = plan.member_starts[group : group + 2].tolist()
    members = plan.members[first:end]
    is_present = (members["born"] <= at) & (members["gone"] > at)
    present = first + np.flatnonzero(is_present)
    if not present.size:
        owner[here] = UNOWNED
        return
    place = np.minimum(np.searchsorted(present, owner[known]), present.size - 1)
    claimed = np.where(present[place] == owner[known], place, UNOWNED)
    strategy = STRATEGIES[plan.traits["strategy"][group]]
    answer = strategy.settle(_group(plan, group, known, members[is_present], claimed))
    owner[known] = np.where(answer == UNOWNED, UNOWNED, present[answer])


def _group(plan: Plan, group: int, known: LongArray, members: Members, claimed: LongArray) -> Group:
    """Return the group as its strategy sees it, without lags."""
    first, end = plan.topic_starts[group : group + 2].tolist()
    traits = plan.traits[group]
    topics = np.arange(end - first)
    return Group.of(
        plan.topics[first:end],
        np.bincount(plan.topic[known] - first, minlength=topics.size),
        members["member_id"].tolist(),
        class_of_member=members["is_partial"] if traits["is_mixed"] else None,
        class_topics=[topics, topics[: (topics.size + 1) // 2]] if traits["is_mixed"] else None,
        owners=claimed,
        instance_ids=members["group_instance_id"].tolist() if traits["is_static"] else None,
        lags=np.full(known.size, UNKNOWN),
    )
