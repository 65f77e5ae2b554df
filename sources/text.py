"""Detect the format of a text, and read it."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import repeat
from typing import Final, TypeAlias

import msgspec

from sources import csv_header, group_json, json_lines
from sources.budget import LIMITS, Budget, Limits
from sources.errors import SourceError, guarded
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
"""The formats that can be read, as users know them."""

_TABLE: Final = "the CSV"
_MOST_ERRORS: Final = 5
_Reader: TypeAlias = Callable[[str, Limits], tuple[Reading, ...]]


def read_text(text: str, limits: Limits = LIMITS) -> tuple[Reading, ...]:
    """Read every group in a text, whatever its format.

    Lines of JSON Lines that cannot be read are listed as ignored. Raises SourceError in a
    sentence if no group is found, or if the groups exceed the limits.
    """
    plain = text.lstrip("\ufeff")
    if not plain.isascii():
        plain = plain.encode(errors="replace").decode()  # half a character cannot be written
    if not plain.strip():
        message = f"there is no text; expected one of: {'; '.join(FORMATS)}"
        raise SourceError(message)
    with guarded("this text"):
        return next(filter(None, (read(plain, limits) for read in _READERS)))


def _read_group(text: str, limits: Limits) -> tuple[Reading, ...]:
    """Read a text that is one group as a whole, be it a broken one."""
    if not text.lstrip().startswith("{") or not _is_one_group(text):
        return ()
    return (group_json.reading_of(group_json.decode(text, Budget(limits))),)


def _is_one_group(text: str) -> bool:
    try:
        keys = msgspec.json.decode(text.encode(errors="replace"), type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        if any(json_lines.is_group(line) for line in _lines_of(text)):
            return False
        return all(re.search(rf'"{key}"\s*:', text) for key in json_lines.KEYS)
    return not json_lines.KEYS.isdisjoint(keys)


def _read_json_lines(text: str, limits: Limits) -> tuple[Reading, ...]:
    lines = _lines_of(text)
    if not any(json_lines.is_group(line) for line in lines):
        return ()
    budget = Budget(limits)
    files: list[group_json.GroupFile] = []
    errors: list[tuple[int, SourceError]] = []
    for number, _, group in json_lines.read_lines(lines, repeat(budget)):
        if isinstance(group, SourceError):
            errors.append((number, group))
        else:
            budget.take("groups", 1)
            files.append(group)
    notes = [f"Line {number} could not be read: {error}." for number, error in errors]
    if not files:
        raise SourceError(notes[0])
    if len(notes) > _MOST_ERRORS:
        notes[_MOST_ERRORS:] = [f"{len(notes) - _MOST_ERRORS} more lines could not be read."]
    ignored = tuple((number, lines[number - 1]) for number, _ in errors)
    readings = map(group_json.reading_of, files)
    return tuple(replace(each, ignored=ignored, notes=(*notes, *each.notes)) for each in readings)


def _read_table(text: str, limits: Limits) -> tuple[Reading, ...]:
    """Read CSV; a paste whose columns are tabs apart may look like it and be none."""
    first_line = _first_line(text)
    if not csv_header.is_header(first_line):
        return ()
    try:
        return (_table(text, limits),)
    except SourceError:
        if csv_header.separator_of(first_line) != "\t":
            raise
        try:
            return read_paste(text, limits)
        except SourceError:
            pass
        raise


def _read_paste_or_table(text: str, limits: Limits) -> tuple[Reading, ...]:
    """Read a paste, or else CSV of which some columns are not understood."""
    try:
        return read_paste(text, limits)
    except SourceError:
        if csv_header.names_places(_first_line(text)):
            return (_table(text, limits),)
        raise


_READERS: Final[tuple[_Reader, ...]] = (
    _read_group,
    _read_json_lines,
    _read_table,
    _read_paste_or_table,
)
"""Tried in order; each returns nothing if the text is not its own, but for the last."""


def _lines_of(text: str) -> list[str]:
    """Cut at line breaks alone: JSON may hold what Unicode too calls a line separator."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _first_line(text: str) -> str:
    return text.lstrip().partition("\n")[0].rstrip()


def _table(text: str, limits: Limits) -> Reading:
    # pandas takes longer to load than all the rest, and whoever reads JSON has no use for it
    from sources.tables import read_tables  # noqa: PLC0415 -- as said above

    return read_tables({_TABLE: text.encode(errors="replace")}, limits)
