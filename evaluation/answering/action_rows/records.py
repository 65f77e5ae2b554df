"""Actions on records and offsets: fix or skip, reset, split keys."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.action_rows.row import ActionRow, Room
from evaluation.answering.actions import Action
from evaluation.answering.effects import reads_again, splits_keys

RECORDS: Final[Mapping[Action, ActionRow]] = {
    Action.FIX_RECORD: ActionRow(
        ("Look at the record at offset {offset} and the log of {who}",),
        (("{do}; skipping it loses it.{no_assignor}",),),
        Room(
            short=("fix or skip one record",),
            risk=(("A skipped record is lost: keep a copy of it.",),),
            rollback=(
                "Reset the partition to offset {offset}.",
                "Reset the partition to its old offset.",
            ),
            check=("Paste the group again: the offset of {what} has to move.",),
            decision=("Fix the record, or skip it?",),
        ),
        effect=reads_again,
    ),
    Action.RESET_OFFSETS: ActionRow(
        (
            "Stop the group and reset the offset of {what}{?one_what}",
            "Stop the group and reset these offsets",
        ),
        (
            (
                (
                    "{do} (kafka-consumer-groups.sh --reset-offsets): --to-earliest reads all that "
                    "is there, --to-latest skips it.{no_assignor}"
                ),
            ),
        ),
        Room(
            short=("reset the offsets",),
            risk=(("Of a log that was truncated, --to-earliest reads records a second time.",),),
            rollback=("Reset them to the old offsets, from which nothing is read.",),
            check=("Paste the group again: the offsets of {what} have to be within the log.",),
            decision=("Read all that is there, or skip it?",),
        ),
    ),
    Action.SPLIT_KEYS: ActionRow(
        ("Split {its_key}, or make consumers faster",),
        (("{do}. No number of consumers and no assignor ends this backlog.",),),
        Room(
            short=("split {its_key}",),
            risk=(("Records of one key then lose their order across partitions.",),),
            rollback=("The old key, for new records only.",),
            check=("Paste the group again: {what} has to get no more than a consumer reads.",),
            decision=("Split {its_key}?",),
        ),
        effect=splits_keys,
    ),
}
