"""What a group becomes after a switch: the owners at the end of the way, as a distribution.

To switch its strategy a group restarts (``rebalance.way``), and every consumer comes back under a
new member id: the client's own part stays, the rest is random. Ids that a broker gives, ids of
topics where unknown, and the order of the restarts are random too. Few possibilities are
enumerated, many are drawn. Measured on brokers by tests/broker/test_outlook.py.

P partitions, M members, D draws.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import count, islice, permutations, product
from typing import Final, NamedTuple

import numpy as np

from assignors.model import Group, LongArray, Owners
from assignors.strategy import Protocol, Sees, Strategy
from evaluation.metrics import count_per_member, lag_per_member, load_per_member
from evaluation.predicates import is_moved
from evaluation.rebalance.new_ids import id_blocks
from evaluation.rebalance.way import Way, knows_topic_ids

FEWEST_DRAWS: Final = 24
MOST_DRAWS: Final = 512
MOST_ENUMERATED: Final = 120
"""Up to this many equally likely orders of ids are all tried."""
_FEWEST_AT_ALL: Final = 3
_FEWEST_OF_ALIKE: Final = 3
"""Draws of a group whose consumers differ in nothing but their ids."""
_WORK: Final = 3_000_000
_WORK_PER_PAIR: Final = 1
"""Draws of a strategy end when they have cost as much as so many partitions, and so many more for
each pair of a partition and a consumer: 0.4 s at most at 134 x 12, 2 s at 10,000 x 500."""
_PER_REBALANCE: Final = 3_000
"""A rebalance costs as much as so many partitions."""
_LARGE: Final = 1_000_000
"""Partitions times consumers beyond which chance hardly changes what a strategy by lag reaches."""
_CLOSE: Final = 0.015
"""Draws end when the median is certain to this share."""
_RANGE: Final = (0.05, 0.95)
_SEED: Final = 5337


class Depth(Enum):
    """How much drawing may cost, as a share of the whole."""

    FIRST = 0.1
    """For figures at once."""
    WHOLE = 1.0


class Draw(NamedTuple):
    """One possible result of a switch."""

    owners: Owners
    """(P,) in the numbering of the members before the restart."""
    max_load: int
    max_count: int
    moved: int
    """Partitions whose consumer changes; 0 if nobody owned anything."""
    max_lag: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Outlook:
    """The results that a switch may have."""

    owners: Owners
    """(P,) of the draw whose busiest consumer has the median load, or partitions."""
    max_loads: LongArray
    """(D,) the busiest consumer's load, ascending."""
    max_lags: LongArray
    """(D,) the largest lag of a consumer, ascending."""
    max_counts: LongArray
    """(D,) the largest number of partitions of a consumer, ascending."""
    moves: LongArray
    """(D,) how many partitions change their consumer, ascending."""
    is_complete: bool = False
    """Whether these are all possible results, equally likely, rather than draws."""
    is_rough: bool = False
    """Whether more draws would make the median more certain, and were not made."""

    @property
    def draws(self) -> int:
        """D."""
        return self.moves.size

    @property
    def moved(self) -> int:
        """The median of the moves."""
        return int(self.moves[self.draws // 2])


def range_of(drawn: LongArray) -> tuple[int, int]:
    """Return the 5th and the 95th percentile of a figure of the draws (D,), ascending."""
    low, high = (int(drawn[round(share * (drawn.size - 1))]) for share in _RANGE)
    return low, high


def outlook(
    group: Group,
    strategy: Strategy,
    before: Strategy | None = None,
    *,
    is_noticed: bool = True,
    depth: Depth = Depth.WHOLE,
) -> Outlook:
    """Return the owners after the group's switch to a strategy; the same for equal groups.

    ``before`` is what the group runs; if unknown, something eager. ``is_noticed``: whether a
    restart lasts until a classic group has rebalanced without the consumer; a broker notices any.
    A group needs a member. Raises InvalidAssignmentError if the strategy breaks a rule.
    """
    orders, is_rough = _orders(group, strategy, before), False
    if orders is not None:
        ways = (Way(group, before, strategy, _SEED, order=order) for order in orders)
        draws = [_measured(group, way.end()) for way in ways]
    else:
        way = partial(Way, group, before, strategy, is_noticed=is_noticed)
        limits = _limits(group, strategy, before, way(_SEED), depth)
        draws, is_rough = _drawn(group, (way(seed) for seed in count(_SEED)), limits)
    draws.sort(key=lambda draw: draw[1:])
    columns = np.sort(np.array([draw[1:] for draw in draws], np.int64), axis=0)
    return Outlook(
        owners=draws[len(draws) // 2].owners,
        max_loads=columns[:, 0],
        max_counts=columns[:, 1],
        moves=columns[:, 2],
        max_lags=columns[:, 3],
        is_complete=orders is not None,
        is_rough=is_rough,
    )


class _Limits(NamedTuple):
    """How many draws to make."""

    fewest: int
    """After so many, and after each multiple, draws end if the median is certain."""
    most: int
    whole: int
    """The most at the depth ``WHOLE``."""


def _limits(
    group: Group, strategy: Strategy, before: Strategy | None, way: Way, depth: Depth
) -> _Limits:
    pairs = group.partition_count * group.member_count
    is_large = pairs > _LARGE
    if Sees.LAG in strategy.sees and is_large:
        return _Limits(1, 1, 1)
    fewest = FEWEST_DRAWS
    if way.starts_afresh and _makes_members_alike(group, strategy, before):
        fewest = 1 if is_large else _FEWEST_OF_ALIKE
    affordable = (_WORK + _WORK_PER_PAIR * pairs) / (
        way.rebalances * (group.partition_count + _PER_REBALANCE)
    )
    least = {Depth.FIRST: 1 if is_large else _FEWEST_AT_ALL, Depth.WHOLE: _FEWEST_AT_ALL}
    most, whole = (
        min(MOST_DRAWS, max(round(affordable * each.value), least[each]))
        for each in (depth, Depth.WHOLE)
    )
    return _Limits(min(fewest, whole), most, whole)


def _drawn(group: Group, ways: Iterator[Way], limits: _Limits) -> tuple[list[Draw], bool]:
    """Return the draws, and whether more of them would make the median more certain."""
    draws: list[Draw] = []
    for way in islice(ways, limits.most):
        draws.append(_measured(group, way.end()))
        if len(draws) % limits.fewest == 0 and _is_settled(draws):
            return draws, False
    return draws, limits.most < limits.whole


def _measured(group: Group, owners: Owners) -> Draw:
    moved = np.count_nonzero(is_moved(group.present_owners, owners))
    loads, counts = load_per_member(group, owners), count_per_member(group, owners)
    lags = loads if group.offsets.weights is None else lag_per_member(group, owners)
    return Draw(owners, int(loads.max()), int(counts.max()), int(moved), int(lags.max()))


def _is_settled(draws: Sequence[Draw]) -> bool:
    """Return whether more draws would hardly move the median (its 99 % interval, by ranks)."""
    loads = sorted(draw.max_load or draw.max_count for draw in draws)
    middle, reach = len(loads) / 2, 1.3 * len(loads) ** 0.5
    low, high = loads[max(int(middle - reach), 0)], loads[min(int(middle + reach), len(loads) - 1)]
    return high - low <= _CLOSE * (low + high)


def _makes_members_alike(group: Group, strategy: Strategy, before: Strategy | None) -> bool:
    """Return whether members differ in nothing that the strategy sees but their new ids."""
    sees = strategy.sees
    differ_by_rack = Sees.RACKS in sees and np.unique(group.layout.member_racks).size > 1
    is_static = Sees.STATIC_IDS in sees and any(group.layout.instance_ids)
    needs_topic_ids = Protocol.BROKER in {strategy.protocol, before and before.protocol} and (
        not knows_topic_ids(group)
    )
    return group.layout.has_equal_subscriptions and not (
        differ_by_rack or is_static or needs_topic_ids
    )


def _orders(
    group: Group, strategy: Strategy, before: Strategy | None
) -> Iterable[tuple[int, ...]] | None:
    """Return every order of the new ids, equally likely; None if they are many or not all.

    Only strategies that look at neither owners nor listing order depend on the order alone.
    """
    if {Sees.OWNERS, Sees.ARRIVAL} & strategy.sees or strategy.protocol is Protocol.BROKER:
        return None
    if before is not None and before.protocol is Protocol.BROKER:
        return None
    blocks = id_blocks(group)
    if (
        blocks is None
        or math.prod(math.factorial(len(block)) for block in blocks) > MOST_ENUMERATED
    ):
        return None
    if _makes_members_alike(group, strategy, before) and group.member_count > 1:
        return [tuple(m for block in blocks for m in block)] if len(blocks) > 1 else None
    return _in_every_order(blocks)


def _in_every_order(blocks: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    for parts in product(*(permutations(block) for block in blocks)):
        yield tuple(member for part in parts for member in part)
