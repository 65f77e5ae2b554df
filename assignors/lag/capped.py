"""Lag-capped: even lag over all topics, under counts as even as they can be."""

from assignors.lag.skew import lag_skew
from assignors.model import Group, Owners


def lag_capped(group: Group) -> Owners:
    """Deal all partitions by total lag among members below their even count; then improve.

    With equal subscriptions everybody gets floor(partitions / members) or one more, and
    the busiest member never has more lag than under roundrobin; with unequal ones the
    counts are as even as the subscriptions allow. It is ``lag_skew`` without skew.

    Even counts have a price: here c0 must take a second partition with the one that holds
    nearly everything, and ends at 91 where 90 would be possible.

    >>> group = Group.fresh({"t": 4}, ["c0", "c1"], {"t": [90, 1, 2, 3]})
    >>> group.named(lag_capped(group))
    {'c0': ('t-0', 't-1'), 'c1': ('t-2', 't-3')}
    """
    return lag_skew(group, 0)
