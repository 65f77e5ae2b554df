"""Guided histories of ``sample_data/events.json``: a group, what happens to it, what comes out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from evaluation.events import (
    AddPartitions,
    AddTopic,
    ComeBack,
    Event,
    Join,
    Leave,
    Rejoin,
    Subscribe,
)
from sources import samples
from sources.group_json import decode, reading_of
from sources.reading import Reading

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


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must come out of one step under one strategy; what is not given is not said."""

    strategy: str
    step: int
    """0 is the start."""
    moved: int | None = None
    fewest: int | None = None
    rounds: int | None = None
    off_rack: int | None = None
    idle: int | None = None
    stopped: list[str] | None = None
    """The partitions that nobody owned for some time, by name."""
    assignment: dict[str, list[str]] | None = None
    """Every consumer's partitions afterwards, by name."""
    between: dict[str, list[str]] | None = None
    """The same after the first of two rounds."""
    counts: dict[str, int] | None = None


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    title: str
    look_at: str
    provenance: str
    strategy: str
    events: list[dict[str, dict[str, Any]]]
    expected: list[Outcome]
    group: msgspec.Raw = msgspec.Raw(b"")
    sample: str = ""


class Guide(msgspec.Struct, frozen=True):
    """One guided history, as the picker shows it."""

    id: str
    title: str
    look_at: str
    """What to look at, in a sentence or two."""
    provenance: str
    strategy: str
    """The one to draw first."""
    events: tuple[Event, ...]
    expected: tuple[Outcome, ...]
    reading: Reading
    """The group before anything happens."""


def _guide(entry: _Entry) -> Guide:
    return Guide(
        id=entry.id,
        title=entry.title,
        look_at=entry.look_at,
        provenance=entry.provenance,
        strategy=entry.strategy,
        events=tuple(
            msgspec.convert(fields, _KINDS[kind])
            for event in entry.events
            for kind, fields in event.items()
        ),
        expected=tuple(entry.expected),
        reading=samples.load(entry.sample)
        if entry.sample
        else reading_of(decode(bytes(entry.group))),
    )


GUIDES: Final = tuple(
    _guide(entry) for entry in msgspec.json.decode(_FILE.read_bytes(), type=list[_Entry])
)
"""Every guided history, in display order."""
