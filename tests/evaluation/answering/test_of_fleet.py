"""A fleet's groups by urgency, and what is said of the fleet."""

import math
from typing import Any

from evaluation.answering.actions import Action
from evaluation.answering.fleet_words import fleet_words, now, to_do
from evaluation.answering.of_fleet import (
    Advice,
    FleetVerdict,
    GroupStanding,
    Urgency,
    by_urgency,
)
from evaluation.answering.pool import settable_among
from evaluation.answering.verdicts import Verdict
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from tests.said import figures_in, lacks

NEVER = math.inf


def group(name: str, kind: VerdictKind | None, **more: Any) -> GroupStanding:  # noqa: ANN401 -- its fields
    verdict = None if kind is None else Verdict(kind=kind)
    advice = Advice(is_checked=kind is not None)
    return GroupStanding(
        **{"cluster": "c", "name": name, "verdict": verdict, "advice": advice} | more
    )


def switching(name: str, strategy: str, kind: VerdictKind | None, **more: Any) -> GroupStanding:  # noqa: ANN401 -- its fields
    advice = Advice(action=Action.SWITCH, strategy=strategy, is_checked=kind is not None)
    return group(name, kind, advice=advice, **more)


GROUPS = (
    switching("setting", "range", VerdictKind.UNEVEN, gain=0.4, setting="range", setting_gain=0.4),
    switching("jar", "load-sticky", VerdictKind.UNEVEN, gain=0.3, setting_gain=0.0),
    switching("unseen", "range", None, gain=0.2, setting="range", setting_gain=0.2),
    group("fine", VerdictKind.HEALTHY),
    group("slowly", VerdictKind.CLEARS_SLOWLY, ends_s=9e6, waits=1e9),
    group("grows", VerdictKind.MORE_ARRIVES, ends_s=NEVER),
    group("less-stopped", VerdictKind.STOPPED, waits=10.0),
    group("hot", VerdictKind.TOO_HOT, ends_s=NEVER, waits=1e6),
    group("stopped", VerdictKind.STOPPED, waits=20.0),
    group("idle", VerdictKind.IDLE),
    group("dead", VerdictKind.NO_CONSUMERS, waits=5.0),
)


def verdict(*groups: GroupStanding, **more: Any) -> FleetVerdict:  # noqa: ANN401 -- its fields
    return FleetVerdict(groups=by_urgency(groups), **{"count": len(groups)} | more)


def test_what_is_broken_comes_first_in_the_order_of_verdicts_then_what_gains() -> None:
    names = [each.name for each in by_urgency(GROUPS)]

    assert names == [
        *("dead", "stopped", "less-stopped", "hot", "grows", "slowly"),
        *("setting", "jar", "unseen", "idle", "fine"),
    ]


def test_what_is_unknown_is_not_told_as_nothing_to_change() -> None:
    told = group("told", VerdictKind.TOO_LITTLE_KNOWN, waits=5.0)
    more = group("more", VerdictKind.TOO_LITTLE_KNOWN, waits=9.0)
    found = verdict(group("unseen", None), GROUPS[3], told, more, GROUPS[2], GROUPS[1])

    assert [(each.name, each.urgency) for each in found.groups] == [
        ("jar", Urgency.BY_JAR),
        ("more", Urgency.UNKNOWN),
        ("told", Urgency.UNKNOWN),
        *(("unseen", Urgency.OPEN), ("unseen", Urgency.UNSEEN), ("fine", Urgency.REST)),
    ]
    assert verdict(told, GROUPS[3]).start is None


def test_until_anybody_has_looked_what_waits_most_comes_first() -> None:
    unseen = [group("a", None), group("b", None, waits=5.0), group("c", None, waits=7.0)]

    assert [each.name for each in by_urgency(unseen, is_checked=False)] == ["c", "b", "a"]


