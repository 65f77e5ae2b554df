from assignors.clients.librdkafka_sticky import named_by_a_broker

ASKED = ["zeta", "alpha", "orders", "payments_v2", "t1", "t10", "t2", "a.b"]
NAMED = ["alpha", "payments_v2", "zeta", "t1", "a.b", "t2", "orders", "t10"]
"""The order in which Kafka 4.4.0 returned these topics in a metadata response."""


def test_many_topics_come_as_the_broker_hashes_them() -> None:
    assert [ASKED[place] for place in named_by_a_broker(ASKED, ASKED)] == NAMED
    assert named_by_a_broker(ASKED[::-1], ASKED) == named_by_a_broker(ASKED, ASKED)


def test_up_to_four_topics_are_shown_as_requested() -> None:
    assert named_by_a_broker(["t2", "t1", "t2", "a.b", "x"], ["a.b", "t1", "t2"]) == [2, 1, 0]
