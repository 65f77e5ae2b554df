"""Verdicts on where the lag is, as far as one snapshot tells."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.actions import Action
from evaluation.answering.verdict_rows.row import VerdictRow
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

CONCENTRATION: Final[Mapping[VerdictKind, VerdictRow]] = {
    VerdictKind.TOO_LITTLE_KNOWN: VerdictRow(
        Severity.UNKNOWN,
        ("{what} holds {share} of the lag.{?one_what}", "{consumers} {hold} {share} of the lag."),
        ("{share} of the lag in few hands",),
        (
            (
                (
                    "{who_at} read {read_between} records of it between the snapshots, while "
                    "{arrived} arrived."
                ),
                (
                    "{who_at} committed nothing in {observed}, too short a time to tell slow from "
                    "stopped."
                ),
                "One snapshot cannot tell whether {who_at} {are} slow or {have} stopped.{?single}",
                "It is open whether {who_at} {are} slow or {have} stopped.",
            ),
            ("{records_wait} there, the oldest for {oldest}.{?dated}", "{records_wait} there."),
            ("The lag of {growing} grew by {growth}.{?dated}",),
        ),
        remedy=Action.ADD_SNAPSHOT,
    ),
    VerdictKind.BEHIND: VerdictRow(
        Severity.UNKNOWN,
        (
            "{consumers} {are} behind, on {whole_topics} alone.",
            "{consumers} {are} behind.",
            "Records wait for most consumers.",
        ),
        ("{consumers} behind", "most consumers behind"),
        (
            (
                "{arrived_records} arrived between the snapshots, and {read_between} were read.",
                (
                    "They committed nothing in {observed}, too short a time to tell slow from "
                    "stopped."
                ),
                "One snapshot cannot tell whether the backlog grows or shrinks.{?single}",
                "It is open whether the backlog grows or shrinks.",
            ),
            ("{records_wait}, the oldest for {oldest}.{?dated}", "{records_wait}."),
            ("The lag of {growing} grew by {growth}.{?dated}",),
        ),
        remedy=Action.ADD_SNAPSHOT,
    ),
}
