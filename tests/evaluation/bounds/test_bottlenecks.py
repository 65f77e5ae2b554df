import numpy as np
import pytest
from hypothesis import given

from assignors.model import Group
from evaluation.bounds.bottlenecks import bottleneck, least_max_count
from tests.brute_force import every_assignment, small_groups, totals
from tests.groups import tried


def test_topics_that_share_their_consumers_add_up() -> None:
    wanted = {"c0": ["a", "b"], "c1": ["a", "b", "c"], "c2": ["c"], "c3": ["c"]}

    assert least_max_count(Group.fresh({"a": 3, "b": 4, "c": 1}, wanted)) == 4


def test_without_consumers_or_partitions_it_is_none() -> None:
    assert least_max_count(Group.fresh({"a": 3}, [])) == 0
    assert least_max_count(Group.fresh({"a": 0}, ["c0"])) == 0


@given(group=small_groups(equal=False))
@tried(300)
def test_it_is_the_best_of_all_assignments(group: Group) -> None:
    counts = totals(group, every_assignment(group), np.ones(group.partition_count, np.int64))

    assert least_max_count(group) == counts.max(axis=1).min()


def test_of_large_weights_no_share_is_missed_that_is_larger_by_a_few_records() -> None:
    group = Group.fresh({"a": 1, "b": 1}, {"c0": ["a"], "c1": ["b"]})

    crowd = bottleneck(group, np.array([2**40 + 3, 2**40 - 3]))

    assert crowd is not None
    assert (crowd.share, crowd.topics.tolist()) == (2**40 + 3, [True, False])


@pytest.mark.parametrize("weight", [2**62, 2**63 - 1])
def test_sums_of_weights_beyond_64_bits_are_exact(weight: int) -> None:
    wanted = {"c0": ["a", "b"], "c1": ["b", "c"], "c2": ["c", "d"]}
    group = Group.fresh(dict.fromkeys("abcd", 1), wanted)

    crowd = bottleneck(group, np.full(4, weight))

    assert crowd is not None
    assert crowd.share == -(-4 * weight // 3)
