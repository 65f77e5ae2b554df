"""Sentences on what is odd in a group as it was read."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

import numpy as np

from assignors.model import UNKNOWN, Group, LongArray
from assignors.offsets import lag_from_offsets
from evaluation.wording import listed, plural

_IGNORED: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufff8"
    "\U000e0000-\U000e0fff]"
)
"""Letters and marks that Unicode has fonts leave out (Default_Ignorable_Code_Point)."""
_NAMED: Final = 3
"""The most partitions to name; the rest are counted."""


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
