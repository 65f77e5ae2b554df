"""What is said of a Connect cluster."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil

from assignors.connect.cluster import ConnectCluster, ConnectorTask, in_order
from evaluation.kinds.board import Board, Role
from evaluation.kinds.forecast import RoundCause
from evaluation.kinds.said import (
    KindWords,
    SettingAdvice,
    counted,
    more_of,
    spread_over,
    spread_said,
    verb,
)
from evaluation.kinds.view import KindView
from evaluation.severity import Severity
from evaluation.wording import duration, listed, plural


def connect_words(view: KindView, group: ConnectCluster) -> KindWords:
    """Return the verdict on a cluster, or on what another number of workers brings."""
    said = _what_if(view) if view.is_changed else _as_it_is(view, group)
    return said._replace(advice=_advice(group))


def _as_it_is(view: KindView, group: ConnectCluster) -> KindWords:
    """Return what is worst: failed work, then tasks without a worker, then paused ones."""
    runs = {block.name for each in view.now.holders for block in each.runs}
    waiting = [name for name in _tasks(group.work) if name not in runs]
    said = [
        *([_failed(group)] if group.failed else []),
        *([_waiting(group, waiting)] if waiting else []),
        *([_paused(group)] if group.paused else []),
    ]
    if not said:
        return _all_run(view.now, group)
    first, *others = said
    return first._replace(
        evidence=" ".join([first.evidence, *(f"{each.finding} {each.evidence}" for each in others)])
    )


def _tasks(work: Iterable[ConnectorTask]) -> list[str]:
    return [each.name for each in work if not each.is_connector]


def _all_run(board: Board, group: ConnectCluster) -> KindWords:
    counts, tasks = list(board.counts().values()), len(_tasks(group.work))
    on = counted(len(counts), "worker") if len(counts) == 1 else f"{len(counts):,} workers"
    spread = f", {spread_said(counts)}" if len(counts) > 1 else ""
    clumps = clumped(board)
    return KindWords(
        Severity.FINE,
        f"Every task runs: {tasks:,} on {on}{spread}."
        if group.is_as_reported
        else f"REST lists every task as running: {tasks:,} on {on}{spread}.",
        clumps[0] if clumps else f"{plural(len(board.parts), 'connector')}, evenly spread.",
        "Nothing to do."
        if not clumps
        else "If that worker is busy, give the connector a cluster of its own: no setting helps.",
    )


def _waiting(group: ConnectCluster, waiting: Sequence[str]) -> KindWords:
    """Say which tasks have no worker: the others give them one once the delay has passed."""
    return KindWords(
        Severity.ALARM,
        f"A worker is gone, and {len(waiting):,} of {plural(len(_tasks(group.work)), 'task')} "
        f"{verb('wait', len(waiting))} for it.",
        f"{listed(waiting)} {verb('stand', len(waiting))} still until the "
        f"{duration(group.max_delay_ms / 1000)} delay ends.",
        "Bring the worker back, or wait: nothing has to be restarted by hand.",
    )


def _failed(group: ConnectCluster) -> KindWords:
    """Say what failed: nobody restarts it, and no rebalance does."""
    failed = in_order(group.failed)
    words = next(filter(None, group.failed.values()), "")
    return KindWords(
        Severity.ALARM,
        f"{_how_many(group, failed)} failed: {listed([each.name for each in failed])}.",
        f"{words}. Nothing restarts it by itself." if words else "Nothing restarts it by itself.",
        "Fix the cause, then POST /connectors/"
        f"{failed[0].connector}/restart?includeTasks=true&onlyFailed=true to a worker.",
    )


def _paused(group: ConnectCluster) -> KindWords:
    """Say what somebody has paused; of a connector with tasks, these alone."""
    paused = in_order(group.paused)
    have_tasks = {each.connector for each in paused if not each.is_connector}
    paused = [each for each in paused if not each.is_connector or each.connector not in have_tasks]
    verb = "is" if len(paused) == 1 else "are"
    return KindWords(
        Severity.ADVICE,
        f"{_how_many(group, paused)} {verb} paused: {listed([each.name for each in paused])}.",
        "What is paused keeps its worker and does nothing until it is resumed.",
        f"Unless this is meant, PUT /connectors/{paused[0].connector}/resume to a worker.",
    )


def _how_many(group: ConnectCluster, work: Sequence[ConnectorTask]) -> str:
    """Return "2 of 4 tasks and a connector"."""
    tasks = _tasks(work)
    said = [f"{len(tasks):,} of {plural(len(_tasks(group.work)), 'task')}"] if tasks else []
    themselves = len(work) - len(tasks)
    said += [counted(themselves, "connector")] if themselves else []
    text = " and ".join(said)
    return f"{text[0].upper()}{text[1:]}"


def _what_if(view: KindView) -> KindWords:
    what = view.what_if
    counts = spread_over(list(view.then.counts().values()), "worker", "tasks")
    if what.without:
        stopped = [
            b.name
            for each in view.then.holders
            if each.is_gone
            for b in each.runs
            if b.role is Role.TASK
        ]
        waits_s = view.session_s + view.found.wait_s
        who = listed(list(what.without))
        delay = next((s for s in view.found.stages if s.cause is RoundCause.DELAY), None)
        waits = (
            f"then wait {duration(delay.at_s)} (scheduled.rebalance.max.delay.ms) for it. "
            "A leader that is lost is not waited for."
            if delay
            else "and place its work at once: the leader's memory is gone with it."
        )
        return KindWords(
            Severity.WARNING,
            f"Without {who}, {plural(len(stopped), 'task')} {verb('stand', len(stopped))} still "
            f"for {duration(waits_s)}.",
            f"The others notice after {duration(view.session_s)}, {waits} "
            f"{plural(view.found.rounds, 'round')} in all, then {counts}. REST says RUNNING "
            "meanwhile.",
            "Set scheduled.rebalance.max.delay.ms to what a restart of a worker takes."
            if delay
            else "",
        )
    moved = [
        each for each in view.then.holders for b in each.runs if b.is_new and b.role is Role.TASK
    ]
    return KindWords(
        Severity.FINE,
        f"With {more_of(what.more, 'worker')}, {plural(len(moved), 'task')} "
        f"{'moves' if len(moved) == 1 else 'move'} in {plural(view.found.rounds, 'round')}.",
        f"Then {counts}. What moves stops in the first round and starts in the second.",
        "",
    )


def clumped(board: Board) -> list[str]:
    """Return which connectors have more tasks on a worker than an even spread of them would."""
    workers = [each for each in board.holders if not each.is_gone]
    found = []
    for part in board.parts:
        on = Counter(
            {
                each.label: sum(b.part == part.name and b.role is Role.TASK for b in each.runs)
                for each in workers
            }
        )
        worker, most = on.most_common(1)[0] if on else ("", 0)
        if most > ceil(part.items / max(len(workers), 1)):
            found.append(
                f"{part.name} has {most:,} of its {plural(part.items, 'task')} on {worker}: counts "
                "are even over all connectors together, and load plays no part."
            )
    return found


def _advice(group: ConnectCluster) -> tuple[SettingAdvice, ...]:
    delay = duration(group.max_delay_ms / 1000)
    return (
        SettingAdvice(
            "scheduled.rebalance.max.delay.ms",
            "what a restart of a worker takes",
            f"lost work waits {delay}: shorter where an autoscaler removes workers for good, "
            "longer where a pod restarts slowly.",
        ),
        SettingAdvice(
            "tasks.max",
            "up to the partitions that a sink reads",
            "a source's connector may make fewer tasks than allowed.",
        ),
        SettingAdvice(
            "host name of a worker",
            "one that stays",
            "workers are sorted by host and port: equal names give equal answers after a restart.",
        ),
    )
