from dataclasses import replace

import numpy as np

from assignors.certainty import EXACT, VANISHED, Certainty
from assignors.clients.librdkafka_sticky import (
    BROKERS_ORDER,
    RACKS_WITH_CLAIMS,
    librdkafka_cooperative_target,
    named_by_a_broker,
    of_librdkafka_sticky,
)
from assignors.model import Group
from assignors.numbering import Member, Topic, group_of

ASKED = ["zeta", "alpha", "orders", "payments_v2", "t1", "t10", "t2", "a.b"]
NAMED = ["alpha", "payments_v2", "zeta", "t1", "a.b", "t2", "orders", "t10"]
"""The order in which Kafka 4.4.0 returned these topics in a metadata response."""


def test_many_topics_come_as_the_broker_hashes_them() -> None:
    assert [ASKED[place] for place in named_by_a_broker(ASKED, ASKED)] == NAMED
    assert named_by_a_broker(ASKED[::-1], ASKED) == named_by_a_broker(ASKED, ASKED)


def test_up_to_four_topics_are_shown_as_requested() -> None:
    assert named_by_a_broker(["t2", "t1", "t2", "a.b", "x"], ["a.b", "t1", "t2"]) == [2, 1, 0]


def _of_topics(count: int, known: tuple[str, ...] | None) -> Group:
    """Return a group of two in which c0 owns the first topic's only partition; others are free."""
    names = [f"t{n}" for n in range(count)]
    owners = np.array([0, *[-1] * (count - 1)], np.int32)
    group = Group.fresh(dict.fromkeys(names, 1), ["c0", "c1"]).owned_by(owners)
    return replace(group, layout=replace(group.layout, known_to_leader=known))


def test_more_than_four_topics_are_certain_only_in_a_stated_order() -> None:
    forward = tuple(f"t{n}" for n in range(5))

    assert of_librdkafka_sticky(_of_topics(4, None)) == EXACT
    assert of_librdkafka_sticky(_of_topics(5, None)) == BROKERS_ORDER
    assert of_librdkafka_sticky(_of_topics(5, forward)) == EXACT


def test_the_stated_order_of_a_broker_decides_who_gets_what_nobody_held() -> None:
    forward = tuple(f"t{n}" for n in range(5))

    one, other = (
        librdkafka_cooperative_target(_of_topics(5, known)) for known in (forward, forward[::-1])
    )

    assert not np.array_equal(one, other)


def test_a_claim_on_what_vanished_is_not_called_exact() -> None:
    group = _of_topics(2, None)
    group = replace(group, claims=replace(group.claims, vanished=(("c0", "t0", 7),)))

    assert of_librdkafka_sticky(group) == VANISHED


def test_racks_that_count_leave_a_doubt_once_consumers_own_partitions() -> None:
    topics = {"t": Topic(2, racks=[["x"], ["y"]])}

    def certainty(rack: str | None, owned: list[tuple[str, int]]) -> Certainty:
        members = [Member("a", ("t",), rack=rack, owned=owned), Member("b", ("t",), rack=rack)]
        return of_librdkafka_sticky(group_of(topics, members))

    assert certainty("x", [("t", 0)]) == RACKS_WITH_CLAIMS
    assert certainty("x", []) == certainty(None, [("t", 0)]) == EXACT
