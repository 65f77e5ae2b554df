"""Kafka's own faults under sticky: said beside an answer that follows the protocol.

The inputs were run through the classes of 3.7.1, 3.9.1, 4.0.0 and 4.4.0; each comment is what they
returned.
"""

import pytest

from assignors.certainty import EXACT, Known
from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from assignors.rules import check
from assignors.sticky.faults import of_kafka_sticky
from tests.golden_cases import cases

CLIENTS = ("sticky", "cooperative-sticky")


@pytest.mark.parametrize("strategy", CLIENTS)
def test_a_first_consumer_without_topics_is_said_to_get_partitions(strategy: str) -> None:
    # B: zz-0, F: zz-1
    group = Group.fresh({"zz": 2}, {"B": [], "F": ["zz"]})

    certainty = STRATEGIES[strategy].certainty_for(group)

    assert certainty.known is Known.BREAKS_THE_RULES
    assert "do not subscribe: B for zz-0. " in certainty.why
    assert group.named(check(group, STRATEGIES[strategy].settle(group)))["F"] == ("zz-0", "zz-1")


def test_a_consumer_without_topics_behind_the_others_is_no_matter() -> None:
    # A: t-0 t-1
    group = Group.fresh({"t": 2}, {"A": ["t"], "B": []})

    assert of_kafka_sticky(group) == EXACT


def test_a_topic_listed_twice_that_makes_up_for_a_missing_one_is_said() -> None:
    # A: a-0, B: b-0
    group = group_of(
        {"a": Topic(1), "b": Topic(1)}, [Member("A", ["a", "b"]), Member("B", ["a", "a"])]
    )

    certainty = of_kafka_sticky(group)

    assert certainty.known is Known.BREAKS_THE_RULES
    assert "B for b-0" in certainty.why


def test_an_idle_consumer_that_gets_nothing_leaves_kafkas_answer_exact() -> None:
    # B, F and H: nothing, because the only partition goes to A, without topics; of 0 partitions
    group = Group.fresh({"t": 1, "u": 0}, {"C": ["t"], "B": ["t"], "A": ["t", "u"]})

    assert of_kafka_sticky(group) == EXACT


@pytest.mark.parametrize("strategy", CLIENTS)
def test_a_claim_on_what_no_longer_exists_is_not_called_exact(strategy: str) -> None:
    # sticky: java.lang.IllegalStateException: No more unfilled consumers to be assigned.
    group = group_of(
        {"b": Topic(1), "o": Topic(5)},
        [Member("F", ["b", "o"], owned=[("o", 2), ("o", 1), ("b", 2)], generation=1)],
    )

    certainty = STRATEGIES[strategy].certainty_for(group)

    assert certainty.known is Known.NOT_PREDICTABLE
    assert "b-2, which no longer exists" in certainty.why


@pytest.mark.parametrize("gone", [("gone", 0), ("empty", 0)])
def test_claims_on_topics_without_partitions_are_ignored_as_kafka_does(
    gone: tuple[str, int],
) -> None:
    # F: o-0, G: o-1
    group = group_of(
        {"o": Topic(2), "empty": Topic(0)},
        [Member("F", ["o", "empty"], owned=[gone], generation=1), Member("G", ["o", "empty"])],
    )

    assert of_kafka_sticky(group) == EXACT


@pytest.mark.parametrize("strategy", CLIENTS)
def test_where_kafka_throws_the_prediction_says_so(strategy: str) -> None:
    # java.lang.NullPointerException
    claims = [("a", 1), ("a", 7), ("a", 5), ("z", 4), ("z", 1), ("z", 3)]
    own = [("z", 7), ("z", 6), ("a", 4), ("a", 3)]
    group = group_of(
        {"z": Topic(8), "a": Topic(8)},
        [
            Member("F", ["nowhere"], owned=claims),
            Member("consumer-8-2f33447b80", ["z", "a"], owned=own, generation=1),
            Member("J", ["z"], generation=2),
        ],
    )

    certainty = STRATEGIES[strategy].certainty_for(group)

    assert certainty.known is Known.FAILS
    assert certainty.why.startswith("Kafka throws NullPointerException here")


def test_a_brokers_empty_rack_is_a_rack_and_a_consumers_is_none() -> None:
    # C: t-0, D: t-1: racks count, because "" makes the partitions differ
    racks = [["r1"], ["", "r1"]]
    group = group_of(
        {"t": Topic(2, racks=racks)}, [Member("C", ["t"], rack=""), Member("D", ["t"], rack="r1")]
    )

    assert group.layout.racks == ("", "r1")
    assert group.layout.member_racks.tolist() == [-1, 1]
    assert of_kafka_sticky(group) == EXACT


@pytest.mark.slow
@pytest.mark.parametrize("strategy", CLIENTS)
def test_every_recorded_fault_is_labelled_or_predicted_and_nothing_else_is(strategy: str) -> None:
    named = STRATEGIES[strategy]
    tried = [c for c in cases(strategy) if not c.record.get("canonical_unstable")]

    labelled = [c for c in tried if named.certainty_for(c.group) != EXACT]
    differing = [c for c in tried if not c.agrees(named.assign(c.group))]

    assert any(case.record.get("kafka_bug") for case in tried)
    assert [case.record["id"] for case in labelled] == [case.record["id"] for case in differing]
