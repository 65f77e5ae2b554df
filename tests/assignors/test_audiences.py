import numpy as np
from hypothesis import given

from assignors import audiences
from assignors.layout import Layout, SubscriptionClasses
from assignors.model import Group
from tests.groups import groups, tried


def test_topics_with_the_same_subscribers_share_an_audience() -> None:
    wanted = {"c0": ["a", "b"], "c1": ["a", "b", "c"], "c2": ["c"]}
    found = Group.fresh({"a": 1, "b": 2, "c": 1, "d": 1}, wanted).audiences

    assert found.of_topic.tolist() == [0, 0, 1, -1]
    assert found.members_of(0).tolist() == [0, 1]
    assert found.members_of(1).tolist() == [1, 2]
    assert found.sizes.tolist() == [2, 2, 2, 0]


def test_a_class_without_members_makes_no_audience() -> None:
    group = Group.with_layout(
        Layout.of(
            ["a", "b"],
            [1, 1],
            ["c0", "c1"],
            subscriptions=SubscriptionClasses([2, 2], [[0], [1], [0, 1], []]),
        )
    )

    assert group.audiences.of_topic.tolist() == [0, 0]
    assert group.audiences.members.tolist() == [0, 1]


@given(group=groups())
@tried(100)
def test_an_audience_is_everybody_who_subscribes(group: Group) -> None:
    found = group.audiences

    for topic in range(len(group.topics)):
        wants = group.subscribes[group.layout.class_of_member, topic]
        subscribers = np.flatnonzero(wants).tolist()
        assert found.sizes[topic] == len(subscribers)
        if subscribers:
            assert found.members_of(found.of_topic[topic]).tolist() == subscribers
        else:
            assert found.of_topic[topic] == -1


def test_more_members_than_fit_one_block_are_found_block_by_block() -> None:
    group = Group.fresh(
        {f"t{t}": 1 for t in range(9)}, {f"c{m}": [f"t{t}" for t in range(m, 9)] for m in range(9)}
    )
    whole = group.audiences

    pieces = audiences.audiences_of(group.subscribes, group.layout.class_of_member, block=20)

    assert pieces.starts.tolist() == whole.starts.tolist()
    assert pieces.members.tolist() == whole.members.tolist()
