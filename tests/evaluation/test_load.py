"""What decides who is busiest: weights, or partitions where no weight is above zero."""

from assignors.model import Group
from evaluation.comparing.load import load_in


def test_where_no_lag_is_above_zero_partition_counts_decide() -> None:
    assert not load_in(Group.fresh({"t": 2}, ["a"])).by_weight
    assert not load_in(Group.fresh({"t": 2}, ["a"], lags={"t": [0, 0]})).by_weight
    unread = Group.fresh({"t": 1, "u": 1}, {"a": ["t"]}, lags={"t": [0], "u": [9]})
    assert not load_in(unread).by_weight
    assert load_in(Group.fresh({"t": 2}, ["a"], lags={"t": [0, 1]})).by_weight
