"""Verdicts on offsets that no reading left where they are."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.actions import Action
from evaluation.answering.verdict_rows.row import VerdictRow
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

DISPLACED: Final[Mapping[VerdictKind, VerdictRow]] = {
    VerdictKind.LOG_TRUNCATED: VerdictRow(
        Severity.ALARM,
        (
            "The log of {what} lost its last {lost} records or more.{?one_what}",
            "The logs of {what_count} lost their last {lost} records or more.",
        ),
        ("the end of {what_count} lost",),
        (
            (
                (
                    "The end of {what} fell, as after an unclean leader election: what was there "
                    "is gone, whether or not it had been read."
                ),
            ),
            ("{arriving} arrive there now.",),
        ),
        remedy=Action.LOOK,
        consumers_are="reading a log that was cut",
    ),
    VerdictKind.AHEAD_OF_LOG: VerdictRow(
        Severity.ALARM,
        (
            "{what} is committed {ahead} records beyond the end of its log.{?one_what}",
            "{what_count} are committed up to {ahead} records beyond the end of their logs.",
        ),
        ("{what_count} committed beyond the end",),
        (
            ("{what}: as after a topic was recreated or its log truncated.",),
            (
                (
                    "{arriving} arrive; auto.offset.reset decides whether they are read, skipped "
                    "or refused."
                ),
                "auto.offset.reset decides whether new records are read, skipped or refused.",
            ),
        ),
        remedy=Action.RESET_OFFSETS,
        consumers_are="beyond the end",
    ),
    VerdictKind.OFFSETS_RESET: VerdictRow(
        Severity.WARNING,
        (
            "The committed offset of {what} fell by {reset} records.{?one_what}",
            "The committed offsets of {what_count} fell by {reset} records.",
        ),
        ("offsets reset by {reset} records",),
        (
            (
                (
                    "Somebody reset the offsets, or a restart went back to older ones: {who_at} "
                    "{have} these records to read again."
                ),
                "Somebody reset the offsets, or a restart went back to older ones.",
            ),
            (
                "{records_wait}; {arriving} arrive and {reading} are read.",
                "{records_wait}, and {arriving} arrive.",
                "{records_wait}.",
            ),
        ),
        remedy=Action.LOOK,
        consumers_are="reading again",
    ),
    VerdictKind.OFFSETS_SKIPPED: VerdictRow(
        Severity.WARNING,
        (
            (
                "The committed offset of {what} jumped ahead by {skipped} records {since} ago."
                "{?one_what}"
            ),
            "The committed offsets of {what_count} jumped ahead by {skipped} records {since} ago.",
            "The committed offset of {what} jumped ahead by {skipped} records.{?one_what}",
            "The committed offsets of {what_count} jumped ahead by {skipped} records.",
        ),
        ("{skipped} records skipped", "offsets jumped ahead"),
        (
            (
                (
                    "They were far behind and advanced by {before} until then: somebody reset "
                    "them, or all was read at once, many times as fast."
                ),
            ),
            ("{records_wait}, and {arriving} arrive.", "{records_wait}."),
        ),
        remedy=Action.LOOK,
        consumers_are="moved ahead",
    ),
    VerdictKind.RECORDS_LOST: VerdictRow(
        Severity.ALARM,
        ("{lost} records of {what} were deleted unread.",),
        ("records lost",),
        (("The log now starts after the committed offset.",), ("{records_wait}.",)),
        remedy=Action.LOOK,
    ),
}
