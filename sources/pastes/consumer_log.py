"""The log of Java consumers: what a group's leader assigned (``ConsumerCoordinator``)."""

import re
from collections.abc import Iterator
from typing import Final

from sources.pastes.members import dashed_partitions_in
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, MemberRow, Parsed, StateRow

FORMAT: Final = "log of a Java consumer"
# No two neighbours of these patterns match the same character, so none is tried in many ways.
_FINISHED: Final = re.compile(r"Finished assignment for group at generation \d{1,10}:\s{0,99}\{")
_GROUP: Final = re.compile(r"groupId=([^\],\n]{1,255})")
_MEMBER: Final = re.compile(
    r"(?:,\s{0,99})?([^\s{}\[\]=,][^{}\[\]=\n]{0,999})"
    r"=Assignment\(partitions=\[([^\]\[{}=\n]*)\][^)\n]{0,99}\)"
)
_PROTOCOL: Final = re.compile(
    r"groupId=([^\],\n]{1,255})\] Successfully \w{1,9} group \w{1,9} generation "
    r"Generation\{[^{}\n]{0,999}?protocol='([\w-]{1,99})'"
)
_FARTHEST: Final = 2_000
"""Characters between the name of the group and what its leader assigned."""


def read_consumer_log(page: Page) -> Parsed:
    """Return the last assignment of each group in a log, which tells no offsets."""
    parsed, text = Parsed(FORMAT), page.text
    newest: dict[GroupKey, list[MemberRow]] = {}
    line = counted = 0
    for finished in _FINISHED.finditer(text):
        start = finished.start()
        line += text.count("\n", counted, start)
        counted = start
        line_before = text.rfind("\n", 0, max(text.rfind("\n", 0, start), 0)) + 1
        named = _GROUP.findall(text, max(line_before, start - _FARTHEST), start)
        group = GroupKey(named[-1] if named else "")
        newest[group] = list(_members(text, finished.end(), line, group))
        parsed.used.update(range(line, line + finished[0].count("\n") + 1))
    parsed.members = [member for rows in newest.values() for member in rows]
    strategies = dict(_PROTOCOL.findall(text)) if parsed.members else {}
    parsed.states = [
        StateRow(rows[0].line, group, strategies.get(group.name, ""))
        for group, rows in newest.items()
        if rows
    ]
    return parsed


def _members(text: str, start: int, line: int, group: GroupKey) -> Iterator[MemberRow]:
    while entry := _MEMBER.match(text, start):
        owned = dashed_partitions_in(entry[2])
        yield MemberRow(
            line, group, entry[1], partitions=len(owned), assignment=owned, format=FORMAT
        )
        start = entry.end()
