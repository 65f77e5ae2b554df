"""Which kind of group a paste shows: by its headers, commands, ids, topics and lists of groups.

The rules go from the certain to the likely; the first that applies decides. Two kinds look alike
where only ids tell: a consumer may call itself what Streams or Connect calls its own.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Final

from assignors.kinds import STREAMS_ASSIGNOR, GroupKind, kind_by_ids, kind_by_name
from evaluation.rebalancing import STEADY
from sources import cells
from sources.columns import Field
from sources.pastes.headers import TableKind
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, GroupRecords, MemberRow, Row
from sources.pastes.sections import TableSection

_TOOL: Final = re.compile(r"\bkafka-(share|streams|consumer)-groups(?:\.sh|\.bat)?\b")
_KAFKAS: Final = "kafka-"
"""In the name of every tool; a plain search is a twentieth of the pattern's cost."""
_OF_TOOL: Final = {"share": GroupKind.SHARE, "streams": GroupKind.STREAMS_BROKER}
_STREAMS_STATE: Final = re.compile(r"\b(?:Not_?Ready|Assigning|Reconciling)\b", re.IGNORECASE)
_WORKER: Final = re.compile(r"connect-(?:\S+:)?\d+(?:-[0-9a-f-]{36})?")
_OF_WORKERS: Final = frozenset({"sessioned", "compatible"})
"""The protocols of Connect's workers that no consumer's strategy is called."""
_SHARED_CELL: Final = re.compile(r"[\w.-]+:\d+(?:,\d+)*(?:;|$)")
_LISTED_KINDS: Final = {
    ("STREAMS", ""): GroupKind.STREAMS_BROKER,
    ("SHARE", ""): GroupKind.SHARE,
    ("CLASSIC", "CONNECT"): GroupKind.CONNECT,
    ("CLASSIC", "NONE"): GroupKind.OFFSETS,
}
_LIST_HEADER: Final = re.compile(r"\W*GROUP\s+TYPE(?:\s+PROTOCOL)?\W*", re.IGNORECASE)
_LIST_ROW: Final = re.compile(
    r"\W*+(\w\S*)\s+(classic|consumer|share|streams)(?:\s+(\S+))?\s*", re.IGNORECASE
)


_TYPE: Final = ("TYPE", "Type")


class CalledTools:
    """The tools that are called in a text, by line: each tells the tables below it."""

    def __init__(self, page: Page) -> None:
        """Look at every line once."""
        named = ((n, line) for n, line in enumerate(page.lines) if _KAFKAS in line)
        calls = ((number, _TOOL.search(line)) for number, line in named)
        found = [(number, _OF_TOOL.get(call[1])) for number, call in calls if call]
        self._lines = [number for number, _ in found]
        self._kinds = [kind for _, kind in found]

    def above(self, line: int) -> GroupKind | None:
        """Return the kind of the tool that was called last above a line."""
        place = bisect_left(self._lines, line)
        return self._kinds[place - 1] if place else None


def kind_of_table(page: Page, section: TableSection, called: CalledTools) -> GroupKind | None:
    """Return the kind of group that has such a table; None if several kinds may."""
    header = section.header
    words = set(page.lines[section.names.start].upper().split()) if section.names else set()
    if header.kind is TableKind.SHARED or (
        header.kind is TableKind.ONE_TOPIC and "START-OFFSET" in words
    ):
        return GroupKind.SHARE
    if header.kind is TableKind.THREADS or "ASSIGNOR" in words:
        return GroupKind.STREAMS_BROKER
    if "OFFSET-LAG" in words and Field.MEMBER not in header.fields:
        return GroupKind.STREAMS_BROKER
    if header.kind is TableKind.MEMBERS and {"ASSIGNMENT", "MEMBER-EPOCH"} <= words:
        return GroupKind.SHARE
    if header.kind is TableKind.STATE and "COORDINATOR" in words:
        return _of_state_table(page, section, words, called)
    return called.above(section.body.start)


def _of_state_table(
    page: Page, section: TableSection, words: set[str], called: CalledTools
) -> GroupKind | None:
    """Tell kinds by the columns of ``--state``: only consumer groups have a strategy there.

    Where the command is missing, a streams group of Kafka 4.1 to 4.3 is told from a share group
    only by states that share groups do not have.
    """
    if Field.STRATEGY in section.header.fields:
        return None
    if "TARGET-ASSIGNMENT-EPOCH" in words:
        return GroupKind.STREAMS_BROKER
    if "ASSIGNMENT-EPOCH" in words:
        return GroupKind.SHARE
    if above := called.above(section.body.start):
        return above
    is_of_streams = any(_STREAMS_STATE.search(page.lines[number]) for number in section.body)
    return GroupKind.STREAMS_BROKER if is_of_streams else GroupKind.SHARE


