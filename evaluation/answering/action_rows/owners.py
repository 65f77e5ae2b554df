"""Actions that change owners, or keep them."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.action_rows.row import ActionRow, Room
from evaluation.answering.actions import Action
from evaluation.answering.templates import Sentence
from evaluation.takes import Takes

SETTLING: Final = "No proposal yet: restarts are still being simulated."
"""In place of a switch, while more simulations may change it."""

FEW_MOVES: Final[Sentence] = (
    "{Few_moves} would take {few_gain} off the busiest, but no setting makes just {those}.",
)
"""Said where nothing else is proposed."""

_TAKES: Final[Sentence] = (
    "It takes our assignor on every worker, set in {connector}, and moves {moved}.{?by_jar}",
    (
        "It takes consumer.override.partition.assignment.strategy in {connector} and moves "
        "{moved}.{?by_setting}"
    ),
    (
        "It takes group.protocol=classic and our assignor on every consumer, {way}, and moves "
        "{moved}.{?by_jar}{?on_broker}"
    ),
    "It takes our assignor on every consumer, {way}, and moves {moved}.{?by_jar}",
    "It moves {moved}.{?runs}",
    "It takes {way} and moves {moved}.",
)

OWNERS: Final[Mapping[Action, ActionRow]] = {
    Action.KEEP: ActionRow(takes=Takes.NOTHING),
    Action.SWITCH: ActionRow(
        (
            "Start with {strategy}{?fresh}",
            "Let the group rebalance{?runs}",
            "Switch to {strategy}",
        ),
        (
            (
                "{do}: the busiest consumer begins with {then_load}.{?fresh}",
                "{do}: {strategy}, if it runs, takes {gain} off the busiest, to {then}.{?presumed}",
                "{do}: {strategy} takes {gain} off the busiest, to {then}.{?runs}",
                "{do}: the backlog clears in {ends_then} instead of never.{?never_now}",
                "{do}: the busiest falls by {gain}, to {then} ({span}).",
                "{do}: the busiest falls by {gain}, to {then}.",
                "{do}: every partition gets an owner.",
            ),
            _TAKES,
            (
                (
                    "{Few_moves} would take {few_gain} off, but only a jar makes just "
                    "{those}.{?not_by_jar}"
                ),
            ),
        ),
        Room(
            short=("{strategy}", "{few_moves}"),
            follow=(
                "{strategy} runs already: its next rebalance brings this.{?runs_already}",
                "Next: set {strategy} before the first start.{?fresh}",
                "Next: our assignor {strategy} on every consumer, by {way}.{?by_jar}",
                "Next: {way} to {strategy}, undone the same way.",
            ),
            risk=(
                ("Every rebalance then stops all {members} (eager protocol).{?stops_all}",),
                ("It moves {moved} once.",),
                ("The new ids decide: {span} on the busiest in 90 % of simulated restarts.",),
            ),
            rollback=(
                "Nothing runs yet: another strategy can be set as easily.{?fresh}",
                "The same steps with the names exchanged; offsets are kept.",
            ),
            check=("Paste the group again and expect {then} on the busiest consumer.",),
            decision=("Run {group} under {strategy}?",),
            cost=(
                "Nothing has to move: the group starts with it.{?fresh}",
                *_TAKES,
                "It takes {way}.",
            ),
        ),
        changes_owners=True,
    ),
    Action.MOVE: ActionRow(takes=Takes.JAR, changes_owners=True),
}
