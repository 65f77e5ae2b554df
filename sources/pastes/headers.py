"""Detect table headers by the column names in them."""

import re
from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

from sources.columns import Field, begins_name, field_of


class TableKind(Enum):
    """The kind of table under a header."""

    OFFSETS = "one row per partition"
    ONE_TOPIC = "one row per partition of a topic that is named above"
    TOPIC_LAGS = "one row per topic"
    MEMBERS = "one row per member"
    STATE = "one row per group"
    SHARED = "one row per partition of a share group"
    THREADS = "one row per thread of a streams group"
    FOREIGN = "another table, which is not read"


NUMERIC: Final = frozenset(
    {Field.PARTITION, Field.BEGIN, Field.COMMITTED, Field.END, Field.LAG, Field.EPOCH}
)

_IN_CSV_ONLY: Final = frozenset({Field.PARTITIONS, Field.RACK, Field.REPLICA_RACKS})
_IN_CELLS_ONLY: Final = frozenset({"BEGIN", "START", "CURRENT", "END", "NAME"})
"""Words too common in prose to be column names without delimiters."""
_TWO_NAMES: Final = frozenset({"OFFSET-LAG"})
"""Words that are two columns if separated by a space, and one with a hyphen."""
_LONGEST_NAME: Final = 4
_AROUND_NAMES: Final = "\"'`*:[]"
_WORD: Final = re.compile(r"[^\s|,;]+")
_FEWEST: Final = 2
_SURE: Final = 4
"""This many names between pipes or tabs are a header, whatever else is in the line."""
_LONGEST: Final = 4_000
_SHORTEST: Final = len("PID LAG")
"""Characters; a header padded to Kafka's longest names has less than half as many."""
_FIGURES: Final = frozenset({Field.COMMITTED, Field.END, Field.LAG})
_EXACT_KINDS: Final = {
    frozenset({Field.TOPIC, Field.LAG}): TableKind.TOPIC_LAGS,
    frozenset(
        {Field.GROUP, Field.TOPIC, Field.PARTITION, Field.BEGIN, Field.LAG}
    ): TableKind.SHARED,
    frozenset({Field.GROUP, Field.TOPIC, Field.PARTITION, Field.BEGIN}): TableKind.SHARED,
}
_KINDS: Final = (
    (TableKind.OFFSETS, {Field.TOPIC, Field.PARTITION}, _FIGURES, 1),
    (TableKind.ONE_TOPIC, {Field.PARTITION}, _FIGURES, 2),
    (TableKind.ONE_TOPIC, {Field.PARTITION, Field.LAG}, frozenset({Field.BEGIN}), 1),
    (TableKind.THREADS, {Field.MEMBER, Field.PROCESS}, frozenset({Field.CLIENT}), 1),
    (TableKind.MEMBERS, {Field.MEMBER}, frozenset({Field.COUNT, Field.ASSIGNMENT}), 1),
    (TableKind.MEMBERS, {Field.CLIENT, Field.TOPIC, Field.ASSIGNMENT}, frozenset[Field](), 0),
    (TableKind.STATE, {Field.STATE}, frozenset({Field.COORDINATOR, Field.STRATEGY}), 1),
    (TableKind.FOREIGN, set[Field](), frozenset(Field), _FEWEST),
)
"""The fields of each kind of table, and the least number of further ones."""
_cached: Final = lru_cache(maxsize=64)
"""The tables of a text repeat their headers."""


class Column(NamedTuple):
    """One column: its field and the positions of its name in the line, 0 between delimiters."""

    field: Field
    start: int
    end: int
    is_known: bool = True
    """Whether the name is known, even if the column is not read."""


