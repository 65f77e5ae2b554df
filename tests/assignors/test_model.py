from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import ArrayLike

from assignors.layout import Layout, RackPlaces, SubscriptionClasses
from assignors.model import (
    NO_GENERATION,
    NO_RACK,
    UNKNOWN,
    UNOWNED,
    Group,
    InvalidGroupError,
)
from assignors.range_ import places, seated_static_first
from tests.groups import arrays_of

SIX: Final = (["t"], [6], ["A", "B", "C"])


def three_members(owners: ArrayLike | None = None, lags: ArrayLike | None = None) -> Group:
    """Return a group of six partitions of one topic."""
    return Group.of(*SIX, owners=owners, lags=lags)


def test_partitions_form_one_range_topic_after_topic() -> None:
    group = Group.of(["a", "b", "c"], [2, 0, 3], ["m"])

    assert group.topic_of_partition.tolist() == [0, 0, 2, 2, 2]
    assert group.number_in_topic.tolist() == [0, 1, 0, 1, 2]
    assert [group.partition_name(p) for p in (1, 2)] == ["a-1", "c-0"]


def test_an_empty_group_is_valid() -> None:
    group = Group.of([], [], [])

    assert group.partition_count == group.member_count == 0
    assert group.nobody().tolist() == group.present_owners.tolist() == []
    assert list(group.wanted_slices()) == []
    assert group.audiences.members.tolist() == group.layout.static_first.tolist() == []


def test_every_array_is_read_only() -> None:
    arrays = arrays_of(three_members(owners=[0, 0, 1, 1, 2, 2]))

    assert len(arrays) > 10
    assert not any(array.flags.writeable for array in arrays)


def test_arrays_that_are_given_stay_the_callers_own() -> None:
    lags = np.arange(6)
    group = three_members(lags=lags)

    lags[0] = 99

    assert group.lags[0] == 0


@pytest.mark.parametrize(("topics", "members"), [(["b", "a"], ["m"]), (["a"], ["m", "m"])])
def test_names_that_repeat_or_descend_are_refused(topics: list[str], members: list[str]) -> None:
    with pytest.raises(InvalidGroupError, match="distinct and ascend in Java's string order"):
        Group.of(topics, [1] * len(topics), members)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: three_members(lags=[1, 2]), "lags has 2 entries where this group needs 6"),
        (
            lambda: Layout.of(*SIX, instance_ids=["i"]),
            "instance_ids has 1 entries where this group needs 3",
        ),
        (lambda: Layout.of(*SIX, arrival=[0, 1]), "arrival has 2 entries where this group needs 3"),
        (
            lambda: Layout.of(*SIX, racks=RackPlaces(of_member=[0])),
            "member_racks has 1 entries where this group needs 3",
        ),
        (
            lambda: Layout.of(*SIX, racks=RackPlaces(of_replicas=[[True]])),
            "replica_racks has 1 entries where this group needs 6",
        ),
        (
            lambda: Layout.of(*SIX, subscriptions=SubscriptionClasses(of_member=[0])),
            "class_of_member has 1 entries where this group needs 3",
        ),
        (
            lambda: three_members().claimed_by([[0]]),
            "claims has 1 entries where this group needs 3",
        ),
        (
            lambda: three_members().claimed_by([], generations=[]),
            "generations has 0 entries where this group needs 3",
        ),
        (
            lambda: three_members().with_offsets(end=[7]),
            "end_offsets has 1 entries where this group needs 6",
        ),
        (
            lambda: three_members().with_throughput([7.0]),
            "throughput has 1 entries where this group needs 3",
        ),
    ],
)
def test_a_shape_that_disagrees_is_named(build: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidGroupError, match=message):
        build()


def test_the_higher_generation_keeps_a_partition_claimed_twice() -> None:
    group = three_members().claimed_by([[0, 3], [0, 1, 4], [2, 3, 5]], generations=[1, 2, 2])

    assert group.present_owners.tolist() == [1, 1, 2, 2, 1, 2]


def test_of_equal_generations_neither_keeps_it() -> None:
    group = three_members().claimed_by([[0, 1], [1, 2], [2]], generations=[2, 2, 3])

    assert group.present_owners.tolist() == [0, UNOWNED, 2, UNOWNED, UNOWNED, UNOWNED]


