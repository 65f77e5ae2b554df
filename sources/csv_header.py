"""The first line of a CSV: where it is cut, and what its columns mean."""

import csv
import re
from typing import Final

from sources.errors import SourceError, nearest

SYNONYMS: Final[dict[str, tuple[str, ...]]] = {
    "group": ("groupid", "consumergroup"),
    "topic": ("topicname",),
    "partition": ("partitionid",),
    "partitions": ("partitioncount", "numpartitions", "#partitions"),
    "lag": ("lagrecords", "recordslag", "consumerlag"),
    "consumer": ("member", "consumerid", "memberid", "clientid", "owner"),
    "static_id": ("groupinstanceid", "instanceid", "staticmember"),
    "rack": ("consumerrack", "clientrack", "memberrack"),
    "replica_racks": ("racks", "partitionracks"),
    "committed": ("committedoffset", "currentoffset", "offset"),
    "end": ("endoffset", "logendoffset", "highwatermark"),
    "begin": ("beginoffset", "logstartoffset", "startoffset", "beginningoffset"),
}
"""Every column that is understood, and what else it may be called; case, blanks, - and _ do
not matter."""

_SEPARATORS: Final = ",;\t"
_COLUMN_OF: Final = {
    re.sub(r"[\s_-]", "", name): column
    for column, others in SYNONYMS.items()
    for name in (column, *others)
}


def is_header(line: str) -> bool:
    """Tell whether a line can only be the header of a table of partitions or topics.

    >>> is_header("topic;partition;lag"), is_header("GROUP, TOPIC, PARTITION, LAG, OWNER")
    (True, False)
    """
    columns = {column_of(name) for name in header_of(line)}
    return names_places(line) and None not in columns and "group" not in columns


def names_places(line: str) -> bool:
    """Tell whether a line could be such a header, perhaps with columns not understood."""
    columns = {column_of(name) for name in header_of(line)}
    return {"topic", "partition"} <= columns or {"topic", "partitions"} <= columns


def column_of(name: str) -> str | None:
    """Return the column a header name stands for, None if it is not understood.

    >>> column_of("Consumer-ID"), column_of("host")
    ('consumer', None)
    """
    return _COLUMN_OF.get(_plain(name))


def header_of(line: str) -> list[str]:
    """Return the cells of a CSV's first line, split at the separator it has most of."""
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator_of(line)), [])]


def separator_of(line: str) -> str:
    """Return which of comma, semicolon and tab a line has most of."""
    return max(_SEPARATORS, key=line.count)


def columns_of(place: str, names: list[str]) -> list[str | None]:
    """Return what each header name stands for, None where it is not understood or not needed.

    Of two names for one thing the plainer one counts: CONSUMER-ID rather than CLIENT-ID.
    Raises SourceError, beginning with the place, where no name is understood or one stands
    twice.
    """
    columns = [column_of(name) for name in names]
    if not any(columns):
        found = ", ".join(names)[:80]
        message = f"{place}: no known column among {found}; {nearest(names[0], SYNONYMS)}"
        raise SourceError(message)
    best: dict[str, int] = {}
    for position, column in enumerate(columns):
        if column is None:
            continue
        rival = best.get(column)
        if rival is not None and _plainness(names[rival]) == _plainness(names[position]):
            message = f"{place}: the column {names[position]} stands twice"
            raise SourceError(message)
        if rival is None or _plainness(names[position]) < _plainness(names[rival]):
            best[column] = position
    return [c if c and best[c] == position else None for position, c in enumerate(columns)]


def _plainness(name: str) -> int:
    return list(_COLUMN_OF).index(_plain(name))


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]", "", name.strip().lower())
