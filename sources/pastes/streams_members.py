"""``kafka-streams-groups --describe --members [--verbose]``: one row per thread, with its tasks."""

import re
from typing import Final, NamedTuple

from assignors.streams.broker_group import StreamsMember
from evaluation.wording import plural
from sources.columns import Field
from sources.pastes.kind_groups import streams_group_of, tasks_of
from sources.pastes.page import Page, is_decoration
from sources.pastes.parsed import GroupKey, MemberRow, Parsed
from sources.pastes.sections import TableSection
from sources.pastes.topology import topology_in, topology_lines

FORMAT: Final = "kafka-streams-groups --describe --members"
_LISTS: Final = re.compile(r"\b((?:TARGET-)?(?:ACTIVE|STANDBY|WARMUP|WARM-UP)):")
_TASKS: Final = re.compile(r"(\d+):\s*\[([\d,\s]*)\]")
_PROCESS: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


class Tasks(NamedTuple):
    """The tasks of one thread: sub-topology and partition."""

    active: frozenset[tuple[int, int]]
    standby: frozenset[tuple[int, int]]
    target: frozenset[tuple[int, int]] | None
    """The active tasks that it is to have; None where not told."""


def read_threads(page: Page, section: TableSection, parsed: Parsed) -> None:
    """Add the members of one table; their tasks are counted in a note.

    A task is no partition of a topic: which topics a sub-topology reads, this table does not say.
    """
    fields = section.header.fields
    processes: set[str] = set()
    threads: dict[GroupKey, list[StreamsMember]] = {}
    tasks: list[Tasks] = []
    described = topology_lines(page)
    for number in section.body:
        if number in described:
            continue
        texts = page.lines[number].split(None, len(fields) - 1)
        if is_decoration(page.lines[number]) or len(texts) < len(fields) - 1:
            continue
        row = dict(zip(fields, texts, strict=False))
        if not _PROCESS.fullmatch(row[Field.PROCESS]):  # a command, or another table
            continue
        listed = tasks_in(texts[-1] if len(texts) == len(fields) else "")
        key = GroupKey(row.get(Field.GROUP, ""), "" if row.get(Field.GROUP) else section.hint)
        parsed.members.append(
            MemberRow(
                number,
                key,
                row[Field.MEMBER],
                client=row.get(Field.CLIENT, ""),
                format=FORMAT,
                epoch=_number(row.get(Field.EPOCH)),
                target_epoch=_number(row.get(Field.TARGET_EPOCH)),
            )
        )
        parsed.used.add(number)
        tasks.append(listed)
        threads.setdefault(key, []).append(
            StreamsMember(
                row[Field.MEMBER],
                row[Field.PROCESS],
                tasks_of(listed.active),
                tasks_of(listed.standby),
            )
        )
        processes.add(row[Field.PROCESS])
        if listed.target is not None and listed.target != listed.active:
            parsed.rebalancing.add(key.name or key.hint)
    topology = topology_in(page)
    for key, members in threads.items():
        if group := streams_group_of(members, topology, page.limits):
            parsed.as_kinds[key] = group
    if tasks:
        parsed.used.update(described)
        parsed.used.update(section.names)
        processes_ = "1 process" if len(processes) == 1 else f"{len(processes):,} processes"
        parsed.notes.append(
            f"{plural(len(tasks), 'thread')} of {processes_} "
            f"run {plural(sum(len(each.active) for each in tasks), 'active task')} and "
            f"{plural(sum(len(each.standby) for each in tasks), 'standby task')}."
        )


def tasks_in(cell: str) -> Tasks:
    """Return the tasks in a cell of ASSIGNMENTS.

    >>> found = tasks_in("ACTIVE: 0:[1,5]; 1:[3]; STANDBY: 1:[0]; ")
    >>> sorted(found.active), sorted(found.standby), found.target
    ([(0, 1), (0, 5), (1, 3)], [(1, 0)], None)
    """
    _, *parts = _LISTS.split(cell)
    lists = {
        name: frozenset(
            (int(sub), int(number))
            for sub, numbers in _TASKS.findall(listed)
            for number in numbers.replace(",", " ").split()
        )
        for name, listed in zip(parts[::2], parts[1::2], strict=True)
    }
    nothing: frozenset[tuple[int, int]] = frozenset()
    return Tasks(
        lists.get("ACTIVE", nothing), lists.get("STANDBY", nothing), lists.get("TARGET-ACTIVE")
    )


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.isdecimal() else None
