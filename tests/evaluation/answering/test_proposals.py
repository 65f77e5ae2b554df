"""A proposal is never worse than the present owners, and no larger a change than needed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import pytest
from hypothesis import given

from assignors.certainty import Known
from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from assignors.strategy import Strategy
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of, held_back
from evaluation.answering.given import Given, Statements, known_of
from evaluation.answering.options import Option, option_of
from evaluation.answering.rule import proposed
from evaluation.answering.why_not import Ground, WhyNot
from evaluation.answering.why_not_words import why_not_words
from evaluation.answering.words import words_of
from evaluation.assuming.clients import CLIENTS, Client
from evaluation.assuming.running import Origin, Running
from evaluation.comparing.outcomes import Outcome, as_it_is_now
from evaluation.comparing.outlook import Outlook
from evaluation.comparing.worth import WORTH
from evaluation.judging import JudgeBy
from evaluation.takes import Takes
from evaluation.verdict_kinds import VerdictKind
from tests.answers import NextRebalance
from tests.charts.outcomes import outcome
from tests.groups import groups, tried
from tests.hostile.names import NAMES

_ENGINE: Final = NextRebalance()
STICKY, COOPERATIVE = STRATEGIES["sticky"], STRATEGIES["cooperative-sticky"]

ARRIVES: Final[Mapping[str, object]] = {"arriving": 1.0, "judge_by": JudgeBy.LAG}
"""So that what waits is known to go on."""


def answer(group: Group, **stated: object) -> Answer:
    """Return the answer on a group at its next rebalance."""
    said = Statements(**stated)  # type: ignore[arg-type]
    return answer_of(Given(group=group, stated=said), _ENGINE)


def owned(lags: Sequence[int | None], owners: Sequence[Sequence[int]]) -> Group:
    """Return a group of one topic; ``owners`` lists the partitions of each consumer."""
    members = [
        Member(f"c{m}", ["t"], owned=[("t", p) for p in partitions], generation=1)
        for m, partitions in enumerate(owners)
    ]
    return group_of({"t": Topic(len(lags), lags=lags)}, members)


def named(found: Answer, name: str) -> Option:
    """Return what a strategy brings."""
    option = found.option_for(STRATEGIES[name])
    assert option is not None
    return option


def switch(found: Answer) -> Option:
    """Return the switch that is proposed."""
    assert found.proposal is not None
    assert found.proposal.action is Action.SWITCH
    return found.proposal


@tried(100)
@given(groups())
def test_every_option_but_the_proposal_and_to_keep_says_why_not(group: Group) -> None:
    found = answer(group)
    silent = [o for o in found.options if o.why_not is None and o.action is not Action.KEEP]

    assert silent == ([] if found.proposal is None else [found.proposal])
    assert all(why_not_words(o, found) for o in found.options if o.why_not is not None)
    first = found.proposal if found.proposal in found.strategies else None
    for option in found.options:
        is_second = option.why_not is not None and option.why_not.ground is Ground.PROPOSAL
        assert not is_second or (first is not None and first.outcome is not None)
        if is_second and first is not None and first.outcome is not None:
            assert first.outcome.label in why_not_words(option, found)


@tried(100)
@given(groups())
def test_a_proposed_switch_is_better_than_now_or_leaves_less_unowned(group: Group) -> None:
    found = answer(group)
    now, option = found.now, found.proposal

    if now is None or option is None or option.outcome is None:
        return
    owns_more = option.outcome.figures.unowned < now.figures.unowned
    assert owns_more or found.load.of(option.outcome) <= found.load.of(now) * (1 - WORTH)


@tried(100)
@given(groups())
def test_a_jar_is_proposed_only_where_no_setting_passes(group: Group) -> None:
    found = answer(group)
    settings = [o for o in found.strategies if o.takes is not Takes.JAR and o.passes]

    if found.proposal is not None and found.proposal.takes is Takes.JAR:
        assert settings == []


@tried(100)
@given(groups())
def test_what_is_proposed_is_near_the_best_of_its_kind_and_none_is_denied(group: Group) -> None:
    found = answer(group)
    passing = [o for o in found.strategies if o.passes]
    option = proposed(found.strategies, found.keep)

    assert (option is None) == (not passing)
    if option is None or found.keep is None:
        return
    alike = [
        o.busiest or 0 for o in passing if (o.takes is Takes.JAR) == (option.takes is Takes.JAR)
    ]
    assert (option.busiest or 0) <= min(alike) + WORTH * (found.keep.busiest or 0)


def test_a_gain_under_five_percent_changes_nothing() -> None:
    found = answer(owned([52_000, 50_000, 51_000, 48_000], [[0, 1], [2, 3]]))  # best: 50 + 51

    assert found.keep is not None
    assert (found.keep.busiest, found.bound) == (102_000, 101_000)
    assert proposed(found.strategies, found.keep) is None
    assert {o.why_not for o in found.strategies} == {WhyNot.TOO_LITTLE}


def test_an_outcome_that_moves_and_gains_nothing_does_not_hide_one_that_gains() -> None:
    # Owned in pairs of 52 + 48 = 100 and 40 + 44 = 84. Sticky keeps both pairs: 100, no moves.
    # Round robin deals 52 + 40 = 92 and 48 + 44 = 92, half of 184: two moves, the best possible.
    found = answer(owned([52_000, 48_000, 40_000, 44_000], [[0, 1], [2, 3]]), **ARRIVES)

    option = switch(found)
    assert option.outcome is not None
    assert option.outcome.name == "roundrobin"
    assert (option.busiest, option.moves, found.bound) == (92_000, 2, 92_000)
    assert named(found, "sticky").why_not is WhyNot.TOO_LITTLE


def test_what_only_loses_to_another_switch_is_open_while_that_is_held_back() -> None:
    found = answer(owned([52_000, 48_000, 40_000, 44_000], [[0, 1], [2, 3]]), **ARRIVES)

    held = held_back(found)

    grounds = {o.why_not.ground for o in found.options if o.why_not is not None}
    left = {o.why_not.ground for o in held.options if o.why_not is not None}
    assert (held.proposal, held.is_settling) == (None, True)
    assert left == grounds - {Ground.PROPOSAL} != grounds


def test_partitions_without_an_owner_are_no_reason_to_switch_as_any_rebalance_gives_one() -> None:
    found = answer(owned([10, 20], [[0]]))

    assert (found.verdict.kind, found.verdict.partitions) == (VerdictKind.NOBODY_READS, (1,))
    assert proposed(found.strategies, found.keep) is None
    assert {o.outcome.figures.unowned for o in found.strategies if o.outcome} == {0}


def test_a_strategy_that_fails_is_not_proposed() -> None:
    # The first consumer has all; only what sticky shows would even that out, and Kafka throws.
    claims = [("a", 1), ("a", 7), ("a", 5), ("z", 4), ("z", 1), ("z", 3)]
    own = [("z", 7), ("z", 6), ("a", 4), ("a", 3)]
    group = group_of(
        {"z": Topic(8, lags=[9_000] * 8), "a": Topic(8, lags=[9_000] * 8)},
        [
            Member("F", ["nowhere"], owned=claims),
            Member("consumer-8-2f33447b80", ["z", "a"], owned=own, generation=1),
            Member("J", ["z"], generation=2),
        ],
    )
    found = answer(group)
    sticky = named(found, "sticky")

    assert sticky.outcome is not None
    assert sticky.outcome.certainty.known is Known.FAILS
    assert sticky.why_not is WhyNot.UNFOUNDED
    assert found.proposal is not sticky


@pytest.mark.parametrize(
    ("group", "kind", "lag"),
    [
        (Group.fresh({"t": 2}, [], lags={"t": [1, 0]}), VerdictKind.NO_CONSUMERS, 1),
        (Group.fresh({"t": 1}, []), VerdictKind.LAG_UNKNOWN, None),
        (Group.fresh({"t": 1}, [], lags={"t": [0]}), VerdictKind.HEALTHY, 0),
    ],
    ids=["a record waits", "unknown backlog", "no backlog"],
)
def test_a_group_without_consumers_says_what_waits(
    group: Group, kind: VerdictKind, lag: int | None
) -> None:
    found = answer(group)

    assert (found.verdict.kind, found.verdict.figures.lag_records) == (kind, lag)
    assert found.strategies == ()


@pytest.mark.parametrize("group", [Group.fresh({}, ["a"]), Group.fresh({"t": 1}, {"a": []})])
def test_a_group_with_nothing_to_assign_has_nothing_to_switch_to(group: Group) -> None:
    found = answer(group)

    assert found.strategies == ()
    assert found.proposal is None
    assert words_of(found).headline


def test_without_a_known_lag_counts_decide() -> None:
    found = answer(owned([None] * 4, [[0, 1, 2, 3], []]))

    option = switch(found)
    assert not found.load.by_weight
    assert (found.keep is not None and found.keep.busiest, option.busiest, option.moves) == (
        4,
        2,
        2,
    )


def test_without_any_lag_counts_decide_and_nothing_is_better() -> None:
    found = answer(owned([0, 0], [[0], [1]]))

    assert not found.load.by_weight
    assert found.verdict.kind is VerdictKind.HEALTHY
    assert found.proposal is None


def test_one_partition_that_decides_is_named_letter_by_letter() -> None:
    name = NAMES[0]
    members = [Member("a", [name], owned=[(name, 0), (name, 1)]), Member("b", [name])]
    group = group_of({name: Topic(2, lags=[90_000, 10])}, members)

    found = answer(group)

    assert found.bound == 90_000
    assert words_of(found).headline.startswith(f"Even already: {name}-0 alone decides")


def test_an_assignment_that_cannot_improve_reaches_the_bound() -> None:
    found = answer(owned([400, 410, 10], [[0], [1, 2]]))

    assert found.keep is not None
    assert (found.keep.busiest, found.bound) == (420, 410)
    assert found.verdict.kind is VerdictKind.HEALTHY
    assert found.proposal is None


def test_without_owners_the_first_ones_are_proposed() -> None:
    found = answer(Group.fresh({"t": 4}, ["a", "b"], lags={"t": [40, 30, 20, 10]}))

    option = switch(found)
    assert found.verdict.kind is VerdictKind.NOT_STARTED
    assert option.takes is Takes.SETTING
    assert (option.busiest, found.bound) == (60, 50)
    assert named(found, "load-sticky").busiest == 50


def test_where_only_a_custom_assignor_helps_it_is_proposed() -> None:
    # 100 + 80 = 180 now; range pairs 100 with 90, round robin and sticky with 80; best is 100 + 70.
    group = owned([100_000, 90_000, 80_000, 70_000], [[0, 2], [1, 3]])

    found = answer(group, runs=STRATEGIES["roundrobin"], **ARRIVES)

    option = switch(found)
    assert (option.takes, option.busiest) == (Takes.JAR, 170_000)
    settings = {o.why_not for o in found.strategies if o.takes is Takes.SETTING}
    assert settings == {WhyNot.TOO_LITTLE}


@pytest.mark.parametrize(
    ("loads", "reliability"),
    [
        ([100] * 4 + [105] + [120] * 5, 0.4),  # 104.5 of 110 are five per cent less: 105 is not
        ([100] * 89 + [120] * 11, 0.89),
        ([100] + [120] * 19, 0.05),
    ],
)
def test_a_switch_is_as_reliable_as_restarts_that_take_five_percent_off(
    loads: list[int], reliability: float
) -> None:
    group = owned([60, 50, 50, 40], [[0, 1], [2, 3]])  # 110 now
    known = known_of(Given(group=group))
    sticky, lags = outcome(group, [0, 0, 1, 1], "sticky"), np.array(loads)
    drawn = Outlook(
        owners=sticky.owners, max_loads=lags, max_lags=lags, max_counts=lags, moves=lags
    )
    found = replace(sticky, outlook=drawn)

    load = answer(group).load
    option = option_of(found, as_it_is_now(group), load, known, Running(None, Origin.UNKNOWN))

    assert option.reliability == pytest.approx(reliability)


def test_lag_as_it_stands_is_no_reason_to_give_up_incremental_rebalances() -> None:
    # c0 has 80,000 of 110,000 records; round robin leaves 55,000 each.
    group = owned([50_000, 30_000, 5_000, 25_000], [[0, 1], [2, 3]])
    runs = STRATEGIES["cooperative-sticky"]

    by_lag = answer(group, runs=runs)
    by_load = answer(group, runs=runs, arriving=4.0, speed=1_000.0, judge_by=JudgeBy.WORK)

    assert named(by_lag, "roundrobin").why_not is WhyNot.STOPS_ALL
    # What arrives, too, lasts: then the eager one is open, with what it costs.
    assert named(by_load, "roundrobin").why_not is None


@pytest.mark.parametrize(
    ("running", "stops_only_moves"),
    [
        (Running(COOPERATIVE, Origin.READ), True),
        (Running(COOPERATIVE, Origin.INFERRED, (STICKY,)), False),
        (Running(STICKY, Origin.INFERRED, (COOPERATIVE,)), False),
        (Running(STICKY, Origin.READ), False),
        (Running(None, Origin.UNKNOWN), False),
    ],
)
def test_rebalances_stop_all_where_everything_that_may_run_does(
    running: Running, *, stops_only_moves: bool
) -> None:
    assert running.is_incremental is stops_only_moves


def test_one_look_at_the_lag_is_no_reason_for_a_jar_or_for_what_stops_all() -> None:
    # c0 has 110 of 200; round robin leaves 85, and everybody as many partitions as today.
    group = owned([60_000, 50_000, 25_000, 25_000, 20_000, 20_000], [[0, 1], [2, 3], [4, 5]])

    found = answer(group)

    needs = {o.name for o in STRATEGIES.values() if _why_not(found, o) is WhyNot.ONE_SNAPSHOT}
    assert {"roundrobin", "lag-based", "load-sticky"} <= needs
    assert found.verdict.kind is VerdictKind.UNEVEN
    assert found.proposal is not None
    assert found.proposal.action is Action.ADD_SNAPSHOT
    assert named(answer(group, **ARRIVES), "roundrobin").why_not is None


def test_idle_consumers_are_reason_enough_for_a_setting_without_rates() -> None:
    # c0 has 130 and three partitions, c2 none; round robin deals 60 + 30, 50 and 20.
    group = owned([60_000, 50_000, 20_000, 30_000], [[0, 1, 2], [3], []])

    found = answer(group, runs=STICKY)

    assert named(found, "roundrobin").why_not is None
    assert named(found, "lag-based").why_not is WhyNot.ONE_SNAPSHOT


def _why_not(found: Answer, strategy: Strategy) -> WhyNot | None:
    option = found.option_for(strategy)
    return None if option is None else option.why_not


@pytest.mark.parametrize(
    ("lags", "stated", "verdict"),
    [
        ([0, 1, 2, 0, 1, 2], {}, VerdictKind.HEALTHY),
        ([400, 350, 420, 20, 10, 30], {}, VerdictKind.HEALTHY),
        ([60_000, 50_000, 25_000, 25_000, 20_000, 20_000], {}, VerdictKind.UNEVEN),
        # A stated consumer reads 20 k records in 10 s; beyond that it is behind.
        ([9_000, 8_000, 6_000, 5_000, 900, 900], {"speed": 2_000.0}, VerdictKind.BEHIND),
        ([19_000, 8_000, 6_000, 5_000, 900, 900], {"speed": 2_000.0}, VerdictKind.UNEVEN),
        ([90, 80, 20, 0, 0, 0], {"arriving": 900.0, "is_spread_by_lag": True}, VerdictKind.HEALTHY),
    ],
)
def test_where_all_keep_up_nothing_is_uneven(
    lags: Sequence[int], stated: Mapping[str, object], verdict: VerdictKind
) -> None:
    found = answer(owned(lags, [[0, 1], [2, 3], [4, 5]]), **stated)

    assert found.verdict.kind is verdict
    assert found.proposal is None or found.proposal.action is Action.ADD_SNAPSHOT


def test_a_consumer_that_is_nearly_full_does_not_keep_up() -> None:
    group = owned([90, 80, 20, 0, 0, 0], [[0, 1], [2, 3], [4, 5]])
    by_lag = {"arriving": 190.0, "is_spread_by_lag": True}

    roomy, full = (answer(group, speed=speed, **by_lag) for speed in (213.0, 212.0))

    assert roomy.verdict.kind is VerdictKind.HEALTHY  # 170 of 213 are less than 80 %
    assert full.verdict.kind is VerdictKind.UNEVEN
    assert switch(full).gain is not None


def test_what_a_rebalance_of_the_clients_default_brings_takes_no_switch() -> None:
    found = answer(owned([None] * 4, [[0, 1, 2], [3], []]))  # nothing deals 3, 1, 0

    option = switch(found)
    assert (found.running.strategy, found.running.presumed) == (None, STRATEGIES["range"])
    assert (option.strategy, option.takes, option.restarts) == (
        STRATEGIES["range"],
        Takes.NOTHING,
        0,
    )
    assert (option.busiest, option.moves) == (2, 2)
    assert named(found, "server-range").why_not is WhyNot.REBALANCE_FIRST


def test_nothing_is_presumed_to_run_while_nobody_owns_anything() -> None:
    found = answer(Group.fresh({"t": 4}, ["a", "b"], lags={"t": [40, 30, 20, 10]}))

    assert found.running.presumed is None
    assert Takes.NOTHING not in {each.takes for each in found.strategies}


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_a_switch_starts_from_the_default_of_the_client(client: Client) -> None:
    asked: list[Strategy | None] = []

    class Asked(NextRebalance):
        def expected(
            self,
            group: Group,
            strategies: tuple[Strategy, ...],
            runs: Strategy | None,
            *,
            is_noticed: bool,
        ) -> Sequence[Outcome]:
            asked.append(runs)
            return super().expected(group, strategies, runs, is_noticed=is_noticed)

    answer_of(Given(group=owned([9, 9, 9, 9], [[0, 1, 2], [3], []]), client=client), Asked())

    assert asked == [client.default]


def test_a_partition_without_an_owner_is_assigned_where_the_load_stays_the_same() -> None:
    found = answer(owned([50, 50, None], [[0], [1]]))

    assert found.strategies
    for option in found.strategies:
        assert option.outcome is not None
        assert option.outcome.figures.unowned == 0
        assert not option.is_gain
    assert "falls" not in words_of(found).action


def test_owners_that_cannot_be_predicted_are_an_option_of_that_certainty() -> None:
    group = group_of(
        {"t": Topic(3, lags=[90, 80, 1]), "u": Topic(3, lags=[70, 60, 1])},
        [Member("a", ["t", "u"], owned=[(t, p) for t in "tu" for p in range(3)], generation=1)]
        + [Member(name, ["t", "u"]) for name in "bc"],
    )

    sure, unsure = (
        named(answer(group), name).outcome for name in ("roundrobin", "uniform-kafka-18688")
    )

    assert sure is not None
    assert unsure is not None
    assert sure.certainty.known is Known.EXACT
    assert unsure.certainty.known is not Known.EXACT


def test_rates_that_are_stated_explain_lag_in_few_hands_so_a_setting_that_ends_it_is_proposed() -> (
    None
):
    group = owned([90_000, 5, 5, 5], [[0, 1], [2, 3]]).with_rates(
        np.array([300.0, 300.0, 10.0, 10.0])
    )

    found = answer(group, speed=500.0)

    assert found.keep is not None
    assert found.keep.ends_s == np.inf
    assert found.verdict.kind is VerdictKind.NEVER_CATCHES_UP
    assert switch(found).takes is not Takes.JAR
    assert (switch(found).ends_s or np.inf) < np.inf


def test_where_other_owners_end_the_backlog_it_is_not_said_that_none_would() -> None:
    group = owned([90_000, 5, 5, 5], [[0, 1], [2, 3]]).with_rates(
        np.array([300.0, 300.0, 10.0, 10.0])
    )
    found = answer(group, speed=500.0)
    adding = next(each for each in found.options if each.action is Action.ADD_CONSUMERS)
    keep = [each for each in found.options if each.action in {Action.KEEP, Action.ADD_CONSUMERS}]

    open_, closed = (
        words_of(replace(found, proposal=adding, options=tuple(options)))
        for options in (found.options, keep)
    )

    assert closed.action.startswith(open_.action)
    assert len(closed.action) > len(open_.action)