def test_a_fleet_says_how_many_do_not_keep_up_and_what_to_do_first() -> None:
    found = verdict(*GROUPS, open_count=1)

    said = fleet_words(found)

    assert figures_in(said.headline) == ["5", "11"]
    assert figures_in(said.evidence) == ["2", "1", "5", "1", "1", "1", "1"]
    assert found.start is not None
    assert found.start.name == "dead"
    assert lacks(said.action, "dead", now(found.start)) == []
    assert found.severity is Severity.ALARM


def test_a_group_that_clears_slowly_keeps_up_and_needs_attention() -> None:
    found = verdict(GROUPS[3], GROUPS[4])

    assert figures_in(fleet_words(found).headline) == ["1", "2"]
    assert (len(found.those(Urgency.BEHIND)), len(found.those(Urgency.WARNED))) == (0, 1)
    assert found.severity is Severity.WARNING


def test_where_all_is_well_gains_are_said_and_the_first_of_them_is_the_one_to_start_with() -> None:
    found = verdict(*GROUPS[:4], open_count=1)

    said = fleet_words(found)

    assert figures_in(said.headline) == ["5", "1", "4"]
    assert lacks(said.evidence, "40", "setting", "Range") == []
    assert lacks(said.action, "setting", "Switch to Range") == []


def test_the_largest_gain_has_its_setting_only_where_that_is_proposed() -> None:
    other = switching(
        "a", "sticky", VerdictKind.UNEVEN, gain=0.4, setting="range", setting_gain=0.4
    )

    assert lacks(fleet_words(verdict(GROUPS[0])).evidence, "40", "Range") == []
    assert lacks(fleet_words(verdict(other)).evidence, "40", "Range") == ["Range"]


def test_nothing_to_start_with_is_no_action() -> None:
    found = verdict(GROUPS[2], GROUPS[3], open_count=1)

    assert (found.start, fleet_words(found).action) == (None, "")


def test_groups_that_nobody_has_looked_at_are_counted() -> None:
    some, all_of_them = verdict(*GROUPS[3:], count=1_000), verdict(*GROUPS[3:])

    assert figures_in(fleet_words(some).evidence)[-1] == "992"
    assert (
        len(figures_in(fleet_words(all_of_them).evidence))
        == len(figures_in(fleet_words(some).evidence)) - 1
    )


def test_before_anybody_has_looked_no_group_is_counted_as_helped_or_in_trouble() -> None:
    said = fleet_words(verdict(*GROUPS[:4], is_checked=False))

    assert (figures_in(said.headline), said.evidence, said.action) == (["4"], "", "")


def test_two_groups_of_one_name_are_told_apart_by_their_clusters() -> None:
    first, second = group("a", VerdictKind.STOPPED), group("a", VerdictKind.HEALTHY, cluster="d")

    assert "a (c)" in fleet_words(verdict(first, second)).action
    assert "(c)" not in fleet_words(verdict(first)).action


def test_who_gains_by_a_setting_is_told_from_who_needs_a_jar() -> None:
    found = verdict(*GROUPS)

    assert [each.name for each in found.helped] == ["setting"]
    assert [each.name for each in found.helped_by_jar] == ["jar"]
    assert settable_among(["lag-sticky", "roundrobin", "gone"]) == ["roundrobin"]


def test_what_to_do_is_told_from_the_advice_alone() -> None:
    hostile = {"consumers": "[a](https://e.com)", "these": "these two"}
    restart = group("a", VerdictKind.STOPPED, advice=Advice(action=Action.RESTART), figures=hostile)

    told = [
        to_do(restart),
        to_do(switching("a", "roundrobin", VerdictKind.UNEVEN)),
        to_do(switching("a", "roundrobin", VerdictKind.UNEVEN, runs="roundrobin")),
        to_do(switching("a", "load-sticky", VerdictKind.UNEVEN)),
        to_do(switching("a", "roundrobin", None)),
        to_do(group("a", VerdictKind.HEALTHY)),
    ]

    assert told == [
        "Restart these two",
        "Switch to Round robin",
        "Let the group rebalance",
        "Switch to Load-sticky, with a jar",
        "Round robin: gain by one simulation; open to check",
        "",
    ]
    assert (now(restart), now(group("a", None))) == ("[a](https://e.com) stopped", "")
