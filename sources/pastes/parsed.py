"""The result of every parser: rows of partitions, members, groups and topics."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeVar

from assignors.kinds import GroupKind
from evaluation.kinds.forecast import KindGroup
from live.model import NamedPartition
from sources import cells
from sources.columns import Field
from sources.rows import lag_of

_Value = TypeVar("_Value")
OWNER: Final = (Field.MEMBER, Field.INSTANCE, Field.HOST, Field.CLIENT)
_FIGURES: Final = (Field.BEGIN, Field.COMMITTED, Field.END, Field.LAG)
_MOST_LINES: Final = 3
"""The most line numbers in a note."""


class GroupKey(NamedTuple):
    """The group of a row."""

    name: str
    """The name beside the row; "" without one."""
    hint: str = ""
    """The group in a command above the table, or the cluster of a named group."""


class Row(NamedTuple):
    """One partition of one group; None is unknown, "" is no owner or not given."""

    line: int
    """The first line of the row, from 0."""
    group: GroupKey
    topic: str
    partition: int
    begin: int | None = None
    committed: int | None = None
    end: int | None = None
    lag: int | None = None
    member: str = ""
    instance: str = ""
    host: str = ""
    client: str = ""
    snapshot: int = 0
    """Differs between snapshots, where the format distinguishes them."""
    at_s: float = math.nan
    """Seconds since the epoch, if given."""
    says_nobody: bool | None = None
    """Whether the text says that nobody owns it, as a dash does; False for a blank cell, None if
    owners are not given."""
    is_lag_later: bool = False
    """Whether the lag is of a later moment than the offsets, so that they need not agree."""
    age_s: float = math.nan
    """Seconds since the next record to be read was written, as the source tells it."""


class MemberRow(NamedTuple):
    """One member of one group."""

    line: int
    group: GroupKey
    member: str
    instance: str = ""
    host: str = ""
    client: str = ""
    partitions: int | None = None
    """The stated number of owned partitions."""
    assignment: tuple[tuple[str, int], ...] = ()
    format: str = ""
    """The kind of table."""
    epoch: int | None = None
    """The epoch that the member has reached."""
    target_epoch: int | None = None
    target: tuple[tuple[str, int], ...] | None = None
    """What the coordinator has decided for it; None where not told."""


class StateRow(NamedTuple):
    """One group as a whole."""

    line: int
    group: GroupKey
    strategy: str = ""
    members: int | None = None
    lists_idle: bool = True
    """Whether the table below lists idle members as well; rpk's does not."""
    state: str = ""
    """As the tool writes it: Stable, Empty, PreparingRebalance."""
    group_epoch: int | None = None
    target_epoch: int | None = None


class TopicRow(NamedTuple):
    """A topic with its number of partitions, or one partition of it."""

    line: int
    topic: str
    partitions: int
    is_partition: bool
    id: str | None = None
    """``TopicId`` in the line with the partition count."""


@dataclass
class Parsed:
    """The result of one format's parser."""

    format: str
    rows: list[Row] = field(default_factory=list)
    members: list[MemberRow] = field(default_factory=list)
    states: list[StateRow] = field(default_factory=list)
    topics: list[TopicRow] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
    """Numbers of the lines that were read, from 0."""
    notes: list[str] = field(default_factory=list)
    """Sentences about the whole text."""
    kinds: dict[GroupKey, GroupKind] = field(default_factory=dict)
    """What tables and lists say of a group's kind."""
    merged: set[GroupKey] = field(default_factory=set)
    """Groups whose owners may be several consumers each."""
    as_kinds: dict[GroupKey, KindGroup] = field(default_factory=dict)
    """Groups as the assignors of their kind see them, where a table tells enough."""
    rebalancing: set[str] = field(default_factory=set)
    """Groups that the tool says are rebalancing, by the name in its message."""
    inactive: dict[str, int] = field(default_factory=dict)
    """Groups without active members, and the line up to which that holds:
    owners before it are past ones, not members."""

    @property
    def record_count(self) -> int:
        """Number of rows, members and states so far."""
        return len(self.rows) + len(self.members) + len(self.states)

    @property
    def has_groups(self) -> bool:
        """Whether there is anything but topics."""
        return self.record_count > 0

    def note_unreadable(self, what: str, numbers: Iterable[int]) -> None:
        """Note lines that look like rows of this format but could not be read."""
        lines = sorted(numbers)
        if lines:
            verb = "looks" if len(lines) == 1 else "look"
            self.notes.append(f"{at_lines(lines)} {verb} like {what} but could not be read.")

    def note_cut(self, line: int | None, groups: Iterable[GroupKey]) -> None:
        """Note that the text ends within a row: there may be further members."""
        if line is not None:
            self.merged.update(groups)
            self.notes.append(
                f"{at_lines([line])}: the text ends within this row; what is missing of it is "
                "unknown."
            )


