"""What is known of a group's flow, each figure with its source: arrivals, reading, speed.

Measured from snapshots, stated by the user or the group, or a guess. Every page asks here, so
that no two pages name two figures for one thing. P partitions, M members; NaN is unknown.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

import numpy as np

from assignors.kinds import GroupKind
from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, Group, LongArray
from assignors.sums import float_sums
from evaluation.measuring.offset_history import (
    BEGIN,
    COMMITTED,
    END,
    OFF_BY_ONE,
    Moment,
    OffsetHistory,
    by_partition,
    history_offsets,
)
from evaluation.measuring.partition_times import FRESH, KEEPS_UP_S, MOST_FRESH, PartitionTimes
from evaluation.measuring.pauses import Pauses
from evaluation.metrics import is_counted

_BUSY: Final = 0.8
"""The load of today's consumers where nothing says what they can read, as autoscalers aim for."""
_HEAVIEST: Final = 0.5
"""The share of a consumer that the heaviest partition takes at the guessed speed."""
_ROUNDING: Final = 1e-9
_GUESS: Final = 1_000.0
"""Records per second of a consumer where not even arrivals are known."""
_UNLIKE: Final = 1.25
"""From this multiple of the median on, consumers read at speeds of their own."""
CLEARLY: Final = 1.1
"""From this multiple on, a consumer reads clearly more than another; less is noise of commits."""
PACE: Final = 0.01
"""The read rate equals the arrival rate if they differ by no more than this share."""
_STANDS_S: Final = 30.0
"""What has not moved for so long stands: consumers commit every 5 s by default, some after a long
batch."""
_STANDS_S_OF: Final[Mapping[GroupKind, float]] = {
    GroupKind.CONNECT_SINK: 150.0,  # offset.flush.interval.ms is a minute
    GroupKind.STREAMS: 90.0,  # commit.interval.ms is half a minute
    GroupKind.STREAMS_BROKER: 90.0,
}
"""Some kinds commit more rarely: two intervals of theirs, and half of one for a long batch."""
COMMITTED_LATE_S: Final = 120.0
"""A steady lag of less may be no backlog: some clients commit once a minute (Connect's tasks, jobs
with checkpoints), and what they have read by then counts as lag."""
_ONCE_A_MINUTE_S: Final = 60.0
"""Who commits once a minute has done so by then."""
ONE_POLL: Final = 500
"""Records that one call of poll() returns (max.poll.records): less lag than that is no backlog."""
_ENOUGH: Final = 30
"""Beyond this many records, what arrived between two snapshots did not all do so just now."""


def stands_s(kind: GroupKind) -> float:
    """Return for how many seconds nothing is committed by what stands, in a group of this kind."""
    return _STANDS_S_OF.get(kind, _STANDS_S)


class Source(Enum):
    """Where a figure comes from, best last."""

    GUESS = "a guess"
    STATED = "stated"
    TIMED = "measured, at the seconds stated"
    """Offsets were read, and somebody states how far apart."""
    MEASURED = "measured"


class Speed(NamedTuple):
    """What one consumer can read."""

    records_s: float
    source: Source
    is_least: bool = False
    """Whether it is a lower bound: consumers that keep up could read more."""
    most_seen: float = 0.0
    """What the fastest of all was seen to read, where that is far more than the median."""

    @property
    def is_known(self) -> bool:
        """Whether a sentence may rest on it: it is no guess, and no lower bound."""
        return self.source is not Source.GUESS and not self.is_least


