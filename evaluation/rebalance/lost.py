"""What a switch loses on its way, played: reading that pauses, and records that pile up meanwhile.

P partitions, D plays.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from assignors.model import FloatArray, Group
from assignors.strategy import Strategy
from evaluation.moves import is_moved
from evaluation.rebalance.draws import PER_REBALANCE, RANGE, SEED, WORK
from evaluation.rebalance.switching import rolling_restarts
from evaluation.rebalance.timing import Timing
from evaluation.rebalance.way import Way, waves_of

_PLAYS: Final = 24
_FEWEST: Final = 3


class Spread(NamedTuple):
    """The median of several simulations, with the 5th and the 95th percentile."""

    low: float
    middle: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> "Spread":
        """Take one value of each play."""
        ascending = sorted(values)
        last = len(ascending) - 1
        low, high = (ascending[round(share * last)] for share in RANGE)
        return cls(low, ascending[len(ascending) // 2], high)


@dataclass(frozen=True, kw_only=True)
class Lost:
    """What the rolling restarts of a switch lose."""

    restarts: int
    """Rolling restarts on the way."""
    plays: int
    partition_seconds: Spread
    """Partitions times the seconds for which nobody reads them."""
    records: Spread | None
    """Records that arrive in them meanwhile; None if unknown."""


def lost_on_the_way(  # noqa: PLR0913 -- the switch, and what its restarts meet
    group: Group,
    before: Strategy,
    after: Strategy,
    arriving: FloatArray | None = None,
    *,
    is_noticed: bool = True,
    timing: Timing | None = None,
) -> Lost:
    """Play the restarts of a switch several times; the same for equal groups.

    ``arriving`` (P,) in records/s; ``is_noticed`` as in ``evaluation.comparing.outlook``. Unless
    a restart is noticed, partitions wait for their consumer to be back. A group needs a member.
    """
    restarts = rolling_restarts(before, after)
    cost = max(2 * restarts * waves_of(group), 1) * (group.partition_count + PER_REBALANCE)
    plays = min(max(WORK // cost, _FEWEST), _PLAYS)
    each = [
        _seconds(Way(group, before, after, SEED + play, is_noticed=is_noticed), timing or Timing())
        for play in range(plays)
    ]
    is_known = arriving is not None and not np.isnan(arriving).all()
    rates = np.nan_to_num(arriving) if arriving is not None else np.zeros(0)
    return Lost(
        restarts=restarts,
        plays=plays,
        partition_seconds=Spread.of(float(seconds.sum()) for seconds in each),
        records=Spread.of(float(seconds @ rates) for seconds in each) if is_known else None,
    )


def _seconds(way: Way, timing: Timing) -> FloatArray:
    """Return for how long nobody reads each partition in one play, (P,)."""
    seconds: FloatArray = np.zeros(way.waits.size)
    for step in way.steps():
        seconds += timing.round_s(step.strategy.protocol) * step.pauses
        seconds += timing.warm_up_s * is_moved(step.before, step.owners)
    return seconds + timing.restart_s * way.waits
