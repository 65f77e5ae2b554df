"""Descriptions of groups by ``rpk``, ``kcl`` and ``kaf``, one entry per line."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from sources import cells
from sources.cells import listed_in
from sources.pastes.members import named_by_client
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, MemberRow, Parsed, StateRow

RPK_FORMAT: Final = "rpk group describe"
KAF_FORMAT: Final = "kaf group describe"
_GROUP: Final = re.compile(r"\W*(?:GROUP|Group ID:)\s+(\S+(?: \S+)*)")
_ENTRY: Final = re.compile(
    r"\W*(COORDINATOR(?:-NODE|-PARTITION)?|STATE|BALANCER|MEMBERS|TOTAL-LAG|ERROR"
    r"|State:|Protocol:|Protocol Type:)"
    r"(?:\s+(\S.*))?"
)
_MEMBERS: Final = re.compile(r"\s*Members:\s*")
_NAME: Final = re.compile(r"\s+(\S.*):\s*")
_HOST: Final = re.compile(r"\s+Host:\s+(\S+)\s*")
_OWNED: Final = re.compile(r"\s+[\w.-]+\s+\[[\d ]*\]\s*")


class Blocks(NamedTuple):
    """The groups described by entries, with the lines where each begins."""

    starts: list[int]
    groups: list[str]

    def above(self, line: int) -> str:
        """Return the group whose entries are above a line, "" without one."""
        at = bisect_right(self.starts, line)
        return self.groups[at - 1] if at else ""


def read_blocks(page: Page, parsed: Parsed) -> Blocks:
    """Add a state per group, and the members that kaf lists; return the groups."""
    blocks = Blocks([], [])
    number = 0
    while number < len(page.lines):
        line = page.lines[number]
        named = _GROUP.fullmatch(line.strip()) if "GROUP" in line or "Group ID" in line else None
        entries = dict(_entries(page, number + 1)) if named else {}
        if named and entries:
            members = entries.get("MEMBERS", "")
            parsed.states.append(
                StateRow(
                    number,
                    GroupKey(named[1]),
                    cells.member(entries.get("BALANCER", entries.get("Protocol:", ""))),
                    int(members) if cells.is_partition(members) else None,
                    lists_idle=False,
                    state=entries.get("STATE", entries.get("State:", "")),
                )
            )
            blocks.starts.append(number)
            blocks.groups.append(named[1])
            parsed.format = KAF_FORMAT if "State:" in entries else RPK_FORMAT
            parsed.used.update(range(number, number + 1 + len(entries)))
            number += len(entries)
        elif blocks.groups and _MEMBERS.fullmatch(line):
            rows = list(_members(page, number + 1, GroupKey(blocks.groups[-1]), parsed))
            parsed.members += named_by_client(rows)
        number += 1
    return blocks


def _entries(page: Page, first: int) -> Iterator[tuple[str, str]]:
    for number in range(first, len(page.lines)):
        entry = _ENTRY.fullmatch(page.lines[number].strip())
        if entry is None:
            return
        yield entry[1], entry[2] or ""


def _members(page: Page, first: int, group: GroupKey, parsed: Parsed) -> Iterator[MemberRow]:
    """Yield the members below a line: a client id, its host, and its partitions by topic."""
    name, row = "", None
    for number in range(first, len(page.lines)):
        line = page.lines[number]
        if line and not line[0].isspace():
            break
        if host := _HOST.fullmatch(line):
            if row:
                yield row
            row = MemberRow(number, group, "", host=host[1], client=name)
            parsed.used.update({number - 1, number})
        elif row and _OWNED.fullmatch(line):
            row = row._replace(assignment=row.assignment + listed_in(line))
            parsed.used.add(number)
        elif named := _NAME.fullmatch(line):
            name = named[1]
    if row:
        yield row
