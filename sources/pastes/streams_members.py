"""``kafka-streams-groups --describe --members [--verbose]``: one row per thread, with its tasks."""

import re
from collections.abc import Iterator, Sequence
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


class _Thread(NamedTuple):
    """One row of the table."""

    key: GroupKey
    row: MemberRow
    process: str
    tasks: Tasks


def read_threads(page: Page, section: TableSection, parsed: Parsed) -> None:
    """Add the members of one table; their tasks are counted in a note.

    A task is no partition of a topic: which topics a sub-topology reads, this table does not say.
    """
    described = topology_lines(page)
    threads = list(_threads_in(page, section, described))
    if not threads:
        return
    members: dict[GroupKey, list[StreamsMember]] = {}
    for key, row, process, tasks in threads:
        parsed.members.append(row)
        member = StreamsMember(row.member, process, tasks_of(tasks.active), tasks_of(tasks.standby))
        members.setdefault(key, []).append(member)
        if tasks.target is not None and tasks.target != tasks.active:
            parsed.rebalancing.add(key.name or key.hint)
    topology = topology_in(page)
    for key, listed in members.items():
        if group := streams_group_of(listed, topology, page.limits):
            parsed.as_kinds[key] = group
    parsed.used.update(described, section.names, (each.row.line for each in threads))
    parsed.notes.append(_counted(threads))


def _threads_in(page: Page, section: TableSection, described: set[int]) -> Iterator[_Thread]:
    fields = section.header.fields
    for number in section.body:
        texts = page.lines[number].split(None, len(fields) - 1)
        is_short = is_decoration(page.lines[number]) or len(texts) < len(fields) - 1
        if number in described or is_short:
            continue
        row = dict(zip(fields, texts, strict=False))
        if not _PROCESS.fullmatch(row[Field.PROCESS]):  # a command, or another table
            continue
        key = GroupKey(row.get(Field.GROUP, ""), "" if row.get(Field.GROUP) else section.hint)
        member = MemberRow(
            number,
            key,
            row[Field.MEMBER],
            client=row.get(Field.CLIENT, ""),
            format=FORMAT,
            epoch=_number(row.get(Field.EPOCH)),
            target_epoch=_number(row.get(Field.TARGET_EPOCH)),
        )
        tasks = tasks_in(texts[-1] if len(texts) == len(fields) else "")
        yield _Thread(key, member, row[Field.PROCESS], tasks)


def _counted(threads: Sequence[_Thread]) -> str:
    processes = len({each.process for each in threads})
    active = sum(len(each.tasks.active) for each in threads)
    standby = sum(len(each.tasks.standby) for each in threads)
    return (
        f"{plural(len(threads), 'thread')} of "
        f"{'1 process' if processes == 1 else f'{processes:,} processes'} "
        f"run {plural(active, 'active task')} and {plural(standby, 'standby task')}."
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
