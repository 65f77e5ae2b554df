"""What each partition weighs when load is balanced: integers of at least 1, all in one unit."""

from typing import Final, NamedTuple

import numpy as np

from assignors.memo import memo
from assignors.model import UNOWNED, Group, LongArray

_TOLERANCE_AFRESH: Final = 10
"""The tolerance where nobody owns anything: placing differently disturbs nobody."""
_MILLION: Final = 1_000_000
_TOTAL_BITS: Final = 62
_HEAVIEST: Final = (1 << _TOTAL_BITS) - 1


class Weights(NamedTuple):
    """The weight of each partition, and what is known about them."""

    of: LongArray
    """(P,) at least 1; 0 for partitions without a subscriber. Their total fits 64 bits."""
    is_partial: bool
    """Whether some loads are known and others are not."""
    are_counts: bool
    """Whether all weigh the same, so that only counts matter."""


@memo
def weights_of(group: Group) -> Weights:
    """Return 1 plus the load of each partition, which is ``group.weights``, whatever they measure.

    An unknown load counts as the lower median of its topic, else of the group. Weights whose total
    could exceed 2^62 are all divided by a power of two. docs/load-sticky.md has the rules.

    >>> weights_of(Group.fresh({"t": 3}, ["c"], {"t": [4, 0, 9]})).of
    array([ 5,  1, 10])
    """
    wanted = group.wanted
    weights = np.zeros(group.partition_count, np.int64)
    weights[wanted] = np.minimum(group.counted_weights[wanted], _HEAVIEST - 1) + 1
    is_known = group.is_weight_known[wanted]
    is_partial = bool(is_known.any() and not is_known.all())
    if is_partial:
        _fill(group, weights)
    bits = int(weights.max(initial=0)).bit_length() + wanted.size.bit_length()
    if bits > _TOTAL_BITS:
        weights[wanted] = np.maximum(weights[wanted] >> (bits - _TOTAL_BITS), 1)
    are_counts = bool((weights[wanted] == weights[wanted[:1]]).all())
    if are_counts:
        weights[wanted] = 1
    weights.setflags(write=False)
    return Weights(weights, is_partial, are_counts)


def tolerance_of(group: Group) -> int:
    """Return how far from an even share is near enough, in millionths; counts do not fluctuate."""
    if weights_of(group).are_counts:
        return 0
    is_owned = (group.fit_owners != UNOWNED).any()
    return group.load_settings.tolerance if is_owned else _TOLERANCE_AFRESH


def slack(even: int, tolerance: int) -> int:
    """Return this many millionths of an even share, rounded down.

    Ports divide ``even`` by a million first, and its remainder apart, so as not to overflow.
    """
    return even * tolerance // _MILLION


def _fill(group: Group, weights: LongArray) -> None:
    """Give partitions of unknown load the lower median of their topic, else of all."""
    is_known = group.is_weight_known & group.is_wanted
    everywhere = _lower_median(weights[is_known])
    for topic in np.unique(
        group.topic_of_partition[group.wanted[~is_known[group.wanted]]]
    ).tolist():
        span = group.topic_span(topic)
        known = is_known[span]
        weights[span][~known] = _lower_median(weights[span][known]) if known.any() else everywhere


def _lower_median(values: LongArray) -> int:
    return int(np.sort(values)[(values.size - 1) // 2])
