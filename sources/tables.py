"""CSV tables: one flat table of partitions, or several that describe a group together.

What a table is follows from its columns, so files may be called anything:

- partitions: topic, partition [, lag, consumer, committed, end, begin, static_id, rack,
  replica_racks, group]; a row with a consumer alone is an idle consumer;
- topics: topic, partitions;
- consumers: consumer [, static_id, rack];
- subscriptions: consumer, topic (``*`` for all of them).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import pandas as pd

from assignors.numbering import Topic
from sources.budget import LIMITS, Budget, Limits
from sources.csv_frames import Table, parsed, unpacked
from sources.csv_members import Tables, members_of_tables
from sources.errors import SourceError, guarded
from sources.notes import notes_on
from sources.reading import Reading

FORMAT: Final = "CSV tables"
_MOST_FILES: Final = 3
_NUMBERS: Final = {"lag": "lags", "committed": "committed", "end": "end", "begin": "begin"}
"""Columns of numbers a partition, and the fields of ``Topic`` they fill."""
_RACK_SEPARATORS: Final = r"[|/\s]+"


def read_tables(files: Mapping[str, bytes], limits: Limits = LIMITS) -> Reading:
    """Read one group from CSV files by name; a zip file counts as the files in it.

    A topic has the partitions its table says, else 0 to the highest number; a lag that is not
    given is unknown. Without a table of subscriptions a consumer subscribes to the topics it
    owns, or to all of the group's topics if it owns none.

    Raises SourceError naming file, line and column of what is wrong.
    """
    with guarded(" and ".join(list(files)[:_MOST_FILES])):
        return _read(files, limits)


def _read(files: Mapping[str, bytes], limits: Limits) -> Reading:
    tables = _sorted_out(parsed(name, text, limits) for name, text in unpacked(files, limits))
    sizes = _topic_sizes(tables)
    budget = Budget(limits)
    budget.take_partitions(sizes)
    members = list(members_of_tables(tables, tuple(sizes), limits))
    group = budget.group_of(
        dict(_topics(tables.partitions, sizes)), members, id=_group_id(tables.partitions)
    )
    rows = 0 if tables.partitions is None else len(_placed(tables.partitions))
    return Reading(
        group=group,
        format=FORMAT,
        rows=rows,
        unknown_lags=rows - min(rows, int(group.is_lag_known.sum())),
        idle_members=sum(not member.owned for member in members),
        notes=(*_notes(tables), *notes_on(group)),
    )


def _sorted_out(tables: Iterable[Table]) -> Tables:
    found: dict[str, Table] = {}
    for table in tables:
        kind = _kind(table)
        if kind in found:
            message = f"{found[kind].file} and {table.file} both hold {kind}; keep one of them"
            raise SourceError(message)
        found[kind] = table
    if "partitions" not in found and "topics" not in found:
        message = (
            "no table lists partitions; add one with the columns topic and partition, or topic and "
            "partitions"
        )
        raise SourceError(message)
    return Tables(**found)


def _kind(table: Table) -> str:
    columns = set(table.frame.columns)
    if {"topic", "partition"} <= columns:
        return "partitions"
    if {"topic", "partitions"} <= columns:
        return "topics"
    if {"consumer", "topic"} <= columns:
        return "subscriptions"
    if "consumer" in columns:
        return "consumers"
    message = (
        f"{table.file}: a table needs more columns than {', '.join(sorted(columns))}; expected "
        "topic and partition, topic and partitions, consumer and topic, or consumer"
    )
    raise SourceError(message)


def _placed(table: Table) -> pd.DataFrame:
    """Return the rows that name a topic: all but those of idle consumers."""
    return table.frame[table.words("topic") != ""]


def _topic_sizes(tables: Tables) -> dict[str, int]:
    """Return each topic's partition count, in order of first appearance."""
    sizes: dict[str, int] = {}
    if tables.topics is not None:
        counts = tables.topics.numbers("partitions", lowest=0)
        for line, name, count in zip(
            counts.index, tables.topics.words("topic"), counts, strict=True
        ):
            if name in sizes:
                tables.topics.refuse("topic", line, "each topic once")
            if not name or pd.isna(count):
                missing = "topic" if not name else "partitions"
                tables.topics.refuse(missing, line, "a value")
            sizes[name] = int(count)
    if tables.partitions is not None:
        for name, size in _sizes_seen(tables.partitions).items():
            sizes[name] = max(size, sizes.get(name, 0))
    return sizes


def _sizes_seen(table: Table) -> dict[str, int]:
    numbers, topic = table.numbers("partition", lowest=0), table.words("topic")
    half = ((topic != "") != numbers.notna()) | ((topic == "") & (table.words("consumer") == ""))
    if half.any():
        line = int(half.index[half][0])
        missing = "partition" if topic[line] else "topic"
        table.refuse(missing, line, "topic and partition, or an idle consumer without both")
    placed = pd.DataFrame({"topic": topic, "partition": numbers})[topic != ""]
    repeated = placed.duplicated()
    if repeated.any():
        line = int(repeated.index[repeated][0])
        table.refuse("partition", line, f"each partition of {topic[line]} once")
    highest = placed.groupby("topic", sort=False)["partition"].max()
    return {str(name): int(number) + 1 for name, number in highest.items()}


def _topics(table: Table | None, sizes: Mapping[str, int]) -> Iterator[tuple[str, Topic]]:
    if table is None:
        yield from ((name, Topic(size)) for name, size in sizes.items())
        return
    frame = pd.DataFrame({"topic": table.words("topic"), "at": table.numbers("partition")})
    for column, field in _NUMBERS.items():
        if column in table.frame:
            lowest = None if column == "lag" else 0
            frame[field] = table.numbers(column, lowest=lowest).astype(object)
    if "replica_racks" in table.frame:
        frame["racks"] = table.words("replica_racks").str.split(_RACK_SEPARATORS, regex=True)
    rows = dict(iter(frame[frame["topic"] != ""].groupby("topic", sort=False)))
    fields = [field for field in frame.columns if field not in ("topic", "at")]
    for name, size in sizes.items():
        values = {field: _spread(rows.get(name), field, size) for field in fields}
        yield name, Topic(size, **values)


def _spread(rows: pd.DataFrame | None, field: str, size: int) -> list[Any]:
    """Return one value a partition: those of the rows at their numbers, blank elsewhere."""
    blank = () if field == "racks" else None
    found = [blank] * size
    if rows is not None:
        for at, value in zip(rows["at"], rows[field], strict=True):
            found[at] = value if field == "racks" or not pd.isna(value) else blank
    return found


def _group_id(table: Table | None) -> str:
    if table is None:
        return ""
    groups = table.words("group")
    names = [name for name in groups.unique() if name]
    if len(names) > 1:
        line = int(groups.index[groups == names[1]][0])
        table.refuse("group", line, f"one group ({names[0]!r}) in a file")
    return names[0] if names else ""


def _notes(tables: Tables) -> Iterator[str]:
    for table in tables.given():
        if table.unused:
            yield f"Columns of {table.file} that were not used: {', '.join(table.unused)}."
    if tables.subscriptions is None and any("consumer" in t.frame for t in tables.given()):
        yield (
            "No table lists subscriptions: each consumer subscribes to the topics it owns, or to "
            "all topics if it owns none."
        )
