"""What a text says and leaves open about who owns what."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Self, TypeAlias

from sources.pastes.owners import names_in
from sources.pastes.parsed import GroupRecords, Row

_Named: TypeAlias = tuple[str, int]


def once_each(rows: Iterable[Row]) -> list[Row]:
    """Return the last row of each partition; it names no owner where several rows name different.

    One partition has one owner: who contradicts itself tells none.
    """
    latest, owner, contradicted = dict[_Named, Row](), dict[_Named, str](), set[_Named]()
    for row in rows:
        named = (row.topic, row.partition)
        latest[named] = row
        if row.member and owner.setdefault(named, row.member) != row.member:
            contradicted.add(named)
    return [
        row._replace(member="", instance="", says_nobody=None) if named in contradicted else row
        for named, row in latest.items()
    ]


@dataclass(frozen=True)
class Ownership:
    """The partitions that somebody owns, and those that the text says nobody owns.

    Of all others the owner is unknown.
    """

    owned: frozenset[_Named]
    nobodys: frozenset[_Named]
    is_empty: bool = False
    """Whether the text says that the group has no members."""

    @classmethod
    def of(cls, records: GroupRecords, rows: Sequence[Row]) -> Self:
        """Read it from a group's records; ``rows`` has each partition once.

        A dash in the column of owners says that there is none, and so does the tool where it
        counts no members, or says that there are none. So does a blank cell if others name owners.
        """
        owned = {(row.topic, row.partition) for row in rows if row.member}
        owned.update(chain.from_iterable(member.assignment for member in records.members))
        counts = [state.members for state in records.states if state.members is not None]
        is_named = bool(names_in(records))
        is_empty = bool(counts) and not max(counts) and not is_named
        is_empty |= (records.is_inactive or bool(records.last_owners)) and not is_named
        has_dashes = any(row.says_nobody for row in rows)
        blank_is_nobody = not has_dashes and any(row.member for row in rows)
        nobodys = {
            (row.topic, row.partition)
            for row in rows
            if is_empty or row.says_nobody or (row.says_nobody is False and blank_is_nobody)
        }
        is_empty |= bool(rows) and len(nobodys) == len(rows) and not is_named
        return cls(frozenset(owned), frozenset(nobodys - owned), is_empty)

    def is_unknown(self, sizes: Mapping[str, int]) -> dict[str, list[bool]]:
        """Return of each topic's partitions whether the owner is unknown."""
        known = self.owned | self.nobodys
        return {
            name: [(name, partition) not in known for partition in range(size)]
            for name, size in sizes.items()
        }

    def read(self, sizes: Mapping[str, int]) -> tuple[str, ...]:
        """Return the topics that some consumer reads, as far as the text tells.

        A strategy leaves no partition of a topic with subscribers without an owner: a topic in
        which nobody owns any has none, unless nobody owns anything at all.
        """
        owned = {topic for topic, _ in self.owned}
        unread = {topic for topic, _ in self.nobodys} - owned if owned else set()
        return tuple(name for name in sizes if name not in unread)
