from itertools import islice

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import Group
from assignors.naming import member_records
from assignors.numbering import Member, Topic, group_of
from evaluation.assuming.running import is_broker_side
from evaluation.capacity.resizing import as_planned, names_like, resizer, with_shared_subscription
from tests.groups import groups, tried


def test_a_smaller_group_keeps_its_first_members_with_what_they_own() -> None:
    group = Group.fresh({"t": 3}, ["c0", "c1", "c2"]).owned_by(np.array([0, 1, 2], np.int32))

    smaller = resizer(group, 2)(2)

    assert smaller.members == ("c0", "c1")
    assert smaller.present_owners.tolist() == [0, 1, -1]


def test_a_larger_group_gets_members_named_like_the_others_who_own_nothing() -> None:
    group = Group.fresh({"t": 3}, ["c08", "c09"]).owned_by(np.array([0, 1, 1], np.int32))

    larger = resizer(group, 4)(4)

    assert larger.members == ("c08", "c09", "c10", "c11")
    assert larger.present_owners.tolist() == [0, 1, 1]
    assert larger.layout.has_equal_subscriptions


def test_sizes_can_come_in_any_order_and_each_keeps_the_members_of_the_smaller_ones() -> None:
    group = Group.fresh({"t": 3}, ["c9"])

    found = {size: set(resizer(group, 3)(size).members) for size in (3, 1, 2)}

    assert found == {1: {"c9"}, 2: {"c9", "c10"}, 3: {"c9", "c10", "c11"}}


def test_everybody_subscribes_to_what_most_subscribe_to() -> None:
    wanted = {"c0": ["t", "u"], "c1": ["t"], "c2": ["t"]}
    group = Group.fresh({"t": 2, "u": 1}, wanted).owned_by(np.array([0, 1, 0], np.int32))

    alike = with_shared_subscription(group)

    assert alike.is_wanted.tolist() == [True, True, False]
    assert alike.present_owners.tolist() == [0, 1, -1]


def test_of_equally_frequent_subscriptions_the_first_members_counts() -> None:
    group = Group.fresh({"t": 1, "u": 1}, {"c0": ["u"], "c1": ["t"]})

    assert with_shared_subscription(group).is_wanted.tolist() == [False, True]


def test_new_members_of_a_static_group_are_static_and_take_the_racks_in_turn() -> None:
    members = [Member(f"m{k}", ["t"], f"i{k}", "ab"[k]) for k in range(2)]
    group = group_of({"t": Topic(4)}, members)

    larger = resizer(group, 4)(4)

    added = member_records(larger)[2:]
    assert [(m.id, m.instance_id, m.rack) for m in added] == [
        ("m2", "i2", "a"),
        ("m3", "i3", "b"),
    ]


def test_a_group_without_members_gets_some_that_subscribe_to_everything() -> None:
    group = Group.fresh({"t": 2, "u": 1}, [])

    larger = resizer(group, 2)(2)

    assert larger.members == ("consumer-1", "consumer-2")
    assert larger.is_wanted.all()


def test_names_go_on_without_a_brokers_uuid_and_never_repeat() -> None:
    uuid = "0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be07"

    assert list(islice(names_like([f"app-1-{uuid}"]), 2)) == ["app-2", "app-3"]
    assert next(names_like([f"app-10-{uuid}", f"app-9-{uuid}"])) == "app-11"
    assert list(islice(names_like(["worker"]), 2)) == ["worker-1", "worker-2"]
    long = "a" + "9" * 5_000
    assert next(names_like([long])) == f"{long[:-9]}1000000000"
    assert list(islice(names_like(["c10", "c9"]), 2)) == ["c11", "c12"]


def test_more_consumers_of_a_broker_side_group_keep_it_one() -> None:
    group = Group.fresh({"t": 4}, ["2kzJX4zKR8uIyDgSLzmQyA", "9PqAbcTtR1mXyDgSLzmQyA"])

    larger = resizer(group, 4)(4)

    assert is_broker_side(larger)
    assert larger.members[2:] == ("joining-0000000000001A", "joining-0000000000002A")
    assert not is_broker_side(Group.fresh({"t": 4}, ["payments-consumer-0001"]))


@given(groups(), st.integers(1, 12))
@tried(60)
def test_any_group_can_be_given_any_size(group: Group, size: int) -> None:
    found = resizer(group, size)(size)

    assert found.member_count == size
    assert found.layout.has_equal_subscriptions
    kept = min(size, group.member_count)
    assert set(group.members[:kept]) <= set(found.members)
    assert found.partition_count == group.partition_count


def test_a_group_is_planned_as_if_it_had_a_subscriber() -> None:
    nobody = Group.fresh({"t": 2, "u": 1}, [])
    somebody = Group.fresh({"t": 2, "u": 1}, {"c0": ["t"]})

    assert as_planned(nobody).is_wanted.all()
    assert as_planned(somebody).is_wanted.tolist() == [True, True, False]
