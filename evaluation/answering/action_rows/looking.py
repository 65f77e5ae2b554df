"""Actions that touch nothing: look, add a snapshot, wait."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.action_rows.row import ActionRow, Room
from evaluation.answering.actions import Action
from evaluation.takes import Takes

LOOKING: Final[Mapping[Action, ActionRow]] = {
    Action.LOOK: ActionRow(
        ("{Look_at}",),
        (
            (
                "{do}. The backlog clears in {ends} by itself.{?reset}{?ends_known}",
                (
                    "{do}. {calmer} would pause only what moves, and static ids "
                    "(group.instance.id) spare the rebalances of quick restarts.{?can_be_static}"
                ),
                "{do}. {calmer} would pause only what moves.",
                (
                    "{do}. Static ids (group.instance.id) spare the rebalances of quick restarts."
                    "{?can_be_static}"
                ),
                "{do}. These records are read a second time; no other assignor is needed.{?reset}",
                "{do}. No assignor brings deleted records back.{?lost}",
                "{do}.{no_assignor}",
            ),
        ),
        Room(
            risk=(
                ("Nothing changes until the cause is known; the lag goes on growing.{?arriving}",),
            ),
            check=("Paste the group again afterwards.",),
            decision=("Who looks into it?",),
        ),
        touches_nothing=True,
    ),
    Action.ADD_SNAPSHOT: ActionRow(
        (
            "Keep watching the group{?watched}",
            "Read the group again {later} later{?live}{?observed}",
            "Read the group again{?live}",
            "Add what kafka-consumer-groups --describe prints{?open}",
            "Add what kafka-consumer-groups --describe prints{?no_lags}",
            "State the seconds between the snapshots{?undated}",
            "Run the same command again {later} later and add its output{?observed}",
            "Run the same command again and add its output",
        ),
        (
            (
                "{do}: the next snapshots tell more.{?watched}",
                "{do}.{?live}",
                "{do}, which names all owners.{?open}",
                "{do}, which has lags.{?no_lags}",
                "{do}: rates then tell more.{?undated}",
                "{do}.",
            ),
        ),
        touches_nothing=True,
    ),
    Action.WAIT: ActionRow(
        ("Wait",),
        (
            ("{do}: nothing has to be done.",),
            ("{More_consumers} instead of {members_count} would take {more_ends} at best.",),
        ),
        takes=Takes.NOTHING,
        touches_nothing=True,
    ),
}
