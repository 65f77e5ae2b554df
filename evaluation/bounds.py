"""How good it can get: limits that no assignment of a group can beat."""

import numpy as np

from assignors.model import Group
from evaluation.metrics import exact_total


def best_possible_max_lag(group: Group) -> int | None:
    """Return a lower bound on the largest lag total, valid for every strategy.

    ``max(ceil(total lag / consumers), largest partition)``, over partitions that somebody
    subscribes to and consumers that subscribe to something; unknown and negative lags
    count as 0. None if no such lag is known or there is no such consumer.

    Not always reachable: three partitions of 2 and two consumers give 3, but somebody
    must carry 4. Unequal subscriptions can push the true best up further.
    """
    lags = group.counted_lags[group.is_wanted]
    consumers = _consumers(group)
    if not group.is_lag_known[group.is_wanted].any() or not consumers:
        return None
    return max(-(-exact_total(lags) // consumers), int(lags.max()))


def deciding_partition(group: Group) -> int | None:
    """Return the partition that alone sets ``best_possible_max_lag``, if one does.

    Then no strategy and no further consumer brings the maximum down: the partition with
    most lag, the first of equals, holds more than an even share. None if the share decides.

    >>> group = Group.fresh({"t": 3}, members=["c0", "c1"], lags={"t": [1, 90, 5]})
    >>> deciding_partition(group)
    1
    """
    bound = best_possible_max_lag(group)
    if not bound:
        return None
    lags = np.where(group.is_wanted, group.counted_lags, 0)
    largest = int(np.argmax(lags))
    is_even_share = exact_total(lags) > (bound - 1) * _consumers(group)
    return largest if lags[largest] == bound and not is_even_share else None


def _consumers(group: Group) -> int:
    subscribes_to_any = np.diff(group.class_starts) > 0
    return int(np.count_nonzero(subscribes_to_any[group.class_of_member]))
