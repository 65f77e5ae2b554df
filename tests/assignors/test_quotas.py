from dataclasses import replace
from heapq import heapify, heapreplace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.layout import Layout
from assignors.model import NO_RACK, UNOWNED, Assignor, Group
from assignors.quotas import Quota, give_up_beyond, is_even_now, round_robin, to_the_emptiest
from assignors.roundrobin import roundrobin
from assignors.sticky.kafka import sticky
from assignors.sticky.kafka_9987 import sticky_kafka_9987
from assignors.sticky.kafka_12464 import sticky_kafka_12464
from assignors.trace.events import Trace
from assignors.uniform.kafka_18688 import uniform_kafka_18688
from assignors.uniform.uniform import uniform
from tests.groups import equal_groups, tried

COUNTS = st.lists(st.integers(0, 9), min_size=1, max_size=12)


@given(needs=COUNTS)
def test_dealing_in_turns_is_walking_round_a_circle_that_shrinks(needs: list[int]) -> None:
    walked, left = [], list(needs)
    while any(left):
        for member in range(len(left)):
            if left[member]:
                walked.append(member)
                left[member] -= 1

    dealt = round_robin(np.arange(len(needs), dtype=np.int32), np.array(needs))

    assert dealt.tolist() == walked


@given(counts=COUNTS, partitions=st.integers(0, 40))
def test_filling_up_is_giving_one_at_a_time_to_the_emptiest(
    counts: list[int], partitions: int
) -> None:
    heap = [(count, place) for place, count in enumerate(counts)]
    heapify(heap)
    given_to = []
    for _ in range(partitions):
        count, place = heap[0]
        heapreplace(heap, (count + 1, place))
        given_to.append(place)

    places = to_the_emptiest(np.array(counts), partitions)

    assert places.tolist() == given_to


def test_a_member_gives_up_what_is_listed_last_beyond_what_it_is_allowed() -> None:
    owners = np.array([0, 0, 0, 1, 1, UNOWNED], np.int32)

    give_up_beyond(owners, np.array([1, 2]), np.array([2, 0, 1, 4, 3], np.int32))

    assert owners.tolist() == [UNOWNED, UNOWNED, 0, 1, 1, UNOWNED]


def test_extras_stay_with_the_first_members_that_hold_enough_as_kafka_iterates_them() -> None:
    for arrival, keepers in (([0, 1, 2], [0]), ([1, 0, 2], [1])):
        group = Group.with_layout(Layout.of(["t"], [4], ["Aa", "BB", "c"], arrival=arrival))

        kept = Quota.of(group).keepers_of_extras(group, np.array([2, 2, 0]))

        assert kept.tolist() == keepers


@given(group=equal_groups(), take=st.sampled_from([sticky, uniform, roundrobin]))
@tried(200)
def test_who_holds_everything_evenly_keeps_it_as_the_long_way_has_it(
    group: Group, take: Assignor
) -> None:
    group = replace(
        group,
        layout=replace(
            group.layout, racks=(), replica_racks=np.zeros((group.partition_count, 0), np.bool_)
        ),
    )
    group = replace(
        group,
        layout=replace(group.layout, member_racks=np.full(group.member_count, NO_RACK, np.int32)),
    )
    owned = group.owned_by(take(group)) if group.member_count else group

    if owned.wanted.size and is_even_now(owned):
        for keeps in (sticky, sticky_kafka_12464, sticky_kafka_9987, uniform_kafka_18688):
            short, long = keeps(owned), keeps(owned, trace=Trace())
            assert short.tolist() == long.tolist() == owned.fit_owners.tolist()


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        pytest.param([[0, 2], [1]], True, id="even"),
        pytest.param([[0, 1, 2], []], False, id="uneven"),
        pytest.param([[0], [1]], False, id="one is free"),
        pytest.param([[0, 2], [1, 2]], False, id="claimed twice"),
    ],
)
def test_even_now_is_even_undisputed_and_complete(claims: list[list[int]], expected: bool) -> None:
    group = Group.of(["t"], [3], ["A", "B"]).claimed_by(claims, [1, 0])

    assert is_even_now(group) is expected
