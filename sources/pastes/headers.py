"""Table headers, found by the names in them."""

import re
from enum import Enum, StrEnum
from typing import Final, NamedTuple


class Field(StrEnum):
    """What a column holds, whatever the tool calls it."""

    GROUP = "group"
    TOPIC = "topic"
    PARTITION = "partition"
    BEGIN = "begin"
    COMMITTED = "committed"
    END = "end"
    LAG = "lag"
    EPOCH = "epoch"
    MEMBER = "member"
    INSTANCE = "instance"
    HOST = "host"
    CLIENT = "client"
    COUNT = "count"
    ASSIGNMENT = "assignment"
    COORDINATOR = "coordinator"
    STRATEGY = "strategy"
    STATE = "state"
    OTHER = "other"


class Kind(Enum):
    """Which table a header announces."""

    OFFSETS = "one row a partition"
    TOPIC_LAGS = "one row a topic"
    MEMBERS = "one row a member"
    STATE = "one row a group"
    FOREIGN = "another table, which is not read"


NUMERIC: Final = frozenset(
    {Field.PARTITION, Field.BEGIN, Field.COMMITTED, Field.END, Field.LAG, Field.EPOCH}
)

_NAMES: Final = {
    Field.GROUP: "GROUP GROUP-ID GROUPID GROUP-NAME CONSUMER-GROUP CONSUMERGROUP",
    Field.TOPIC: "TOPIC TOPIC-NAME",
    Field.PARTITION: "PARTITION PARTITION-ID PID",
    Field.BEGIN: "LOG-START-OFFSET LOG-BEGINNING-OFFSET START-OFFSET BEGIN-OFFSET OLDEST-OFFSET "
    "LOW-WATERMARK",
    Field.COMMITTED: "CURRENT-OFFSET CURRENTOFFSET COMMITTED-OFFSET COMMITTED GROUP-OFFSET "
    "CONSUMER-OFFSET OFFSET",
    Field.END: "LOG-END-OFFSET LOGENDOFFSET END-OFFSET LATEST-OFFSET LATEST NEWEST-OFFSET "
    "HIGH-WATERMARK LOGSIZE LOG-SIZE",
    Field.LAG: "LAG CURRENT-LAG CONSUMER-LAG",
    Field.EPOCH: "LEADER-EPOCH CURRENT-EPOCH",
    Field.MEMBER: "CONSUMER-ID CONSUMERID MEMBER-ID MEMBERID CONSUMER MEMBER OWNER",
    Field.INSTANCE: "GROUP-INSTANCE-ID INSTANCE-ID",
    Field.HOST: "HOST CONSUMER-HOST CLIENT-HOST MEMBER-HOST",
    Field.CLIENT: "CLIENT-ID CLIENTID CLIENT",
    Field.COUNT: "#PARTITIONS #MEMBERS",
    Field.ASSIGNMENT: "ASSIGNMENT CURRENT-ASSIGNMENT",
    Field.COORDINATOR: "COORDINATOR-(ID) COORDINATOR",
    Field.STRATEGY: "ASSIGNMENT-STRATEGY",
    Field.STATE: "STATE",
    Field.OTHER: "LAG-% TARGET-EPOCH TARGET-ASSIGNMENT UPGRADED GROUP-EPOCH "
    "TARGET-ASSIGNMENT-EPOCH METADATA ERROR",
}
_FIELDS: Final = {name: field for field, names in _NAMES.items() for name in names.split()}
_KNOWN_OTHERS: Final = frozenset(_NAMES[Field.OTHER].split())
_LONGEST_NAME: Final = 4
_WORD: Final = re.compile(r"[^\s|,;]+")
_FEWEST: Final = 2


class Column(NamedTuple):
    """One column: what it holds and where its name starts in the line."""

    field: Field
    start: int


