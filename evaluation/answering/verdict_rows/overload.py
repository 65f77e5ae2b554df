"""Verdicts on what gets more than it reads, or reads more than it gets."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.actions import Action
from evaluation.answering.verdict_rows.row import DELETED, VerdictRow
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind

OVERLOAD: Final[Mapping[VerdictKind, VerdictRow]] = {
    VerdictKind.TOO_HOT: VerdictRow(
        Severity.ALARM,
        (
            "{what} {what_gets} {times_usual} the usual traffic and never {what_catch} up.",
            "{what} {what_gets} more than one consumer reads.",
        ),
        ("{what} never {what_catch} up",),
        (
            (
                (
                    "{arriving} arrive in {what_it}, {usual} in a usual partition; {who} {read} "
                    "{reading}."
                ),
                "{arriving} arrive and {reading} are read.",
            ),
            ("It is {oldest} behind.{?one_what}", "{records_wait}."),
            DELETED,
        ),
        remedy=Action.SPLIT_KEYS,
        consumers_are="falling behind",
    ),
    VerdictKind.FEWER_CONSUMERS: VerdictRow(
        Severity.WARNING,
        (
            "{gone} left the group, and the backlog grows by {grows}.",
            "Consumers left the group, and the others read too little.",
        ),
        ("{gone} left the group", "consumers left the group"),
        (
            (
                (
                    "For {since}, {reading} are read, {before} before, and {arriving} arrive: each "
                    "consumer that stayed reads as much as it did."
                ),
                "Each consumer that stayed reads as much as it did.",
            ),
            ("{records_wait}.",),
            DELETED,
        ),
        remedy=Action.ADD_CONSUMERS,
        consumers_are="falling behind",
    ),
    VerdictKind.SLOWER: VerdictRow(
        Severity.WARNING,
        ("Every consumer reads more slowly than before.",),
        ("slower than before",),
        (
            ("{reading} are read, {before} before, and {arriving} arrive.",),
            ("{records_wait}.",),
            DELETED,
        ),
        remedy=Action.LOOK,
        consumers_are="slower",
    ),
    VerdictKind.SLOW_CONSUMER: VerdictRow(
        Severity.WARNING,
        (
            "{consumers} {read} {each} each where others read {others}.",
            "{consumers} {read} {reading} where others read {others}.",
            "{consumers} {read} less than the others.",
        ),
        ("{consumers} slow",),
        (
            ("{arriving} arrive for {who_at}, and others keep up.",),
            ("{records_wait}, the oldest for {oldest}.{?dated}", "{records_wait}."),
            DELETED,
        ),
        remedy=Action.LOOK,
        consumers_are="slow",
    ),
    VerdictKind.SLOW_TOPIC: VerdictRow(
        Severity.WARNING,
        (
            "{whole_topics} falls behind by {grows}, and no other topic of its consumers does.",
            "A topic falls behind whose consumers keep up with others.",
        ),
        ("{whole_topics} falls behind", "a topic falls behind"),
        (
            (
                (
                    "{who} alone reads it: {arriving} arrive there and {reading} are read, while "
                    "it keeps up with {others} of other topics. Either these records take the "
                    "time, or this consumer is slow.{?one_of_several}"
                ),
                (
                    "{arriving} arrive there and {reading} are read, while {who} {read} {others} "
                    "of other topics and {keep} up with them: its records take the time."
                ),
                "{arriving} arrive there and {reading} are read.",
            ),
            ("{records_wait}, the oldest for {oldest}.{?dated}", "{records_wait}."),
            DELETED,
        ),
        remedy=Action.LOOK,
        consumers_are="behind on one topic",
    ),
    VerdictKind.MORE_ARRIVES: VerdictRow(
        Severity.WARNING,
        ("More arrives than the group reads.",),
        ("more arrives than is read",),
        (
            ("{arriving} arrive, {before} before, and {reading} are read.",),
            ("{records_wait}.",),
            DELETED,
        ),
        remedy=Action.ADD_CONSUMERS,
        consumers_are="falling behind",
    ),
    VerdictKind.FULL: VerdictRow(
        Severity.WARNING,
        (
            "{consumers} read too little over {long_span}: the backlog grew by {grows}.",
            "{consumers} {are} full: the backlog grows by {grows}.",
            "{consumers} {are} full.",
            "The group is full.",
        ),
        ("all consumers full",),
        (("{arriving} arrive and {reading} are read.",), ("{records_wait}.",), DELETED),
        remedy=Action.ADD_CONSUMERS,
        consumers_are="falling behind",
    ),
    VerdictKind.NEVER_CATCHES_UP: VerdictRow(
        Severity.ALARM,
        (
            "{consumers} read {reading} over {long_span} while {arriving} arrived.",
            "{consumers} never {catch} up: {they} {read} {reading} while {arriving} arrive.",
            "{consumers} never {catch} up.",
            "The backlog never ends.",
        ),
        ("never catches up",),
        (
            ("{what} would catch up in {ends_alone} on a consumer of its own.{?one_what}",),
            (
                (
                    "Divided evenly, as much would be read as arrives, and the backlog would stay."
                    "{?even_keeps_pace}"
                ),
            ),
            ("No other consumer reads {whole_topics}: {needed_there} there would keep pace.",),
            ("{records_wait} in {what}.{?one_what}", "{records_wait}."),
            DELETED,
        ),
        remedy=Action.ADD_CONSUMERS,
        consumers_are="never catches up",
    ),
    VerdictKind.CLEARS_SLOWLY: VerdictRow(
        Severity.WARNING,
        ("The backlog takes {ends} to clear.{?ends_known}", "The backlog hardly shrinks."),
        ("clears only in {ends}", "hardly catches up"),
        (
            ("{records_wait}; {arriving} arrive and {reading} are read.", "{records_wait}."),
            ("The oldest record has waited for {oldest}.{?dated}",),
            DELETED,
        ),
        remedy=Action.ADD_CONSUMERS,
        consumers_are="behind",
    ),
    VerdictKind.UNEVEN: VerdictRow(
        Severity.ADVICE,
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
            ("{Most_of_it} in {heaviest}.", "It owns {owned}."),
            ("The oldest record has waited for {oldest}.{?dated}",),
            ("{idle} {idle_own} no partition.",),
            ("{what} would catch up in {ends_alone} on a consumer of its own.{?one_what}",),
        ),
        remedy=Action.ADD_SNAPSHOT,
    ),
    VerdictKind.BURST: VerdictRow(
        Severity.FINE,
        (
            "A burst arrives; one as large has cleared before.{?cleared}",
            "A burst arrives.",
        ),
        ("a burst, as before",),
        (
            ("{arriving} arrive, {before} before, and {reading} are read.",),
            (
                "{records_wait}; up to {cleared} waited before, and nearly all of it was read.",
                "{records_wait}.",
            ),
            DELETED,
        ),
        remedy=Action.WAIT,
    ),
    VerdictKind.CATCHING_UP: VerdictRow(
        Severity.FINE,
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
        remedy=Action.WAIT,
    ),
}