@dataclass(frozen=True, eq=False, kw_only=True)
class Facts:
    """The flow of a group."""

    arriving: FloatArray
    """(P,) records per second that arrive."""
    arriving_source: Source | None
    """None if no partition's is known."""
    reading: FloatArray
    """(M,) records per second that each consumer has read from its present partitions; NaN where
    that is unknown of one, as after a reset."""
    is_busy: BoolArray
    """(M,) had a backlog at every moment, so that ``reading`` is its speed."""
    is_stuck: BoolArray
    """(P,) nothing was committed for the last half minute or more while records waited, and its
    consumer, which reads others, has caught up on those: it had time for this one."""
    is_still: BoolArray
    """(M,) committed nothing in that time, anywhere, while records waited."""
    is_unsure: BoolArray
    """(P,) would be stuck, or stands with all of its consumer, but for the time: too little of it
    is known to have passed, or its consumer took it over within it."""
    span_s: float
    """Seconds over which ``reading`` and measured arrivals were observed; 0 if not at all."""
    speed: Speed
    lost: FloatArray
    """(P,) records that were deleted before they were read; NaN if unknown."""
    is_counted: BoolArray
    """(P,) what totals count (``evaluation.metrics.is_counted``)."""
    stands_s: float = _STANDS_S
    """What commits nothing for so long stands."""
    is_approximate: bool = False
    """Whether rates rest on when texts were pasted: the page marks them by ≈."""
    partition_cap: float | None = None
    """The most that can be read of one partition, records per second, if it is stated."""

    def __repr__(self) -> str:
        source = "unknown" if self.arriving_source is None else self.arriving_source.value
        reads = f"a consumer reads {self.speed.records_s:g}/s ({self.speed.source.value})"
        return f"<Facts: {self.total_arriving:g}/s arrive ({source}), {reads}>"

    @property
    def partition_speed(self) -> float:
        """Records per second that can be read of one partition, by a consumer for it alone."""
        speed, cap = self.speed.records_s, self.partition_cap
        return speed if cap is None else min(speed, cap)

    @property
    def total_arriving(self) -> float:
        """Records per second over the partitions that count and whose arrivals are known."""
        return float(np.nansum(self.arriving[self.is_counted]))


def facts_of(  # noqa: PLR0913 -- what is stated beside what is observed
    group: Group,
    history: OffsetHistory | None,
    times: PartitionTimes | None,
    stated_speed: float | None = None,
    dated: Source = Source.MEASURED,
    *,
    kind: GroupKind = GroupKind.CONSUMER,
) -> Facts:
    """Return what is known of a group's flow.

    ``times`` are those of the history. The speed of one consumer is, in this order: what the user
    states; the median of the members' own stated throughput; the median of what consumers read
    that had a backlog throughout, those that have stopped or hold a partition that is stuck left
    out, and those that read just what arrived if others tell or read more, or if their lag may be
    of late commits; at least what the fastest of all read; a guess, at which today's consumers are
    80 % busy with arrivals and the heaviest partition takes half of one.
    ``dated`` is where the times of the snapshots come from: rates are no better than those. How
    often a group commits depends on its ``kind``.
    """
    nothing = np.full(group.partition_count, np.nan)
    rates = nothing if group.offsets.rates is None else group.offsets.rates
    observed = history if history and history.has_several else None
    arriving = rates if times is None else times.produced
    source = Source.STATED if observed is None else dated
    reading, behind_s = _reading(group, observed, times)
    is_busy = behind_s >= _least_s(observed)
    pauses = None if times is None else times.pauses
    is_stuck, is_still, is_unsure = _standing(group, observed, stands_s(kind), pauses)
    owners = group.present_owners
    is_measure = ~is_still & ~np.isin(np.arange(group.member_count), owners[is_stuck])
    return Facts(
        arriving=arriving,
        arriving_source=None if np.isnan(arriving).all() else source,
        reading=reading,
        is_busy=is_busy,
        is_stuck=is_stuck,
        is_still=is_still,
        is_unsure=is_unsure,
        span_s=0.0 if observed is None else observed.rates_span_s,
        lost=_lost(group),
        stands_s=stands_s(kind),
        is_counted=is_counted(group),
        is_approximate=observed is not None and observed.is_approximate,
        speed=_stated(group, stated_speed)
        or _observed(
            reading,
            is_busy & is_measure,
            is_busy & is_measure & (behind_s >= COMMITTED_LATE_S),
            _keeps_pace(group, times, reading),
            dated,
        )
        or _guessed(group, arriving),
    )


