from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors import ragged
from assignors.lag.semi_matching import even_seats
from assignors.model import Group
from tests.groups import groups, tried


def counts_of(group: Group) -> list[int]:
    taken = even_seats(group)
    found: list[int] = (
        np.bincount(group.audiences.members, taken, group.member_count).astype(int).tolist()
    )
    return found


def test_a_path_over_two_topics_relieves_the_busiest() -> None:
    wanted = {"c0": ["a"], "c1": ["a", "b"], "c2": ["b", "c"]}
    group = Group.fresh({"a": 2, "b": 2, "c": 2}, wanted)

    assert counts_of(group) == [2, 2, 2]


def test_partitions_of_a_sole_subscriber_stay_with_it() -> None:
    group = Group.fresh({"a": 5, "b": 3}, {"c0": ["a"], "c1": ["a", "b"], "c2": ["b"]})

    assert sorted(counts_of(group)) == [2, 3, 3]


@given(group=groups())
@tried(100)
def test_every_audience_has_a_seat_for_each_partition(group: Group) -> None:
    taken = even_seats(group)

    audience_of_entry = ragged.row_of_each(group.audiences.starts)
    seats = np.bincount(audience_of_entry, taken, group.audiences.starts.size - 1)
    heard = group.audiences.of_topic[group.topic_of_partition[group.is_wanted]]
    assert (taken >= 0).all()
    assert seats.tolist() == np.bincount(heard, minlength=seats.size).tolist()


@given(choices=st.lists(st.sets(st.integers(0, 3), min_size=1), max_size=6))
@tried(200)
def test_no_other_way_is_more_even(choices: list[set[int]]) -> None:
    topics = {f"t{number}": 1 for number in range(len(choices))}
    wanted = {
        f"c{member}": [f"t{number}" for number, some in enumerate(choices) if member in some]
        for member in range(4)
    }

    counts = counts_of(Group.fresh(topics, wanted))

    every = (np.bincount(np.array(owners, np.int64), minlength=4) for owners in product(*choices))
    assert sorted(counts)[::-1] == min(sorted(each.tolist())[::-1] for each in every)
