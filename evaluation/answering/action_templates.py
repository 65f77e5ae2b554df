"""What an answer may say of each action, as templates."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.options import Action
from evaluation.answering.verdict_rows.row import Sentence

SETTLING: Final = "No proposal yet: restarts are still being simulated."
"""In place of a switch, while more simulations may change it."""
IMPERATIVES: Final[Mapping[Action, Sentence]] = {
    Action.KEEP: (),
    Action.SWITCH: (
        "Start with {strategy}{?fresh}",
        "Let the group rebalance{?runs}",
        "Switch to {strategy}",
    ),
    Action.MOVE: (),
    Action.START: (
        "Start the consumers of {unread_topics}",
        "Start its consumers{?empty}",
        "Restart one consumer: the rebalance gives {what_it} an owner{?others_owned}",
        "Check that a consumer subscribes to the topic and joined",
    ),
    Action.RESTART: ("Restart {these} ({restart_call})", "Restart {these}"),
    Action.FIX_RECORD: ("Look at the record at offset {offset} and the log of {who}",),
    Action.RESET_OFFSETS: (
        "Stop the group and reset the offset of {what}{?one_what}",
        "Stop the group and reset these offsets",
    ),
    Action.SPLIT_KEYS: ("Split {its_key}, or make consumers faster",),
    Action.ADD_CONSUMERS: (
        (
            "Set tasks.max of {connector} to {tasks_then} (today {tasks_now}), or make its tasks "
            "faster"
        ),
        (
            "Run at least {least_then} (today {members_count}) to stop the growth, or make "
            "them faster"
        ),
        (
            "Give the topics more partitions and the group more consumers, or make them faster"
            "{?needs_partitions}"
        ),
        "Add consumers or make them faster",
    ),
    Action.REMOVE_CONSUMERS: ("Run {consumers_then}, or give the topics more partitions",),
    Action.LOOK: ("{Look_at}",),
    Action.BY_KIND: (),
    Action.ADD_SNAPSHOT: (
        "Keep watching the group{?watched}",
        "Read the group again {later} later{?live}{?observed}",
        "Read the group again{?live}",
        "Add what kafka-consumer-groups --describe prints{?open}",
        "Add what kafka-consumer-groups --describe prints{?no_lags}",
        "State the seconds between the snapshots{?undated}",
        "Run the same command again {later} later and add its output{?observed}",
        "Run the same command again and add its output",
    ),
    Action.WAIT: ("Wait",),
}
"""What each action asks for: the beginning of its sentence, which calls it ``do``."""

ACTIONS: Final[Mapping[Action, tuple[Sentence, ...]]] = {
    Action.KEEP: (),
    Action.SWITCH: (
        (
            "{do}: the busiest consumer begins with {then_load}.{?fresh}",
            "{do}: {strategy}, if it runs, takes {gain} off the busiest, to {then}.{?presumed}",
            "{do}: {strategy} takes {gain} off the busiest, to {then}.{?runs}",
            "{do}: the backlog clears in {ends_then} instead of never.{?never_now}",
            "{do}: the busiest falls by {gain}, to {then} ({span}).",
            "{do}: the busiest falls by {gain}, to {then}.",
            "{do}: every partition gets an owner.",
        ),
        (
            (
                "It takes our assignor on every worker, set in {connector}, and moves "
                "{moved}.{?by_jar}"
            ),
            (
                "It takes consumer.override.partition.assignment.strategy in {connector} and moves "
                "{moved}.{?by_setting}"
            ),
            "It takes our assignor on every consumer, {way}, and moves {moved}.{?by_jar}",
            "It moves {moved}.{?runs}",
            "It takes {way} and moves {moved}.",
        ),
        ("{Few_moves} would take {few_gain} off, but only a jar makes just {those}.{?not_by_jar}",),
    ),
    Action.MOVE: (),
    Action.START: (
        (
            (
                "{do}; if the group has left it, delete its offsets (kafka-consumer-groups.sh "
                "--delete-offsets).{?unread_topics}"
            ),
            "{do}.{?since}{?empty}",
            "{do}, or describe it again in a minute: moving offsets prove a reader.{?empty}",
            "{do}.",
        ),
    ),
    Action.RESTART: (
        (
            "{do}; {they} {catch} up {caught_up} later. Another assignor will not help.",
            "{do}. Another assignor will not help.",
        ),
        ("Before the restart, {look_at}.",),
    ),
    Action.FIX_RECORD: (("{do}; skipping it loses it. Another assignor will not help.",),),
    Action.RESET_OFFSETS: (
        (
            (
                "{do} (kafka-consumer-groups.sh --reset-offsets): --to-earliest reads all that is "
                "there, --to-latest skips it. Another assignor will not help."
            ),
        ),
    ),
    Action.SPLIT_KEYS: (("{do}. No number of consumers and no assignor ends this backlog.",),),
    Action.ADD_CONSUMERS: (
        (
            (
                "{do}; with {consumers_then} the backlog ends after {ends_then} at best. Another "
                "assignor will not help.{?none_helps}"
            ),
            "{do}; with {consumers_then} the backlog ends after {ends_then} at best.",
            "{do}. Another assignor will not help.{?none_helps}",
            "{do}.",
        ),
    ),
    Action.REMOVE_CONSUMERS: (
        (
            (
                "{do}; a strategy that counts over all topics (round robin, cooperative sticky) "
                "can give each of them one.{?surplus_only}"
            ),
            "{do}. No strategy helps.",
        ),
    ),
    Action.BY_KIND: (),
    Action.LOOK: (
        (
            "{do}. The backlog clears in {ends} by itself.{?reset}{?ends_known}",
            "{do}. These records are read a second time; no other assignor is needed.{?reset}",
            "{do}. No assignor brings deleted records back.{?lost}",
            "{do}. Another assignor will not help.",
        ),
    ),
    Action.ADD_SNAPSHOT: (
        (
            "{do}: the next snapshots tell more.{?watched}",
            "{do}.{?live}",
            "{do}, which names all owners.{?open}",
            "{do}, which has lags.{?no_lags}",
            "{do}: rates then tell more.{?undated}",
            "{do}.",
        ),
    ),
    Action.WAIT: (
        ("{do}: nothing has to be done.",),
        ("{More_consumers} instead of {members_count} would take {more_ends} at best.",),
    ),
}
"""What is said of each action."""

FEW_MOVES: Final[Sentence] = (
    "{Few_moves} would take {few_gain} off the busiest, but no setting makes just {those}.",
)
"""Said where nothing else is proposed."""
