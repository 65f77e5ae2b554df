"""Text of any kind that is read here: find out what it is, and read it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import msgspec

from sources import csv_header, group_json, json_lines
from sources.errors import SourceError
from sources.pastes.reader import read_paste
from sources.reading import Reading

FORMATS: Final = (
    "group JSON, one group or JSON Lines",
    "CSV with columns such as topic, partition, lag, consumer",
    "kafka-consumer-groups.sh --describe (Kafka 0.9 to 4.x), also --members --verbose",
    "Burrow's lag as JSON",
    "lag as Prometheus prints it (kafka-lag-exporter, kminion, kafka_exporter)",
    "rpk group describe",
)
"""What can be read, as users know it."""

_TABLE: Final = "the CSV"


def read_text(text: str) -> tuple[Reading, ...]:
    """Read every group in a text, whatever its format.

    Group JSON and JSON Lines are known by their keys, CSV by its header; anything else is
    taken for a paste of some tool's output. Lines of JSON Lines that cannot be read are
    listed as ignored. Raises SourceError in a sentence if no group is found.
    """
    plain = text.lstrip("\ufeff")
    if not plain.strip():
        message = f"there is no text; expected one of: {'; '.join(FORMATS)}"
        raise SourceError(message)
    lines = plain.splitlines()
    if _is_one_group(plain):
        return (group_json.reading_of(group_json.decode(plain)),)
    if any(json_lines.is_group(line) for line in lines):
        return _groups_of(lines)
    return _table_or_paste(plain, next(line for line in lines if line.strip()))


def _is_one_group(text: str) -> bool:
    """Tell whether the whole text is one group, be it a broken one."""
    if not text.lstrip().startswith("{"):
        return False
    try:
        keys = msgspec.json.decode(text.encode(errors="replace"), type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        if any(json_lines.is_group(line) for line in text.splitlines()):
            return False
        return all(re.search(rf'"{key}"\s*:', text) for key in json_lines.KEYS)
    return not json_lines.KEYS.isdisjoint(keys)


def _groups_of(lines: Sequence[str]) -> tuple[Reading, ...]:
    files: list[group_json.GroupFile] = []
    ignored: list[tuple[int, str]] = []
    notes: list[str] = []
    for number, _, found in json_lines.read_lines(lines):
        if isinstance(found, SourceError):
            ignored.append((number, lines[number - 1]))
            notes.append(f"Line {number} could not be read: {found}.")
        else:
            files.append(found)
    if not files:
        raise SourceError(notes[0])
    readings = [group_json.reading_of(file) for file in files]
    return tuple(
        replace(reading, ignored=tuple(ignored), notes=(*notes, *reading.notes))
        for reading in readings
    )


def _table_or_paste(text: str, first_line: str) -> tuple[Reading, ...]:
    if csv_header.is_header(first_line):
        return (_table(text),)
    try:
        return read_paste(text)
    except SourceError:
        if csv_header.names_places(first_line):
            return (_table(text),)
        raise


def _table(text: str) -> Reading:
    # pandas takes longer to load than all the rest, and whoever reads JSON has no use for it
    from sources.tables import read_tables  # noqa: PLC0415 -- as said above

    return read_tables({_TABLE: text.encode(errors="replace")})
