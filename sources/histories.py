"""Guided histories of ``sample_data/events.json``: a group, its events, their outcomes."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

import msgspec

from assignors.suggestions import nearest
from evaluation.reading import Reading
from evaluation.rebalance.events import (
    AddPartitions,
    AddTopic,
    ComeBack,
    Event,
    Join,
    Leave,
    Rejoin,
    Subscribe,
)
from sources import group_json, samples
from sources.errors import SourceError, guarded
from sources.samples import Example

_FILE: Final = Path(__file__).parent.parent / "sample_data" / "events.json"
_KINDS: Final[Mapping[str, type[Event]]] = {
    "join": Join,
    "leave": Leave,
    "come_back": ComeBack,
    "add_partitions": AddPartitions,
    "add_topic": AddTopic,
    "subscribe": Subscribe,
    "rejoin": Rejoin,
}
MOST_CHARACTERS: Final = 4_000
"""The most characters of the events in a link."""


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The expected outcome of a step under one strategy; only given fields are checked."""

    strategy: str
    step: int
    """0 is the start."""
    moved: int | None = None
    fewest: int | None = None
    rounds: int | None = None
    off_rack: int | None = None
    idle: int | None = None
    paused: list[str] | None = None
    """The temporarily unowned partitions, by name."""
    assignment: dict[str, list[str]] | None = None
    """Every consumer's partitions afterwards, by name."""
    between: dict[str, list[str]] | None = None
    """The same after the first of two rounds."""
    counts: dict[str, int] | None = None


class _Entry(Example, frozen=True, forbid_unknown_fields=True, kw_only=True):
    strategy: str
    events: list[dict[str, dict[str, Any]]]
    expected: list[Expected]
    group: msgspec.Raw = msgspec.Raw(b"")
    sample: str = ""


class Guide(Example, frozen=True, kw_only=True):
    """One guided history."""

    strategy: str
    """The strategy to draw first."""
    events: tuple[Event, ...]
    expected: tuple[Expected, ...]
    reading: Reading
    """The group before anything happens."""


def encode(events: Sequence[Event]) -> str:
    """Return the events for a link, in the file's form without defaults.

    >>> encode([Join(("c1",)), Rejoin()])
    '[{"join":{"ids":["c1"]}},{"rejoin":{}}]'
    """
    name_of = {kind: name for name, kind in _KINDS.items()}
    records = [
        {
            name_of[type(event)]: {
                field.name: value
                for field in fields(event)
                if (value := getattr(event, field.name)) != field.default
            }
        }
        for event in events
    ]
    return msgspec.json.encode(records).decode()


def decode(text: str) -> tuple[Event, ...]:
    """Read events as ``encode`` wrote them.

    Raises SourceError for a text that is too long, cut off, or names an unknown event.
    """
    if len(text) > MOST_CHARACTERS:
        message = f"{len(text):,} characters, where at most {MOST_CHARACTERS:,} can be read"
        raise SourceError(message)
    data = text.encode(errors="replace")
    with guarded("this history"):
        try:
            return _events(msgspec.json.decode(data, type=list[dict[str, dict[str, Any]]]))
        except (msgspec.MsgspecError, RecursionError) as error:
            message = "they were cut off or changed; copy the link once more"
            raise SourceError(message) from error


def _events(records: Sequence[Mapping[str, Mapping[str, Any]]]) -> tuple[Event, ...]:
    named = [(kind, values) for event in records for kind, values in event.items()]
    for kind, _ in named:
        if kind not in _KINDS:
            message = f"there is no event {kind!r}; {nearest(kind, _KINDS)}"
            raise SourceError(message)
    return tuple(msgspec.convert(values, _KINDS[kind]) for kind, values in named)


def _guide(entry: _Entry) -> Guide:
    return Guide(
        **{name: getattr(entry, name) for name in Example.__struct_fields__},
        strategy=entry.strategy,
        events=_events(entry.events),
        expected=tuple(entry.expected),
        reading=samples.load(entry.sample)
        if entry.sample
        else group_json.decode(bytes(entry.group)),
    )


GUIDES: Final = tuple(
    _guide(entry) for entry in msgspec.json.decode(_FILE.read_bytes(), type=list[_Entry])
)
"""Every guided history, in display order."""