def _reading(
    group: Group, history: OffsetHistory | None, times: PartitionTimes | None
) -> tuple[FloatArray, FloatArray]:
    """Return what each member has read (M,), and the least seconds of reading it was behind (M,).

    Infinite if it read nothing of its backlog, 0 without one.
    """
    members, owners = group.member_count, group.present_owners
    held = np.flatnonzero(owners != UNOWNED)
    if history is None or times is None or not held.size:
        return np.full(members, np.nan), np.zeros(members)
    who = owners[held]
    is_known = ~np.isnan(times.consumed[held])
    reading = float_sums(who[is_known], times.consumed[held][is_known], members)
    offsets = history_offsets(group, history.moments[history.rates_from :])[:, :, held]
    has_fallen = ~is_known & (_committed(group)[held] != UNKNOWN)
    has_fallen &= offsets[0, COMMITTED] != UNKNOWN  # a first commit is no fall
    is_open = has_fallen & (times.produced[held] > 0)
    reading[np.bincount(who[is_known], minlength=members) == 0] = np.nan
    reading[who[is_open]] = np.nan
    is_both = (offsets[:, END] != UNKNOWN) & (offsets[:, COMMITTED] != UNKNOWN)
    read = np.maximum(offsets[:, COMMITTED], offsets[:, BEGIN])  # what was deleted waits no more
    lags = np.maximum(np.where(is_both, offsets[:, END] - read, 0), 0)
    least_lag = np.min([float_sums(who, lag.astype(np.float64), members) for lag in lags], axis=0)
    behind_s = np.where(least_lag > 0, np.inf, 0.0)
    np.divide(least_lag, reading, out=behind_s, where=reading > 0)
    return reading, behind_s


def _least_s(history: OffsetHistory | None) -> float:
    """Return how far behind a member is that is busy throughout."""
    if history is None or not history.is_approximate:
        return KEEPS_UP_S
    return max(KEEPS_UP_S, MOST_FRESH * history.rates_span_s)


def _committed(group: Group) -> LongArray:
    committed = group.offsets.committed
    return np.full(group.partition_count, UNKNOWN) if committed is None else committed


def _keeps_pace(group: Group, times: PartitionTimes | None, reading: FloatArray) -> BoolArray:
    """Return whether each member (M,) read what arrived: its backlog neither grew nor fell."""
    owners, members = group.present_owners, group.member_count
    if times is None:
        return np.zeros(members, np.bool_)
    held = np.flatnonzero((owners != UNOWNED) & ~np.isnan(times.produced))
    arriving = float_sums(owners[held], times.produced[held], members)
    return np.isclose(reading, arriving, rtol=PACE)


def _standing(
    group: Group, history: OffsetHistory | None, least_s: float, pauses: Pauses | None
) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Return the partitions (P,) that are stuck, the members (M,) that have stopped, who is unsure.

    A consumer reads what it has fetched of one partition before it turns to the next. So a
    partition that does not move, of a consumer that reads another with a backlog, is waiting.
    Without times, or with those of pasting, a consumer's arrivals alone tell that some has passed,
    of those that commit often. Who paused before and went on has to stand clearly longer than then,
    and a group that may commit once a minute for one whole minute.
    """
    members, owners = group.member_count, group.present_owners
    nothing = np.zeros(owners.size, np.bool_)
    if history is None:
        return nothing, np.zeros(members, np.bool_), nothing
    back = np.flatnonzero(history.times_s <= history.times_s[-1] - least_s)
    first = history.moments[int(back[-1]) if back.size else 0]
    offsets = history_offsets(group, (first, history.moments[-1]))
    end, committed = offsets[:, END], offsets[:, COMMITTED]
    is_known = (end != UNKNOWN).all(axis=0) & (committed != UNKNOWN).all(axis=0)
    lags = np.maximum(end - np.maximum(committed, offsets[:, BEGIN]), 0)
    arrived = end[1] - end[0]
    waited = (lags[0] > OFF_BY_ONE) | (arrived > _ENOUGH)
    has_stood = is_known & (committed[0] == committed[1]) & waited & (lags[1] > OFF_BY_ONE)
    advances = is_known & (committed[0] != committed[1])
    span_s = history.moments[-1].at_s - first.at_s
    is_dated = not (np.isnan(span_s) or history.is_approximate)
    share = min(KEEPS_UP_S / max(span_s, KEEPS_UP_S), 1.0) if is_dated else FRESH
    has_backlog = (lags > np.maximum(share * arrived, OFF_BY_ONE)).any(axis=0)
    is_owned = owners != UNOWNED
    stood, moved, busy = (
        np.bincount(owners[is_owned & some], minlength=members)
        for some in (has_stood, advances, advances & has_backlog)
    )
    is_done, is_still = (moved > 0) & (busy == 0), (stood > 0) & (moved == 0)
    if not is_dated:
        at = np.flatnonzero(is_owned & is_known)
        came = np.maximum(arrived[at], 0).astype(np.float64)
        is_told = float_sums(owners[at], came, members) > _ENOUGH
        is_told &= least_s <= _STANDS_S or span_s >= least_s
    else:
        is_told = np.full(members, span_s >= least_s and not _may_commit_late(group, history))
    done, still, told = (np.append(some, False)[owners] for some in (is_done, is_still, is_told))
    stands = has_stood & done
    told_of = told & ~(is_dated & _is_taken(group, first))
    is_stuck, is_open = stands & told_of, (stands | still) & ~told_of
    is_stopped = is_still & is_told
    if is_dated and pauses is not None:
        is_stuck &= ~pauses.are_usual
        is_stopped &= ~pauses.are_usual_of(group)
    return is_stuck, is_stopped, is_open


def _may_commit_late(group: Group, history: OffsetHistory) -> bool:
    """Return whether all may have committed a moment before the first snapshot, and not since.

    Consumers that all stop do so rarely just then; those that leave commit what they have read.
    """
    if len({moment.ownership for moment in history.moments}) > 1:
        return False
    span_s = history.moments[-1].at_s - history.moments[0].at_s
    offsets = history_offsets(group, history.moments)[:, :, group.present_owners != UNOWNED]
    (first, *_, last), committed = offsets[:, END], offsets[:, COMMITTED]
    if span_s >= _ONCE_A_MINUTE_S or (offsets[:, END:] == UNKNOWN).any():
        return False
    waited = np.maximum(first - committed[0], 0).sum()
    is_fresh = waited * span_s <= KEEPS_UP_S * (last - first).sum()
    return bool(is_fresh and (committed == committed[0]).all())


def _is_taken(group: Group, moment: Moment) -> BoolArray:
    """Return which partitions (P,) are known to have had another owner, or none, at a moment."""
    if moment.held is None:
        return np.zeros(group.partition_count, np.bool_)
    places = by_partition(group, moment.held.owners)
    former, present = (
        np.array([*ids, ""], np.object_)[owners]
        for ids, owners in (
            (moment.held.members, np.nan_to_num(places, nan=UNOWNED).astype(np.int64)),
            (group.members, group.present_owners),
        )
    )
    return np.asarray(~np.isnan(places) & (former != present))


def _lost(group: Group) -> FloatArray:
    """Return how far each log's start is past the committed offset."""
    begin, committed = group.offsets.begin, group.offsets.committed
    if begin is None or committed is None:
        return np.full(group.partition_count, np.nan)
    is_known = (begin != UNKNOWN) & (committed != UNKNOWN)
    return np.where(is_known, np.maximum(begin - committed, 0).astype(np.float64), np.nan)


