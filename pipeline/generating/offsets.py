"""Owners and offsets of a block of groups over time.

Production follows the hour of the day; consumption the throughput of the owners that the real
strategies choose.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from assignors import ragged
from assignors.layout import Layout
from assignors.model import UNOWNED, BoolArray, FloatArray, Group, LongArray
from assignors.registry import STRATEGIES
from pipeline.generating.members import members_of
from pipeline.generating.traits import Traits, topic_names

_DAY_S: Final = 86_400.0
_PEAK_AT_S: Final = np.array([14.0, 11.0, 20.0]) * 3600
"""When each cluster is busiest, UTC."""
_SWING: Final = 0.6
_COMMIT_EVERY_S: Final = 5.0
_RETENTION_S: Final = 7 * _DAY_S
_SHARE_LEFT_BY_A_REBALANCE: Final = 0.7


class FleetPlan:
    """G groups with T topics, P partitions and M members: all that is drawn once.

    Numbers count within the block. Group g has topics ``topic_starts[g]`` to
    ``topic_starts[g + 1] - 1``, and partitions and members likewise. Topics ascend by name within
    their group, members by id.
    """

    def __init__(self, traits: Traits, snapshots: int, random: np.random.Generator) -> None:
        self.traits = traits
        names = zip(traits["name"], traits["topics"].tolist(), strict=True)
        self.topics = [topic for name, count in names for topic in topic_names(name, count)]
        self.topic_starts = ragged.starts_of(traits["topics"])
        self.sizes = _topic_sizes(traits, self.topic_starts, random)
        """(T,) partitions."""
        self.partition_starts = ragged.starts_of(traits["partitions"])
        self.group = ragged.row_of_each(self.partition_starts)
        """(P,) the group of each partition; below, its topic and its number there."""
        self.topic = ragged.row_of_each(ragged.starts_of(self.sizes))
        self.number = ragged.place_in_row(self.sizes)
        its, count = traits[self.group], self.group.size
        weights = np.exp(random.standard_normal(count) * its["skew"])
        self.rate: FloatArray = its["rate"] * weights / np.bincount(self.group, weights)[self.group]
        """(P,) records/s averaged over the day."""
        self.never_commits = random.random(count) < its["uncommitted"]
        is_stuck = random.random(count) < its["stuck"]
        self.stuck_from = np.where(is_stuck, random.integers(0, snapshots, count), snapshots)
        """(P,) the snapshot from which the committed offset stays the same."""
        self.members = members_of(traits, snapshots, random)
        sizes = np.bincount(self.members["group"], minlength=len(traits))
        self.member_starts = ragged.starts_of(sizes)


def _topic_sizes(traits: Traits, topic_starts: LongArray, random: np.random.Generator) -> LongArray:
    """Divide each group's partitions among its topics, at least one each, the rest to the first."""
    group = ragged.row_of_each(topic_starts)
    weights = random.gamma(2.0, 1.0, group.size) + 0.2
    spare = (traits["partitions"] - traits["topics"])[group]
    sizes: LongArray = 1 + (weights / np.bincount(group, weights)[group] * spare).astype(np.int64)
    sizes[topic_starts[:-1]] += traits["partitions"] - np.add.reduceat(sizes, topic_starts[:-1])
    return sizes


@dataclass(frozen=True, eq=False, kw_only=True)
class FleetMoment:
    """A block of groups at one moment; arrays are (P,)."""

    at: int
    """The number of the snapshot, below K."""
    owner: LongArray
    """Member number, or ``UNOWNED``."""
    start: LongArray
    end: LongArray
    committed: LongArray
    is_committed: BoolArray