def test_an_older_third_claim_does_not_win_between_two_equals() -> None:
    group = three_members().claimed_by([[0], [0], [0]], generations=[2, 1, 2])

    assert group.present_owners[0] == UNOWNED


def test_a_partition_listed_twice_by_its_owner_is_still_owned() -> None:
    group = three_members().claimed_by([[4, 4], [], []], generations=[0, 0, 0])

    assert group.present_owners[4] == 0


def test_a_rebalance_leaves_everybody_with_one_generation() -> None:
    owners = np.array([2, 2, 1, 1, UNOWNED, 0], np.int32)

    after = (
        three_members().claimed_by([[]] * 3, generations=[1, 2, 3]).owned_by(owners, generation=4)
    )

    assert after.present_owners.tolist() == owners.tolist()
    assert after.claims.generations.tolist() == [4, 4, 4]
    assert after.claims.members.tolist() == [0, 1, 1, 2, 2]


def test_static_members_come_first_by_instance_id() -> None:
    group = Group.with_layout(Layout.of(*SIX, instance_ids=["i2", None, "i1"]))

    assert group.layout.static_first.tolist() == [2, 0, 1]


def test_subscribers_sit_in_the_order_of_static_first() -> None:
    group = Group.with_layout(
        Layout.of(
            ["t", "u"],
            [3, 1],
            ["A", "B", "C"],
            subscriptions=SubscriptionClasses([0, 1, 0], [[0, 1], [0]]),
            instance_ids=["i2", None, "i1"],
        )
    )

    assert places(group.layout).tolist() == [0, 1, 2, 0, 1]
    assert seated_static_first(group.layout, np.array([0, 1, 2, 1], np.int32)).tolist() == [
        2,
        0,
        1,
        0,
    ]


def test_a_topic_without_subscribers_stays_unowned_at_seat_0() -> None:
    group = Group.with_layout(
        Layout.of(["t", "u"], [1, 2], ["A"], subscriptions=SubscriptionClasses(topics=[[0]]))
    )

    assert group.layout.seated(np.zeros(3, np.int32), group.audiences.members).tolist() == [
        0,
        -1,
        -1,
    ]
    assert seated_static_first(group.layout, np.zeros(3, np.int32)).tolist() == [
        0,
        UNOWNED,
        UNOWNED,
    ]
    assert group.is_wanted.tolist() == [True, False, False]


def test_members_may_own_what_they_subscribe_to() -> None:
    group = Group.fresh({"t": 1, "u": 1}, {"A": ["t"], "B": ["t", "u"]})

    may_own = group.layout.may_own(np.array([0, 0, 1], np.int32), np.array([0, 1, 1]))

    assert may_own.tolist() == [True, False, True]


def test_subscriptions_are_equal_in_any_order() -> None:
    topics = {"t": 1, "u": 1}

    assert Group.fresh(topics, {"A": ["t", "u"], "B": ["u", "t"]}).layout.has_equal_subscriptions
    assert not Group.fresh(topics, {"A": ["t", "u"], "B": ["t"]}).layout.has_equal_subscriptions
    assert Group.fresh(topics, []).layout.has_equal_subscriptions


def test_members_of_one_bucket_are_iterated_as_they_arrived() -> None:
    names = ["BB", "b", "Aa", "C#"]

    group = Group.fresh({"t": 1}, names)

    assert [group.members[m] for m in group.layout.hash_map_order] == ["BB", "Aa", "C#", "b"]


def test_unknown_lag_is_not_zero_and_counts_as_zero() -> None:
    group = three_members(lags=[UNKNOWN, -4, 0, 7, 8, 9])

    assert group.is_lag_known.tolist() == [False, True, True, True, True, True]
    assert group.counted_lags.tolist() == [0, 0, 0, 7, 8, 9]


def test_fresh_groups_are_numbered_in_order_and_remember_how_members_came() -> None:
    group = Group.fresh({"b": 1, "a": 2}, {"z": ["b"], "y": ["a", "b"]}, {"b": [5], "a": [1, 2]})

    assert (group.topics, group.members) == (("a", "b"), ("y", "z"))
    assert group.lags.tolist() == [1, 2, 5]
    assert group.layout.arrival.tolist() == [1, 0]
    assert group.subscribes[group.layout.class_of_member].tolist() == [[True, True], [False, True]]


