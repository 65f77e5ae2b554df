"""The ids that consumers and topics get."""

import random
from dataclasses import replace

from assignors.model import Group
from evaluation.consumer_labels import RANDOM_ID
from evaluation.rebalance.new_ids import NewIds


def test_a_known_id_of_a_topic_stays_and_only_an_unknown_one_is_drawn() -> None:
    group = Group.of(["logs", "orders"], [1, 1], ["c0"])
    known = "2kzJX4zKR8uIyDgSLzmQyA"
    chance = random.Random(1)  # noqa: S311 -- no secret
    layout = replace(group.layout, topic_ids=(known, None))

    found = NewIds(group, chance, ()).of_topics(replace(group, layout=layout))

    assert found[0] == known
    assert RANDOM_ID.fullmatch(found[1])
