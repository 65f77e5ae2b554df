import pytest

from sources.budget import LIMITS
from sources.counts import read_counts
from sources.errors import SourceError


def test_a_group_is_made_from_counts() -> None:
    (reading,) = read_counts(" orders-eu ", "24, 48, 12", 10)

    assert reading.name == "orders-eu"
    assert reading.group.topics == ("topic-1", "topic-2", "topic-3")
    assert reading.group.topic_sizes.tolist() == [24, 48, 12]
    assert reading.group.member_count == 10
    assert reading.group.is_wanted.all()
    assert not reading.group.has_claims


def test_topics_can_be_named_and_a_group_can_start_from_nothing() -> None:
    (named,) = read_counts("g", "orders 24; payments: 6\naudit=1", 1)
    (empty,) = read_counts("", "", 0)

    assert named.group.topics == ("audit", "orders", "payments")
    assert (empty.group.partition_count, empty.group.member_count) == (0, 0)


@pytest.mark.parametrize(
    ("topics", "sentence"),
    [
        ("24, x", "topic 2 is 'x'; write partitions as in 24, 48, 12"),
        ("24,, 3", "topic 2 is ''; write"),
        ("a b 3", "topic 1 is 'a b 3'; write"),
        ("-4", "topic 1 is '-4'; write"),
        ("a 3, a 4", "the topic 'a' is listed twice"),
        ("999999999999", "partitions"),
    ],
)
def test_counts_that_say_nothing_are_refused_in_a_sentence(topics: str, sentence: str) -> None:
    with pytest.raises(SourceError, match=sentence):
        read_counts("g", topics, 3)


@pytest.mark.slow
def test_more_consumers_than_a_group_may_have_are_refused() -> None:
    with pytest.raises(SourceError, match="consumers"):
        read_counts("g", "3", LIMITS.members + 1)
