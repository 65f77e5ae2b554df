"""Modified Any Fit: partitions packed into consumers by rate with few moves.

After Landau, Andrade and Barbosa, "Kafka Consumer Group Autoscaler" (2022), and Landau, Saurabh,
Andrade and Barbosa, "Latency and cost-aware consumer group autoscaling in message broker systems"
(2025). P partitions; bins are numbered from 0 and may leave gaps.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable
from enum import Enum
from typing import Final

import numpy as np

from assignors.model import UNOWNED, FloatArray, IntArray, Owners
from evaluation.moves import is_moved

_AFTER_EVERY_BIN: Final = 1 << 62


class Fit(Enum):
    """Which bin with room takes a partition; ties go to the first."""

    WORST = "least loaded"
    BEST = "most loaded"


def r_score(rates: FloatArray, before: Owners, after: Owners, capacity: float) -> float:
    """Return the rate of the partitions that change consumers, in multiples of the capacity.

    The paper's cost of a rebalance: arrivals that stay unread while partitions move. Partitions
    without an owner before do not count.
    """
    return float(rates[is_moved(before, after)].sum()) / capacity


def modified_any_fit(
    rates: FloatArray, owners: Owners, capacity: float, fit: Fit, *, by_largest: bool
) -> Owners:
    """Return the bin of each partition, starting from the present ones, (P,) or ``UNOWNED``.

    Bins are visited by their load or by their largest partition. From each bin, the smallest
    partitions move to bins opened already while they fit, and the largest stay while they fit;
    the rest, and all without owner, are placed last, largest first. A partition larger than the
    capacity gets an empty bin of its own. Ties go by number.

    >>> rates, owners = np.array([5.0, 4.0, 3.0, 2.0]), np.array([0, 1, 1, 2])
    >>> modified_any_fit(rates, owners, 10.0, Fit.BEST, by_largest=False).tolist()
    [0, 1, 1, 1]
    """
    packing = _Packing(rates, capacity, fit)
    unplaced = np.flatnonzero(owners == UNOWNED).tolist()
    for bin_ in _visited(rates, owners, by_largest=by_largest):
        held = np.flatnonzero(owners == bin_)
        queue = held[np.argsort(-rates[held], kind="stable")].tolist()
        while queue and packing.place(queue[-1]):
            queue.pop()
        while queue and packing.stay(queue[0], bin_):
            queue.pop(0)
        unplaced += queue
    for partition in sorted(unplaced, key=lambda p: -float(rates[p])):
        if not packing.place(partition):
            packing.open(partition)
    return packing.owners


def _visited(rates: FloatArray, owners: Owners, *, by_largest: bool) -> list[int]:
    bins = np.unique(owners[owners != UNOWNED]).tolist()
    weigh: Callable[[FloatArray], np.float64] = np.max if by_largest else np.sum
    weight = {bin_: float(weigh(rates[owners == bin_])) for bin_ in bins}
    return sorted(bins, key=lambda bin_: -weight[bin_])


class _Packing:
    """Bins being filled, ordered by load."""

    def __init__(self, rates: FloatArray, capacity: float, fit: Fit) -> None:
        self._rates: list[float] = rates.tolist()
        self._capacity = capacity
        self._is_worst = fit is Fit.WORST
        self._sorted: list[tuple[float, int]] = []
        """Of equal loads the one to take is first for the worst fit, last for the best."""
        self._loads: dict[int, float] = {}
        self.owners: IntArray = np.full(rates.size, UNOWNED, np.int32)

    def place(self, partition: int) -> bool:
        """Put a partition into the bin that fits; return whether there is one."""
        room_for = bisect_right(
            self._sorted, (self._capacity - self._rates[partition], _AFTER_EVERY_BIN)
        )
        if not room_for:
            return False
        _, bin_ = self._sorted[0 if self._is_worst else room_for - 1]
        self._put(partition, abs(bin_))
        return True

    def stay(self, partition: int, bin_: int) -> bool:
        """Keep a partition in its bin if it fits or the bin is empty; return whether it does."""
        load = self._loads.get(bin_)
        if load is not None and load + self._rates[partition] > self._capacity:
            return False
        self._put(partition, bin_)
        return True

    def open(self, partition: int) -> None:
        """Put a partition into a new bin with the first free number."""
        bin_ = next(b for b in range(len(self._loads) + 1) if b not in self._loads)
        self._put(partition, bin_)

    def _put(self, partition: int, bin_: int) -> None:
        before = self._loads.get(bin_)
        order = bin_ if self._is_worst else -bin_
        if before is not None:
            self._sorted.pop(bisect_left(self._sorted, (before, order)))
        self._loads[bin_] = (before or 0.0) + self._rates[partition]
        insort(self._sorted, (self._loads[bin_], order))
        self.owners[partition] = bin_
