"""A group's offset history in group JSON: what was measured, so that a link carries it."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Annotated, Final

import numpy as np
from msgspec import Meta, Struct

from assignors.model import UNKNOWN, FloatArray, LongArray
from evaluation.measuring.offset_history import (
    BEGIN,
    COMMITTED,
    END,
    MOST_OFFSETS,
    Held,
    Moment,
    OffsetHistory,
)
from sources.errors import SourceError

LagsOf = list[Annotated[int, Meta(ge=-(2**63) + 1, le=2**63 - 1)] | None]
_OffsetsOf = list[Annotated[int, Meta(ge=-(2**62), le=2**62)] | None]
_Seconds = Annotated[float, Meta(ge=-(10**12), le=10**12)]
_FIELDS: Final = (("begin", BEGIN), ("end", END), ("committed", COMMITTED))


class OffsetsJson(Struct, omit_defaults=True):
    """Offsets of one topic's partitions, in order; null where unknown."""

    begin: _OffsetsOf | None = None
    end: _OffsetsOf | None = None
    committed: _OffsetsOf | None = None


class HeldJson(Struct, omit_defaults=True):
    """Who owned what: at the last moment, and at each where that changed between them."""

    members: list[str]
    owners: dict[str, list[Annotated[int, Meta(ge=-1, lt=2**31)]]]
    """By topic and partition: places in ``members``, or -1."""


class MomentJson(Struct, omit_defaults=True):
    """Offsets at one moment."""

    offsets: dict[str, OffsetsJson]
    at_s: _Seconds | None = None
    """Seconds since the epoch; null if the time is unknown."""
    age_s: dict[str, list[_Seconds | None]] | None = None
    ownership: Annotated[int, Meta(ge=0, lt=2**32)] | None = None
    """A checksum of who owns what."""
    held: HeldJson | None = None
    is_pasted: bool = False
    """Whether ``at_s`` is when the text was pasted, so that rates are approximate."""
    lags: dict[str, LagsOf] | None = None
    """Lags by topic where the source told them without offsets."""


class HistoryJson(Struct, omit_defaults=True):
    """Snapshots, oldest first; the last is the group itself."""

    moments: list[MomentJson]
    retention_s: dict[str, _Seconds | None] = {}
    """By topic; null if records are never deleted by age."""
    unlimited: list[str] = []
    interval_s: Annotated[float, Meta(gt=0, le=10**12)] | None = None
    """Between two moments, where their times are unknown."""


