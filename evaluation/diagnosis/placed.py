"""What is the matter with work that a group of another kind places, told by who holds what."""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import ceil

from assignors.connect.cluster import ConnectCluster, ConnectorTask, in_order
from assignors.share.group import ShareGroup
from evaluation.diagnosis.findings import (
    Finding,
    IdleThreads,
    NoStandbys,
    NoTasks,
    NotMovedYet,
    NotShared,
    RunsNowhere,
    WarmingUp,
    WorkClumped,
    WorkFailed,
    WorkPaused,
    WorkUnassigned,
)
from evaluation.kinds.board import Board, Role
from evaluation.kinds.forecast import KindGroup
from evaluation.kinds.settings import setting_for_now
from evaluation.kinds.share_words import readers_of
from evaluation.kinds.view import KindView


def placed(view: KindView) -> tuple[Finding, ...]:
    """Return what is the matter with the members as they were read; () where all work is done."""
    if isinstance(view.group, ConnectCluster):
        return tuple(_of_connect(view.now, view.group))
    if isinstance(view.group, ShareGroup):
        return tuple(_of_share(view.now, view.group))
    return tuple(_of_streams(view, view.group))


def _of_connect(board: Board, group: ConnectCluster) -> Iterator[Finding]:
    if group.failed:
        told = next(filter(None, group.failed.values()), "")
        yield WorkFailed(work=_names(in_order(group.failed)), told=told)
    runs = {block.name for each in board.holders for block in each.runs}
    if waiting := [each for each in group.work if each.name not in runs]:
        yield WorkUnassigned(work=_names(waiting))
    if rests := in_order(group.paused | group.stopped):
        with_tasks = {each.connector for each in rests if not each.is_connector}
        alone = [e for e in rests if not e.is_connector or e.connector not in with_tasks]
        yield WorkPaused(work=_names(alone))
    open_to_doubt = {*group.failed, *waiting, *rests}
    bare = [
        each
        for each in group.work
        if each.is_connector and not group.configured[each.connector] and each not in open_to_doubt
    ]
    if bare:
        yield NoTasks(work=_names(bare))
    yield from _clumps(board)


def _clumps(board: Board) -> Iterator[Finding]:
    """Yield the connectors with more tasks on a worker than an even spread of them would have."""
    workers = [each for each in board.holders if not each.is_gone]
    for part in board.parts:
        on = Counter(
            {
                each.label: sum(b.part == part.name and b.role is Role.TASK for b in each.runs)
                for each in workers
            }
        )
        worker, most = on.most_common(1)[0] if on else ("", 0)
        if most > ceil(part.items / max(len(workers), 1)):
            tasks = [
                block.name
                for each in workers
                if each.label == worker
                for block in each.runs
                if block.part == part.name and block.role is Role.TASK
            ]
            yield WorkClumped(work=tuple(tasks), told=worker)


def _of_share(board: Board, group: ShareGroup) -> Iterator[Finding]:
    readers = readers_of(board)
    names = [f"{topic}-{number}" for topic, number in group.partitions(sorted(group.topics))]
    if unread := [name for name in names if not readers[name]]:
        yield NotShared(work=tuple(unread))


def _of_streams(view: KindView, group: KindGroup) -> Iterator[Finding]:
    board = view.now
    runs = {block.name for each in board.holders for block in each.runs}
    tasks = [] if isinstance(group, ConnectCluster | ShareGroup) else group.tasks
    if waiting := [each.name for each in tasks if each.name not in runs]:
        yield RunsNowhere(work=tuple(waiting))
    if idle := [each.id for each in board.holders if not each.runs]:
        found = IdleThreads if len(tasks) < len(board.holders) else NotMovedYet
        yield found(members=_numbers(view, idle))
    if (setting := setting_for_now(view)) is not None:
        copied = {block.name for each in board.holders for block in each.copies}
        bare = [
            block.name
            for each in board.holders
            for block in each.runs
            if block.role is Role.STATEFUL and block.name not in copied
        ]
        yield NoStandbys(work=tuple(bare)) if setting.gives_standbys else WarmingUp()


def _names(work: Iterable[ConnectorTask]) -> tuple[str, ...]:
    return tuple(each.name for each in work)


def _numbers(view: KindView, ids: Iterable[str]) -> tuple[int, ...]:
    """Return the numbers of members in the group as it was read."""
    numbers = {name: at for at, name in enumerate(view.read.members)}
    return tuple(numbers[each] for each in ids if each in numbers)
