"""A group's offsets at several moments, and from which of them present rates are measured.

P partitions, K moments. Unknown offsets are ``UNKNOWN``, unknown times NaN.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from numbers import Real
from typing import Final, NamedTuple, Self, TypeVar
from zlib import crc32

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, Group, LongArray, Owners
from evaluation.measuring.skips import Skips
from evaluation.stated import require_a

BEGIN, END, COMMITTED = range(3)
"""The rows of a moment's offsets."""
MOST_OFFSETS: Final = 2_000_000
"""The most partitions times moments to keep; beyond that moments are thinned out."""
_T = TypeVar("_T")
_PRESENT_S: Final = 300.0
LEAST_S: Final = 60.0
"""Rates over less than this say little: commits come in batches."""
_LEAST_OF_ENDS_S: Final = 30.0
"""Ends do not, and a half minute tells that more arrives."""
OFF_BY_ONE: Final = 1
"""A lag of one record is none: the last entry may be a transaction's marker, and some clients
commit the last record in place of the next one."""
CHANGED: Final = 0.25
"""Rates differ from before by at least this share of the larger; less is noise."""


class Held(NamedTuple):
    """Who owned what at one moment."""

    members: tuple[str, ...]
    """Ids, ascending."""
    owners: Mapping[str, Owners]
    """(partitions,) by topic name: places in ``members``, or ``UNOWNED``."""

    @property
    def active(self) -> int:
        """How many members own something."""
        owners = [owned[owned != UNOWNED] for owned in self.owners.values()]
        return int(np.unique(np.concatenate(owners)).size) if owners else 0


class Moment(NamedTuple):
    """A group's offsets at one moment."""

    at_s: float
    """Seconds since the epoch, or since any moment common to a history; NaN if unknown."""
    topics: Mapping[str, LongArray]
    """(3, partitions) begin, end and committed offsets by topic name; numbers can change."""
    age_s: Mapping[str, FloatArray] | None = None
    """Time lags by topic, one per partition, from offsetsForTimes, if requested."""
    ownership: int | None = None
    """A checksum of who owns what, to see that it changed; None if unknown."""
    held: Held | None = None
    """Who owns what; None if only the checksum is known, or nothing."""
    is_pasted: bool = False
    """Whether the time is that at which a text without one was pasted, so that rates are about."""
    lags: Mapping[str, LongArray] | None = None
    """(partitions,) lags by topic where a source tells them without offsets, else ``UNKNOWN``; None
    if offsets tell all."""

    def __repr__(self) -> str:
        return f"<Moment at {self.at_s:g} s: {len(self.topics)} topics>"

    @classmethod
    def of(cls, group: Group, at_s: float) -> Self:
        """Take the offsets of a group. Raises InvalidArgumentError for what is no group or time."""
        require_a(Group, "group", group, "write Moment.of(group, 0.0)")
        require_a(Real, "at_s", at_s, "write seconds, such as Moment.of(group, 0.0)")
        topics = _offsets_in(group)
        if not group.has_claims:
            return cls(at_s, topics)
        owners = np.split(group.present_owners, group.layout.topic_starts[1:].tolist())
        held = Held(group.members, dict(zip(group.topics, owners, strict=False)))
        return cls(at_s, topics, None, _ownership_in(group), held)

    def later(self, group: Group, at_s: float) -> Self:
        """Take the offsets of the group of this moment again: its owners are the same."""
        return self._replace(at_s=at_s, topics=_offsets_in(group), age_s=None)


def _offsets_in(group: Group) -> dict[str, LongArray]:
    """Return begin, end and committed offsets (3, partitions) by topic name."""
    nothing = np.full(group.partition_count, UNKNOWN)
    offsets = (group.offsets.begin, group.offsets.end, group.offsets.committed)
    every = np.array([nothing if row is None else row for row in offsets])
    starts = group.layout.topic_starts[1:].tolist()  # the last part is empty
    return dict(zip(group.topics, np.split(every, starts, axis=1), strict=False))


def ownership(owned: Iterable[tuple[str, int, str]]) -> int:
    """Return a checksum of topics, partitions and the members that own them, in any order."""
    lines = sorted(f"{topic} {partition} {member}" for topic, partition, member in owned)
    return crc32("\n".join(lines).encode(errors="replace"))


