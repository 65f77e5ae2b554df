"""The header of a CSV: its separator and its columns."""

import csv
from typing import Final

from assignors.suggestions import nearest
from sources.columns import Field, field_of, rank_of
from sources.errors import SourceError

_COLUMNS: Final = {
    field: field
    for field in (
        *(Field.GROUP, Field.TOPIC, Field.PARTITION, Field.PARTITIONS, Field.LAG, Field.MEMBER),
        *(Field.INSTANCE, Field.RACK, Field.REPLICA_RACKS, Field.COMMITTED, Field.END, Field.BEGIN),
    )
} | {Field.CLIENT: Field.MEMBER, Field.COUNT: Field.PARTITIONS}
"""The column for each field; a client is the consumer if there is no better column."""
_SEPARATORS: Final = ",;\t"


def is_header(line: str) -> bool:
    """Return whether a line can only be the header of a table of partitions or topics.

    >>> is_header("topic;partition;lag"), is_header("GROUP, TOPIC, PARTITION, LAG, OWNER")
    (True, False)
    """
    columns = {column_of(name) for name in names_in(line)}
    return may_be_header(line) and None not in columns and Field.GROUP not in columns


def may_be_header(line: str) -> bool:
    """Return whether a line could be such a header, perhaps with unknown columns."""
    columns = {column_of(name) for name in names_in(line)}
    return Field.TOPIC in columns and bool(columns & {Field.PARTITION, Field.PARTITIONS})


def column_of(name: str) -> Field | None:
    """Return the column that a header name means, None if it is unknown or not needed.

    >>> column_of("Consumer-ID"), column_of("host")
    (<Field.MEMBER: 'consumer'>, None)
    """
    field = field_of(name)
    return _COLUMNS.get(field) if field else None


def names_in(line: str) -> list[str]:
    """Return the cells of a CSV's first line."""
    try:
        cells = next(csv.reader([line], delimiter=separator_of(line)), [])
    except csv.Error:  # a cell longer than any name
        return []
    return [cell.strip() for cell in cells]


def separator_of(line: str) -> str:
    """Return the one of comma, semicolon and tab that occurs most often in a line."""
    return max(_SEPARATORS, key=line.count)


def columns_of(where: str, names: list[str]) -> dict[Field, int]:
    """Return the known columns and their positions.

    Of two names for one column the preferred one counts: CONSUMER-ID rather than CLIENT-ID.
    Raises SourceError, beginning with ``where``, if no name is known or one is repeated.
    """
    best: dict[Field, int] = {}
    for position, name in enumerate(names):
        column = column_of(name)
        if column is None:
            continue
        rival = best.setdefault(column, position)
        if rival != position and _rank(names[rival]) == _rank(name):
            message = f"{where}: column {name} appears twice; keep one of them"
            raise SourceError(message)
        if _rank(name) < _rank(names[rival]):
            best[column] = position
    if not best:
        names_shown = ", ".join(names)[:80]
        way_out = nearest(names[0], sorted(map(str, set(_COLUMNS.values()))))
        message = f"{where}: no known column among {names_shown}; {way_out}"
        raise SourceError(message)
    return best


def _rank(name: str) -> tuple[bool, int]:
    return field_of(name) is Field.CLIENT, rank_of(name)
