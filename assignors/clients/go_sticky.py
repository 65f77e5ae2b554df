"""The sticky strategies of Sarama and franz-go, which iterate Go maps: answers vary between runs.

What is answered here is one that each could give as far as counts go. Of groups where nothing
is claimed twice and all claims are valid: Sarama's members get these very counts with equal
subscriptions, and otherwise as many members get each count; the latter holds for franz-go.
Sources: balance_strategy.go of Sarama v1.61.1; kgo/internal/sticky of franz-go v1.22.2.
"""

from typing import Final

import numpy as np

from assignors.certainty import Certainty, Known
from assignors.clients.kip_54 import are_claims_clear, claimed_in_order, rarest_first, rebalanced
from assignors.model import Group, Owners

SARAMA: Final = Certainty(
    Known.NEVER_TWICE_THE_SAME,
    "Sarama follows Go maps, and the same rebalance comes out differently each time. Counts are "
    "those shown; whoever owns no more than that keeps all of it.",
)
SARAMA_UNEQUAL: Final = Certainty(
    Known.NEVER_TWICE_THE_SAME,
    "Sarama follows Go maps, and the same rebalance comes out differently each time. Certain is "
    "at most how many consumers get how many partitions, not which consumers.",
)


def go_sticky(group: Group) -> Owners:
    """Balance the counts over all topics, and let members keep what they own.

    >>> group = Group.fresh({"t": 3}, ["c0", "c1"]).owned_by(np.array([0, 0, 0], np.int32))
    >>> go_sticky(group)
    array([1, 0, 0], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    claimed = claimed_in_order(group, np.arange(group.claims.size), group.generations)
    return rebalanced(group, claimed, rarest_first(group))


def of_sarama_sticky(group: Group) -> Certainty:
    """Tell what is known of Sarama's answer for this group."""
    is_clear = group.has_equal_subscriptions and are_claims_clear(group)
    return SARAMA if is_clear else SARAMA_UNEQUAL
