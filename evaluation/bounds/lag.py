"""Lower bounds on the largest load, for any counts and for even ones; loads sum weights."""

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from assignors.lag.greedy import by_weight
from assignors.model import Group, LongArray
from assignors.sums import exact_total
from evaluation.bounds.bottlenecks import bottleneck
from evaluation.stated import require_a

_EXACT: Final = 2**62
_Sorted: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.object_]


def lower_bound(group: Group) -> int | None:
    """Return a lower bound on the largest load for every strategy.

    The largest of: the share that some topics force on their consumers, the largest partition,
    and for each j the smallest sum of j + 1 of the largest partitions, since more than j per
    consumer are as large. Unknown and negative weights count as 0. None if no weight is known or
    nobody subscribes.

    Raises InvalidArgumentError for what is no Group.

    Not always reached: of 9, 7, 7 and 7 one of two consumers has 16.

    >>> lower_bound(Group.fresh({"t": 4}, ["c0", "c1"], {"t": [9, 7, 7, 7]}))
    15
    """
    require_a(Group, "group", group, "read(text) returns groups, each a given.group")
    is_known = group.is_weight_known
    if not is_known.any() or not is_known[group.wanted].any():
        return None
    crowd = bottleneck(group, group.counted_weights)
    if crowd is None:
        return None
    consumers = consumer_count(group)
    if consumers == 1:
        return crowd.share
    descending = _exact(group.counted_weights.take(by_weight(group)))
    least = max(crowd.share, _forced(descending, consumers))
    if crowd.consumers == consumers:  # a subset of partitions for as many consumers forces no more
        return least
    crowded = crowd.topics[group.topic_of_partition]
    return max(least, _forced(_sorted(group.counted_weights[crowded]), crowd.consumers))


def consumer_count(group: Group) -> int:
    """Return how many members subscribe to anything."""
    if group.layout.wants_everything:
        return group.member_count
    return int(np.unique(group.audiences.members).size)


def count_balanced_bound(group: Group) -> int | None:
    """Return the same for strategies that give consumers floor or ceil of the mean count.

    A member with one of the largest partitions must take others too, at least the smallest. None if
    subscriptions differ or ``lower_bound`` is None.
    """
    members = group.layout.only_audience
    if members is None or not group.is_weight_known[group.wanted].any():
        return None
    weights = _sorted(group.counted_weights[group.wanted])
    quota = weights.size // members.size
    share = -(-exact_total(group.counted_weights[group.wanted]) // members.size)
    return max(share, _forced(weights, members.size, quota))


def deciding_partition(group: Group) -> int | None:
    """Return the partition whose weight alone is ``lower_bound``; None if none is.

    It is the heaviest and above an even share, so no strategy and no additional consumer lowers
    the maximum.

    >>> group = Group.fresh({"t": 3}, members=["c0", "c1"], lags={"t": [1, 90, 5]})
    >>> deciding_partition(group)
    1
    """
    bound = lower_bound(group)
    if not bound:
        return None
    weights = np.where(group.is_wanted, group.counted_weights, 0)
    heaviest = int(np.argmax(weights))
    is_even_share = exact_total(weights) > (bound - 1) * consumer_count(group)
    return heaviest if weights[heaviest] == bound and not is_even_share else None


def _forced(weights: _Sorted, members: int, quota: int = 0) -> int:
    """Return the largest sum that j + 1 of the first jm + 1 weights (descending) force, for any j.

    With a quota, each consumer has at least that many partitions.
    """
    if not quota and weights.size <= members:
        return int(weights[0])
    sums = np.zeros(weights.size + 1, weights.dtype)
    sums[1:] = np.cumsum(weights)
    after = np.arange(0, weights.size, members)
    extra = np.arange(after.size)
    if not quota:
        return int((sums[after + 1] - sums[after - extra]).max())
    rest = np.maximum(quota - extra - 1, 0)
    least = sums[after + 1] - sums[after - extra] + sums[-1] - sums[weights.size - rest]
    return int(least.max())


def _sorted(weights: LongArray) -> _Sorted:
    """Return the weights in descending order, as ``_exact`` does."""
    return _exact(np.sort(weights)[::-1])


def _exact(weights: LongArray) -> _Sorted:
    """Return weights (descending) as Python integers if their sum exceeds 62 bits."""
    return weights if int(weights[0]) * weights.size < _EXACT else weights.astype(object)