class Header(NamedTuple):
    """The columns of a table, in order."""

    kind: TableKind
    columns: tuple[Column, ...]
    delimiter: str = ""
    """The separator of cells; "" for whitespace, "\t" for single tabs, which allow blank cells."""
    prefix: int = 0
    """Words before the first name, such as a quote mark or a time, which rows have as well."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """The field of each column."""
        return tuple(column.field for column in self.columns)

    @property
    def score(self) -> tuple[int, int]:
        """Less the names that are unknown, then those that are read: more is better."""
        unknown = sum(not column.is_known for column in self.columns)
        return -unknown, _known(self.columns)


def header_in(line: str) -> Header | None:
    """Return the header in a line, None if there is none.

    Names may contain spaces ("CURRENT OFFSET"), be separated by pipes or commas, follow a prefix,
    and have other words between them.
    """
    is_long_enough = len(line) >= _SHORTEST
    return _parsed(line) if is_long_enough and _may_hold_names(line.upper()) else None


@_cached
def _parsed(line: str) -> Header | None:
    upper = line.upper()
    delimiter, columns = _cut(upper)
    if not delimiter:
        line, upper = line.expandtabs(), upper.expandtabs()
    first = next((c for c, column in enumerate(columns) if column.field != Field.OTHER), None)
    if first is None:
        return None
    prefix = 0 if delimiter else len(upper[: columns[first].start].split())
    columns = columns[0 if delimiter else first :]
    kind = _kind(columns)
    if kind is None or _is_prose(line, columns, delimiter, prefix):
        return None
    return Header(kind, tuple(columns), delimiter, prefix)


def _may_hold_names(upper: str) -> bool:
    """Rule out most lines quickly: this runs on every line of every text."""
    return (
        (
            "PARTITION" in upper
            or "CONSUMER-ID" in upper
            or "COORDINATOR" in upper
            or "STATE" in upper
            or "LAG" in upper
            or "PID" in upper
            or "PROCESS" in upper
        )
        and '":' not in upper
        and len(upper) <= _LONGEST
    )


def _cut(upper: str) -> tuple[str, list[Column]]:
    """Return the separator of a header's columns, "" for whitespace, and the columns.

    A single tab is the separator only if it yields as many names as whitespace does, because
    several tabs may align columns, and tabs may replace spaces inside names.
    """
    for delimiter in ("|", ",", ";"):
        if upper.count(delimiter) >= _FEWEST:
            return delimiter, _delimited(upper, delimiter)
    spaced = _spaced(upper.expandtabs())
    stripped = upper.strip()
    if stripped.count("\t") >= _FEWEST and "\t\t" not in stripped:
        columns = _delimited(stripped, "\t")
        if columns[0].field != Field.OTHER and _known(columns) >= _known(spaced):
            return "\t", columns
    return "", spaced


def _known(columns: Iterable[Column]) -> int:
    return sum(column.field != Field.OTHER for column in columns)


def _delimited(upper: str, delimiter: str) -> list[Column]:
    """Split a header at its delimiters, which Jira doubles."""
    upper = upper.strip().replace("||", "|").strip("|") if delimiter == "|" else upper
    cells = upper.split(delimiter)
    names = ["-".join(cell.split()) for cell in cells]
    fields = [field_of(name) if name in _IN_CELLS_ONLY else _field(name) for name in names]
    if Field.TOPIC not in fields and Field.PARTITION in fields and "NAME" in names:
        fields[names.index("NAME")] = Field.TOPIC
    columns: list[Column] = []
    seen: set[Field] = set()
    for field in fields:
        is_new = field is not None and field not in seen
        known = field if field and is_new else Field.OTHER
        columns.append(Column(known, 0, 0, field is not None))
        seen.add(columns[-1].field)
    return columns


def _spaced(upper: str) -> list[Column]:
    words = [(match.group(), match.start()) for match in _WORD.finditer(upper)]
    columns: list[Column] = []
    seen: set[Field] = set()
    w = 0
    while w < len(words):
        is_word = any(map(str.isalnum, words[w][0]))
        longest = _LONGEST_NAME if begins_name(words[w][0].strip(_AROUND_NAMES)) else 0
        for size in range(min(longest, len(words) - w), 0, -1):
            name = "-".join(word for word, _ in words[w : w + size])
            field = None if size > 1 and name in _TWO_NAMES else _field(name)
            if field is not None:
                is_known = True
                break
        else:
            size, field, is_known = 1, Field.OTHER if is_word else None, False
        if field is not None:
            known = Field.OTHER if field in seen else field
            last, start = words[w + size - 1]
            columns.append(Column(known, words[w][1], start + len(last), is_known))
            seen.add(field)
        w += size
    return columns


def _field(name: str) -> Field | None:
    name = name.strip(_AROUND_NAMES)
    if name in _IN_CELLS_ONLY or name.startswith("-") or name.endswith("-"):
        return None  # a line may be wrapped after a hyphen
    field = field_of(name)
    return None if field in _IN_CSV_ONLY else field


def _kind(columns: list[Column]) -> TableKind | None:
    fields = frozenset(column.field for column in columns) - {Field.OTHER}
    exact = _EXACT_KINDS.get(fields - {Field.EPOCH})
    return exact or next(
        (
            kind
            for kind, required, others, fewest in _KINDS
            if required <= fields and len(fields & others) >= fewest
        ),
        None,
    )


def _is_prose(line: str, columns: list[Column], delimiter: str, prefix: int) -> bool:
    """Return whether a line is prose: lower-case names count only without other words."""
    known = _known(columns)
    if known * 2 < len(columns):
        return True
    if delimiter in {"|", "\t"} and known >= _SURE:
        return False
    start = 0 if delimiter else columns[0].start
    is_shouted = line[start:] == line[start:].upper()
    return not is_shouted and (prefix > 0 or not all(column.is_known for column in columns))
