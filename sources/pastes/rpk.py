"""``rpk group describe``: a block on the group, then one row a partition."""

import re
from bisect import bisect_left
from typing import Final, NamedTuple

from sources import cells
from sources.pastes.describe import read_offsets
from sources.pastes.headers import Kind
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, Parsed, StateRow
from sources.pastes.sections import sections_in

FORMAT: Final = "rpk group describe"
_GROUP: Final = re.compile(r"\W*GROUP\s+(\S+(?: \S+)*)")
_ENTRY: Final = re.compile(
    r"\W*(COORDINATOR(?:-NODE|-PARTITION)?|STATE|BALANCER|MEMBERS|TOTAL-LAG|ERROR)"
    r"(?:\s+(\S.*))?"
)


class _Block(NamedTuple):
    """The lines that describe one group, before its table."""

    lines: range
    group: str
    entries: dict[str, str]


def read_rpk(page: Page) -> Parsed:
    """Return the groups that ``rpk group describe`` printed.

    Where nothing is committed rpk prints the whole log as lag; it is kept as printed.
    """
    blocks = _blocks_in(page)
    parsed = Parsed(FORMAT)
    if not blocks:
        return parsed
    for block in blocks:
        parsed.used.update(block.lines)
        parsed.states.append(_state_of(block))
    starts = [block.lines.start for block in blocks]
    for section in sections_in(page):
        above = bisect_left(starts, section.body.start)
        if section.header.kind in {Kind.OFFSETS, Kind.TOPIC_LAGS}:
            read_offsets(page, section, parsed, group=blocks[above - 1].group if above else "")
    _note_sums(page, parsed)
    return parsed


def _state_of(block: _Block) -> StateRow:
    members = block.entries.get("MEMBERS", "")
    return StateRow(
        block.lines.start,
        GroupKey(block.group),
        cells.member(block.entries.get("BALANCER", "")),
        int(members) if cells.is_partition(members) else None,
        lists_idle=False,
    )


def _blocks_in(page: Page) -> list[_Block]:
    parsed: list[_Block] = []
    number = 0
    while number < len(page.lines):
        block = _block_at(page, number)
        if block is not None:
            parsed.append(block)
        number = number + 1 if block is None else block.lines.stop
    return parsed


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


def _note_sums(page: Page, parsed: Parsed) -> None:
    sections = [s for s in sections_in(page) if s.header.kind == Kind.TOPIC_LAGS]
    if any(parsed.used.intersection(section.body) for section in sections):
        parsed.notes.append("rpk printed one lag per topic; each topic is read as one partition.")
