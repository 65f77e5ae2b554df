"""Lower bounds on the largest lag, for any counts and for even ones."""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from assignors.lag.greedy import by_lag
from assignors.model import Group, LongArray
from assignors.sums import exact_total
from evaluation.bounds.bottlenecks import bottleneck

_EXACT: Final = 2**62
_Sorted: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.object_]


def free_bound(group: Group) -> int | None:
    """Return a lower bound on the largest lag for every strategy.

    The largest of: the share that some topics force on their consumers, the largest partition,
    and for each j the smallest sum of j + 1 of the largest partitions, since more than j per
    consumer are as large. Unknown and negative lags count as 0. None if no lag is known or
    nobody subscribes.

    Not always reached: of 9, 7, 7 and 7 one of two consumers has 16.

    >>> free_bound(Group.fresh({"t": 4}, ["c0", "c1"], {"t": [9, 7, 7, 7]}))
    15
    """
    is_known = group.is_lag_known
    if not is_known.any() or not is_known[group.wanted].any():
        return None
    crowd = bottleneck(group, group.counted_lags)
    if crowd is None:
        return None
    consumers = consumer_count(group)
    if consumers == 1:
        return crowd.share
    descending = _exact(group.counted_lags.take(by_lag(group)))
    least = max(crowd.share, _forced(descending, consumers))
    if crowd.consumers == consumers:  # a subset of partitions for as many consumers forces no more
        return least
    crowded = crowd.topics[group.topic_of_partition]
    return max(least, _forced(_sorted(group.counted_lags[crowded]), crowd.consumers))


def consumer_count(group: Group) -> int:
    """Return how many members subscribe to anything."""
    if group.layout.wants_everything:
        return group.member_count
    return int(np.unique(group.audiences.members).size)


def count_balanced_bound(group: Group) -> int | None:
    """Return the same for strategies that give consumers floor or ceil of the mean count.

    A member with one of the largest partitions must take others too, at least the smallest. None if
    subscriptions differ or ``free_bound`` is None.
    """
    members = group.layout.only_audience
    if members is None or not group.is_lag_known[group.wanted].any():
        return None
    lags = _sorted(group.counted_lags[group.wanted])
    quota = lags.size // members.size
    share = -(-exact_total(group.counted_lags[group.wanted]) // members.size)
    return max(share, _forced(lags, members.size, quota))


def best_possible_max_lag(group: Group) -> int | None:
    """Return a simple lower bound on the largest lag for every strategy.

    ``max(ceil(total lag / consumers), largest partition)``, over partitions with subscribers and
    consumers with subscriptions; unknown and negative lags count as 0. None without known lag or
    such consumers.

    Not always reached: three partitions of 2 and two consumers give 3, but one must carry 4.
    Unequal subscriptions can raise the true optimum further.
    """
    lags = group.counted_lags[group.is_wanted]
    consumers = consumer_count(group)
    if not group.is_lag_known[group.is_wanted].any() or not consumers:
        return None
    return max(-(-exact_total(lags) // consumers), int(lags.max()))


def deciding_partition(group: Group) -> int | None:
    """Return the partition that alone determines ``best_possible_max_lag``; None if none does.

    It is the one with the most lag and holds more than an even share, so no strategy and no
    additional consumer lowers the maximum.

    >>> group = Group.fresh({"t": 3}, members=["c0", "c1"], lags={"t": [1, 90, 5]})
    >>> deciding_partition(group)
    1
    """
    bound = best_possible_max_lag(group)
    if not bound:
        return None
    lags = np.where(group.is_wanted, group.counted_lags, 0)
    largest = int(np.argmax(lags))
    is_even_share = exact_total(lags) > (bound - 1) * consumer_count(group)
    return largest if lags[largest] == bound and not is_even_share else None


def _forced(lags: _Sorted, members: int, quota: int = 0) -> int:
    """Return the largest sum, over all j, that j + 1 of the first jm + 1 lags (descending) force.

    With a quota, each consumer has at least that many partitions.
    """
    if not quota and lags.size <= members:
        return int(lags[0])
    sums = np.zeros(lags.size + 1, lags.dtype)
    sums[1:] = np.cumsum(lags)
    after = np.arange(0, lags.size, members)
    extra = np.arange(after.size)
    if not quota:
        return int((sums[after + 1] - sums[after - extra]).max())
    rest = np.maximum(quota - extra - 1, 0)
    least = sums[after + 1] - sums[after - extra] + sums[-1] - sums[lags.size - rest]
    return int(least.max())


def _sorted(lags: LongArray) -> _Sorted:
    """Return the lags in descending order, as ``_exact`` does."""
    return _exact(np.sort(lags)[::-1])


def _exact(lags: LongArray) -> _Sorted:
    """Return lags (descending) as Python integers if their sum exceeds 62 bits."""
    return lags if int(lags[0]) * lags.size < _EXACT else lags.astype(object)
