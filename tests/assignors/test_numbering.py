from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given

from assignors.model import NO_GENERATION, NO_RACK, UNKNOWN, Group, InvalidGroupError
from assignors.naming import assignment_of, member_records, topic_records
from assignors.numbering import Member, Topic, group_of
from tests.groups import groups, tried


def test_members_remember_the_order_they_were_given_in() -> None:
    group = group_of({"t": Topic(1)}, [Member("c2"), Member("c0"), Member("c1")])

    assert group.members == ("c0", "c1", "c2")
    assert group.layout.arrival.tolist() == [2, 0, 1]
    assert [member.id for member in member_records(group)] == ["c2", "c0", "c1"]


def test_names_are_numbered_by_utf_16_units() -> None:
    tilde, mailbox = "\uff5e", "\U0001f4ec"

    group = group_of({tilde: Topic(1), mailbox: Topic(2)}, [Member(tilde), Member(mailbox)])

    assert group.topics == group.members == (mailbox, tilde)
    assert group.topic_sizes.tolist() == [2, 1]


def test_equal_subscriptions_share_a_class_in_whatever_order() -> None:
    topics = {"a": Topic(1), "b": Topic(1)}

    group = group_of(topics, [Member("c0", ["a", "b"]), Member("c1", ["b", "a"])])

    assert group.layout.class_of_member.tolist() == [0, 0]


def test_a_topic_listed_twice_makes_another_class_and_no_second_subscriber() -> None:
    group = group_of({"a": Topic(1)}, [Member("c0", ["a"]), Member("c1", ["a", "a"])])

    assert group.layout.class_of_member.tolist() == [0, 1]
    assert group.layout.class_topics.tolist() == [0, 0, 0]
    assert group.audiences.members.tolist() == [0, 1]


def test_a_topic_only_members_name_has_no_partitions() -> None:
    group = group_of({"a": Topic(1)}, [Member("c0", ["gone"])])

    assert group.topics == ("a", "gone")
    assert group.topic_sizes.tolist() == [1, 0]


def test_claims_on_what_does_not_exist_are_left_out() -> None:
    owned = [("a", 1), ("a", 2), ("a", -1), ("gone", 0), ("a", 0)]

    group = group_of({"a": Topic(2)}, [Member("c0", ["a"], owned=owned, generation=3)])

    assert group.claims.partitions.tolist() == [1, 0]


def test_missing_values_are_unknown_or_none() -> None:
    group = group_of({"a": Topic(2, lags=[None, 0])}, [Member("c0", instance_id="", rack="")])

    assert group.lags.tolist() == [UNKNOWN, 0]
    assert group.layout.instance_ids == (None,)
    assert group.layout.member_racks.tolist() == [NO_RACK]
    assert group.claims.generations.tolist() == [NO_GENERATION]
    assert group.offsets.rates is None
    assert group.offsets.begin is None


def test_lags_that_are_not_listed_follow_from_offsets() -> None:
    topics = {
        "followed": Topic(2, begin=[0, 0], end=[9, 9], committed=[4, None]),
        "listed": Topic(1, lags=[7], end=[9], committed=[4]),
    }

    group = group_of(topics, [], auto_offset_reset="earliest")

    assert group.lags.tolist() == [5, 9, 7]


def test_racks_are_numbered_by_name_and_a_consumers_empty_one_is_none() -> None:
    topics = {"a": Topic(2, racks=[["z"], ["b", "z"]])}

    group = group_of(topics, [Member("c0", rack="m"), Member("c1", rack="b"), Member("d", rack="")])

    assert group.layout.racks == ("b", "m", "z")
    assert group.layout.member_racks.tolist() == [1, 0, -1]
    assert group.layout.replica_racks.tolist() == [[False, False, True], [True, False, True]]


@pytest.mark.parametrize(
    ("topics", "members", "message"),
    [
        ({}, [Member("c"), Member("c")], "member 'c' is repeated; give each member its own id"),
        ({"t": Topic(-1)}, [], "topic 't' has -1 partitions; give 0 or more"),
        ({"t": Topic(2, lags=[1])}, [], "topic 't' lists 1 lags for 2 partitions"),
        ({"t": Topic(0, racks=[["a"]])}, [], "topic 't' lists 1 racks for 0 partitions"),
    ],
)
def test_a_contradiction_is_reported_with_the_way_out(
    topics: dict[str, Topic], members: list[Member], message: str
) -> None:
    with pytest.raises(InvalidGroupError, match=message):
        group_of(topics, members)


def test_an_assignment_names_every_member_and_no_unowned_partition() -> None:
    group = group_of({"a": Topic(2), "b": Topic(1)}, [Member("c0"), Member("c1")])

    found = assignment_of(group, np.array([-1, 1, 1], np.int32))

    assert found == {"c0": [], "c1": [("a", 1), ("b", 0)]}


def test_lists_alike_but_for_a_topic_without_partitions_stay_so_when_written_out() -> None:
    topics = {"a": Topic(1), "b": Topic(1), "empty": Topic(0)}
    group = group_of(topics, [Member("c0", ("b", "a")), Member("c1", ("b", "a", "empty"))])

    again = group_of(topic_records(group), member_records(group))

    assert group.layout.lists_alike
    assert again.layout.lists_alike


def written_out(group: Group) -> dict[str, object]:
    parts = (group.layout, group.claims, group.offsets)
    values = {field.name: getattr(part, field.name) for part in parts for field in fields(part)}
    values["id"] = group.id
    return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in values.items()}


@given(group=groups())
@tried(100)
def test_a_group_survives_being_written_out_by_name(group: Group) -> None:
    again = group_of(topic_records(group), member_records(group))

    assert written_out(again) == written_out(group)
