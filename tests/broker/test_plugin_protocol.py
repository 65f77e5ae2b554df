"""The cooperative protocol of the Java assignor: promises, two rounds, fallbacks; no broker."""

from collections.abc import Iterator

import numpy as np
import pytest

from assignors.naming import assignment_of
from assignors.registry import STRATEGIES
from tests.broker.java_harness import Harness
from tests.broker.plugin_groups import leaders_saw, predicted
from tests.broker.plugin_rounds import Held, Loads, Rounds

pytestmark = pytest.mark.needs("broker")

_JOINS, _DEEP = 60, 300
_TOPICS = {"a": 24, "b": 24}
_LOGGING = {"assignor.load.log.inputs": "true"}
_SLOW = 0.4
"""How often a member misses a round while it could."""


def drawn_loads(seed: int) -> dict[str, list[int]]:
    random = np.random.default_rng(seed)
    return {t: (random.pareto(1.2, n) * 1000).astype(int).tolist() for t, n in _TOPICS.items()}


def started(harness: Harness, loads: Loads, config: dict[str, str] | None = None) -> Rounds:
    """Return a settled group of members c0, c1, ..."""
    names = {f"c{m}": list(_TOPICS) for m in range(3)}
    rounds = Rounds(harness, dict(_TOPICS), names, config or {})
    rounds.settle(loads)
    return rounds


def target(rounds: Rounds, loads: Loads, strategy: str = "load-sticky") -> Held:
    group = rounds.group(loads)
    owners = STRATEGIES[strategy].settle(group)
    return {member: set(held) for member, held in assignment_of(group, owners).items()}


def drifting_joins(harness: Harness, count: int) -> Iterator[tuple[int, bool, bool]]:
    """Yield rounds, whether the first round's target was met, and whether the joiner has some."""
    for seed in range(count):
        loads, later = drawn_loads(seed), drawn_loads(seed + 10_000)
        rounds = started(harness, loads)
        rounds.members["c3"] = list(_TOPICS)
        aim = target(rounds, loads)
        revoked = rounds.round(loads)
        played = 1 + (rounds.settle(later, leader="c2") if revoked else 0)
        yield played, rounds.owned == aim, bool(rounds.owned["c3"])


def slow_joins(harness: Harness, count: int) -> Iterator[tuple[bool, int, int]]:
    """Yield whether the first target was met, the rounds that nobody missed, and the others."""
    random = np.random.default_rng(5)
    for seed in range(count):
        rounds = started(harness, drawn_loads(seed))
        rounds.members["c3"] = list(_TOPICS)
        aim = target(rounds, drawn_loads(seed))
        whole, missed, goes_on = 0, 0, True
        while goes_on:
            leader = str(random.choice(list(rounds.members)))
            slow = [m for m in rounds.members if m != leader and random.random() < _SLOW]
            goes_on = rounds.round(drawn_loads(seed + 1000 * (whole + missed)), leader, misses=slow)
            whole, missed = whole + (not rounds.was_missed), missed + rounds.was_missed
        yield rounds.owned == aim, whole, missed


def test_a_join_takes_two_rounds_and_ends_at_its_target_whatever_the_lag_does_meanwhile(
    harness: Harness,
) -> None:
    assert set(drifting_joins(harness, _JOINS)) <= {(1, True, True), (2, True, True)}


@pytest.mark.deep
def test_three_hundred_joins_take_two_rounds_and_end_at_their_targets(harness: Harness) -> None:
    assert set(drifting_joins(harness, _DEEP)) <= {(1, True, True), (2, True, True)}


def test_a_round_that_only_keeps_promises_reads_nothing(harness: Harness) -> None:
    rounds = started(harness, drawn_loads(1))
    rounds.members["c3"] = list(_TOPICS)

    assert rounds.round(drawn_loads(1))
    assert rounds.has_read
    assert rounds.promised["c3"]

    assert not rounds.round(drawn_loads(1))
    assert not rounds.has_read


def test_nothing_moves_while_nothing_changes(harness: Harness) -> None:
    rounds = started(harness, drawn_loads(2))
    rounds.members["c3"] = list(_TOPICS)
    rounds.settle(drawn_loads(2))
    before = rounds.owned

    assert [rounds.settle(drawn_loads(2)) for _ in range(4)] == [1, 1, 1, 1]
    assert rounds.owned == before


def test_when_a_promisee_leaves_its_partitions_go_to_others(harness: Harness) -> None:
    rounds = started(harness, drawn_loads(3))
    rounds.members["c3"] = list(_TOPICS)
    rounds.round(drawn_loads(3))
    del rounds.members["c3"]

    rounds.settle(drawn_loads(3))

    assert rounds.owned.keys() == {"c0", "c1", "c2"}