class Snapshot(NamedTuple):
    """The records of one group at one moment."""

    rows: list[Row]
    members: list[MemberRow]
    at_s: float = math.nan
    """Seconds since the epoch, or since any moment common to a text; NaN if unknown."""


@dataclass
class GroupRecords:
    """All records of one group; of rows and members the newest are on screen."""

    all: list[Snapshot] = field(default_factory=lambda: [Snapshot([], [])])
    """Oldest first, at least one."""
    states: list[StateRow] = field(default_factory=list)
    last_owners: dict[str, list[tuple[str, int]]] = field(default_factory=dict)
    """The partitions of each consumer before the group lost all its members."""
    on_times: str = ""
    """Why the times of the snapshots are unknown, or what they assume, in a sentence."""
    kind: GroupKind | None = None
    """What tables say of the group's kind; None if they leave it open."""
    as_kind: KindGroup | None = None
    """The group as the assignors of its kind see it, where a table tells enough."""
    is_inactive: bool = False
    """Whether the tool says that the group has no active members."""
    is_rebalancing: bool = False
    """Whether the tool says that the group is rebalancing."""

    @property
    def rows(self) -> list[Row]:
        """The partitions in the newest snapshot."""
        return self.all[-1].rows

    @property
    def members(self) -> list[MemberRow]:
        """The members in the newest snapshot."""
        return self.all[-1].members

    @property
    def has_epochs(self) -> bool:
        """Whether the text tells epochs: of the group, of its targets, or of a member."""
        of_group = [each for row in self.states for each in (row.group_epoch, row.target_epoch)]
        of_members = [each for row in self.members for each in (row.epoch, row.target_epoch)]
        return any(epoch is not None for epoch in (*of_group, *of_members))

    @property
    def lists_members(self) -> bool:
        """Whether a table of members stands in the text, or their number."""
        is_counted = any(state.members is not None for state in self.states)
        return is_counted or any(member.format for member in self.members)


def row_of(
    line: int,
    group: GroupKey,
    named: NamedPartition,
    fields: Mapping[Field, _Value],
    number: Callable[[_Value], int | None],
) -> Row:
    """Return the row of a partition with these fields.

    A negative offset means none. A missing lag follows from the offsets: nothing waits where the
    log ends at 0. Without a committed offset some tools print a negative lag for an unknown one.
    """
    figures = {field: number(fields[field]) for field in _FIGURES if field in fields}
    offsets = (figures.get(field) for field in (Field.BEGIN, Field.COMMITTED, Field.END))
    begin, committed, end = (None if (each or 0) < 0 else each for each in offsets)
    lag = figures.get(Field.LAG) if Field.LAG in figures else lag_of(end, committed)
    if Field.COMMITTED in figures and committed is None and (lag or 0) < 0:
        lag = None
    if lag is None and end is not None and end in {0, begin}:
        lag = 0  # the log holds nothing
    row = Row(line, group, *named, begin, committed, end, lag, *owner_of(fields))
    return row._replace(says_nobody=_says_nobody(fields))


def _says_nobody(fields: Mapping[Field, object]) -> bool | None:
    """Return whether the first column of an owner names nobody; None without such a column."""
    column = next((field for field in OWNER if field in fields), None)
    if column is None:
        return None
    text = fields[column]
    return text is None or (isinstance(text, str) and text.strip().lower() in cells.NOBODY)


def owner_of(fields: Mapping[Field, object]) -> tuple[str, str, str, str]:
    """Return member, instance id, host and client, "" if unknown."""
    texts = (fields.get(field) for field in OWNER)
    member, instance, host, client = (
        cells.member(text.strip()) if isinstance(text, str) else "" for text in texts
    )
    return member, instance, host, client


def contradicts_offsets(row: Row) -> bool:
    """Return whether a lag is neither the difference of the offsets nor negative."""
    if row.lag is None or row.end is None or row.committed is None or row.is_lag_later:
        return False
    behind = row.end - row.committed
    return row.lag not in (behind, max(behind, 0))


def at_lines(numbers: Iterable[int]) -> str:
    """Return "Line 3", or "Lines 3, 7, 9 and 2 more", from numbers that count from 0.

    >>> at_lines([2, 6]), at_lines([2, 6, 8, 9, 11])
    ('Lines 3, 7', 'Lines 3, 7, 9 and 2 more')
    """
    lines = list(numbers)
    listed = ", ".join(str(number + 1) for number in lines[:_MOST_LINES])
    more = f" and {len(lines) - _MOST_LINES} more" if len(lines) > _MOST_LINES else ""
    return f"{'Line' if len(lines) == 1 else 'Lines'} {listed}{more}"
