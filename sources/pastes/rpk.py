"""``rpk group describe``: a block on the group, then one row a partition."""

import re
from typing import Final, NamedTuple

from sources.pastes import cells
from sources.pastes.describe import read_offsets
from sources.pastes.headers import Kind
from sources.pastes.page import Page
from sources.pastes.rows import Found, GroupKey, StateRow
from sources.pastes.sections import sections_in

FORMAT: Final = "rpk group describe"
_GROUP: Final = re.compile(r"\W*GROUP\s+(\S+(?: \S+)*)")
_ENTRY: Final = re.compile(
    r"\W*(COORDINATOR|COORDINATOR-PARTITION|STATE|BALANCER|MEMBERS|TOTAL-LAG|ERROR)"
    r"(?:\s+(\S.*))?"
)


class _Block(NamedTuple):
    """The lines that describe one group, before its table."""

    lines: range
    group: str
    entries: dict[str, str]


def read_rpk(page: Page) -> Found | None:
    """Return the groups that ``rpk group describe`` printed, None if there is no such block.

    Where nothing is committed rpk prints the whole log as lag; it is kept as printed.
    """
    blocks = _blocks_in(page)
    if not blocks:
        return None
    found = Found(FORMAT)
    for block in blocks:
        found.used.update(block.lines)
        found.states.append(_state_of(block))
    for section in sections_in(page):
        above = [b.group for b in blocks if b.lines.start < section.body.start]
        if section.header.kind in {Kind.OFFSETS, Kind.TOPIC_LAGS}:
            read_offsets(page, section, found, group=above[-1] if above else "")
    _note_sums(page, found)
    return found


def _state_of(block: _Block) -> StateRow:
    members = block.entries.get("MEMBERS", "")
    return StateRow(
        block.lines.start,
        GroupKey(block.group),
        cells.member(block.entries.get("BALANCER", "")),
        int(members) if cells.is_partition(members) else None,
    )


def _blocks_in(page: Page) -> list[_Block]:
    found: list[_Block] = []
    number = 0
    while number < len(page.lines):
        block = _block_at(page, number)
        if block is not None:
            found.append(block)
        number = number + 1 if block is None else block.lines.stop
    return found


def _block_at(page: Page, first: int) -> _Block | None:
    if "GROUP" not in page.lines[first]:
        return None
    named = _GROUP.fullmatch(page.lines[first].strip())
    if named is None:
        return None
    entries: dict[str, str] = {}
    number = first + 1
    while number < len(page.lines):
        entry = _ENTRY.fullmatch(page.lines[number].strip())
        if entry is None:
            break
        entries[entry.group(1)] = entry.group(2) or ""
        number += 1
    return _Block(range(first, number), named.group(1), entries) if entries else None


def _note_sums(page: Page, found: Found) -> None:
    sections = [s for s in sections_in(page) if s.header.kind == Kind.TOPIC_LAGS]
    if any(found.used.intersection(section.body) for section in sections):
        found.notes.append(
            "rpk printed one lag a topic, not one a partition; each topic is read as one partition"
        )