class Header(NamedTuple):
    """The columns of a table, in the order in which they stand."""

    kind: Kind
    columns: tuple[Column, ...]
    delimiter: str = ""
    """What separates cells; "" for blanks."""
    prefix: int = 0
    """Words before the first name, such as a quote mark or a time; rows have them too."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """What each column holds."""
        return tuple(column.field for column in self.columns)


def header_in(line: str) -> Header | None:
    """Return the header a line holds, None if it holds none.

    Names may contain blanks ("CURRENT OFFSET"), stand between pipes or commas, follow a
    prefix, and have words of no meaning between them.
    """
    upper = line.upper()
    if not _may_hold_names(upper):
        return None
    delimiter = _delimiter(line)
    columns = _delimited(upper, delimiter) if delimiter else _spaced(upper)
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
    """Sort out most lines at once: this runs on every line of every text."""
    return (
        "PARTITION" in upper
        or "CONSUMER-ID" in upper
        or "COORDINATOR" in upper
        or "STATE" in upper
        or "LAG" in upper
        or "PID " in upper
    ) and '":' not in upper


def names_only(line: str) -> set[Field]:
    """Return the fields of a line that holds column names and nothing else, else nothing."""
    columns = _spaced(line.upper())
    if any(column.field == Field.OTHER for column in columns) or line.upper() != line:
        return set()
    return {column.field for column in columns}


def _delimiter(line: str) -> str:
    for delimiter in ("|", ",", ";"):
        if line.count(delimiter) >= _FEWEST:
            return delimiter
    return "\t" if line.strip().count("\t") >= _FEWEST and "  " not in line.strip() else ""


def _delimited(upper: str, delimiter: str) -> list[Column]:
    """Cut a header at its delimiters; Jira doubles those of headers."""
    upper = upper.strip().replace("||", "|").strip("|") if delimiter == "|" else upper
    cells = upper.split(delimiter)
    fields = [_field("-".join(cell.split())) for cell in cells]
    columns: list[Column] = []
    seen: set[Field] = set()
    for field in fields:
        is_new = field is not None and field not in seen
        columns.append(Column(field if field and is_new else Field.OTHER, 0))
        seen.add(columns[-1].field)
    return columns


def _spaced(upper: str) -> list[Column]:
    words = [(found.group(), found.start()) for found in _WORD.finditer(upper)]
    columns: list[Column] = []
    seen: set[Field] = set()
    w = 0
    while w < len(words):
        for size in range(min(_LONGEST_NAME, len(words) - w), 0, -1):
            field = _field("-".join(word for word, _ in words[w : w + size]))
            if field is not None:
                break
        else:
            size, field = 1, Field.OTHER if any(map(str.isalnum, words[w][0])) else None
        if field is not None:
            columns.append(Column(Field.OTHER if field in seen else field, words[w][1]))
            seen.add(field)
        w += size
    return columns


def _field(name: str) -> Field | None:
    return _FIELDS.get(name.strip("\"'`*:[]").replace("_", "-"))


def _kind(columns: list[Column]) -> Kind | None:
    fields = {column.field for column in columns}
    if {Field.TOPIC, Field.PARTITION} <= fields and fields & {
        Field.COMMITTED,
        Field.END,
        Field.LAG,
    }:
        return Kind.OFFSETS
    if Field.MEMBER in fields and fields & {Field.COUNT, Field.ASSIGNMENT}:
        return Kind.MEMBERS
    if Field.STATE in fields and fields & {Field.COORDINATOR, Field.STRATEGY}:
        return Kind.STATE
    if fields == {Field.TOPIC, Field.LAG}:
        return Kind.TOPIC_LAGS
    return Kind.FOREIGN if len(fields - {Field.OTHER}) >= _FEWEST else None


def _is_prose(line: str, columns: list[Column], delimiter: str, prefix: int) -> bool:
    """Names in small letters count only where nothing but names stands in the line."""
    known = sum(column.field != Field.OTHER for column in columns)
    if known * 2 < len(columns):
        return True
    start = 0 if delimiter else columns[0].start
    is_shouted = line[start:] == line[start:].upper()
    return not is_shouted and (prefix > 0 or known < len(columns))
