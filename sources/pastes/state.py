"""``kafka-consumer-groups --describe --state``: one row a group."""

import re
from typing import Final

from sources.pastes import cells
from sources.pastes.headers import Field
from sources.pastes.page import Page
from sources.pastes.rows import Found, GroupKey, StateRow
from sources.pastes.sections import Section

FORMAT: Final = "kafka-consumer-groups --describe --state"
_COORDINATOR: Final = re.compile(r"(?<!\S)(?:(?:\S+:\d+|-)\s*\((?:-?\w+|-)\)|\S+:\d+(?!\S))")
_STATES: Final = frozenset(
    {"STABLE", "EMPTY", "DEAD", "PREPARINGREBALANCE", "COMPLETINGREBALANCE", "AWAITINGSYNC"}
    | {"PREPARING_REBALANCE", "COMPLETING_REBALANCE", "ASSIGNING", "RECONCILING", "UNKNOWN"}
    | {"NOTREADY", "NOT_READY"}
)


def read_state(page: Page, section: Section, found: Found) -> None:
    """Add the rows of one table of groups to what was found.

    The coordinator is "host:port (id)", two words; the strategy of an empty group is blank.
    """
    before = len(found.states)
    has_group = Field.GROUP in section.header.fields
    for number in section.body:
        row = _row(number, page.lines[number], section.hint, has_group=has_group)
        if row is not None:
            found.states.append(row)
            found.used.add(number)
    if len(found.states) > before:
        found.used.update(section.names)


def _row(number: int, line: str, hint: str, *, has_group: bool) -> StateRow | None:
    line = line.replace("|", " ")
    coordinator = _COORDINATOR.search(line)
    if coordinator is None:
        return None
    before, after = line[: coordinator.start()].split(), line[coordinator.end() :].split()
    state = next((w for w, word in enumerate(after) if word.upper() in _STATES), None)
    if state is None or (has_group and not before):
        return None
    members = after[-1] if len(after) > state + 1 else "-"
    return StateRow(
        number,
        GroupKey(" ".join(before)) if has_group else GroupKey("", hint),
        cells.member(after[state - 1]) if state else "",
        int(members) if cells.is_partition(members) else None,
    )
