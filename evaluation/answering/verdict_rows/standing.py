"""Verdicts on what does not move."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.actions import Action
from evaluation.answering.verdict_rows.row import DELETED, VerdictRow
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

STANDING: Final[Mapping[VerdictKind, VerdictRow]] = {
    VerdictKind.KEEPS_REBALANCING: VerdictRow(
        Severity.ALARM,
        (
            "The group keeps rebalancing: {changes} times in {since}.",
            "The group keeps rebalancing.",
        ),
        ("keeps rebalancing",),
        (("{records_wait}.",),),
        remedy=Action.LOOK,
    ),
    VerdictKind.REBALANCES_OFTEN: VerdictRow(
        Severity.ADVICE,
        ("Owners changed {changes} times in {since}.", "Owners change again and again."),
        ("rebalances often",),
        (
            ("Nothing is behind, yet each rebalance pauses reading.",),
            ("An autoscaler that goes up and down does this, too.",),
        ),
        remedy=Action.LOOK,
    ),
    VerdictKind.CRASH_LOOP: VerdictRow(
        Severity.ALARM,
        ("{consumers} {keep} restarting and {read} nothing.",),
        ("{consumers} {keep} restarting", "consumers keep restarting"),
        (
            (
                "{who_at} {have} a new id again and again, and no offset of {them} moved.",
                "Consumers have new ids again and again, and no offset moved.",
            ),
            ("{records_wait}, and {arriving} arrive.", "{records_wait}."),
            DELETED,
        ),
        remedy=Action.LOOK,
        consumers_are="restarting",
    ),
    VerdictKind.STOPPED: VerdictRow(
        Severity.ALARM,
        ("{consumers} {have} stopped reading.",),
        ("{consumers} stopped",),
        (
            (
                (
                    "{who_at} {have} read nothing for {since} while {arriving} arrive for {them}."
                    "{?dated}"
                ),
                (
                    "No offset of {who_at} moved between the snapshots, while {arrived_records} "
                    "arrived for {them}."
                ),
                "{who_at} {have} read nothing for {since}.",
            ),
            ("Restarted {restarted} since, to no effect.",),
            ("{records_wait}, the oldest for {oldest}.{?dated}", "{records_wait}."),
            DELETED,
        ),
        remedy=Action.RESTART,
        consumers_are="stopped",
    ),
    VerdictKind.NEVER_COMMITS: VerdictRow(
        Severity.WARNING,
        ("{consumers} {have} committed nothing on {what}.",),
        ("nothing committed on {what_count}",),
        (
            (
                "{arriving} arrive for {who_at}, and no offset was committed in {since}.{?dated}",
                "Records arrive for {who_at}, and no offset was committed.",
            ),
            ("Automatic commits are off, offsets are kept elsewhere, or {they} {have} stopped.",),
        ),
        remedy=Action.LOOK,
    ),
    VerdictKind.STUCK_RECORD: VerdictRow(
        Severity.ALARM,
        ("{what} is stuck at offset {offset}.", "{what} is stuck at one offset."),
        ("{what} is stuck",),
        (
            (
                (
                    "It has stood there for {since}, and {killed} in turn disappeared while they "
                    "owned it: the record may be what kills them.{?dated}"
                ),
                (
                    "It stood there while {killed} in turn owned it and disappeared: the record "
                    "may be what kills them."
                ),
                (
                    "It stood there under {owners} consumers in turn, for {since}, while others "
                    "read on: the record fails, not the consumer.{?dated}"
                ),
                "It stood there under {owners} consumers in turn: the record fails.",
                (
                    "{who_at} has caught up on its other partitions and has committed nothing here "
                    "for {since}.{?dated}"
                ),
                "{who_at} has caught up on its other partitions and committed nothing here.",
            ),
            ("{records_wait} behind it.",),
            DELETED,
        ),
        remedy=Action.FIX_RECORD,
        consumers_are="stuck",
    ),
    VerdictKind.NOT_READ: VerdictRow(
        Severity.ALARM,
        (
            "No offset of {whole_topics} moves while {who} {read} other topics.",
            "No offset of {what_count} moves while {who} {read} the others.",
        ),
        ("{whole_topics} not read", "{what_count} not read"),
        (
            ("{what}: nothing was committed for {since}.{?dated}", "{what}: no offset moved."),
            ("{records_wait}: paused, never read, or a record fails on each.",),
            DELETED,
        ),
        remedy=Action.LOOK,
        consumers_are="not read",
    ),
}
