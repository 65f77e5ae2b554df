"""All output of ``kafka-consumer-groups``, combining several tables of a group."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from assignors.kinds import GroupKind
from sources import cells
from sources.columns import Field
from sources.pastes import describe, members, streams_members
from sources.pastes.blocks import read_blocks
from sources.pastes.headers import TableKind
from sources.pastes.kinds import CalledTools, is_share_or_streams, kind_of_table
from sources.pastes.layout import Columns
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, MemberRow, Parsed, Row, StateRow
from sources.pastes.resets import note_resets
from sources.pastes.sections import GroupMessage, TableSection, messages_in, sections_in
from sources.pastes.topics import read_topics
from sources.pastes.wrapped_rows import rows_in
from sources.pastes.written_times import written_in

STATE_FORMAT: Final = "kafka-consumer-groups --describe --state"
_FORMATS: Final = (
    describe.FORMAT,
    members.VERBOSE_FORMAT,
    members.FORMAT,
    streams_members.FORMAT,
    STATE_FORMAT,
)

_EITHER: Final = (
    "Streams groups of Kafka 4.1 to 4.3 have such a table of states, too: paste the command with "
    "it, which tells the kind."
)
_INACTIVE: Final = "has no active"
_REBALANCING: Final = "is rebal"


def read_consumer_groups(page: Page) -> Parsed:
    """Return the content of tables of offsets, members and state.

    Output of ``kafka-topics --describe`` and ``kcat -L`` adds partition counts.
    """
    topics = read_topics(page)
    parsed = Parsed("", topics=topics.topics, used=topics.used)
    blocks = read_blocks(page, parsed)
    messages = messages_in(page)
    sections, called = sections_in(page, messages), CalledTools(page)
    formats = {
        _read(page, section, parsed, blocks.above(section.body.start), called)
        for section in sections
    }
    if not parsed.has_groups:
        return Parsed("")
    parsed.format = parsed.format or next(name for name in _FORMATS if name in formats)
    parsed.rebalancing |= {each.group for each in messages if each.text.endswith(_REBALANCING)}
    note_resets(page, parsed)
    parsed.inactive = _inactive_groups(page, messages, sections)
    return parsed


def _read(
    page: Page, section: TableSection, parsed: Parsed, group: str, called: CalledTools
) -> str:
    """Read one table; return its format, "" if it is empty."""
    before = parsed.record_count
    name = ""
    counts = (len(parsed.rows), len(parsed.members), len(parsed.states))
    if section.header.kind in {TableKind.OFFSETS, TableKind.ONE_TOPIC, TableKind.SHARED} or (
        section.header.kind == TableKind.TOPIC_LAGS and group
    ):
        describe.read_offsets(page, section, parsed, group)
        name = describe.FORMAT
    elif section.header.kind == TableKind.MEMBERS:
        members.read_members(page, section, parsed)
        name = members.format_of(section.header)
    elif section.header.kind == TableKind.THREADS:
        streams_members.read_threads(page, section, parsed)
        name = streams_members.FORMAT
    elif section.header.kind == TableKind.STATE:
        _read_state(page, section, parsed)
        name = STATE_FORMAT
    is_read = parsed.record_count > before
    if is_read and (kind := kind_of_table(page, section, called)):
        groups = {each.group for each in _added(parsed, counts)}
        parsed.kinds |= dict.fromkeys(groups, kind)
        if kind is GroupKind.SHARE and is_share_or_streams(page, section, called):
            parsed.notes.append(_EITHER)
    if is_read and section.header.kind == TableKind.TOPIC_LAGS:
        parsed.notes.append("rpk printed one lag per topic; each topic is read as one partition.")
    if not any(page.lines[number].strip() for number in section.body):
        parsed.used.update(section.names)  # the tool prints a header for an empty group too
    return name if is_read else ""


def _added(parsed: Parsed, counts: tuple[int, int, int]) -> list[Row | MemberRow | StateRow]:
    """Return the records added since there were these counts of rows, members and states."""
    rows, members_, states = counts
    return [*parsed.rows[rows:], *parsed.members[members_:], *parsed.states[states:]]


def _inactive_groups(
    page: Page, messages: Sequence[GroupMessage], sections: Sequence[TableSection]
) -> dict[str, int]:
    """Return the groups without active members, with the end of the table of which that is said.

    The tool prints the message above the table. Where a time stands between, that is the time of a
    later table, and the message belongs to the one above: two streams were joined in a log.
    """
    starts = [section.body.start for section in sections]
    heads = [*(section.names.start for section in sections), len(page.lines)]
    ends = [*(section.body.stop for section in sections), len(page.lines)]
    found: dict[str, int] = {}
    for message in messages:
        if not message.text.endswith(_INACTIVE):
            continue
        following = bisect_right(starts, message.line)
        between = page.lines[message.line + 1 : heads[following]]
        is_above = following > 0 and any(map(written_in, between))
        found[message.group] = message.line if is_above else ends[following]
    return found


def _read_state(page: Page, section: TableSection, parsed: Parsed) -> None:
    """Add the rows of one table of groups; the strategy of an empty group is blank."""
    for lines, row in rows_in(page, section.body, Columns(section.header)):
        name, members = row.get(Field.GROUP, ""), row.get(Field.COUNT, "")
        key = GroupKey(name) if Field.GROUP in section.header.fields else GroupKey("", section.hint)
        strategy = cells.member(row.get(Field.STRATEGY, ""))
        count = int(members) if cells.is_partition(members) else None
        epochs = (row.get(each, "") for each in (Field.GROUP_EPOCH, Field.TARGET_EPOCH))
        group_epoch, target_epoch = (int(e) if e.isdecimal() else None for e in epochs)
        parsed.states.append(
            StateRow(
                lines[0],
                key,
                strategy,
                count,
                state=row.get(Field.STATE, ""),
                group_epoch=group_epoch,
                target_epoch=target_epoch,
            )
        )
        parsed.used.update(lines, section.names)
