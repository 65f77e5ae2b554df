"""The log of Java consumers: what a group's leader assigned (``ConsumerCoordinator``).

Without the leader's line: what each consumer was assigned and gave up.
"""

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
_CONSUMER: Final = re.compile(
    r"\[Consumer (?:instanceId=([^,\]]{1,255}), )?"
    r"clientId=([^,\]]{1,255}), groupId=([^\]]{1,255})\] "
)
_CHANGE: Final = re.compile(
    r"(Adding newly|Setting newly|Revoke previously|Revoking previously|Lost previously)"
    r" assigned partitions:?\s{0,9}\[?([^\](]*)"
)
_ADDING: Final = ("Adding newly", "Setting newly")
_BY_CLIENT: Final = (
    "The log names consumers by client.id; those with the same client.id are read as one."
)
_FARTHEST: Final = 2_000
"""Characters between the name of the group and what its leader assigned."""


def read_consumer_log(page: Page) -> Parsed:
    """Return the last assignment of each group in a log, which tells no offsets."""
    return _read_leaders(page) or _read_changes(page)


def _read_leaders(page: Page) -> Parsed | None:
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
    return parsed if parsed.members else None


def _read_changes(page: Page) -> Parsed:
    """Return what each consumer owns after the last change; the later of two owners has it."""
    parsed = Parsed(FORMAT)
    members: dict[tuple[str, str], MemberRow] = {}
    owners: dict[tuple[str, tuple[str, int]], str] = {}
    for line, text in enumerate(page.lines):
        consumer = _CONSUMER.search(text) if "assigned partitions" in text else None
        change = _CHANGE.match(text, consumer.end()) if consumer else None
        if consumer is None or change is None:
            continue
        instance, client, group = consumer.groups("")
        row = MemberRow(line, GroupKey(group), client, instance, client=client, format=FORMAT)
        members.setdefault((group, client), row)
        for place in dashed_partitions_in(change[2]):
            if change[1] in _ADDING:
                owners[group, place] = client
            elif owners.get((group, place)) == client:
                del owners[group, place]
        parsed.used.add(line)
    owned: dict[tuple[str, str], list[tuple[str, int]]] = {key: [] for key in members}
    for (group, place), client in owners.items():
        owned[group, client].append(place)
    for key, row in members.items():
        places = tuple(owned[key])
        parsed.members.append(row._replace(partitions=len(places), assignment=places))
    parsed.notes += [_BY_CLIENT] if members else []
    return parsed


def _members(text: str, start: int, line: int, group: GroupKey) -> Iterator[MemberRow]:
    while entry := _MEMBER.match(text, start):
        owned = dashed_partitions_in(entry[2])
        yield MemberRow(
            line, group, entry[1], partitions=len(owned), assignment=owned, format=FORMAT
        )
        start = entry.end()