def _ownership_in(group: Group) -> int:
    held = np.flatnonzero(group.present_owners != UNOWNED).tolist()
    return ownership(
        (
            group.topics[int(group.topic_of_partition[p])],
            int(group.number_in_topic[p]),
            group.members[int(group.present_owners[p])],
        )
        for p in held
    )


@dataclass(frozen=True, eq=False)
class OffsetHistory:
    """What is known of a group besides one snapshot."""

    moments: tuple[Moment, ...] = ()
    """Oldest first; the last is the snapshot itself."""
    retention_s: Mapping[str, float] = field(default_factory=dict)
    """By topic, from the cluster; infinite if records are never deleted by age."""
    unlimited: frozenset[str] = frozenset()
    """Topics known to have no size limit."""

    def __repr__(self) -> str:
        return f"<OffsetHistory: {len(self.moments)} moments, {self.span_s:g} s>"

    @property
    def times_s(self) -> FloatArray:
        """(K,) ascending."""
        return np.array([moment.at_s for moment in self.moments])

    @property
    def has_several(self) -> bool:
        """Whether there are two moments or more: one tells no rate and no time."""
        return len(self.moments) > 1

    @cached_property
    def timed(self) -> LongArray:
        """(T,) the moments whose times are known, ascending."""
        return np.flatnonzero(~np.isnan(self.times_s))

    @property
    def span_s(self) -> float:
        """From the first known time to the last; NaN if no two are known."""
        return self._seconds_since(0)

    def _seconds_since(self, moment: int) -> float:
        if not self.moments or self.is_undated:
            return np.nan if self.moments else 0.0
        known = self.times_s[self.timed[self.timed >= moment]]
        return float(known[-1] - known[0]) if known.size else np.nan

    @cached_property
    def last_owned(self) -> int:
        """The last moment at which somebody owned a partition; -1 if none is known."""
        held = [moment.held for moment in self.moments]
        return max((k for k, each in enumerate(held) if each and each.active), default=-1)

    @cached_property
    def rates_from(self) -> int:
        """The index of the moment from which present rates are measured.

        The latest one at least five minutes back, else the first; or a later one, since which
        clearly more or less is read, a minute back or more, or arrives, half a minute: the last of
        these. Where all consumers have left, no earlier than the first without any. 0 without
        times.
        """
        since = self.last_owned + 1
        if 0 < since < len(self.moments) - 1 and since in self.timed:
            return since
        times_s = self.times_s[self.timed]
        back = np.flatnonzero(times_s[:-1] <= times_s[-1:] - _PRESENT_S)
        places = self.timed[int(back[-1]) if back.size else 0 :]
        start = int(places[0]) if places.size else 0
        while (changed_at := self._changed_at(places)) is not None:
            start, places = changed_at, places[places >= changed_at]
        return start

    def _changed_at(self, places: LongArray) -> int | None:
        """Return the moment of these at which the group's rates changed most; None if none.

        A change is a quarter of the larger rate or more, in at least a minute on either side, of
        arrivals half a minute in which something is read, and in every interval: a burst is none,
        but one that the last moment ends, which may go on.
        """
        times_s = self.times_s[places]
        since_s, until_s = times_s[-1:] - times_s, times_s - times_s[:1]
        inner = np.flatnonzero((until_s >= LEAST_S) & (since_s >= _LEAST_OF_ENDS_S))
        if not inner.size:
            return None
        flow = totals([self.as_read[k] for k in places.tolist()])  # (2, K): written, read
        first, last, at = flow[:, :1], flow[:, -1:], flow[:, inner]
        before = (at - first) / (times_s[inner] - times_s[0])
        after = (last - at) / (times_s[-1] - times_s[inner])
        larger = np.maximum(before, after)
        change = np.zeros(larger.shape)
        np.divide(np.abs(after - before), larger, out=change, where=larger > 0)
        change[~_is_apart(np.diff(flow) / np.diff(times_s))[:, inner - 1]] = 0
        is_short = since_s[inner] < LEAST_S
        change[:, is_short & (after[1] == 0)] = 0  # who commits once a minute may yet do so
        change[1:, is_short] = 0
        most = change.max(axis=0)
        return int(places[inner[np.argmax(most)]]) if most.max() >= CHANGED else None

    def skips_in(self, offsets: LongArray) -> Skips:
        """Return the jumps of commits in offsets (K, 3, P) of its moments, if all are dated."""
        if self.lacks_times or self.is_approximate:
            return Skips.none(len(offsets), offsets.shape[2])
        return Skips.of(self.times_s, offsets[:, END], offsets[:, COMMITTED], self._is_renewed)

    @property
    def _is_renewed(self) -> BoolArray:
        """(K,) whether no consumer of the moment before is left, as far as both tell theirs."""
        found = np.zeros(len(self.moments), np.bool_)
        for k, (one, other) in enumerate(pairwise(self.moments), 1):
            if one.held is not None and other.held is not None:
                found[k] = set(one.held.members).isdisjoint(other.held.members)
        return found

    @cached_property
    def as_read(self) -> tuple[Moment, ...]:
        """The moments with the commits that reading alone would have led to, had none jumped."""
        topics = sorted({topic for moment in self.moments for topic in moment.topics})
        if not topics:
            return self.moments
        blocks = [_in_topic(topic, self.moments) for topic in topics]
        beyond = self.skips_in(np.concatenate(blocks, axis=2)).beyond
        if not beyond.any():
            return self.moments
        starts = np.cumsum([block.shape[2] for block in blocks])[:-1].tolist()
        by_topic = dict(zip(topics, np.split(beyond, starts, axis=1), strict=True))
        return tuple(
            moment._replace(
                topics={
                    topic: _without(offsets, by_topic[topic][k])
                    for topic, offsets in moment.topics.items()
                }
            )
            for k, moment in enumerate(self.moments)
        )

    @property
    def rates_span_s(self) -> float:
        """The seconds over which present rates are measured; NaN if a time is unknown."""
        return self._seconds_since(self.rates_from)

    @property
    def is_undated(self) -> bool:
        """Whether there are several moments, and no two times among them: rates are unknown."""
        return self.has_several and self.timed.size < 2  # noqa: PLR2004 -- a difference takes two

    @property
    def lacks_times(self) -> bool:
        """Whether there are several moments, and a time among them is unknown or of pasting."""
        return self.has_several and bool(np.isnan(self._stated_s).any())

    @property
    def is_approximate(self) -> bool:
        """Whether rates rest on when texts were pasted."""
        return any(self.moments[int(k)].is_pasted for k in self.timed)

    @property
    def _stated_s(self) -> FloatArray:
        times = [np.nan if moment.is_pasted else moment.at_s for moment in self.moments]
        return np.array(times)

    def dated(self, interval_s: float) -> "OffsetHistory":
        """Return the history with this time between two moments where theirs are not stated.

        Between two that state theirs, others are spread evenly.
        """
        if not self.lacks_times:
            return self
        stated = self._stated_s
        places, known = np.arange(stated.size), np.flatnonzero(~np.isnan(stated))
        first, last = (known[0], known[-1]) if known.size else (0, 0)
        at_s = np.interp(places, known, stated[known]) if known.size else np.zeros(stated.size)
        at_s += interval_s * (np.minimum(places - first, 0) + np.maximum(places - last, 0))
        spaced = (
            moment._replace(at_s=each, is_pasted=False)
            for moment, each in zip(self.moments, at_s.tolist(), strict=True)
        )
        return replace(self, moments=tuple(spaced))

    def only_timed(self) -> "OffsetHistory":
        """Return the history of the moments whose times are known."""
        return replace(self, moments=tuple(self.moments[int(k)] for k in self.timed))