def _stated(group: Group, speed: float | None) -> Speed | None:
    if speed is not None:
        return Speed(speed, Source.STATED)
    own = np.zeros(0) if group.offsets.throughput is None else group.offsets.throughput
    own = own[own > 0]
    return Speed(float(np.median(own)), Source.STATED) if own.size else None


def _observed(
    reading: FloatArray,
    is_busy: BoolArray,
    is_late: BoolArray,
    keeps_pace: BoolArray,
    dated: Source,
) -> Speed | None:
    is_known = reading > 0  # 0 measures no speed, NaN: snapshots without times
    fastest = float(np.fmax.reduce(reading, initial=0.0))
    outrun, pacing = reading[is_busy & ~keeps_pace & is_known], reading[is_late & is_known]
    if outrun.size:
        more = np.count_nonzero(reading[~is_busy] >= CLEARLY * float(np.median(outrun)))
        if more >= outrun.size:  # as many keep up with more: the busy ones are slow, not all
            return Speed(fastest, dated, is_least=True)
        return _median(outrun, fastest, dated)
    if pacing.size and fastest <= (1 + PACE) * float(pacing.max()):
        return _median(pacing, fastest, dated)
    return Speed(fastest, dated, is_least=True) if fastest > 0 else None


def _median(reading: FloatArray, fastest: float, dated: Source) -> Speed:
    middle = float(np.median(reading))
    return Speed(middle, dated, most_seen=fastest if fastest >= _UNLIKE * middle > 0 else 0.0)


def _guessed(group: Group, arriving: FloatArray) -> Speed:
    each = float(np.nansum(arriving)) / max(group.member_count, 1) / _BUSY
    heaviest = float(np.fmax.reduce(arriving, initial=0.0)) / _HEAVIEST
    return Speed(_rounded_up(max(each, heaviest)) or _GUESS, Source.GUESS)


def _rounded_up(number: float) -> float:
    """Return the next number of two digits, as a guess claims no more."""
    if number <= 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(number)) - 1)
    return math.ceil(number / unit - _ROUNDING) * unit