def snapshots_of(
    plan: FleetPlan, times_s: FloatArray, random: np.random.Generator
) -> Iterator[FleetMoment]:
    """Yield the snapshots; ``times_s`` (K,) are seconds since 1970.

    Groups start behind by a lognormal number of seconds, at most a day. Offsets only grow.
    """
    count = plan.rate.size
    end = (plan.rate * _DAY_S * random.uniform(2, 60, count)).astype(np.int64)
    behind_s = plan.traits["behind_s"][plan.group] * np.exp(0.8 * random.standard_normal(count))
    committed = end - (plan.rate * np.minimum(behind_s, _DAY_S)).astype(np.int64)
    owner = np.full(count, UNOWNED, np.int64)
    was_owned = np.zeros(count, np.bool_)
    for at, time_s in enumerate(times_s.tolist()):
        changed = _groups_to_rebalance(plan, at)
        if at:
            elapsed_s = time_s - float(times_s[at - 1])
            end += _produced(plan, time_s, elapsed_s, random)
            most = _readable(plan, owner, end - committed, elapsed_s, changed)
            uncommitted_s = _COMMIT_EVERY_S * random.random(count, np.float32)
            most = np.minimum(most, end - committed - (plan.rate * uncommitted_s).astype(np.int64))
            is_read = (owner != UNOWNED) & (plan.stuck_from > at)
            committed += (np.maximum(most, 0) * is_read).astype(np.int64)
        for group in changed.tolist():
            _rebalance(plan, group, at, owner)
        was_owned |= owner != UNOWNED
        yield FleetMoment(
            at=at,
            owner=owner.copy(),
            start=np.maximum(end - (plan.rate * _RETENTION_S).astype(np.int64), 0),
            end=end.copy(),
            committed=committed.copy(),
            is_committed=was_owned & ~plan.never_commits,
        )


def _produced(
    plan: FleetPlan, time_s: float, elapsed_s: float, random: np.random.Generator
) -> LongArray:
    """Return the records produced: a daily curve per cluster, with noise per partition."""
    phase: FloatArray = 2 * np.pi * (time_s - _PEAK_AT_S[plan.traits["cluster"]]) / _DAY_S
    level = (1 + _SWING * np.cos(phase)) * random.lognormal(0.0, 0.1, phase.size)
    expected = plan.rate * level[plan.group] * elapsed_s
    noise = 1 + 0.1 * random.standard_normal(expected.size, np.float32)
    # Rounded randomly, so that a rate below one record per snapshot still produces some.
    chance = random.random(expected.size, np.float32)
    return np.maximum(expected * noise + chance, 0).astype(np.int64)


def _readable(
    plan: FleetPlan, owner: LongArray, backlog: LongArray, elapsed_s: float, changed: LongArray
) -> FloatArray:
    """Divide what each consumer can read among its partitions, by their backlog."""
    allowed = plan.members["throughput"] * elapsed_s
    allowed[np.isin(plan.members["group"], changed)] *= _SHARE_LEFT_BY_A_REBALANCE
    wanted = np.bincount(owner.clip(0), backlog * (owner != UNOWNED), minlength=allowed.size)
    share: FloatArray = np.minimum(1.0, allowed / np.maximum(wanted, 1))
    return backlog * share[owner]


def _groups_to_rebalance(plan: FleetPlan, at: int) -> LongArray:
    """Return the groups whose members change at this snapshot."""
    if at == 0:
        return np.arange(len(plan.traits))
    members = plan.members
    return np.unique(members["group"][(members["born"] == at) | (members["gone"] == at)])


def _rebalance(plan: FleetPlan, group: int, at: int, owner: LongArray) -> None:
    """Assign the group's partitions again, in place; ``owner`` (P,) has member numbers.

    Departed members own nothing; all others claim what they owned.
    """
    here = slice(*plan.partition_starts[group : group + 2].tolist())
    topics = slice(*plan.topic_starts[group : group + 2].tolist())
    first, end = plan.member_starts[group : group + 2].tolist()
    members = plan.members[first:end]
    present = np.flatnonzero((members["born"] <= at) & (members["gone"] > at))
    if not present.size:
        owner[here] = UNOWNED
        return
    place = np.minimum(np.searchsorted(present, owner[here] - first), present.size - 1)
    answer = STRATEGIES[plan.traits["strategy"][group]].settle(
        Group.with_layout(
            Layout.of(
                plan.topics[topics],
                plan.sizes[topics],
                members["member_id"][present].tolist(),
                instance_ids=members["group_instance_id"][present].tolist(),
            ),
            owners=np.where(present[place] == owner[here] - first, place, UNOWNED),
        )
    )
    owner[here] = first + present[answer]
