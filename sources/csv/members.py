"""The consumers in CSV tables: partitions, subscriptions, static ids and racks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from assignors.numbering import Member
from sources.budget import Limits
from sources.columns import Field
from sources.csv.table import CsvTable

_ALL_TOPICS: Final = "*"


def members_in(
    tables: Mapping[str, CsvTable], topics: Sequence[str], limits: Limits
) -> Iterator[Member]:
    """Yield every consumer in the tables, in order of first appearance."""
    everything = tuple(topics)  # one for all: consumers times topics may be very many
    owned = _owned(tables.get("partitions", CsvTable()))
    subscriptions = tables.get("subscriptions")
    wanted = None if subscriptions is None else _wanted(subscriptions, everything, limits)
    described = _described(tables)
    for name in dict.fromkeys([*described, *(wanted or ()), *owned]):
        own = owned.get(name, [])
        static_id, rack = described.get(name, ("", ""))
        yield Member(
            id=name,
            topics=everything if wanted is None else wanted.get(name, []),
            instance_id=static_id or None,
            rack=rack or None,
            owned=own,
        )


def _owned(table: CsvTable) -> dict[str, list[tuple[str, int]]]:
    owned: dict[str, list[tuple[str, int]]] = {}
    columns = table.words(Field.MEMBER), table.words(Field.TOPIC), table.numbers(Field.PARTITION)
    for consumer, topic, partition in zip(*columns, strict=True):
        if consumer:
            own = owned.setdefault(consumer, [])
            if partition is not None:
                own.append((topic, partition))
    return owned


def _described(tables: Mapping[str, CsvTable]) -> dict[str, tuple[str, str]]:
    """Return static id and rack of every consumer.

    A table of consumers lists each one once; repeated rows of one consumer must agree.
    """
    described: dict[str, tuple[str, str]] = {}
    for kind in ("consumers", "partitions"):
        table = tables.get(kind, CsvTable())
        columns = table.words(Field.MEMBER), table.words(Field.INSTANCE), table.words(Field.RACK)
        for row, (name, static_id, rack) in enumerate(zip(*columns, strict=True)):
            if not name and (kind == "consumers" or rack or static_id):
                table.refuse(Field.MEMBER, row, "a consumer, as the row describes one")
            if kind == "consumers" and name in described:
                table.refuse(Field.MEMBER, row, "each consumer once")
            before = described.get(name, ("", ""))
            if static_id and before[0] not in ("", static_id):
                table.refuse(Field.INSTANCE, row, f"{before[0]!r}, as before for {name}")
            if rack and before[1] not in ("", rack):
                table.refuse(Field.RACK, row, f"{before[1]!r}, as before for {name}")
            if name:
                described[name] = static_id or before[0], rack or before[1]
    return described


def _wanted(
    table: CsvTable, everything: tuple[str, ...], limits: Limits
) -> dict[str, Sequence[str]]:
    listed: dict[str, dict[str, None]] = {}
    columns = table.words(Field.MEMBER), table.words(Field.TOPIC)
    for row, (name, topic) in enumerate(zip(*columns, strict=True)):
        if not name:
            table.refuse(Field.MEMBER, row, "a consumer")
        listed.setdefault(name, {}).update({topic: None} if topic else {})
    wanted: dict[str, Sequence[str]] = {}
    known, total = {*everything, _ALL_TOPICS}, 0
    for name, topics in listed.items():
        others = [topic for topic in topics if topic not in known]
        total += len(everything) + len(others) if _ALL_TOPICS in topics else len(topics)
        limits.check("subscriptions", total, table.file)
        if _ALL_TOPICS not in topics:
            wanted[name] = list(topics)
        else:
            wanted[name] = [*everything, *others] if others else everything
    return wanted