@pytest.mark.parametrize("members", [0, 3, 300])
def test_members_are_dynamic_without_racks_and_claims_unless_given(members: int) -> None:
    names = [f"c{member:04}" for member in range(members)]

    group = Group.of(["t"], [2], names)

    assert group.layout.class_of_member.tolist() == [0] * members
    assert group.layout.arrival.tolist() == list(range(members))
    assert group.layout.instance_ids == (None,) * members
    assert group.layout.member_racks.tolist() == [NO_RACK] * members
    assert group.claims.starts.tolist() == [0] * (members + 1)
    assert group.claims.generations.tolist() == [NO_GENERATION] * members
    assert not group.layout.arrival.flags.writeable


def test_an_owner_that_is_no_member_is_refused() -> None:
    owners = np.array([0, 1, 3, 0, 0, 0], np.int32)

    said = "partition 2 is owned by member 3, but there are 3 members, numbered from 0"
    with pytest.raises(InvalidGroupError, match=said):
        three_members().owned_by(owners)
    with pytest.raises(InvalidGroupError, match=said):
        three_members(owners=owners)


def test_owners_and_lags_are_lists_or_arrays_of_whole_numbers() -> None:
    group = Group.fresh({"t": 2}, ["a", "b"])

    assert group.owned_by([1, 0]).present_owners.tolist() == [1, 0]
    assert group.with_lags([7, 8]).counted_lags.tolist() == [7, 8]
    assert Group.of(["t"], [0], ["a"], owners=[], lags=[]).lags.dtype == np.int64
    assert Group.of(["t"], [1], ["a"], lags=np.array([7], np.uint64)).lags.tolist() == [7]
    assert group.with_lags(np.array([7.0, 8.0])).lags.dtype == np.int64
    with pytest.raises(InvalidGroupError, match=r"owners must be whole numbers, found a"):
        group.owned_by(["a", "b"])
    with pytest.raises(InvalidGroupError, match=r"lags must be whole numbers, found 1\.5"):
        group.with_lags([1.0, 1.5])
    with pytest.raises(InvalidGroupError, match="lags must be whole numbers, found nan"):
        group.with_lags([1, np.nan])
    with pytest.raises(InvalidGroupError, match=r"owners must be whole numbers, found .*0.5"):
        Group.of(["t"], [2], ["a"], owners=[0.5, 0])
    with pytest.raises(InvalidGroupError, match=r"lags must be whole numbers, found .*0.5"):
        Group.of(["t"], [2], ["a"], lags=[0.5, 0])


def test_a_topic_without_partitions_leaves_large_lags_exact() -> None:
    lags = {"t": [2**62 + 1], "u": []}

    assert Group.fresh({"t": 1, "u": 0}, ["a"], lags).lags.tolist() == [2**62 + 1]
    assert not Group.fresh({}, ["a"], {}).lags.size


@pytest.mark.parametrize(
    ("topics", "members", "lags", "sentence"),
    [
        ({"t": 2}, {"a": ["zzz"]}, None, "member 'a' subscribes to 'zzz'; choose from t"),
        ({"orders": 2}, {"a": ["order"]}, None, "did you mean 'orders'?"),
        ({"t": 2}, {"a": "t"}, None, "the topics of member 'a' must be a list, found the text 't'"),
        ({"t": 2}, "ab", None, "members must be a list of ids, found the text 'ab'"),
        ({"t": 2}, ["a", "a"], None, "member 'a' is repeated; give each member its own id"),
        ({"t": -1}, ["a"], None, "topic 't' has -1 partitions; give 0 or more"),
        ({"t": 2}, ["a"], {"t": [1]}, "topic 't' lists 1 lags for 2 partitions"),
        ({"t": 2, "u": 1}, ["a"], {"t": [1, 2]}, "there are no lags of topic 'u'; give"),
        (["t"], ["a"], None, "topics must be a mapping of names to partition counts, found ['t']"),
        ({"t": 2.5}, ["a"], None, "topic 't' has 2.5 partitions; give a whole number"),
        ({"t": 2}, [1, 2], None, "the ids of members must be texts, found 1"),
        ({"t": 2}, ["a"], {"t": [1, 2.7]}, "t-1 has the lag 2.7; give a whole number below 2^63"),
        ({"t": 2}, ["a"], {"t": ["1", 1]}, "t-0 has the lag '1'; give a whole number"),
        ({"t": 1}, ["a"], {"t": [2**63]}, "t-0 has the lag 9223372036854775808; give a whole"),
        ({"t": 2}, ["a"], {"t": [1, 2], "v": [1]}, "there are lags of topic 'v'; choose from t"),
    ],
)
def test_a_small_group_that_contradicts_itself_says_what_to_give(
    topics: Any,  # noqa: ANN401 -- wrong on purpose
    members: Any,  # noqa: ANN401
    lags: dict[str, list[int]] | None,
    sentence: str,
) -> None:
    with pytest.raises(InvalidGroupError) as found:
        Group.fresh(topics, members, lags)

    assert sentence in str(found.value)


