import numpy as np
from hypothesis import given

from assignors.model import Group
from evaluation.bounds.bottlenecks import least_max_count
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
