"""The header of a CSV: its separator and its columns."""

import csv
from typing import Final

from sources.columns import Field, field_of, rank_of
from sources.errors import SourceError, nearest

_COLUMNS: Final = {
    field: str(field)
    for field in (
        *(Field.GROUP, Field.TOPIC, Field.PARTITION, Field.PARTITIONS, Field.LAG, Field.MEMBER),
        *(Field.INSTANCE, Field.RACK, Field.REPLICA_RACKS, Field.COMMITTED, Field.END, Field.BEGIN),
    )
} | {Field.CLIENT: str(Field.MEMBER), Field.COUNT: str(Field.PARTITIONS)}
"""The known columns; a client means a consumer where no better column does."""

_SEPARATORS: Final = ",;\t"


def is_header(line: str) -> bool:
    """Tell whether a line can only be the header of a table of partitions or topics.

    >>> is_header("topic;partition;lag"), is_header("GROUP, TOPIC, PARTITION, LAG, OWNER")
    (True, False)
    """
    columns = {column_of(name) for name in header_of(line)}
    return names_places(line) and None not in columns and "group" not in columns


def names_places(line: str) -> bool:
    """Tell whether a line could be such a header, perhaps with unknown columns."""
    columns = {column_of(name) for name in header_of(line)}
    return {"topic", "partition"} <= columns or {"topic", "partitions"} <= columns


def column_of(name: str) -> str | None:
    """Return the column that a header name means, None if it is unknown.

    >>> column_of("Consumer-ID"), column_of("host")
    ('consumer', None)
    """
    field = field_of(name)
    return _COLUMNS.get(field) if field else None


def header_of(line: str) -> list[str]:
    """Return the cells of a CSV's first line."""
    try:
        cells = next(csv.reader([line], delimiter=separator_of(line)), [])
    except csv.Error:  # a cell longer than any name
        return []
    return [cell.strip() for cell in cells]


def separator_of(line: str) -> str:
    """Return the one of comma, semicolon and tab that occurs most often in a line."""
    return max(_SEPARATORS, key=line.count)


def columns_of(place: str, names: list[str]) -> list[str | None]:
    """Return what each header name means, None where it is unknown or not needed.

    Of two names for one thing the preferred one counts: CONSUMER-ID rather than CLIENT-ID.
    Raises SourceError, beginning with the place, if no name is known or one is there twice.
    """
    columns = [column_of(name) for name in names]
    if not any(columns):
        found = ", ".join(names)[:80]
        way_out = nearest(names[0], sorted(set(_COLUMNS.values())))
        message = f"{place}: no known column among {found}; {way_out}"
        raise SourceError(message)
    best: dict[str, int] = {}
    for position, column in enumerate(columns):
        if column is None:
            continue
        rival = best.get(column)
        if rival is not None and _rank(names[rival]) == _rank(names[position]):
            message = f"{place}: the column {names[position]} is there twice; keep one of them"
            raise SourceError(message)
        if rival is None or _rank(names[position]) < _rank(names[rival]):
            best[column] = position
    return [c if c and best[c] == position else None for position, c in enumerate(columns)]


def _rank(name: str) -> tuple[bool, int]:
    return field_of(name) is Field.CLIENT, rank_of(name)
