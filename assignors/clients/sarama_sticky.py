"""Sarama's sticky strategies, which differ from call to call with the order of Go maps.

``sarama_sticky`` returns a result that Sarama could give as far as the distribution of counts goes:
with equal subscriptions always, otherwise nearly always.

Sources: balance_strategy.go and balance_strategy_cooperative_sticky.go of Sarama v1.61.1.
"""

from typing import Final

import numpy as np

from assignors.certainty import Certainty, Known
from assignors.clients.kip_54 import are_claims_clear, claimed_in_order, rarest_first, rebalanced
from assignors.model import UNOWNED, Group, Owners
from assignors.trace.events import Trace

SARAMA: Final = Certainty(
    Known.DISTRIBUTION,
    "Sarama iterates Go maps, so the same rebalance comes out differently each time. How many "
    "consumers get how many partitions is certain, not which consumers.",
)
SARAMA_UNEQUAL: Final = SARAMA._replace(
    why="Sarama iterates Go maps, so the same rebalance comes out differently each time. With "
    "unequal subscriptions 95 of 100 random groups got the distribution shown.",
    share=0.95,
)
SARAMA_UNCLEAR: Final = SARAMA._replace(
    why="Sarama iterates Go maps, so the same rebalance comes out differently each time. With "
    "unequal subscriptions, and claims that are doubled or no longer subscribed to, 80 of 100 "
    "random groups got the distribution shown.",
    share=0.8,
)


def sarama_sticky(group: Group, *, trace: Trace | None = None) -> Owners:
    """Balance the counts over all topics and let members keep what they own.

    >>> group = Group.fresh({"t": 3}, ["c0", "c1"]).owned_by(np.array([0, 0, 0], np.int32))
    >>> sarama_sticky(group)
    array([1, 0, 0], dtype=int32)
    """
    if not group.wanted.size:
        return group.nobody()
    claimed = claimed_in_order(
        group, np.arange(group.claims.partitions.size), group.claims.generations
    )
    return rebalanced(group, claimed, rarest_first(group), trace=trace).owners


def sarama_cooperative_sticky(group: Group) -> Owners:
    """Return the next round's assignment: the target less what another member must revoke.

    A member that claims what the target gives it keeps it, whoever else claims it.

    >>> group = Group.fresh({"t": 3}, ["c0", "c1"]).owned_by(np.array([0, 0, 0], np.int32))
    >>> sarama_cooperative_sticky(group)
    array([-1,  0,  0], dtype=int32)
    """
    target = sarama_sticky(group)
    owners = target.copy()
    claimed = group.claims.partitions
    owners[claimed] = UNOWNED
    kept = claimed[target[claimed] == group.claims.members]
    owners[kept] = target[kept]
    return owners


def of_sarama_sticky(group: Group) -> Certainty:
    """Return how certain Sarama's result for this group is."""
    if group.layout.has_equal_subscriptions:
        return SARAMA
    return SARAMA_UNEQUAL if are_claims_clear(group) else SARAMA_UNCLEAR
