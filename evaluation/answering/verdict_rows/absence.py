"""Verdicts on who reads: nobody, somebody outside the group, or nobody as yet."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.actions import Action
from evaluation.answering.verdict_rows.row import DELETED, VerdictRow
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

ABSENCE: Final[Mapping[VerdictKind, VerdictRow]] = {
    VerdictKind.REBALANCE_UNDER_WAY: VerdictRow(
        Severity.WARNING,
        ("A rebalance is under way: owners are not final.",),
        ("rebalance under way",),
        (
            ("{moving} will change owner.",),
            ("{records_wait} meanwhile.",),
        ),
        remedy=Action.ADD_SNAPSHOT,
    ),
    VerdictKind.TAKEN_OVER: VerdictRow(
        Severity.UNKNOWN,
        ("{consumers} {have} just taken over {what_count}.",),
        ("{what_count} just taken over",),
        (
            ("How much {they} {read} there is not known yet.",),
            ("{records_wait}, the oldest for {oldest}.{?dated}", "{records_wait}."),
        ),
        remedy=Action.ADD_SNAPSHOT,
    ),
    VerdictKind.NO_CONSUMERS: VerdictRow(
        Severity.ALARM,
        (
            "Nobody reads {group} any more; {gone} did.",
            "Nobody reads {group}.{?since}",
            "{group_has} no active {member_noun}.",
        ),
        ("no consumers",),
        (
            (
                "Its members alone read it, and there are none.{?members_alone}",
                "No consumer is a member, and no offset moved in {since}.",
                (
                    "No consumer is a member, and no offset moved between the snapshots, while "
                    "{arrived_records} arrived.{?undated}"
                ),
                (
                    "One snapshot cannot tell whether a job without members reads it (Flink, "
                    "Spark, assign()).{?single}"
                ),
                "It had members at an earlier snapshot.{?gone}",
                "A job without members may read it (Flink, Spark, assign()).",
            ),
            (
                "{records_wait} ({by_topic}).",
                "{records_wait}, and {arriving} arrive.",
                "{records_wait}.",
            ),
            DELETED,
        ),
        remedy=Action.START,
    ),
    VerdictKind.NOBODY_READS: VerdictRow(
        Severity.ALARM,
        ("Nobody reads {what}.{?one_what}", "Nobody reads {what_count}."),
        ("{what_count} without an owner",),
        (
            ("No consumer owns {what}.",),
            ("{records_wait}, for {since}.", "{records_wait}."),
            DELETED,
        ),
        remedy=Action.START,
        consumers_are="not read",
    ),
    VerdictKind.OUTSIDE_BEHIND: VerdictRow(
        Severity.ALARM,
        (
            "A job without members never catches up: the backlog grows by {grows}.",
            "A job without members reads this group and never catches up.",
        ),
        ("read too slowly by a job without members",),
        (
            (
                (
                    "{arriving} arrive and {reading} are read by a job that assigns partitions "
                    "itself (Flink, Spark, assign())."
                ),
                "A job that assigns partitions itself (Flink, Spark, assign()) reads this group.",
            ),
            ("It is {behind} behind: {records_wait}.", "{records_wait}."),
        ),
        remedy=Action.LOOK,
    ),
    VerdictKind.TOPIC_UNREAD: VerdictRow(
        Severity.WARNING,
        ("No consumer reads {unread_topics}.", "No consumer reads a topic of the group."),
        ("{unread_topics} unread", "a topic unread"),
        (
            ("{records_wait} there; {arrived} arrived while its commits stood.", "{records_wait}."),
            ("Its consumers are missing, or the group has left it.",),
        ),
        remedy=Action.START,
    ),
    VerdictKind.NO_LOG_END: VerdictRow(
        Severity.UNKNOWN,
        (
            "The log end of {what} is not known, so neither is its lag.{?one_what}",
            "The log ends of {what_count} are not known, so neither is their lag.",
        ),
        ("no log end of {what_count}",),
        (("{what}: a partition without a leader has none, and nobody can read or write it.",),),
        remedy=Action.LOOK,
    ),
    VerdictKind.READ_OUTSIDE: VerdictRow(
        Severity.FINE,
        (
            "No consumer is a member, yet offsets advance by {reading}.",
            "No consumer is a member, yet offsets advance.",
        ),
        ("read by a job without members",),
        (
            ("A job that assigns partitions itself (Flink, Spark, assign()) reads this group.",),
            ("It is {behind} behind: {records_wait}.", "{records_wait}."),
        ),
        ("Nothing to start here.",),
    ),
    VerdictKind.OWNERS_UNKNOWN: VerdictRow(
        Severity.UNKNOWN,
        (
            "The owners of the partitions are not in this text.{?all_unknown}",
            "The owners of {owners_unknown} of {partitions} are not in this text.",
            "Only {members} {members_are} in this text; others may be in the group.{?some_named}",
            "The consumers are not in this text.",
        ),
        ("owners unknown",),
        (
            (
                (
                    "{records_wait}, nearly all of them in {alone}; nothing is predicted for "
                    "consumers that are not named."
                ),
                "{records_wait}; nothing is predicted for consumers that are not named.",
                (
                    "No records wait on {lags_known} of {partitions}; the lag of the others is "
                    "unknown.{?no_lag}"
                ),
                "No records wait.{?no_lag}",
                "Nothing is predicted for consumers that are not named.",
            ),
            ("The lag of {growing} grew by {growth}.{?dated}",),
        ),
        remedy=Action.ADD_SNAPSHOT,
    ),
    VerdictKind.IDLE: VerdictRow(
        Severity.ADVICE,
        (
            "{idle_count} are idle, and only {surplus_only} would have to be.",
            "{idle_count} {idle_are} idle: there {partitions_are} only {partitions}.",
        ),
        ("{idle_count} idle",),
        (
            (
                "Of {partitions}, {partitions_count} consumers could own one each.{?surplus_only}",
                "{idle} {idle_own} no partition, under any strategy.",
            ),
            ("{records_wait}.",),
        ),
        remedy=Action.REMOVE_CONSUMERS,
    ),
}
