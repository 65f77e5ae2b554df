import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.layout import Layout, RackPlaces
from assignors.model import UNOWNED, Group
from assignors.numbering import Member, Topic, group_of
from assignors.rules import check
from assignors.sticky.kafka import cooperative_sticky, sticky
from tests.groups import equal_groups, groups, tried

MOST_ROUNDS = 10
"""Two suffice without racks; with racks, each round reconsiders what the last one assigned."""


def test_a_joiner_waits_for_the_second_round() -> None:
    group = Group.of(["t"], [6], ["a", "b", "c"], owners=[0, 1, 0, 1, 0, 1])

    first = cooperative_sticky(group)
    second = cooperative_sticky(group.owned_by(first, generation=1))

    assert group.named(first) == {"a": ("t-0", "t-2"), "b": ("t-1", "t-3"), "c": ()}
    assert group.named(second) == {"a": ("t-0", "t-2"), "b": ("t-1", "t-3"), "c": ("t-4", "t-5")}


def test_unowned_partitions_are_assigned_immediately() -> None:
    group = Group.of(["t"], [3], ["a", "b"], owners=[0, UNOWNED, UNOWNED])

    assert cooperative_sticky(group).tolist() == [0, 1, 0]


def test_a_disputed_partition_is_withheld_from_both() -> None:
    members = [Member(name, ["t"], owned=[("t", 0)], generation=3) for name in "ab"]
    group = group_of({"t": Topic(2)}, members)

    assert sticky(group).tolist() == [0, 1]
    assert cooperative_sticky(group).tolist() == [UNOWNED, 1]


def test_what_its_taker_itself_gave_up_for_its_rack_is_not_withheld() -> None:
    group = Group.with_layout(
        Layout.of(
            ["t"],
            [2],
            ["c0", "c1"],
            racks=RackPlaces(["a", "b"], [0, 1], [[False, True], [False, False]]),
        ),
        owners=[0, 0],
    )

    assert sticky(group).tolist() == [1, 0]
    assert cooperative_sticky(group).tolist() == [UNOWNED, 0]


def test_with_unequal_subscriptions_too_others_must_let_go_first() -> None:
    members = [
        Member("a", ["t", "u"], owned=[("t", 0), ("t", 1), ("t", 2)], generation=1),
        Member("b", ["t"], generation=1),
    ]
    group = group_of({"t": Topic(3), "u": Topic(0)}, members)

    assert sticky(group).tolist() == [1, 0, 0]
    assert cooperative_sticky(group).tolist() == [UNOWNED, 0, 0]


def test_an_old_claim_of_its_taker_hides_the_present_owner_as_it_does_in_kafka() -> None:
    """A bug of Kafka's general path: a and b both own t-0 until b learns of it."""
    members = [
        Member("a", ["t"], owned=[("t", 0)], generation=1),
        Member("b", ["t", "u"], owned=[("t", 0), ("t", 1)], generation=2),
    ]
    group = group_of({"t": Topic(2), "u": Topic(1)}, members)

    assert cooperative_sticky(group).tolist() == [0, 1, 1]


@given(group=groups())
@tried(200)
def test_rounds_come_to_an_end_and_no_partition_is_ever_owned_twice(group: Group) -> None:
    owners = cooperative_sticky(group)
    for generation in range(4, 4 + MOST_ROUNDS):
        before, group = owners, group.owned_by(owners, generation)
        owners = check(group, cooperative_sticky(group), complete=False)
        changed = (before != UNOWNED) & (owners != UNOWNED) & (owners != before)
        assert not changed.any()

    # With unequal subscriptions and racks, Kafka's own rounds may never end.
    if group.layout.has_equal_subscriptions or not group.layout.racks:
        assert np.array_equal(owners, before)
        assert np.array_equal(owners, sticky(group))


@given(group=equal_groups(), data=st.data())
@tried(200)
def test_where_all_is_owned_at_first_the_rounds_end_at_the_first_target(
    group: Group, data: st.DataObject
) -> None:
    owners, wanted = group.nobody(), np.flatnonzero(group.is_wanted)
    owner = st.integers(0, max(group.member_count - 1, 0))
    owners[wanted] = data.draw(st.lists(owner, min_size=wanted.size, max_size=wanted.size))
    group = group.owned_by(owners, generation=4)
    target = sticky(group)

    second = cooperative_sticky(group.owned_by(cooperative_sticky(group), generation=5))

    assert np.array_equal(second, target)
