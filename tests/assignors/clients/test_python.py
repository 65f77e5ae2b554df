"""What is known of the sticky results of aiokafka and kafka-python, and which there are."""

import json

import numpy as np
import pytest

from assignors.certainty import EXACT, Known
from assignors.clients import python
from assignors.clients.registry import OTHER_CLIENTS
from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from evaluation.comparing.other_answers import other_answers
from sources import group_json

SORTED, AS_SETS = "kafka-python-cooperative-sticky", ("aiokafka-sticky", "kafka-python-sticky")


def _a_joins(known: tuple[str, ...] | None = None, *, lists_alike: bool = True) -> Group:
    """Return a group in which B holds everything and A has joined; it can get two sets of three."""
    topics = ["a", "t"]
    own = [*(("a", p) for p in range(2)), *(("t", p) for p in range(4))]
    second = topics if lists_alike else topics[::-1]
    group = group_of(
        {"a": Topic(2), "t": Topic(4)},
        [Member("B", topics, owned=own, generation=1), Member("A", second)],
    )
    text = group_json.as_json(group)
    if known is not None:
        text["known_to_leader"] = known
    return group_json.decode(json.dumps(text)).group


@pytest.mark.parametrize("name", [SORTED, *AS_SETS])
def test_one_topic_that_nobody_reads_is_the_second_of_two_answers(name: str) -> None:
    strategy, group = OTHER_CLIENTS[name], _a_joins()

    assert strategy.possible is not None
    assert strategy.certainty_for(group).text == "one of 2"
    first, second = strategy.possible(group)
    (unread,) = strategy.possible(_a_joins(("a", "t", "other")))
    assert np.array_equal(first, strategy.settle(group))
    assert np.array_equal(second, unread)


@pytest.mark.parametrize("name", [SORTED, *AS_SETS])
def test_stating_an_unread_topic_that_the_leader_knows_makes_it_exact(name: str) -> None:
    assert OTHER_CLIENTS[name].certainty_for(_a_joins(("a", "t", "other"))) == EXACT


def test_stating_that_the_leader_knows_no_other_settles_it_where_topics_are_sorted() -> None:
    group = _a_joins(("a", "t"))

    assert OTHER_CLIENTS[SORTED].certainty_for(group) == EXACT
    assert OTHER_CLIENTS[AS_SETS[0]].certainty_for(group).text == "one of 2"


def test_where_both_answers_are_the_same_it_is_exact() -> None:
    group = Group.fresh({"t": 3}, ["c0", "c1"]).owned_by(np.array([0, 0, 1], np.int32))

    assert python.of_aiokafka_sticky(group) == EXACT


def test_the_other_answer_is_worded_by_what_differs() -> None:
    strategy, group = OTHER_CLIENTS["aiokafka-sticky"], _a_joins()

    (other,) = other_answers(group, strategy, strategy.settle(group))

    assert strategy.possible is not None
    second = strategy.possible(group)[1]
    changed = np.flatnonzero(second != strategy.settle(group))
    assert group.partition_name(changed[0]) in other


def test_a_partition_that_goes_back_to_whoever_no_longer_reads_it_is_a_fault() -> None:
    group = group_of(
        {"a": Topic(2), "b": Topic(2)},
        [
            Member("c0", ["a", "b"], owned=[("a", 0), ("a", 1), ("b", 0), ("b", 1)], generation=2),
            Member("c1", ["b"], owned=[("a", 0)], generation=1),
            Member("c2", ["a"]),
        ],
    )

    known = python.of_kafka_python_sticky(group).known

    assert known in {Known.BREAKS_THE_RULES, Known.ONE_OF_SEVERAL}
