"""Owners and offsets of a block of groups over time.

Production follows the hour of the day; consumption the throughput of the owners that the real
strategies choose.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, Group, LongArray
from assignors.registry import STRATEGIES
from pipeline.generating.members import Members
from pipeline.generating.plan import FleetPlan

_DAY_S: Final = 86_400.0
_PEAK_AT_S: Final = np.array([14.0, 11.0, 20.0]) * 3600
"""When each cluster is busiest, UTC."""
_SWING: Final = 0.6
_COMMIT_EVERY_S: Final = 5.0
_RETENTION_S: Final = 7 * _DAY_S
_SHARE_LEFT_BY_A_REBALANCE: Final = 0.7


@dataclass(frozen=True, eq=False, kw_only=True)
class FleetMoment:
    """A block of groups at one moment; arrays are (P,) and include partitions added later."""

    at: int
    """The number of the snapshot, below K."""
    owner: LongArray
    """Member number, or ``UNOWNED``."""
    start: LongArray
    end: LongArray
    committed: LongArray
    is_committed: BoolArray
    is_answered: BoolArray
    """Whether the broker reported start and end offsets."""


def snapshots_of(
    plan: FleetPlan, times_s: FloatArray, random: np.random.Generator
) -> Iterator[FleetMoment]:
    """Yield the snapshots; ``times_s`` (K,) are seconds since 1970.

    Offsets only grow, unless the topic is recreated. A consumer's throughput is divided among its
    partitions by their backlog; unowned and stuck partitions make no progress.
    """
    end = (plan.rate * _DAY_S * random.uniform(2, 60, plan.rate.size)).astype(np.int64)
    end *= plan.born == 0
    committed = _first_committed(plan, end, random)
    start = np.maximum(end - (plan.rate * _RETENTION_S).astype(np.int64), 0)
    owner = np.full(plan.rate.size, UNOWNED, np.int64)
    was_owned = np.zeros(plan.rate.size, np.bool_)
    for at, time_s in enumerate(times_s.tolist()):
        changed = _groups_to_rebalance(plan, at)
        if at:
            elapsed_s = time_s - float(times_s[at - 1])
            _recreate(plan, at, start, end, committed)
            end += _produced(plan, at, time_s, elapsed_s, random)
            committed += _read(plan, at, elapsed_s, owner, end - committed, changed, random)
            np.maximum(start, end - (plan.rate * _RETENTION_S).astype(np.int64), out=start)
        for group in changed.tolist():
            _rebalance(plan, group, at, owner)
        was_owned |= (owner != UNOWNED) | (plan.born < at)
        is_silent = random.random(plan.silence.size) < plan.silence
        yield FleetMoment(
            at=at,
            owner=owner.copy(),
            start=start.copy(),
            end=end.copy(),
            committed=committed.copy(),
            is_committed=was_owned & ~plan.never_commits,
            is_answered=~is_silent[plan.topic],
        )


def _first_committed(plan: FleetPlan, end: LongArray, random: np.random.Generator) -> LongArray:
    """Start behind by a lognormal number of seconds, at most a day."""
    spread = np.exp(0.8 * random.standard_normal(end.size))
    behind_s: FloatArray = np.minimum(plan.traits["behind_s"][plan.group] * spread, _DAY_S)
    return np.maximum(end - (plan.rate * behind_s).astype(np.int64), 0)


def _recreate(
    plan: FleetPlan, at: int, start: LongArray, end: LongArray, committed: LongArray
) -> None:
    """Reset the offsets of recreated topics, in place."""
    is_new = plan.recreated_at[plan.topic] == at
    for offsets in (start, end, committed):
        offsets[is_new] = 0


def _produced(
    plan: FleetPlan, at: int, time_s: float, elapsed_s: float, random: np.random.Generator
) -> LongArray:
    """Return the records produced: a daily curve per cluster, with noise per partition."""
    phase: FloatArray = 2 * np.pi * (time_s - _PEAK_AT_S[plan.traits["cluster"]]) / _DAY_S
    level = (1 + _SWING * np.cos(phase)) * random.lognormal(0.0, 0.1, phase.size)
    expected = plan.rate * level[plan.group] * elapsed_s * (plan.born <= at)
    noise = 1 + 0.1 * random.standard_normal(expected.size, np.float32)
    # Rounded randomly, so that a rate below one record per snapshot still produces some.
    chance = random.random(expected.size, np.float32)
    return np.maximum(expected * noise + chance, 0).astype(np.int64)


def _read(  # noqa: PLR0913, PLR0917 -- the state of a block
    plan: FleetPlan,
    at: int,
    elapsed_s: float,
    owner: LongArray,
    backlog: LongArray,
    changed: LongArray,
    random: np.random.Generator,
) -> LongArray:
    """Return the records that each partition's previous owner has committed since."""
    is_stuck = (plan.stuck_from <= at) & (at < plan.stuck_to)
    is_read = (owner != UNOWNED) & ~is_stuck & (plan.born < at)
    reader = np.where(is_read, owner, 0)
    wanted = np.bincount(reader, backlog * is_read, minlength=plan.members["throughput"].size)
    allowed = plan.members["throughput"] * elapsed_s
    allowed[np.isin(plan.members["group"], changed)] *= _SHARE_LEFT_BY_A_REBALANCE
    share = np.minimum(1.0, allowed / np.maximum(wanted, 1))[reader]
    uncommitted_s = _COMMIT_EVERY_S * random.random(backlog.size, np.float32)
    most = np.maximum(backlog - (plan.rate * uncommitted_s).astype(np.int64), 0)
    read: LongArray = (np.minimum(backlog * share, most) * is_read).astype(np.int64)
    return read


def _groups_to_rebalance(plan: FleetPlan, at: int) -> LongArray:
    """Return the groups whose members or partitions change at this snapshot."""
    if at == 0:
        return np.arange(len(plan.traits))
    members = plan.members
    has_changed = (members["born"] == at) | (members["gone"] == at)
    return np.union1d(members["group"][has_changed], plan.group[plan.born == at])


def _rebalance(plan: FleetPlan, group: int, at: int, owner: LongArray) -> None:
    """Assign the group's partitions again, in place; ``owner`` (P,) has member numbers.

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


def _group(
    plan: FleetPlan, group: int, known: LongArray, members: Members, claimed: LongArray
) -> Group:
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
