from heapq import heapify, heapreplace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.dealing import Quota, give_up_beyond, in_turns, to_the_emptiest
from assignors.model import UNOWNED, Group

COUNTS = st.lists(st.integers(0, 9), min_size=1, max_size=12)


@given(needs=COUNTS)
def test_dealing_in_turns_is_walking_round_a_circle_that_shrinks(needs: list[int]) -> None:
    walked, left = [], list(needs)
    while any(left):
        for member in range(len(left)):
            if left[member]:
                walked.append(member)
                left[member] -= 1

    dealt = in_turns(np.arange(len(needs), dtype=np.int32), np.array(needs))

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
        group = Group.of(["t"], [4], ["Aa", "BB", "c"], arrival=arrival)

        kept = Quota.of(group).keepers_of_extras(group, np.array([2, 2, 0]))

        assert kept.tolist() == keepers
