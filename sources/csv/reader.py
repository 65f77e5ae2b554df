"""Read a group from CSV tables.

Columns determine the kind of a table, whatever the file's name:

- partitions: topic, partition [, lag, consumer, committed, end, begin, static_id, rack,
  replica_racks, group]; a row with only a consumer is an idle consumer;
- topics: topic, partitions;
- consumers: consumer [, static_id, rack];
- subscriptions: consumer, topic (``*`` for all of them).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from assignors.numbering import Topic
from evaluation.reading import Reading
from sources.assuming import assume, notes_on_assumed
from sources.budget import LIMITS, Budget, Limits
from sources.columns import Field
from sources.csv.members import members_in
from sources.csv.table import CsvTable, table_in, unpacked
from sources.errors import SourceError, guarded
from sources.notes import notes_on
from sources.rows import topics_of_rows

FORMAT: Final = "CSV tables"
_MOST_FILES: Final = 3
_NUMBERS: Final = {
    Field.LAG: "lags",
    Field.COMMITTED: "committed",
    Field.END: "end",
    Field.BEGIN: "begin",
}
"""Numeric columns of partitions, and the fields of ``Topic`` they fill."""
_RACK: Final = re.compile(r"[^|/\s]+")


def read_tables(files: Mapping[str, bytes], limits: Limits = LIMITS) -> Reading:
    """Read one group from CSV files by name; a zip file counts as the files in it.

    A topic has the partition count of its table, else 0 to the highest number; missing lags are
    unknown. Without a table of subscriptions they are inferred from the owners.

    Raises SourceError with file, line and column of the fault.
    """
    with guarded(" and ".join(list(files)[:_MOST_FILES])):
        tables = _by_kind(table_in(name, text, limits) for name, text in unpacked(files, limits))
        partitions = tables.get("partitions", CsvTable())
        sizes = _topic_sizes(tables.get("topics", CsvTable()), partitions)
        budget = Budget(limits)
        budget.take_partitions(sizes)
        members = list(members_in(tables, tuple(sizes), limits))
        group = budget.group_of(_topics(partitions, sizes), members, id=_group_id(partitions))
        knows_racks = any(Field.RACK in table.columns for table in tables.values())
        group, assumed = assume(
            group,
            lists_members=not tables.keys().isdisjoint({"consumers", "subscriptions"}),
            knows_racks=knows_racks,
            are_listed="subscriptions" in tables,
        )
        return Reading(
            group=group,
            format=FORMAT,
            rows=sum(map(bool, partitions.words(Field.TOPIC))),
            notes=(*_notes(tables), *notes_on_assumed(assumed), *notes_on(group)),
            assumed=assumed,
        )


def _by_kind(tables: Iterable[CsvTable]) -> dict[str, CsvTable]:
    kinds: dict[str, CsvTable] = {}
    for table in tables:
        kind = _kind(table)
        if kind in kinds:
            message = f"{kinds[kind].file} and {table.file} both hold {kind}; keep one of them"
            raise SourceError(message)
        kinds[kind] = table
    if "partitions" not in kinds and "topics" not in kinds:
        message = (
            "no table lists partitions; add one with the columns topic and partition, or topic and "
            "partitions"
        )
        raise SourceError(message)
    return kinds


def _kind(table: CsvTable) -> str:
    columns = table.columns.keys()
    if {Field.TOPIC, Field.PARTITION} <= columns:
        return "partitions"
    if {Field.TOPIC, Field.PARTITIONS} <= columns:
        return "topics"
    if {Field.MEMBER, Field.TOPIC} <= columns:
        return "subscriptions"
    if Field.MEMBER in columns:
        return "consumers"
    message = (
        f"{table.file}: a table needs more columns than {', '.join(sorted(columns))}; expected "
        "topic and partition, topic and partitions, consumer and topic, or consumer"
    )
    raise SourceError(message)


def _topic_sizes(topics: CsvTable, partitions: CsvTable) -> dict[str, int]:
    """Return each topic's partition count, in order of first appearance."""
    sizes: dict[str, int] = {}
    counts = topics.numbers(Field.PARTITIONS, lowest=0)
    for row, (name, count) in enumerate(zip(topics.words(Field.TOPIC), counts, strict=True)):
        if name in sizes:
            topics.refuse(Field.TOPIC, row, "each topic once")
        if not name or count is None:
            topics.refuse(Field.PARTITIONS if name else Field.TOPIC, row, "a value")
        sizes[name] = count
    for topic, number in _partitions(partitions):
        sizes[topic] = max(number + 1, sizes.get(topic, 0))
    return sizes


def _partitions(table: CsvTable) -> Iterator[tuple[str, int]]:
    """Yield topic and number of each partition. Raises SourceError for a bad or repeated one."""
    numbers = table.numbers(Field.PARTITION, lowest=0)
    seen: set[tuple[str, int]] = set()
    columns = table.words(Field.TOPIC), numbers, table.words(Field.MEMBER)
    for row, (topic, number, consumer) in enumerate(zip(*columns, strict=True)):
        if topic and number is not None:
            if (topic, number) in seen:
                table.refuse(Field.PARTITION, row, f"each partition of {topic} once")
            seen.add((topic, number))
            yield topic, number
        elif topic or number is not None or not consumer:
            missing = Field.PARTITION if topic else Field.TOPIC
            table.refuse(missing, row, "topic and partition, or an idle consumer without both")


def _topics(table: CsvTable, sizes: Mapping[str, int]) -> dict[str, Topic]:
    columns: dict[str, Sequence[Any]] = {
        name: table.numbers(column, lowest=None if column == Field.LAG else 0)
        for column, name in _NUMBERS.items()
        if column in table.columns
    }
    if Field.REPLICA_RACKS in table.columns:
        columns["racks"] = [_RACK.findall(cell) for cell in table.words(Field.REPLICA_RACKS)]
    topics, partitions = table.words(Field.TOPIC), table.numbers(Field.PARTITION)
    rows = [row for row, partition in enumerate(partitions) if partition is not None]
    named = [(topics[row], partitions[row] or 0) for row in rows]
    values = {name: [column[row] for row in rows] for name, column in columns.items()}
    found = topics_of_rows(sizes, named, values)
    known = set(named) if any(table.words(Field.MEMBER)) else set()
    return {
        name: topic._replace(owner_unknown=unknown) if any(unknown) else topic
        for name, topic in found.items()
        for unknown in [[(name, number) not in known for number in range(topic.partitions)]]
    }


def _group_id(table: CsvTable) -> str:
    groups = table.words(Field.GROUP)
    names = [name for name in dict.fromkeys(groups) if name]
    if len(names) > 1:
        table.refuse(Field.GROUP, groups.index(names[1]), f"one group ({names[0]!r}) in a file")
    return names[0] if names else ""


def _notes(tables: Mapping[str, CsvTable]) -> Iterator[str]:
    for table in tables.values():
        if table.unused:
            yield f"Columns of {table.file} that were not used: {', '.join(table.unused)}."
