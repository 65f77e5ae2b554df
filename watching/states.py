"""What is published of a group: its verdict, and figures of the answer that gave it.

P partitions, M members; NaN where a figure is unknown, infinite where something never happens.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from assignors.model import FloatArray, Group, LongArray
from evaluation.answering.answer import Answer
from evaluation.answering.verdicts import Verdict
from evaluation.consumer_labels import labels_of
from evaluation.measuring.partition_times import Basis
from evaluation.metrics import count_per_member, lag_per_member, total_lag
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from watching.tracks import Track

CAP_S: Final = 2_592_000.0
"""Thirty days: a larger time lag says that the group is not read, not by how much."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PartitionFigures:
    """Figures of each partition; (P,) each."""

    topics: tuple[str, ...]
    sizes: tuple[int, ...]
    """Partitions of each topic."""
    lag: FloatArray
    time_lag_s: FloatArray
    basis: LongArray
    """How the time lag was determined, as a ``Basis``."""
    catch_up_s: FloatArray
    loss_s: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class ConsumerFigures:
    """Figures of each consumer; (M,) each."""

    labels: tuple[str, ...]
    hosts: tuple[str, ...]
    lag: LongArray
    partitions: LongArray


@dataclass(frozen=True, eq=False, kw_only=True)
class WatchedState:
    """A group at the last poll."""

    group: str
    kind: VerdictKind
    severity: Severity
    since_s: float | None
    lag: float
    consumers: float
    idle: float
    over_bound: float
    """The busiest consumer's load over the lower bound that no assignment can beat."""
    rebalances: float
    moved: float
    needless: float
    partitions: PartitionFigures
    per_consumer: ConsumerFigures | None


def severity_of(answer: Answer, kind: VerdictKind | None = None) -> Severity:
    """Return how urgent an answer is, for a group of any kind; ``kind`` is a fuller one's."""
    return severity_of_kind(answer.verdict.kind if kind is None else kind)


def severity_of_kind(kind: VerdictKind) -> Severity:
    """Return how urgent a verdict of this kind is."""
    return Verdict(kind=kind).severity


def state_of(
    track: Track, answer: Answer, kind: VerdictKind, *, per_consumer: bool
) -> WatchedState:
    """Return what is published of a group with this answer, whose verdict is of this kind."""
    group, owners = answer.given.group, answer.given.group.present_owners
    counts = count_per_member(group, owners)
    is_told, has_consumers = _are_owners_told(answer), _are_consumers_told(answer)
    times = answer.known.times
    return WatchedState(
        group=answer.given.group.id,
        kind=kind,
        severity=severity_of(answer, kind),
        since_s=answer.verdict.since_s,
        lag=lag_of(group),
        consumers=group.member_count if has_consumers else np.nan,
        idle=_idle(answer, counts) if is_told else np.nan,
        over_bound=_over_bound(answer) if is_told else np.nan,
        rebalances=track.rebalances if is_told else np.nan,
        moved=track.moved if is_told else np.nan,
        needless=track.needless if is_told else np.nan,
        partitions=PartitionFigures(
            topics=tuple(group.topics),
            sizes=tuple(group.topic_sizes.tolist()),
            lag=times.lag,
            time_lag_s=np.minimum(times.age_s, CAP_S),
            basis=np.where(np.isnan(times.age_s), Basis.NOTHING, times.basis).astype(np.int8),
            catch_up_s=times.catch_up_s,
            loss_s=times.loss_s,
        ),
        per_consumer=_consumers(answer, counts) if per_consumer and is_told else None,
    )


def lag_of(group: Group) -> float:
    """Return how many records the group is behind; NaN if unknown."""
    known = total_lag(group).known
    return np.nan if known is None else float(known)


def _are_owners_told(answer: Answer) -> bool:
    """Return whether the source tells who owns what, as a cluster does and not all metrics do."""
    assumed = answer.given.assumed
    is_open = assumed.owners_unknown or assumed.members_unknown
    return not is_open and not answer.given.group.is_owner_unknown.any()


def _are_consumers_told(answer: Answer) -> bool:
    """Return whether it is known how many consumers there are; metrics may count them alone."""
    return not answer.given.assumed.members_unknown


def _idle(answer: Answer, counts: LongArray) -> int:
    return int(np.count_nonzero(counts == 0)) if answer.given.group.has_claims else 0


def _over_bound(answer: Answer) -> float:
    keep = answer.keep
    if keep is None or keep.busiest is None or not answer.bound:
        return np.nan
    return keep.busiest / answer.bound


def _consumers(answer: Answer, counts: LongArray) -> ConsumerFigures:
    group, owners = answer.given.group, answer.given.group.present_owners
    return ConsumerFigures(
        labels=labels_of(group),
        hosts=tuple(answer.given.hosts.get(name, "") for name in group.members),
        lag=lag_per_member(group, owners),
        partitions=counts,
    )