def test_a_promise_to_a_member_that_no_longer_subscribes_is_void(harness: Harness) -> None:
    rounds = started(harness, drawn_loads(4))
    rounds.members["c3"] = list(_TOPICS)
    rounds.round(drawn_loads(4))
    lost = {topic for topic, _ in rounds.promised["c3"]}
    rounds.members["c3"] = [topic for topic in _TOPICS if topic not in lost] or ["b"]

    rounds.settle(drawn_loads(4))

    assert {topic for topic, _ in rounds.owned["c3"]} <= set(rounds.members["c3"])


def test_members_too_slow_to_hear_of_a_round_delay_its_target_and_do_not_change_it(
    harness: Harness,
) -> None:
    is_met, whole, missed = zip(*slow_joins(harness, _JOINS), strict=True)

    assert set(is_met) == {True}
    assert max(whole) <= 2
    assert max(missed) > 1


def test_who_joins_between_the_rounds_does_not_stay_idle(harness: Harness) -> None:
    rounds = started(harness, drawn_loads(7))
    rounds.members["c3"] = list(_TOPICS)
    rounds.round(drawn_loads(7))
    rounds.members["c4"] = list(_TOPICS)

    played = rounds.settle(drawn_loads(7))

    assert rounds.owned["c4"]
    assert played <= 2


def test_unreadable_user_data_counts_as_none(harness: Harness) -> None:
    rounds = started(harness, drawn_loads(8))
    rounds.members["c3"] = list(_TOPICS)
    rounds.round(drawn_loads(8))

    rounds.round(drawn_loads(8), garbage=["c3", "c0"])
    rounds.settle(drawn_loads(8))

    assert rounds.owned["c3"]


def test_a_generation_that_only_user_data_claims_is_not_believed(harness: Harness) -> None:
    loads = drawn_loads(8)
    honest = started(harness, loads)
    honest.settle(loads)
    expected = {member: set(held) for member, held in honest.owned.items()}
    lied_to = started(harness, loads)
    lied_to.settle(loads)

    gave_up = [lied_to.round(loads, liars=["c1"]) for _ in range(4)]

    assert gave_up == [False] * 4
    assert lied_to.owned == expected


def test_if_the_leader_leaves_too_a_promisee_loses_no_more_than_the_budget(
    harness: Harness,
) -> None:
    loads = drawn_loads(9)
    rounds = started(harness, loads)
    rounds.members["c3"] = list(_TOPICS)
    rounds.round(loads)
    promised = rounds.promised["c3"]
    del rounds.members["c0"]

    rounds.settle(drawn_loads(10), leader="c1")

    assert len(promised - rounds.owned["c3"]) <= 5  # a tenth of 48, rounded up


def test_without_any_reading_it_assigns_as_cooperative_sticky(harness: Harness) -> None:
    unread: Loads = {topic: [None] * size for topic, size in _TOPICS.items()}
    rounds = started(harness, drawn_loads(11), _LOGGING)
    rounds.members["c3"] = list(_TOPICS)
    aim = target(rounds, unread, "cooperative-sticky")

    played = rounds.settle(unread)

    assert played == 2
    assert rounds.owned == aim == predicted([*leaders_saw(harness)][-1])


def test_budget_and_tolerance_are_in_the_line_and_decide(harness: Harness) -> None:
    config = {**_LOGGING, "assignor.load.moves.share": "1", "assignor.load.tolerance": "0"}
    rounds = started(harness, drawn_loads(14), config)
    rounds.members["c3"] = list(_TOPICS)

    rounds.settle(drawn_loads(14))

    seen = [*leaders_saw(harness)][-1]
    untold = {k: v for k, v in seen.items() if k not in {"moves_share", "tolerance"}}
    assert rounds.owned == predicted(seen)
    assert rounds.owned != predicted(untold)


def test_with_part_of_a_reading_only_what_is_free_or_a_joiner_s_moves(harness: Harness) -> None:
    loads = drawn_loads(12)
    rounds = started(harness, loads)
    partial: Loads = {"a": loads["a"][::-1], "b": [*loads["b"][:12], *[None] * 12]}
    before = rounds.owned

    assert rounds.settle(partial) == 1
    assert rounds.owned == before

    del rounds.members["c2"]
    rounds.settle(partial)

    assert all(before[member] <= rounds.owned[member] for member in rounds.members)


def test_eager_members_take_one_round_and_are_as_sticky(harness: Harness) -> None:
    loads = drawn_loads(13)
    rounds = started(harness, loads, {"assignor.load.protocol": "eager"})
    rounds.members["c3"] = list(_TOPICS)
    aim = target(rounds, loads)

    rounds.round(loads)

    assert rounds.owned == aim
    assert all(not promised for promised in rounds.promised.values())
