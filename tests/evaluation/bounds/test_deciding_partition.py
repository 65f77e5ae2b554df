from assignors.model import Group
from evaluation.bounds.lag import deciding_partition, lower_bound


def test_a_partition_with_more_than_an_even_share_decides_the_bound() -> None:
    group = Group.fresh({"t": 4}, members=["c0", "c1"], lags={"t": [1, 2, 90, 3]})

    assert lower_bound(group) == 90
    assert deciding_partition(group) == 2


def test_an_even_share_decides_the_bound_even_where_a_partition_equals_it() -> None:
    even = Group.fresh({"t": 2}, members=["c0", "c1"], lags={"t": [5, 5]})
    shared = Group.fresh({"t": 3}, members=["c0", "c1"], lags={"t": [5, 5, 4]})

    assert deciding_partition(even) is None
    assert deciding_partition(shared) is None


def test_without_lag_no_consumer_is_decisive() -> None:
    group = Group.fresh({"t": 2}, members=["c0"], lags={"t": [0, 0]})

    assert deciding_partition(group) is None


def test_a_partition_decides_by_its_weight_whatever_its_lag() -> None:
    group = Group.fresh({"t": 3}, members=["c0", "c1"], lags={"t": [0, 90, 5]})

    assert deciding_partition(group.with_weights([600, 90, 5])) == 0


def test_no_partition_decides_where_several_together_force_more() -> None:
    # two of three partitions of 6 must share a consumer: 12, though the largest is 6
    group = Group.fresh({"t": 3}, members=["c0", "c1"], lags={"t": [6, 6, 6]})

    assert lower_bound(group) == 12
    assert deciding_partition(group) is None
