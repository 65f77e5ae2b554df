"""The trade-off between partitions moved and the largest load."""

from dataclasses import dataclass

import numpy as np

from assignors.lag.load_sticky import counted_steps, placed_owners
from assignors.model import Group, LongArray
from assignors.sums import exact_sums
from evaluation.bounds.lag import lower_bound
from evaluation.moves import is_moved

_LONG_MAX = 2**63 - 1


@dataclass(frozen=True, eq=False, kw_only=True)
class Frontier:
    """The largest load that ``load_sticky`` reaches within each budget of moves."""

    max_load: LongArray
    """(K + 1,) after at most k moves, k from 0 to K.

    It can rise by less than a record for each partition, because every partition weighs 1 more
    than its load.
    """
    gifts: int
    """Partitions that go to consumers without any, whatever the budget; not counted in k."""
    forced: int
    """Owned partitions that move anyway because their owner cannot keep them; not counted in k."""
    bound: int | None
    """The lower bound for every assignment."""

    def fewest_moves(self, max_load: int) -> int | None:
        """Return the smallest budget that brings the largest load down to this; None if none does.

        >>> curve = Frontier(max_load=np.array([9, 5, 5, 4]), gifts=0, forced=0, bound=3)
        >>> curve.fewest_moves(5), curve.fewest_moves(3)
        (1, None)
        """
        reached = np.flatnonzero(self.max_load <= max_load)
        return int(reached[0]) if reached.size else None


def frontier(group: Group) -> Frontier | None:
    """Return the whole curve from one search; None without owners or known weights.

    ``load_sticky(group, moves=k)`` is the assignment at point k. The curve is that of a greedy
    search, not the proven optimum.
    """
    if not group.has_claims or not group.is_weight_known[group.is_wanted].any():
        return None
    owners = placed_owners(group)
    forced = int(np.count_nonzero(is_moved(group.present_owners, owners)))
    loads = exact_sums(owners + 1, group.counted_weights, group.member_count + 1)[1:].tolist()
    weights = group.counted_weights.tolist()
    reached, gifts = [max(loads)], 0
    for step in counted_steps(group, owners):
        gifts += step.is_gift
        for partition, member in step.moves:
            loads[owners[partition]] -= weights[partition]
            loads[member] += weights[partition]
            owners[partition] = member
        # The gain of a swap takes both of its moves.
        reached.extend(reached[-1:] * (step.moved - len(reached) + 1))
        reached[-1] = max(loads)
    capped = [min(each, _LONG_MAX) for each in reached]
    return Frontier(
        max_load=np.array(capped, np.int64), gifts=gifts, forced=forced, bound=lower_bound(group)
    )
