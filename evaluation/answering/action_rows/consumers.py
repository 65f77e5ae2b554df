"""Actions on consumers: start, restart, add, remove."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.action_rows.row import ActionRow, Room
from evaluation.answering.actions import Action
from evaluation.answering.effects import adds_consumers, reads_again, removes_consumers

CONSUMERS: Final[Mapping[Action, ActionRow]] = {
    Action.START: ActionRow(
        (
            "Start the consumers of {unread_topics}",
            "Start its {startable}{?empty}",
            "Restart one consumer: the rebalance gives {what_it} an owner{?others_owned}",
            "Check that a consumer subscribes to the topic and joined",
        ),
        (
            (
                (
                    "{do}; if the group has left it, delete its offsets (kafka-consumer-groups.sh "
                    "--delete-offsets).{?unread_topics}"
                ),
                "{do}.{?since}{?empty}",
                "{do}.{?gone}{?empty}",
                "{do}.{?members_alone}{?empty}",
                (
                    "{do}; if {maybe_sink} is a sink connector, GET "
                    "/connectors/{maybe_sink}/status tells what stopped.{?empty}"
                ),
                "{do}, or describe it again in a minute: moving offsets prove a reader.{?empty}",
                "{do}.",
            ),
        ),
        Room(
            short=("start consumers",),
            risk=(("Meanwhile records get older, until retention deletes them.",),),
            rollback=("Stop them again; offsets are kept.",),
            check=("Paste the group again: every partition has an owner.",),
            decision=("Who starts them?",),
        ),
    ),
    Action.RESTART: ActionRow(
        ("Restart {these} ({restart_call})", "Restart {these}"),
        (
            (
                "{do}; {they} {catch} up {caught_up} later.{no_assignor}",
                "{do}.{no_assignor}",
            ),
            ("Before the restart, {look_at}.",),
        ),
        Room(
            short=("restart {these}",),
            risk=(("What made {them} stop is lost with the restart: take a thread dump first.",),),
            rollback=("Nothing to undo; offsets are kept.",),
            check=("Paste the group again: the offsets of {who} have to move.",),
            decision=("Restart {these}?",),
        ),
        effect=reads_again,
    ),
    Action.ADD_CONSUMERS: ActionRow(
        (
            (
                "Set tasks.max of {connector} to {tasks_then} (today {tasks_now}), or make its "
                "tasks faster"
            ),
            (
                "Run at least {least_then} (today {members_count}) to stop the growth, or make "
                "them faster"
            ),
            "Run {consumers_then} (today {members_count}), or make them faster",
            (
                "Give the topics more partitions and the group more consumers, or make them faster"
                "{?needs_partitions}"
            ),
            "Add consumers or make them faster",
        ),
        (
            (
                (
                    "{do}; with {consumers_then} the backlog ends after {ends_then} at best. "
                    "Another assignor will not help.{?none_helps}"
                ),
                "{do}; with {consumers_then} the backlog ends after {ends_then} at best.",
                "{do}.{no_assignor}{?none_helps}",
                "{do}.",
            ),
        ),
        Room(
            short=("{consumers_then}", "more consumers"),
            risk=(("The group rebalances as they join; beyond {partitions} they stay idle.",),),
            rollback=("Stop the added consumers; offsets are kept.",),
            check=("Paste the group twice: the lag has to fall.",),
            decision=("Run {consumers_then}?", "Run more consumers?"),
            cost=("{consumer_change} more consumers: the backlog no longer grows.",),
        ),
        effect=adds_consumers,
    ),
    Action.REMOVE_CONSUMERS: ActionRow(
        ("Run {consumers_then}, or give the topics more partitions",),
        (
            (
                (
                    "{do}; a strategy that counts over all topics (round robin, cooperative "
                    "sticky) can give each of them one.{?surplus_only}"
                ),
                "{do}. No strategy helps.",
            ),
        ),
        Room(
            short=("{consumers_then}",),
            risk=(("Without spares, a lost consumer is missed at once.",),),
            rollback=("Start them again.",),
            check=("Paste the group again: no consumer is idle.",),
            decision=("Run {consumers_then}?",),
            cost=("{consumer_change} fewer consumers.",),
        ),
        effect=removes_consumers,
    ),
}
