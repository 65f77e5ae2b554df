"""Verdicts on what the logs of the group's own consumers say."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.actions import Action
from evaluation.answering.verdict_rows.row import VerdictRow
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

LOGGED: Final[Mapping[VerdictKind, VerdictRow]] = {
    VerdictKind.INSTANCE_FENCED: VerdictRow(
        Severity.WARNING,
        (
            "{fenced} had to leave: another consumer joined with the same group.instance.id.",
            "A consumer had to leave: another one joined with the same group.instance.id.",
        ),
        ("a static id is used twice",),
        (("A fenced consumer reads nothing until it restarts.",), ("{records_wait}.",)),
        remedy=Action.LOOK,
    ),
    VerdictKind.POLL_TIMEOUT: VerdictRow(
        Severity.WARNING,
        (
            "{late} left the group: no poll within max.poll.interval.ms.",
            "A consumer left the group: no poll within max.poll.interval.ms.",
        ),
        ("a consumer polls too rarely",),
        (
            (
                (
                    "The records of one poll took longer; whoever has the partitions since reads "
                    "again what was not committed."
                ),
            ),
            ("{records_wait}.",),
        ),
        remedy=Action.LOOK,
    ),
}
