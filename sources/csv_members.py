"""The consumers in CSV tables: what they own and subscribe to, their static ids and racks."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from assignors.numbering import Member
from sources.budget import LIMITS, Limits
from sources.csv_frames import Table

ALL_TOPICS: Final = "*"


class Tables(NamedTuple):
    """The tables given, by kind; ``tables`` says what each holds."""

    partitions: Table | None = None
    topics: Table | None = None
    consumers: Table | None = None
    subscriptions: Table | None = None

    def given(self) -> Iterator[Table]:
        """Yield the tables there are."""
        return (table for table in self if table is not None)


def members_of_tables(
    tables: Tables, topics: Sequence[str], limits: Limits = LIMITS
) -> Iterator[Member]:
    """Yield every consumer in the tables, in order of first appearance."""
    everything = tuple(topics)  # one for all: consumers times topics may be very many
    owned = _owned(tables.partitions)
    subscriptions = tables.subscriptions
    wanted = None if subscriptions is None else _wanted(subscriptions, everything, limits)
    described = _described(tables)
    for name in dict.fromkeys([*described, *(wanted or ()), *owned]):
        own = owned.get(name, [])
        followed = list(dict.fromkeys(topic for topic, _ in own)) or everything
        static_id, rack = described.get(name, ("", ""))
        yield Member(
            id=name,
            topics=followed if wanted is None else wanted.get(name, []),
            instance_id=static_id or None,
            rack=rack or None,
            owned=own,
        )


def _owned(table: Table | None) -> dict[str, list[tuple[str, int]]]:
    owned: dict[str, list[tuple[str, int]]] = {}
    if table is None:
        return owned
    columns = table.words("consumer"), table.words("topic"), table.numbers("partition")
    for consumer, topic, partition in zip(*columns, strict=True):
        if consumer:
            own = owned.setdefault(consumer, [])
            if topic:
                own.append((topic, int(partition)))
    return owned


def _described(tables: Tables) -> dict[str, tuple[str, str]]:
    """Return static id and rack of every consumer.

    A table of consumers has each one once; several rows of one consumer must agree.
    """
    described: dict[str, tuple[str, str]] = {}
    for table in (tables.consumers, tables.partitions):
        if table is None:
            continue
        columns = table.words("consumer"), table.words("static_id"), table.words("rack")
        for line, name, static_id, rack in zip(table.frame.index, *columns, strict=True):
            if not name and (table is tables.consumers or rack or static_id):
                table.refuse("consumer", line, "a consumer, as the row describes one")
            if table is tables.consumers and name in described:
                table.refuse("consumer", line, "each consumer once")
            before = described.get(name, ("", ""))
            if static_id and before[0] not in ("", static_id):
                table.refuse("static_id", line, f"{before[0]!r}, as before for {name}")
            if rack and before[1] not in ("", rack):
                table.refuse("rack", line, f"{before[1]!r}, as before for {name}")
            if name:
                described[name] = static_id or before[0], rack or before[1]
    return described


def _wanted(table: Table, everything: tuple[str, ...], limits: Limits) -> dict[str, Sequence[str]]:
    listed: dict[str, dict[str, None]] = {}
    for line, name, topic in zip(
        table.frame.index, table.words("consumer"), table.words("topic"), strict=True
    ):
        if not name:
            table.refuse("consumer", line, "a consumer")
        topics = listed.setdefault(name, {})
        if topic:
            topics[topic] = None
    wanted: dict[str, Sequence[str]] = {}
    known, total = {*everything, ALL_TOPICS}, 0
    for name, topics in listed.items():
        others = [topic for topic in topics if topic not in known]
        total += len(everything) + len(others) if ALL_TOPICS in topics else len(topics)
        limits.check("subscriptions", total, table.file)
        if ALL_TOPICS not in topics:
            wanted[name] = list(topics)
        else:
            wanted[name] = [*everything, *others] if others else everything
    return wanted
