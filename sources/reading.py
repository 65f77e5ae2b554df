"""A consumer group read from a text or a cluster, and how it was read."""

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self

import numpy as np

from assignors.kinds import GroupKind, refusal
from assignors.model import UNKNOWN, Group, LongArray
from assignors.numbering import Topic
from assignors.offsets import lag_from_offsets
from evaluation.assuming.assumed import NOTHING, Assumed, SubscriptionSource
from evaluation.assuming.subscriptions import with_subscriptions
from evaluation.judging import Measure
from evaluation.kinds.forecast import KindGroup
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.rebalance.member_log import LoggedRebalance
from evaluation.rebalancing import Rebalancing
from evaluation.wording import listed, plural

REPORTED: Final[Mapping[str, Mapping[str, str]]] = {
    "classic": {
        **{name: name for name in ("range", "roundrobin", "sticky", "cooperative-sticky")},
        "roundrobinassigner": "kafkajs-roundrobin",
    },
    "consumer": {"uniform": "uniform-kafka-18688", "range": "server-range"},
}
"""Our names of the strategies that coordinators report, in small letters, by the group's protocol.

``uniform`` has been another since Kafka 4.0.1, which is meant.
"""
_IGNORED: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
"""Letters and marks that Unicode has fonts leave out (Default_Ignorable_Code_Point)."""
_NAMED: Final = 3
"""The most partitions to name; the rest are counted."""


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One consumer group, and how it was read."""

    group: Group
    format: str
    """The format of the text by its usual name: ``kafka-consumer-groups --describe``."""
    rows: int
    """Data rows of this group: partitions (idle consumers' rows of dashes not counted)."""
    ignored: tuple[tuple[int, str], ...] = ()
    """Lines that could not be used: line number (from 1) and text; the same for every
    group of one text."""
    notes: tuple[str, ...] = ()
    """Sentences on assumptions and oddities, such as lag that contradicts offsets."""
    is_live: bool = False
    """Whether it was read from a running cluster, not from a text."""
    is_watched: bool = False
    """Whether it is read again and again, so that the next snapshot comes by itself."""
    kind: GroupKind = GroupKind.CONSUMER
    """What kind of group it is, which decides whether a strategy of consumer groups assigns."""
    as_kind: KindGroup | None = None
    """The group as the assignors of its kind see it; None for consumer groups, and where the
    source does not tell enough."""
    state: str | None = None
    """As Kafka's tools write it: Stable, PreparingRebalance, Empty; None if unknown."""
    rebalancing: Rebalancing | None = None
    """The rebalance that was under way; None without one, as far as the source tells."""
    lacking: str = ""
    """What every prediction needs and the source does not tell, with the command that tells it;
    empty if nothing is lacking."""
    history: OffsetHistory | None = None
    """Offsets over time, oldest first, if the source has them."""
    taken_s: float = math.nan
    """When the snapshot on screen was taken, as its text states; NaN if unknown. Seconds since the
    epoch, as if in UTC where no zone is named; of a clock without a day, since midnight."""
    pasted_s: float = math.nan
    """When its text was pasted, in seconds since the epoch; NaN if it was not."""
    name_above: str = ""
    """The group's name in a command or heading above a table without it, or its cluster where
    several have a group of its name."""
    strategy: str | None = None
    """The strategy the text names, if it is one of ours."""

    weighed: Measure | None = None
    """What the leader that logged the group weighed; None if no leader did."""
    logged: tuple[LoggedRebalance, ...] = ()
    """The rebalances that logs of its consumers tell, one consumer's after another's."""
    hosts: Mapping[str, str] = field(default_factory=dict)
    """The host of each member whose host is known."""
    assumed: Assumed = NOTHING
    """What the source leaves open, and what is taken for it."""

    def with_subscriptions(self, source: SubscriptionSource) -> Self:
        """Return the reading with another assumption of who subscribes to what, as stated.

        ``ALL_READ_ALL`` or ``UNEQUAL_INFERRED``; what is stated is no longer assumed.
        """
        group = with_subscriptions(self.group, source)
        stated = SubscriptionSource.STATED
        assumed = replace(self.assumed, subscriptions=stated, why="", alternatives=())
        return replace(self, group=group, assumed=assumed)

    @property
    def name(self) -> str:
        """The group's name; "" if unknown."""
        if self.group.id and self.name_above:
            return f"{self.group.id} ({self.name_above})"
        return self.group.id or self.name_above

    @property
    def hindrance(self) -> str:
        """Why no strategy of consumer groups is predicted, in one sentence; "" if it can be."""
        if not self.kind.runs_consumer_strategies:
            return refusal(self.kind, self.name)
        return self.lacking


def lag_of(end: int | None, committed: int | None) -> int | None:
    """Return the lag that follows from offsets (KAFKA-5337); None if either is unknown.

    Nothing waits in an empty log, whatever is committed.
    """
    if end == 0:
        return 0
    return None if end is None or committed is None else max(end - committed, 0)


def notes_on(group: Group) -> Iterator[str]:
    """Yield sentences on unknown, negative and derived lag, and on topics without partitions."""
    unknown = np.flatnonzero(~group.is_lag_known)
    negative = np.flatnonzero(group.is_lag_known & (group.lags < 0))
    if unknown.size:
        total = plural(group.partition_count, "partition")
        is_all = unknown.size == group.partition_count
        yield (
            "No lag is known." if is_all else f"The lag of {unknown.size:,} of {total} is unknown."
        )
    if negative.size:
        yield f"Negative lag counts as 0: {_named(group, negative)}."
    deleted = _deleted_unread(group)
    if deleted.size:
        yield f"Records deleted unread do not count as lag: {_named(group, deleted)}."
    uncommitted = _uncommitted(group)
    if uncommitted.size:
        backlog = "0" if group.offsets.reset == "latest" else "all that the log holds"
        yield (
            f"Nothing is committed on {_named(group, uncommitted)}; as auto.offset.reset is "
            f"{group.offsets.reset}, the lag there is {backlog}."
        )
    absent = [
        name
        for name, size, audience in zip(
            group.topics, group.topic_sizes, group.audiences.of_topic, strict=True
        )
        if size == 0 and audience >= 0
    ]
    if absent:
        yield f"Topics with subscribers but no partitions: {listed(absent, _NAMED + 1)}."
    yield from notes_on_lookalikes(group)


def notes_on_lookalikes(group: Group) -> Iterator[str]:
    """Yield a sentence for names that differ in characters that no screen shows."""
    for what, names in (("Consumers", group.members), ("Topics", group.topics)):
        odd = [name for name in names if not _is_plain(name) and visible(name) != name]
        if not odd:
            continue
        alike: dict[str, list[str]] = {}
        for name in names:
            alike.setdefault(visible(name), []).append(name)
        pairs = [ascii(name) for same in alike.values() if len(same) > 1 for name in same]
        if pairs:
            yield f"{what} that differ in invisible characters alone: {listed(pairs, _NAMED + 1)}."


def _is_plain(name: str) -> bool:
    return name.isascii() and name.isprintable()


def visible(name: str) -> str:
    """Return what a screen shows of a name.

    >>> visible("c\N{ZERO WIDTH SPACE}1\N{SOFT HYPHEN}\N{VARIATION SELECTOR-16}")
    'c1'
    """
    shown = _IGNORED.sub("", name)
    return "".join(each for each in shown if unicodedata.category(each) not in {"Cc", "Cf"})


def _deleted_unread(group: Group) -> LongArray:
    """Return partitions whose log begins after the committed offset, so that all of it waits."""
    begin, committed = group.offsets.begin, group.offsets.committed
    if begin is None or committed is None:
        return np.zeros(0, np.int64)
    return np.flatnonzero((committed != UNKNOWN) & (begin > committed) & group.is_lag_known)


def _uncommitted(group: Group) -> LongArray:
    """Return partitions whose lag follows from the offsets although nothing is committed."""
    begin, end, committed = group.offsets.begin, group.offsets.end, group.offsets.committed
    unknown = np.full(group.partition_count, UNKNOWN)
    if end is None:
        return np.zeros(0, np.int64)
    committed = unknown if committed is None else committed
    begin = unknown if begin is None else begin
    followed = lag_from_offsets(begin, end, committed, group.offsets.reset)
    is_followed = group.is_lag_known & (group.lags == followed)
    return np.flatnonzero((committed == UNKNOWN) & is_followed)


def _named(group: Group, partitions: LongArray) -> str:
    names = ", ".join(group.partition_name(int(p)) for p in partitions[:_NAMED])
    more = partitions.size - _NAMED
    return f"{names} and {more:,} more" if more > 0 else names


def topics_of_rows(
    sizes: Mapping[str, int],
    partitions: Sequence[tuple[str, int]],
    columns: Mapping[str, Iterable[Any]],
) -> dict[str, Topic]:
    """Return topics of these sizes, with the values of their partitions' rows.

    ``columns`` has fields of ``Topic``, one value per row. A partition without a row has None, or
    no racks; columns without values are omitted, except for lags, which would otherwise be derived.
    """
    values: dict[str, dict[str, list[Any]]] = {
        topic: {name: [() if name == "racks" else None] * size for name in columns}
        for topic, size in sizes.items()
    }
    for name, column in columns.items():
        for (topic, partition), value in zip(partitions, column, strict=True):
            values[topic][name][partition] = value
    topics: dict[str, Topic] = {}
    for topic, size in sizes.items():
        known: dict[str, Any] = {
            name: column
            for name, column in values[topic].items()
            if name == "lags" or any(value is not None for value in column)
        }
        topics[topic] = Topic(size, **known)
    return topics
