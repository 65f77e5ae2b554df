import numpy as np
from hypothesis import given

from assignors.kafka_18688 import uniform_kafka_18688
from assignors.model import UNOWNED, Group
from tests.groups import groups


def test_an_extra_partition_stays_where_it_is() -> None:
    group = Group.of(["t"], [3], ["A", "B"], owners=[0, 1, 1])

    assert uniform_kafka_18688(group).tolist() == [0, 1, 1]


def test_at_first_the_members_heard_last_get_the_extras() -> None:
    group = Group.of(["t"], [4], ["A", "B", "C"])

    assert uniform_kafka_18688(group).tolist() == [0, 1, 2, 2]


def test_members_are_heard_in_the_order_of_a_hash_map() -> None:
    members = ["consumer1", "consumer10", "consumer2"]
    group = Group.of(["t"], [3], members)

    heard = [members[m] for m in uniform_kafka_18688(group).tolist()]

    assert heard == ["consumer10", "consumer2", "consumer1"]


def test_whoever_owns_an_extra_keeps_it_while_others_join() -> None:
    group = Group.of(["t"], [7], ["A", "B", "C"], owners=[0, 0, 0, 0, 1, 1, 1])

    assert uniform_kafka_18688(group).tolist() == [0, 0, 0, 2, 1, 1, 2]


@given(groups())
def test_an_answer_once_given_stays(group: Group) -> None:
    owners = uniform_kafka_18688(group)

    again = uniform_kafka_18688(group.owned_by(owners))

    if group.has_equal_subscriptions:
        assert np.array_equal(again, owners)
    assert ((owners == UNOWNED) == ~group.is_wanted).all()
