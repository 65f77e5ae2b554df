"""The general path, which sticky takes for unequal subscriptions."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import UNOWNED, Group
from assignors.numbering import Member, Topic, group_of
from assignors.quotas import held_by_each
from assignors.rules import check
from assignors.sticky import general as general_module
from assignors.sticky.claims import previous_owners
from assignors.sticky.kafka import is_constrained, sticky
from assignors.sticky.local_search import ClientView, Improvement
from assignors.sticky.moves import Moves
from tests.groups import groups, tried


def improved_one_by_one(group: Group, owners: list[int], previous: list[int]) -> list[int]:
    """Check before every single partition whether the balance can still improve."""
    topics = [topic for topic in group.wanted_slices() if topic[1].size > 1]
    counts = held_by_each(np.array(owners, np.int32), group.member_count).tolist()
    moves = {
        id(topic): Moves(group.topics[group.topic_of_partition[topic[0].start]]) for topic in topics
    }

    def can_improve() -> bool:
        return any(
            counts[owners[p]] > min(counts[m] for m in heard.tolist()) + 1
            for cut, heard in topics
            for p in range(cut.start, cut.stop)
        )

    has_moved = True
    while has_moved:
        has_moved = False
        for topic in topics:
            cut, heard = topic
            for p in range(cut.start, cut.stop):
                if not can_improve():
                    return owners
                taker = previous[p]
                if taker == UNOWNED or counts[owners[p]] <= counts[taker] + 1:
                    taker = min(heard.tolist(), key=lambda m: (counts[m], m))
                if counts[owners[p]] > counts[taker] + 1:
                    noted = moves[id(topic)]
                    chosen = cut.start + noted.instead_of(p - cut.start, owners[p], taker)
                    noted.record(chosen - cut.start, owners[chosen], taker)
                    counts[owners[chosen]] -= 1
                    counts[taker] += 1
                    owners[chosen] = taker
                    has_moved = True
    return owners


@given(group=groups(), data=st.data())
@tried(300)
def test_skipping_what_cannot_move_comes_to_what_one_by_one_does(
    group: Group, data: st.DataObject
) -> None:
    owners = group.nobody()
    for cut, heard in group.wanted_slices():
        some = st.sampled_from(heard.tolist())
        size = cut.stop - cut.start
        owners[cut] = data.draw(st.lists(some, min_size=size, max_size=size))
    previous = previous_owners(group)
    shared = np.array(
        [group.topic_of_partition[c.start] for c, m in group.wanted_slices() if m.size > 1],
        int,
    )
    joins_in = general_module.takes_part(
        group.layout, owners, general_module.listings_of(group.layout)
    )
    previous[~np.append(joins_in, False)[previous]] = UNOWNED
    expected = improved_one_by_one(group, owners.tolist(), previous.tolist())

    walk, places = group.layout.partitions_of(shared), np.arange(group.member_count)
    view = ClientView(owners, previous, owners, walk, places, tolerance=1)
    search = Improvement(group, view, owners, owners, joins_in)
    search.run(walk)

    assert search.last_owners.tolist() == expected


@given(group=groups())
@tried(200)
def test_no_single_move_is_left_that_would_help(group: Group) -> None:
    owners = check(group, sticky(group))
    counts = held_by_each(owners, group.member_count)

    assert all(
        counts[owners[cut]].max() <= counts[heard].min() + 1 for cut, heard in group.wanted_slices()
    )


def test_an_exchange_that_would_help_is_not_found() -> None:
    wanted = {"c0": ["t1"], "c1": ["t0", "t1"], "c2": ["t0"]}
    group = Group.fresh({"t0": 1, "t1": 2}, members=wanted).owned_by(np.array([1, 0, 0], np.int32))

    assert np.bincount(sticky(group), minlength=3).tolist() == [2, 1, 0]


def test_topics_with_the_fewest_subscribers_are_assigned_first() -> None:
    wanted = {"c0": ["a", "b"], "c1": ["a"], "c2": ["a"]}
    group = Group.fresh({"a": 2, "b": 1}, members=wanted)

    assert group.named(sticky(group)) == {"c0": ("b-0",), "c1": ("a-0",), "c2": ("a-1",)}


def test_a_topic_listed_twice_counts_as_two_listings() -> None:
    members = [Member("c0", ["a", "b"]), Member("c1", ["b", "b"])]
    group = group_of({"a": Topic(1), "b": Topic(1)}, members)

    assert general_module.listings_of(group.layout).tolist() == [1, 3]


def test_a_partition_goes_back_to_its_owner_of_an_older_generation() -> None:
    members = [
        Member("c0", ["t", "u"], owned=[("t", p) for p in range(4)], generation=2),
        Member("c1", ["t"], generation=2),
        Member("c2", ["t"], owned=[("t", 0)], generation=1),
    ]
    group = group_of({"t": Topic(4), "u": Topic(0)}, members)

    assert sticky(group).tolist() == [2, 1, 0, 0]


def test_a_previous_owner_without_a_subscription_gets_nothing() -> None:
    members = [
        Member("c0", ["t"], owned=[("t", p) for p in range(5)], generation=2),
        Member("c1", ["t", "u"], generation=2),
        Member("c2", ["u"], owned=[("t", 0), ("t", 1)], generation=1),
    ]
    group = group_of({"t": Topic(5), "u": Topic(1)}, members)

    after = check(group, sticky(group))

    assert (after[:5] != 2).all()


def test_an_intermediate_move_to_such_an_owner_is_made_as_in_kafka() -> None:
    """As Kafka 4.0.0 assigns: c1 once owned t0-0 and t0-3, and now subscribes to t1 only."""
    members = [
        Member("c0", ["t0", "t1"], owned=[("t0", 1), ("t0", 5), ("t1", 1)], generation=2),
        Member("c1", ["t1"], owned=[("t0", 3), ("t0", 0), ("t1", 0), ("t1", 1)], generation=1),
        Member("c2", ["t0"], owned=[("t0", p) for p in (3, 0, 5, 4)], generation=1),
        Member(
            "c3",
            ["t0"],
            owned=[*(("t0", p) for p in (3, 0, 2, 4)), ("t1", 0), ("t1", 1)],
            generation=2,
        ),
    ]
    group = group_of({"t0": Topic(6), "t1": Topic(2)}, members)

    assert group.named(sticky(group)) == {
        "c0": ("t0-2", "t0-5"),
        "c1": ("t1-0", "t1-1"),
        "c2": ("t0-0", "t0-1"),
        "c3": ("t0-3", "t0-4"),
    }


def test_racks_are_matched_before_the_rest_is_assigned() -> None:
    group = group_of(
        {"t": Topic(3, racks=[["a"], ["b"], ["c"]]), "u": Topic(1, racks=[["b"]])},
        [Member("c0", ["t"], rack="b"), Member("c1", ["t", "u"], rack="a"), Member("c2", ["t"])],
    )

    assert not is_constrained(group)
    assert group.named(sticky(group)) == {"c0": ("t-1",), "c1": ("t-0", "u-0"), "c2": ("t-2",)}