def without_repeats(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    """Return the moments without those that repeat the one before: same offsets, no later time.

    Of a repeated one that is dated once, the date stays.
    """
    kept: list[Moment] = []
    for moment in moments:
        if kept and is_repeated(kept[-1], moment):
            kept[-1] = moment if np.isnan(kept[-1].at_s) else kept[-1]
        else:
            kept.append(moment)
    return tuple(kept)


def is_repeated(one: Moment, other: Moment) -> bool:
    """Return whether the other moment has the offsets and owners of one, and is not later."""
    is_later = other.at_s > one.at_s and not other.is_pasted
    if is_later or one.ownership != other.ownership or one.topics.keys() != other.topics.keys():
        return False
    pairs = [(offsets, other.topics[topic]) for topic, offsets in one.topics.items()]
    is_known = any((offsets[END:] != UNKNOWN).any() for offsets, _ in pairs)
    return is_known and all(np.array_equal(*pair) for pair in pairs)


def _is_apart(rates: FloatArray) -> BoolArray:
    """Return after which intervals (2, K - 1) every later rate is above, or below, all before."""
    least, most = np.minimum.accumulate(rates, axis=1), np.maximum.accumulate(rates, axis=1)
    backwards = rates[:, ::-1]
    least_later = np.minimum.accumulate(backwards, axis=1)[:, ::-1]
    most_later = np.maximum.accumulate(backwards, axis=1)[:, ::-1]
    return (most_later[:, 1:] < least[:, :-1]) | (least_later[:, 1:] > most[:, :-1])


def totals(moments: Sequence[Moment]) -> FloatArray:
    """Return what had been written and read by each moment (2, K), over partitions known in all."""
    topics = set(moments[0].topics).intersection(*(moment.topics for moment in moments))
    sums = np.zeros((2, len(moments)))
    for topic in sorted(topics):
        size = min(moment.topics[topic].shape[1] for moment in moments)
        offsets = np.array([moment.topics[topic][:, :size] for moment in moments])
        for k, row in enumerate((END, COMMITTED)):
            is_known = (offsets[:, row] != UNKNOWN).all(axis=0)
            sums[k] += offsets[:, row][:, is_known].astype(np.float64).sum(axis=1)
    return sums


def _in_topic(topic: str, moments: Sequence[Moment]) -> LongArray:
    """Return the offsets (K, 3, N) of a topic, N the most partitions that it ever had."""
    known = [moment.topics.get(topic) for moment in moments]
    size = max(each.shape[1] for each in known if each is not None)
    offsets = np.full((len(moments), 3, size), UNKNOWN, np.int64)
    for k, each in enumerate(known):
        if each is not None:
            offsets[k, :, : each.shape[1]] = each
    return offsets


def _without(offsets: LongArray, beyond: FloatArray) -> LongArray:
    """Return offsets (3, N) with the known commits so much lower; beyond may have more than N."""
    read = offsets[COMMITTED]
    lower = read - np.rint(beyond[: read.size]).astype(np.int64)
    return np.array([*offsets[:COMMITTED], np.where(read == UNKNOWN, UNKNOWN, lower)])


def thinned(
    moments: Sequence[_T], partitions: int, *, is_latest_kept: bool = False
) -> Sequence[_T]:
    """Return as many moments as memory allows for this many partitions, at least two.

    Evenly spread with the first and the last among them, or the latest ones.
    """
    most = max(MOST_OFFSETS // max(partitions, 1), 2)
    if is_latest_kept or len(moments) <= most:
        return moments[-most:]
    return [moments[k] for k in np.linspace(0, len(moments) - 1, most).astype(int).tolist()]


def by_partition(
    group: Group,
    by_topic: Mapping[str, float] | Mapping[str, FloatArray | LongArray | Owners] | None,
) -> FloatArray:
    """Spread values by topic, one per topic or one per partition, to (P,); NaN if unknown."""
    values_of = np.full(group.partition_count, np.nan)
    for number, name in enumerate(group.topics):
        start, size = int(group.layout.topic_starts[number]), int(group.topic_sizes[number])
        values = by_topic.get(name, np.nan) if by_topic else np.nan
        if isinstance(values, np.ndarray):
            values_of[start : start + size][: values.size] = values[:size]
        else:
            values_of[start : start + size] = values
    return values_of


def history_offsets(group: Group, moments: Sequence[Moment]) -> LongArray:
    """Return the offsets (K, 3, P) in the group's numbering."""
    offsets = np.full((len(moments), 3, group.partition_count), UNKNOWN, np.int64)
    for number, name in enumerate(group.topics):
        start, size = int(group.layout.topic_starts[number]), int(group.topic_sizes[number])
        for k, moment in enumerate(moments):
            known = moment.topics.get(name)
            if known is not None:
                shared = min(size, known.shape[1])
                offsets[k, :, start : start + shared] = known[:, :shared]
    return offsets