def test_a_small_group_may_have_owners_and_lags_that_are_not_known() -> None:
    group = Group.fresh(
        {"u": 1, "t": 3},
        ["b", "a"],
        lags={"t": [5, None, 7], "u": [None]},
        owned={"b": [("t", 2), ("u", 0)], "a": [("t", 0)]},
    )

    assert group.lags.tolist() == [5, UNKNOWN, 7, UNKNOWN]
    assert group.named(group.present_owners) == {"a": ("t-0",), "b": ("t-2", "u-0")}
    assert group.present_owners.tolist()[1] == UNOWNED
    assert not Group.fresh({"t": 1}, ["a"]).has_claims


@pytest.mark.parametrize(
    ("owned", "sentence"),
    [
        ({"c": [("t", 0)]}, "'c' owns partitions; choose from a, b"),
        ({"a": [("orders", 0)]}, "member 'a' owns partitions of 'orders'; choose from t"),
        ({"a": [("t", 2)]}, "member 'a' owns t-2; there are 2 of it"),
        ({"a": [("t", -1)]}, "member 'a' owns t--1"),
        ({"a": ["t-0"]}, "member 'a' owns 't-0'; give pairs such as ('orders', 0)"),
        ({"a": [("t", 0)], "b": [("t", 0)]}, "t-0 is owned by 'a' and 'b'; give it one owner"),
        ({"a": [("t", 0, 1)]}, "member 'a' owns ('t', 0, 1); give pairs such as"),
        ({"a": [("t", "0")]}, "member 'a' owns ('t', '0'); give pairs such as"),
        ([("a", [("t", 0)])], "owned must be a mapping of member ids to partitions, found"),
    ],
)
def test_owners_of_a_small_group_that_cannot_be_are_refused(
    owned: Any,  # noqa: ANN401 -- wrong on purpose
    sentence: str,
) -> None:
    with pytest.raises(InvalidGroupError) as found:
        Group.fresh({"t": 2}, ["a", "b"], owned=owned)

    assert sentence in str(found.value)


def test_owners_and_claims_must_be_of_the_group_s_partitions() -> None:
    with pytest.raises(InvalidGroupError, match="owners has 2 entries where this group needs 6"):
        three_members(owners=[0, 1])
    with pytest.raises(InvalidGroupError, match="partition 6 is claimed, but there are 6"):
        three_members().claimed_by([[0], [6], []])


def test_weights_are_the_lags_until_others_are_set_and_stay_beside_other_owners() -> None:
    group = Group.fresh({"t": 2}, ["a", "b"], lags={"t": [7, UNKNOWN]})

    weighed = group.with_weights([UNKNOWN, -3])

    assert group.weights.tolist() == [7, UNKNOWN]
    assert weighed.lags.tolist() == [7, UNKNOWN]
    assert weighed.owned_by([1, 0]).weights.tolist() == [UNKNOWN, -3]
    assert weighed.counted_weights.tolist() == [0, 0]
    assert weighed.is_weight_known.tolist() == [False, True]
    assert not weighed.weights.flags.writeable
    assert weighed.with_weights(None).weights.tolist() == [7, UNKNOWN]


def test_other_lags_leave_no_weight_of_the_lags_before() -> None:
    group = Group.fresh({"t": 1}, ["a"], lags={"t": [7]}).with_weights([600])

    assert group.with_lags([8]).weights.tolist() == [8]


def test_weights_are_whole_numbers_one_a_partition() -> None:
    group = Group.fresh({"t": 2}, ["a"])

    with pytest.raises(InvalidGroupError, match=r"weights must be whole numbers, found 0\.5"):
        group.with_weights([0.5, 1])
    with pytest.raises(InvalidGroupError, match="weights"):
        group.with_weights([1])
