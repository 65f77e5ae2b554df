"""Actions on work that an assignor of another kind places: Connect, Streams, share groups."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.action_rows.row import ActionRow, Room
from evaluation.answering.actions import Action
from evaluation.takes import Takes

PLACED: Final[Mapping[Action, ActionRow]] = {
    Action.RESTART_TASKS: ActionRow(
        (
            (
                "Fix the cause, then POST "
                "/connectors/{of_connector}/restart?includeTasks=true&onlyFailed=true to a worker"
            ),
            "Fix the cause, then restart the tasks",
        ),
        (("{do}, and likewise for {other_connectors}.", "{do}."),),
        Room(
            short=("restart what failed",),
            risk=(("A sink's task reads again what it had not committed.",),),
            rollback=("Nothing to undo.",),
            check=("Ask GET /connectors?expand=status again: each task is RUNNING.",),
            decision=("Who fixes the cause?",),
        ),
    ),
    Action.RETURN_WORKER: ActionRow(
        ("Bring the worker back, or wait",), (("{do}: nothing has to be restarted by hand.",),)
    ),
    Action.RESUME: ActionRow(
        (
            "Unless this is meant, PUT /connectors/{of_connector}/resume to a worker",
            "Unless this is meant, resume them",
        ),
        (("{do}, and likewise for {other_connectors}.", "{do}."),),
    ),
    Action.CHECK_CONNECTOR: ActionRow(
        ("Look at the log of its worker, and at what {work} {work_are} to read", "Look at its log"),
        (("{do}.",),),
        touches_nothing=True,
    ),
    Action.OWN_CLUSTER: ActionRow(
        ("If that worker is busy, give the connector a cluster of its own",),
        (("{do}: no setting helps.",),),
    ),
    Action.START_THREADS: ActionRow(
        ("Look for threads that died",),
        (("{do}: an instance without threads keeps its tasks unassigned.",),),
        Room(
            short=("start threads",),
            risk=(("Meanwhile nobody reads the partitions of these tasks.",),),
            rollback=("Nothing to undo.",),
            check=("Describe the group again: every task has a thread.",),
            decision=("Who starts them?",),
        ),
    ),
    Action.FEWER_THREADS: ActionRow(
        ("Run fewer threads, or give the topics of the largest sub-topology more partitions",),
        (("{do}.",),),
    ),
    Action.AWAIT_COPIES: ActionRow(
        ("Wait",),
        (
            (
                "{do}, and describe it again; if it stays so, look at what restores.{?warms_up}",
                "{do}, and describe it again; if it stays so, look at the logs of its threads.",
            ),
        ),
        takes=Takes.NOTHING,
        touches_nothing=True,
    ),
    Action.SET_FOR_KIND: ActionRow(
        ("Set {setting}",),
        (("{do}",),),
        takes=Takes.SETTING,
    ),
    Action.SUBSCRIBE: ActionRow(
        ("Look for consumers that do not subscribe to the topic",), (("{do}.",),)
    ),
    Action.ADD_READERS: ActionRow(
        ("If that grows, add consumers",),
        (("{do}: each reads, also beyond the number of partitions.",),),
    ),
}
