"""Verdicts on work that an assignor of another kind places: Connect, Streams, share groups."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.actions import Action
from evaluation.answering.templates import Sentence
from evaluation.answering.verdict_rows.row import VerdictRow
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

_TASKS_RUN: Final[Sentence] = (
    "REST lists every task as running: {task_count} on {workers}, {spread}.{?as_listed}",
    "REST lists every task as running: {task_count} on {workers}.{?as_listed}",
    "Every task runs: {task_count} on {workers}, {spread}.",
    "Every task runs: {task_count} on {workers}.",
    "Every task runs, {where}, and nothing is behind.{?is_read}",
    "Every task runs, {where}.",
    "Every task runs, and nothing is behind.{?is_read}",
    "Every task runs.",
)
_LAG: Final[Sentence] = ("{records_wait}, {most_behind}.", "{records_wait}.")
_SIZE: Final[Sentence] = ("{tasks} in {threads}.",)
_COPIES: Final[Sentence] = (
    "None has state, so all of them move at once.{?no_state}",
    (
        "Each of the {stateful} has a standby on another instance, so its state survives the loss "
        "of an instance.{?all_copied}"
    ),
    "Of {stateful}, the tool shows no standbys.{?copies_unseen}",
    "{uncopied} of {stateful} {uncopied_are} shown without a standby.",
)
_SHARED: Final[Sentence] = ("{readers} {shared}, {spread}.", "Every partition is read.")
_READERS: Final[tuple[Sentence, ...]] = (("{Readers_of_each}.",), ("{queue_or_partitions}",))
_NOTHING: Final[Sentence] = ("Nothing to do.",)

PLACED: Final[Mapping[VerdictKind, VerdictRow]] = {
    VerdictKind.TASKS_FAILED: VerdictRow(
        Severity.ALARM,
        ("{Work_count} failed: {work}.", "Tasks have failed."),
        ("{work_count} failed", "tasks failed"),
        (("{told}.",), ("Connect does not restart {work_it} by itself.",)),
        remedy=Action.RESTART_TASKS,
    ),
    VerdictKind.TASKS_UNASSIGNED: VerdictRow(
        Severity.ALARM,
        ("{Work_count} {work_have} no worker: {work}.", "Tasks have no worker."),
        ("{work_count} without a worker", "tasks without a worker"),
        (
            (
                (
                    "Where a worker has left, its work waits until it returns or {delay} "
                    "have passed; in a rebalance that takes seconds."
                ),
            ),
        ),
        remedy=Action.RETURN_WORKER,
    ),
    VerdictKind.TASKS_RUN_NOWHERE: VerdictRow(
        Severity.ALARM,
        ("{Work_count} {work_run} nowhere.", "Tasks run nowhere."),
        ("{work_count} {work_run} nowhere", "tasks run nowhere"),
        (("No thread runs {work}.",), _LAG),
        remedy=Action.START_THREADS,
    ),
    VerdictKind.NOT_SHARED: VerdictRow(
        Severity.ALARM,
        ("Nobody reads {work_count}.", "Nobody reads some partitions."),
        ("nobody reads {work_count}", "nobody reads some partitions"),
        (("No consumer has {work}.",), ("{records_wait}.",)),
        remedy=Action.SUBSCRIBE,
    ),
    VerdictKind.TASKS_PAUSED: VerdictRow(
        Severity.ADVICE,
        ("{Work_count} {work_are} {rests}: {work}.", "Tasks are paused."),
        ("{work_count} {rests}", "tasks paused"),
        (
            (
                "What is stopped has no tasks until it is resumed.{?all_stopped}",
                "What is paused keeps its worker and does nothing until it is resumed.",
            ),
        ),
        remedy=Action.RESUME,
    ),
    VerdictKind.NO_TASKS: VerdictRow(
        Severity.ADVICE,
        ("{Work_count} {work_run} without a task: {work}.", "A connector runs without a task."),
        ("{work_count} without a task", "connector without tasks"),
        (("A connector makes its own tasks, and made none.",),),
        remedy=Action.CHECK_CONNECTOR,
    ),
    VerdictKind.IDLE_THREADS: VerdictRow(
        Severity.ADVICE,
        ("{idle_threads} {idle_run} no task.", "Threads run no task."),
        ("{idle_threads} idle", "idle threads"),
        (
            ("There {tasks_are} {tasks}, and a task never runs in two threads.",),
            ("{capped}",),
            _LAG,
        ),
        remedy=Action.FEWER_THREADS,
    ),
    VerdictKind.NOT_MOVED_YET: VerdictRow(
        Severity.ADVICE,
        ("{idle_threads} {idle_run} no task yet.", "Threads run no task yet."),
        ("{idle_threads} without a task yet", "tasks not moved yet"),
        (
            (
                (
                    "There {tasks_are} {tasks}: one with state moves to a thread that has joined "
                    "once a copy of it has restored there.{?warms_up}"
                ),
                (
                    "There {tasks_are} {tasks}: one moves to a thread that has joined once the "
                    "thread that runs it has given it up."
                ),
            ),
            ("Balanced after {balanced}.",),
            _LAG,
        ),
        remedy=Action.AWAIT_COPIES,
    ),
    VerdictKind.WARMING_UP: VerdictRow(
        Severity.FINE,
        _TASKS_RUN,
        ("every task runs",),
        (_LAG, _SIZE, ("Balanced after {balanced}.",), _COPIES),
        remedy=Action.SET_FOR_KIND,
    ),
    VerdictKind.NO_STANDBYS: VerdictRow(
        Severity.FINE,
        _TASKS_RUN,
        ("every task runs",),
        (_LAG, _SIZE, _COPIES),
        remedy=Action.SET_FOR_KIND,
    ),
    VerdictKind.TASKS_CLUMPED: VerdictRow(
        Severity.FINE,
        _TASKS_RUN,
        ("every task runs",),
        (
            (
                (
                    "{of_connector} has {work_number} of its {of_items} on {told}: counts are even "
                    "over all connectors together, and load plays no part."
                ),
            ),
        ),
        remedy=Action.OWN_CLUSTER,
    ),
    VerdictKind.SHARE_WAITS: VerdictRow(
        Severity.FINE,
        _SHARED,
        ("every partition is read",),
        (("{records_wait}.",), *_READERS),
        remedy=Action.ADD_READERS,
    ),
    VerdictKind.SHARED_OUT: VerdictRow(
        Severity.FINE, _SHARED, ("every partition is read",), _READERS, _NOTHING
    ),
    VerdictKind.TASKS_RUN: VerdictRow(
        Severity.FINE,
        _TASKS_RUN,
        ("every task runs",),
        (("{connectors}, evenly spread.{?is_even}", "{connectors}."), _LAG, _SIZE, _COPIES),
        _NOTHING,
    ),
}
