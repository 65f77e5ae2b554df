"""What an answer may say of each kind of verdict and caveat, as templates.

A sentence is the first of its templates whose figures (``fields``) are all known.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from evaluation.answering.caveats import CaveatKind
from evaluation.verdict_kinds import VerdictKind

Sentence: TypeAlias = tuple[str, ...]
"""Templates, the most telling first."""


class _Row(NamedTuple):
    """What is said of one kind of verdict."""

    headline: Sentence
    """Subject, state, number; up to some 75 characters."""
    short: Sentence
    """Up to some 45, for a row of a fleet, a chip, a browser's title."""
    evidence: tuple[Sentence, ...]
    """The figures that prove it, then where."""
    advice: Sentence = ()
    """What to do where nothing is proposed."""


_K = VerdictKind
ROWS: Final[Mapping[VerdictKind, _Row]] = {
    _K.NOT_A_CONSUMER_GROUP: _Row(
        ("{group_is} {kind}.",),
        ("{kind}",),
        (
            ("{Assigned_by}: no strategy of consumer groups applies.",),
            ("{records_wait}.",),
        ),
        ("{kind_advice}",),
    ),
    _K.REBALANCE_UNDER_WAY: _Row(
        ("A rebalance is under way: owners are not final.",),
        ("rebalance under way",),
        (
            ("{moving} will change owner.",),
            ("{records_wait} meanwhile.",),
        ),
    ),
    _K.NO_CONSUMERS: _Row(
        ("Nobody reads {group}.{?since}", "{group_has} no active consumer."),
        ("no consumers",),
        (
            (
                "No consumer is a member, and no offset moved in {since}.",
                (
                    "No consumer is a member, and no offset moved between the snapshots, while "
                    "{arrived_records} arrived.{?undated}"
                ),
                (
                    "One snapshot cannot tell whether a job without members reads it (Flink, "
                    "Spark, assign()).{?single}"
                ),
                "A job without members may read it (Flink, Spark, assign()).",
            ),
            (
                "{records_wait} ({by_topic}).",
                "{records_wait}, and {arriving} arrive.",
                "{records_wait}.",
            ),
            ("The first of them are deleted in {deleted_in}.",),
        ),
    ),
    _K.KEEPS_REBALANCING: _Row(
        (
            "The group keeps rebalancing: {changes} times in {since}.",
            "The group keeps rebalancing.",
        ),
        ("keeps rebalancing",),
        (("{records_wait}.",),),
    ),
    _K.CRASH_LOOP: _Row(
        ("{consumers} keep restarting and read nothing.",),
        ("consumers keep restarting",),
        (
            ("Every consumer has a new id in each snapshot, and no offset moved.",),
            ("{records_wait}, and {arriving} arrive.", "{records_wait}."),
        ),
    ),
    _K.STOPPED: _Row(
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
            ("{records_wait}, the oldest for {oldest}.{?dated}", "{records_wait}."),
        ),
    ),
    _K.NOBODY_READS: _Row(
        ("Nobody reads {what}.{?one_what}", "Nobody reads {what_count}."),
        ("{what_count} without an owner",),
        (
            ("No consumer owns {what}.",),
            ("{records_wait}, for {since}.", "{records_wait}."),
            ("The first of them are deleted in {deleted_in}.",),
        ),
    ),
    _K.AHEAD_OF_LOG: _Row(
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
    ),
    _K.STUCK_RECORD: _Row(
        ("{what} is stuck at offset {offset}.", "{what} is stuck at one offset."),
        ("{what} is stuck",),
        (
            (
                (
                    "{who_at} has caught up on its other partitions and has committed nothing here "
                    "for {since}.{?dated}"
                ),
                "{who_at} has caught up on its other partitions and committed nothing here.",
            ),
            ("{records_wait} behind it.",),
        ),
    ),
    _K.NOT_READ: _Row(
        ("No offset of {what_count} moves while {who} {read} the others.",),
        ("{what_count} not read",),
        (
            ("{what}: nothing was committed for {since}.{?dated}", "{what}: no offset moved."),
            ("{records_wait}: paused, never read, or a record fails on each.",),
        ),
    ),
    _K.TOO_HOT: _Row(
        (
            "{what} {what_gets} {times_usual} the usual traffic and never catches up.",
            "{what} {what_gets} more than one consumer reads.",
        ),
        ("{what} never catches up",),
        (
            (
                (
                    "{arriving} arrive in {what_it}, {usual} in a usual partition; {who} {read} "
                    "{reading}."
                ),
                "{arriving} arrive and {reading} are read.",
            ),
            ("It is {oldest} behind.{?one_what}", "{records_wait}."),
        ),
    ),
    _K.SLOWER: _Row(
        ("Every consumer reads more slowly than before.",),
        ("slower than before",),
        (
            ("{reading} are read, {before} before, and {arriving} arrive.",),
            ("{records_wait}.",),
        ),
    ),
    _K.SLOW_CONSUMER: _Row(
        (
            "{consumers} {read} {each} each where others read {others}.",
            "{consumers} {read} {reading} where others read {others}.",
            "{consumers} {read} less than the others.",
        ),
        ("{consumers} slow",),
        (
            ("{arriving} arrive for {who_at}, and others keep up.",),
            ("{records_wait}, the oldest for {oldest}.{?dated}", "{records_wait}."),
        ),
    ),
    _K.MORE_ARRIVES: _Row(
        ("More arrives than {members} read.",),
        ("more arrives than is read",),
        (
            ("{arriving} arrive, {before} before, and {reading} are read.",),
            ("{records_wait}.",),
        ),
    ),
    _K.FULL: _Row(
        (
            "{members} {members_are} full: the backlog grows by {grows}.",
            "{members} {members_are} full.",
        ),
        ("all consumers full",),
        (("{arriving} arrive and {reading} are read.",), ("{records_wait}.",)),
    ),
    _K.OUTSIDE_BEHIND: _Row(
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
    ),
    _K.OFFSETS_RESET: _Row(
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
    ),
    _K.NEVER_CATCHES_UP: _Row(
        (
            "{consumers} never {catch} up: {they} {read} {reading} while {arriving} arrive.",
            "{consumers} never {catch} up.",
            "The backlog never ends.",
        ),
        ("never catches up",),
        (
            ("{what} would catch up in {ends_alone} on a consumer of its own.{?one_what}",),
            ("{records_wait}.",),
        ),
    ),
    _K.RECORDS_LOST: _Row(
        ("{lost} records of {what} were deleted unread.",),
        ("records lost",),
        (("The log now starts after the committed offset.",), ("{records_wait}.",)),
    ),
    _K.TOPIC_UNREAD: _Row(
        ("No consumer reads {unread_topics}.", "No consumer reads a topic of the group."),
        ("{unread_topics} unread", "a topic unread"),
        (
            ("{records_wait} there; {arrived} arrived while its commits stood.", "{records_wait}."),
            ("Its consumers are missing, or the group has left it.",),
        ),
    ),
    _K.READ_OUTSIDE: _Row(
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
    _K.TOO_LITTLE_KNOWN: _Row(
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
            ("{records_wait} there.",),
        ),
    ),
    _K.PARTITIONS_UNKNOWN: _Row(
        ("The text names no partitions of {group}.",),
        ("partitions unknown",),
        (("{Lacking}.",),),
    ),
    _K.OWNERS_UNKNOWN: _Row(
        (
            "The owners of the partitions are not in this text.{?all_unknown}",
            "The owners of {owners_unknown} of {partitions} are not in this text.",
            "Only {members} {members_are} in this text; others may be in the group.{?some_named}",
            "The consumers are not in this text.",
        ),
        ("owners unknown",),
        (
            (
                "{records_wait}; nothing is predicted for consumers that are not named.",
                (
                    "No records wait on {lags_known} of {partitions}; the lag of the others is "
                    "unknown.{?no_lag}"
                ),
                "No records wait.{?no_lag}",
                "Nothing is predicted for consumers that are not named.",
            ),
        ),
    ),
    _K.NOT_STARTED: _Row(
        ("No partition has an owner yet.",),
        ("not started",),
        (("{members} share {partitions} of {topics}.",),),
    ),
    _K.UNEVEN: _Row(
        (
            "{idle_count} {idle_are} idle, and {busiest_who} carries {times} its share.",
            "{busiest_who} carries {times} its share.",
            "{busiest_who} has {busiest_load}; an even share is {even_share}.",
        ),
        ("{busiest_who} carries {times} its share", "uneven"),
        (
            (
                (
                    "{busiest_who} is {busiest_amount} records behind; an even share is "
                    "{even_share}.{?by_lag}{?times}"
                ),
                "{busiest_who} has {busiest_load}; an even share is {even_share}.{?times}",
            ),
            ("{idle} {idle_own} no partition.",),
            ("{what} would catch up in {ends_alone} on a consumer of its own.{?one_what}",),
        ),
    ),
    _K.BEHIND: _Row(
        ("{consumers} {are} behind.", "Records wait for most consumers."),
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
            ("{records_wait}.",),
        ),
    ),
    _K.CATCHING_UP: _Row(
        (
            "The backlog clears in {ends}.{?ends_known}",
            "As much is read as arrives: the backlog stays as it is.{?steady}",
            "The backlog shrinks.",
        ),
        ("clears in {ends}", "keeps pace{?steady}", "catching up"),
        (
            ("{records_wait}; {arriving} arrive and {reading} are read.", "{records_wait}."),
            ("{alone} holds nearly all of it: more consumers would not read it faster.",),
        ),
    ),
    _K.IDLE: _Row(
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
    ),
    _K.LAG_UNKNOWN: _Row(
        (
            "Nothing is committed on {bare}, which may hold {bare_records}.{?bare_decides}",
            "No records wait on {lags_known} of {partitions}; the lag of the others is unknown.",
            "Partition counts are even; lag is unknown.{?counts_even}",
            "No strategy takes a partition off the busiest consumer; lag is unknown.",
        ),
        ("lag unknown",),
        (
            (
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
    ),
    _K.HEALTHY: _Row(
        (
            "No records wait.{?no_lag}",
            "Nothing waits: a lag of one is a transaction marker or a late commit.{?off_by_one}",
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
        ),
    ),
}
"""What is said of each kind of verdict."""

CAVEATS: Final[Mapping[CaveatKind, str]] = {
    CaveatKind.SUBSCRIPTIONS: "Assumes that {subscriptions}.",
    CaveatKind.RUNNING: "{running}",
    CaveatKind.MISFIT: (
        "{names} would give {counted} another owner: a rebalance is due, or racks, static ids or "
        "subscriptions that this text does not show decide."
    ),
    CaveatKind.CLIENT: "Assumes {client} clients: {reason}.",
    CaveatKind.UNKNOWN_LAG: "Lag is unknown for {partitions} of {of_partitions} partitions.",
    CaveatKind.UNKNOWN_OWNERS: "The owners of {counted} are not in this text.",
    CaveatKind.UNKNOWN_MEMBERS: "Assumes that there are no other consumers.",
    CaveatKind.UNDATED: "{rates_are} until the seconds between the snapshots are known.",
    CaveatKind.SPEED: "Assumes that one consumer reads {records_per_s}/s (a guess).",
    CaveatKind.SIMULATED: "Medians of up to {simulations} simulated restarts.",
    CaveatKind.ROUGH: "More simulations are running.",
    CaveatKind.STOPS_ALL: "{names} is eager: every rebalance then stops all consumers.",
    CaveatKind.UNFOUNDED: "{names} is not recommended, although its figure is lower: {reason}",
    CaveatKind.UNSUBSCRIBED: "No consumer subscribes to {counted}.",
    CaveatKind.LEFT_TOPIC: (
        "Left out: {names}, which no active consumer reads{waiting}. "
        "If the group has left {it}, delete its offsets with kafka-consumer-groups.sh "
        "--bootstrap-server HOST:9092 --delete-offsets --group {group}{topics}."
    ),
}
