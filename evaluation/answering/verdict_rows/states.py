"""Verdicts without a finding: what a group is, and what is known of it."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.actions import Action
from evaluation.answering.verdict_rows.row import VerdictRow
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

STATES: Final[Mapping[VerdictKind, VerdictRow]] = {
    VerdictKind.NOT_A_CONSUMER_GROUP: VerdictRow(
        Severity.UNKNOWN,
        ("{group_is} {kind}.",),
        ("{kind}",),
        (
            ("{Assigned_by}: no strategy of consumer groups applies.",),
            ("{records_wait}.",),
        ),
        ("{kind_advice}",),
    ),
    VerdictKind.PARTITIONS_UNKNOWN: VerdictRow(
        Severity.UNKNOWN,
        ("The text names no partitions of {group}.",),
        ("partitions unknown",),
        (("{Lacking}.",),),
    ),
    VerdictKind.NOT_STARTED: VerdictRow(
        Severity.ADVICE,
        ("No partition has an owner yet.",),
        ("not started",),
        (("{members} share {partitions} of {topics}.",),),
    ),
    VerdictKind.LAG_UNKNOWN: VerdictRow(
        Severity.UNKNOWN,
        (
            "{group_has} no active consumer; its lag is unknown.{?no_members}{?nothing_known}",
            "Nothing is committed on {bare}.{?bare_decides}",
            "No records wait on {lags_known} of {partitions}; the lag of the others is unknown.",
            "Partition counts are even; lag is unknown.{?counts_even}",
            "No strategy takes a partition off the busiest consumer; lag is unknown.",
        ),
        ("lag unknown",),
        (
            (
                (
                    "Without lags, it is open whether anybody misses its consumers.{?no_members}"
                    "{?nothing_known}"
                ),
                (
                    "Up to {bare_records} wait there: auto.offset.reset decides whether they are "
                    "read.{?bare_decides}"
                ),
                (
                    "Nothing is committed on {bare}, which may hold {bare_records}: "
                    "auto.offset.reset decides whether they are read."
                ),
                (
                    "{busiest_who} has the most, {busiest_load}; an even share is {even_share}."
                    "{?above_share}"
                ),
                "{members} {share_them} {partitions}.",
            ),
        ),
        remedy=Action.ADD_SNAPSHOT,
    ),
    VerdictKind.HEALTHY: VerdictRow(
        Severity.FINE,
        (
            "No records wait.{?no_lag}",
            "Nothing waits: a lag of one is a transaction marker or a late commit.{?off_by_one}",
            "All consumers keep up.{?keep_up}",
            "All consumers keep up.{?paused}",
            "Hardly anything waits.{?negligible}",
            "Even already: {deciding} alone decides the busiest consumer.",
            "Even already: no strategy takes 5 % off the busiest consumer.{?busiest_who}",
            "Nothing to do.",
        ),
        ("nothing to do",),
        (
            (
                "No consumer is a member of the group.{?no_members}",
                (
                    "{busiest_who} has the most, {busiest_load}; an even share is {even_share}."
                    "{?above_share}"
                ),
                "{members} {share_them} {partitions}.",
            ),
            ("Commits are at least {paused} apart, and what waits came since the last.",),
        ),
    ),
}
