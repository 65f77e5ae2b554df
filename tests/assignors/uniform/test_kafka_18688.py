import numpy as np
from hypothesis import given

from assignors.model import UNOWNED, Group
from assignors.uniform.kafka_18688 import uniform_kafka_18688
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


def test_what_is_given_up_are_the_last_of_the_brokers_hash_set() -> None:
    owners = np.repeat([0, 1], 10)
    group = Group.of(["t"], [20], ["A", "B", "C"], owners=owners)

    kept = np.flatnonzero(uniform_kafka_18688(group)[10:] == 1) + 10

    assert kept.tolist() == [10, 11, 12, 16, 17, 18, 19]


def test_of_two_numbers_in_one_bucket_the_larger_is_given_up_first() -> None:
    owners = np.repeat([1, 2, 3], [11, 11, 10])
    owners[[*range(7), 15, 31]] = 0
    group = Group.of(["t"], [32], ["A", "B", "C", "D"], owners=owners)

    kept = np.flatnonzero(uniform_kafka_18688(group) == 0)

    assert kept.tolist() == [*range(7), 15]


def test_every_topic_has_a_hash_set_of_its_own() -> None:
    group = Group.of(["t", "u"], [18, 18], ["A", "B"], owners=[0] * 36)

    owners = uniform_kafka_18688(group)

    assert group.named(owners)["B"] == tuple(f"u-{number}" for number in range(18))


@given(groups())
def test_a_result_once_returned_stays(group: Group) -> None:
    owners = uniform_kafka_18688(group)

    again = uniform_kafka_18688(group.owned_by(owners))

    if group.layout.has_equal_subscriptions:
        assert np.array_equal(again, owners)
    assert ((owners == UNOWNED) == ~group.is_wanted).all()