def history_of(document: HistoryJson, sizes: Mapping[str, int]) -> OffsetHistory:
    """Return the history; ``sizes`` are the partitions of the group's topics.

    Raises SourceError for an unknown topic, more offsets than partitions, times that do not
    ascend, or more snapshots than memory allows for this many partitions.
    """
    most = max(MOST_OFFSETS // max(sum(sizes.values()), 1), 2)
    if len(document.moments) > most:
        message = f"history.moments: found {len(document.moments):,}, at most {most:,} can be read"
        raise SourceError(message)
    for earlier, later in pairwise(document.moments):
        if earlier.at_s is not None and later.at_s is not None and later.at_s <= earlier.at_s:
            message = (
                f"history.moments: at_s must ascend; found {earlier.at_s:g}, then {later.at_s:g}"
            )
            raise SourceError(message)
    moments = [_moment(moment, k, sizes) for k, moment in enumerate(document.moments)]
    history = OffsetHistory(
        tuple(_as_held_last(moment, moments[-1]) for moment in moments),
        {
            topic: np.inf if seconds is None else seconds
            for topic, seconds in document.retention_s.items()
        },
        frozenset(document.unlimited),
    )
    return history if document.interval_s is None else history.dated(document.interval_s)


def brief(history: OffsetHistory) -> OffsetHistory:
    """Return a history of the two moments that give the rates.

    If their times are unknown, these are the last two, which are as far apart as all.
    """
    moments = history.moments
    if not moments:
        return history
    first = max(len(moments) - 2, 0) if history.is_undated else history.rates_from
    kept = dict.fromkeys([first, len(moments) - 1])
    return replace(history, moments=tuple(moments[k] for k in kept))


def as_json(history: OffsetHistory) -> HistoryJson:
    """Return the history to write."""
    moments = history.moments
    is_held = len({moment.held.members if moment.held else () for moment in moments}) > 1
    is_held |= len({moment.ownership for moment in moments}) > 1
    return HistoryJson(
        [_moment_json(moment, is_held=is_held or moment is moments[-1]) for moment in moments],
        {
            topic: None if np.isinf(seconds) else float(seconds)
            for topic, seconds in history.retention_s.items()
            if not np.isnan(seconds)
        },
        sorted(history.unlimited),
    )


def _moment(moment: MomentJson, number: int, sizes: Mapping[str, int]) -> Moment:
    topics: dict[str, LongArray] = {}
    for topic, offsets in moment.offsets.items():
        path = f"history.moments[{number}].offsets.{topic}"
        if topic not in sizes:
            message = f"{path}: topics has no {topic!r}"
            raise SourceError(message)
        longest = max(len(getattr(offsets, name) or []) for name, _ in _FIELDS)
        rows = np.full((3, min(longest, sizes[topic])), UNKNOWN, np.int64)
        for name, row in _FIELDS:
            known = getattr(offsets, name) or []
            if len(known) > sizes[topic]:
                message = (
                    f"{path}.{name}: found {len(known):,} offsets for {sizes[topic]:,} partitions"
                )
                raise SourceError(message)
            rows[row, : len(known)] = [UNKNOWN if each is None else each for each in known]
        topics[topic] = rows
    ages = {
        topic: np.array([np.nan if each is None else each for each in seconds], np.float64)
        for topic, seconds in (moment.age_s or {}).items()
    }
    return Moment(
        np.nan if moment.at_s is None else moment.at_s,
        topics,
        ages or None,
        moment.ownership,
        _held(moment.held, f"history.moments[{number}].held"),
        moment.is_pasted,
        {
            topic: np.array([UNKNOWN if each is None else each for each in lags], np.int64)
            for topic, lags in (moment.lags or {}).items()
        }
        or None,
    )


def _as_held_last(moment: Moment, last: Moment) -> Moment:
    """Return a moment with the last one's owners where it has none written and none changed."""
    is_same = moment.ownership is not None and moment.ownership == last.ownership
    return moment._replace(held=last.held) if moment.held is None and is_same else moment


def _held(held: HeldJson | None, path: str) -> Held | None:
    if held is None:
        return None
    for topic, owners in held.owners.items():
        if max(owners, default=-1) >= len(held.members):
            message = (
                f"{path}.owners.{topic}: an owner is none of the {len(held.members):,} members"
            )
            raise SourceError(message)
    owners_of = {topic: np.array(owners, np.int32) for topic, owners in held.owners.items()}
    return Held(tuple(held.members), owners_of)


def _held_json(held: Held | None) -> HeldJson | None:
    if held is None:
        return None
    return HeldJson(
        list(held.members), {topic: owners.tolist() for topic, owners in held.owners.items()}
    )


def _moment_json(moment: Moment, *, is_held: bool) -> MomentJson:
    return MomentJson(
        {
            topic: OffsetsJson(**{name: _known(rows[row]) for name, row in _FIELDS})
            for topic, rows in moment.topics.items()
        },
        None if np.isnan(moment.at_s) else float(moment.at_s),
        {topic: _seconds(ages) for topic, ages in moment.age_s.items()} if moment.age_s else None,
        moment.ownership,
        _held_json(moment.held) if is_held else None,
        moment.is_pasted,
        {topic: _each(lags) for topic, lags in moment.lags.items()} if moment.lags else None,
    )


def _known(offsets: LongArray) -> list[int | None] | None:
    if (offsets == UNKNOWN).all():
        return None
    return _each(offsets)


def _each(values: LongArray) -> list[int | None]:
    return [None if each == UNKNOWN else each for each in values.tolist()]


def _seconds(ages: FloatArray) -> list[float | None]:
    return [None if np.isnan(each) else float(each) for each in ages]
