import numpy as np
from hypothesis import given

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from evaluation.bounds.racks import most_rack_local
from evaluation.metrics import rack_local
from tests.brute_force import every_assignment, small_groups, totals
from tests.groups import tried


def most(group: Group, *, spread: int | None) -> int:
    every = every_assignment(group)
    counts = totals(group, every, np.ones(group.partition_count, np.int64))
    if spread is not None:
        is_even = np.ptp(counts, axis=1) <= spread
    else:
        is_even = counts.max(axis=1) == counts.max(axis=1).min()
    local = (rack_local(group, owners)[1] for owners in every[is_even].astype(np.int32))
    return max(int(np.count_nonzero(is_local)) for is_local in local)


def test_balance_leaves_partitions_without_a_reader_in_their_rack() -> None:
    topics = {"t": Topic(6, racks=[["a"]] * 6)}
    members = [Member(f"c{number}", ["t"], rack=rack) for number, rack in enumerate("abb")]

    assert most_rack_local(group_of(topics, members)) == 2


def test_without_racks_on_both_sides_no_sentence_is_shown() -> None:
    topic, placed = Topic(2), Topic(2, racks=[["a"], ["b"]])

    assert most_rack_local(group_of({"t": topic}, [Member("c0", ["t"], rack="a")])) is None
    assert most_rack_local(group_of({"t": placed}, [Member("c0", ["t"])])) is None


@given(group=small_groups(equal=True, with_racks=True))
@tried(300)
def test_it_is_the_most_of_all_even_assignments(group: Group) -> None:
    assert most_rack_local(group) in {None, most(group, spread=1)}


@given(group=small_groups(equal=False, with_racks=True))
@tried(300)
def test_with_unequal_subscriptions_no_assignment_has_more(group: Group) -> None:
    spread = None if group.layout.only_audience is None else 1  # drawn alike, they are even
    bound = most_rack_local(group)

    assert bound is None or bound >= most(group, spread=spread)