def is_share_or_streams(page: Page, section: TableSection, called: CalledTools) -> bool:
    """Return whether a table of states may be either kind's: no column and no command tells."""
    if section.header.kind is not TableKind.STATE or called.above(section.body.start):
        return False
    words = set(page.lines[section.names.start].upper().split()) if section.names else set()
    is_told = bool(words & {"ASSIGNOR", "ASSIGNMENT-EPOCH", "TARGET-ASSIGNMENT-EPOCH"})
    has_strategy = Field.STRATEGY in section.header.fields
    return "COORDINATOR" in words and not (is_told or has_strategy)


def is_shared(header_words: str, assignments: Sequence[str]) -> bool:
    """Return whether a table of members is that of a share group, as its cells tell.

    Tools of consumer groups up to 3.9 have the column ASSIGNMENT too, but write ``orders(0,1)``;
    newer ones call it CURRENT-ASSIGNMENT.
    """
    is_headed = "ASSIGNMENT" in header_words.upper().split()
    told = [each for each in assignments if not cells.is_nothing(each)]
    return is_headed and bool(told) and all(map(_SHARED_CELL.match, told))


def kind_of(name: str, records: GroupRecords) -> GroupKind:
    """Return the kind of a group by all that the text has of it."""
    if (known := kind_by_name(name) or records.kind) is not None:
        return known
    lines: list[Row | MemberRow] = [*records.rows, *records.members]
    ids = {line.client or line.member for line in lines if line.client or line.member}
    strategies = {row.strategy.lower() for row in records.states}
    told = kind_by_ids(ids)
    if told is GroupKind.STREAMS or STREAMS_ASSIGNOR in strategies:
        return GroupKind.STREAMS
    topics = {row.topic for row in records.rows}  # few, of many rows
    if name and any(_is_repartition_topic(topic, name) for topic in topics):
        return GroupKind.STREAMS
    if told is not None:
        return told
    owns_nothing = not records.rows and not any(row.assignment for row in records.members)
    if strategies & _OF_WORKERS or (ids and owns_nothing and all(map(_WORKER.fullmatch, ids))):
        return GroupKind.CONNECT
    return GroupKind.OFFSETS if _has_offsets_alone(records, ids) else GroupKind.CONSUMER


def _is_repartition_topic(topic: str, application: str) -> bool:
    return topic.startswith(f"{application}-") and topic.endswith("-repartition")


def _has_offsets_alone(records: GroupRecords, ids: set[str]) -> bool:
    """Return whether the text says that nobody is a member, and names nobody who was one."""
    states = {row.state for row in records.states if row.state}
    is_empty = records.is_inactive or (bool(states) and states <= {"Empty"})
    return is_empty and not ids and not records.last_owners


def listed_kinds(page: Page) -> Iterator[tuple[int, str, GroupKind]]:
    """Yield line, name and kind of each group that a list with types names.

    A classic group whose protocol is blank never had a member; ``consumer`` had one, and may be
    Streams or a sink as well.
    """
    source = page.source
    if source.isascii() and not any(word in source for word in _TYPE):  # as in most texts
        return
    is_list = has_protocol = False
    for number, line in enumerate(page.lines):
        if _LIST_HEADER.fullmatch(line):
            is_list, has_protocol = True, "PROTOCOL" in line.upper()
        elif is_list and (row := _LIST_ROW.fullmatch(line)):
            kind = row[2].upper()
            protocol = (row[3] or "NONE").upper() if has_protocol else ""
            known = _LISTED_KINDS.get((kind, "")) or _LISTED_KINDS.get((kind, protocol))
            yield number, row[1], known or GroupKind.CONSUMER
        elif line.strip():
            is_list = False


def is_under_way(records: GroupRecords) -> bool:
    """Return whether the text says that the group rebalances: a message, a state, or epochs."""
    states = records.states
    return (
        records.is_rebalancing
        or any(row.state and row.state not in STEADY for row in states)
        or any(_differ(row.group_epoch, row.target_epoch) for row in states)
        or any(_differ(row.epoch, row.target_epoch) for row in records.members)
        or any(
            row.target is not None and set(row.target) != set(row.assignment)
            for row in records.members
        )
    )


def _differ(first: int | None, second: int | None) -> bool:
    return first is not None and second is not None and first != second


def key_named(name: str, keys: Sequence[GroupKey]) -> GroupKey | None:
    """Return the group that a message or a list names."""
    return next((key for key in keys if name and name in (key.name, key.hint)), None)
