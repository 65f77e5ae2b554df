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
from functools import lru_cache, partial
from itertools import count, islice, permutations, product
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group, LongArray, Owners
from assignors.strategy import Protocol, Sees, Strategy
from evaluation.comparing.worth import RELIABLE, WORTH
from evaluation.metrics import count_per_member, lag_per_member, load_per_member
from evaluation.moves import is_moved
from evaluation.rebalance.draws import PER_REBALANCE, RANGE, SEED, WORK
from evaluation.rebalance.new_ids import id_blocks
from evaluation.rebalance.way import Way, knows_topic_ids

FIRST_LOOK: Final = 8
"""Draws after which those that are all alike end: of so few, ``is_decided`` has all in one digit.
"""
FEWEST_DRAWS: Final = 24
MOST_DRAWS: Final = 512
MOST_ENUMERATED: Final = 120
"""Up to this many equally likely orders of ids are all tried."""
_FEWEST_AT_FIRST: Final = 2
"""One of a strategy that sees lag: it evens out what chance does."""
_FEWEST_AT_ALL: Final = 3
_FEWEST_OF_ALIKE: Final = 3
"""Draws of a group whose consumers differ in nothing but their ids."""
_WORK_PER_PAIR: Final = 1
_MOST_PAIRS: Final = 5_000_000
"""The budget of one strategy's draws, in partitions handled: ``WORK``, plus ``_WORK_PER_PAIR`` for
each pair of a partition and a consumer up to ``_MOST_PAIRS``: 0.4 s at most at 134 x 12, 2 s at
10,000 x 500; no more for larger groups, in which chance hardly changes a sum."""
_LARGE: Final = 1_000_000
"""Partitions times consumers beyond which chance hardly changes what a strategy by lag reaches."""
_UNLIKELY: Final = 0.01
"""Draws end when the share, or the median, would be another with a smaller probability."""
_SIGMAS: Final = 2.6
"""Half of an interval that contains 99 %, in standard deviations."""


class Depth(Enum):
    """How much drawing may cost, as a share of the whole."""

    FIRST = 0.025
    """For figures at once."""
    MORE = 0.2
    """So much more than is known, for who may stop to wait in between."""
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
    """Whether more draws may change what is said, and can be had: see ``is_decided``."""
    drawn: tuple[Draw, ...] = ()
    """D results in the order of drawing, from which more are drawn; () if there are no more."""

    @property
    def draws(self) -> int:
        """D."""
        return self.moves.size

    @property
    def moved(self) -> int:
        """The median of the moves."""
        return int(self.moves[self.draws // 2])


def is_large(group: Group) -> bool:
    """Return whether chance hardly changes what strategies reach, and each draw takes long."""
    return group.partition_count * group.member_count > _LARGE


def range_of(drawn: LongArray) -> tuple[int, int]:
    """Return the 5th and the 95th percentile of a figure of the draws (D,), ascending."""
    low, high = (int(drawn[round(share * (drawn.size - 1))]) for share in RANGE)
    return low, high


def outlook(  # noqa: PLR0913 -- the switch, and how much to draw of it
    group: Group,
    strategy: Strategy,
    before: Strategy | None = None,
    *,
    is_noticed: bool = True,
    depth: Depth = Depth.WHOLE,
    known: Outlook | None = None,
) -> Outlook:
    """Return the owners after the group's switch to a strategy; the same for equal groups.

    ``before`` is what the group runs; if unknown, something eager. ``is_noticed``: whether a
    restart lasts until a classic group has rebalanced without the consumer; a broker notices any.
    ``known`` is the rough outlook of the same switch, from which drawing goes on. A group needs a
    member. Raises InvalidAssignmentError if the strategy breaks a rule.
    """
    orders = _orders(group, strategy, before)
    if orders is not None:
        ways = (Way(group, before, strategy, SEED, order=order) for order in orders)
        return _outlook_of([_measured(group, way.end()) for way in ways], is_complete=True)
    way = partial(Way, group, before, strategy, is_noticed=is_noticed)
    draws = [] if known is None else list(known.drawn)
    limits = _limits(group, strategy, before, way(SEED))
    if limits.is_alike:
        return _outlook_of(_relabelled(group, way(SEED).end(), limits.fewest))
    return _drawn(group, (way(seed) for seed in count(SEED + len(draws))), draws, limits, depth)


def is_decided(loads: LongArray, current: float | None) -> bool:
    """Return whether more draws would change neither a verdict nor a digit of the median.

    ``loads`` (D,) are the busiest consumer's, ``current`` today's, if any. The share of futures
    that take ``WORTH`` off it must differ from ``RELIABLE``: by a binomial test, or because
    what it takes lies farther beyond all draws than these lie apart. The median's 99 % interval, by
    ranks, must be written alike in three digits.

    >>> same = np.full(24, 500)
    >>> is_decided(same, 1_000), is_decided(np.arange(900, 1_000, 4), 1_000)
    (True, False)
    """
    loads = np.sort(loads)
    middle, reach = loads.size / 2, _SIGMAS / 2 * loads.size**0.5
    low, high = (
        loads[min(max(int(place), 0), loads.size - 1)] for place in (middle - reach, middle + reach)
    )
    return f"{low:.3g}" == f"{high:.3g}" and _is_share_decided(loads, current)


def _is_share_decided(loads: LongArray, current: float | None) -> bool:
    if current is None:
        return True
    least = current * (1 - WORTH)
    apart = loads[-1] - loads[0]
    if loads.size >= FEWEST_DRAWS and not loads[0] - apart <= least <= loads[-1] + apart:
        return True
    gains = int(np.count_nonzero(loads <= least))
    so_few, so_many = _tails(gains, loads.size)
    return min(so_few, so_many) < _UNLIKELY / 2


@lru_cache(maxsize=1024)
def _tails(gains: int, draws: int) -> tuple[float, float]:
    """Return how likely at most, and at least, ``gains`` are if ``RELIABLE`` of all draws gain."""
    each = [
        math.comb(draws, k) * RELIABLE**k * (1 - RELIABLE) ** (draws - k) for k in range(draws + 1)
    ]
    return sum(each[: gains + 1]), sum(each[gains:])


class _Limits(NamedTuple):
    """How many draws to make."""

    fewest: int
    """After this many, and after each multiple, draws end if they decide."""
    of_depth: dict[Depth, int]
    """The most at each depth; at ``MORE`` beyond those that are known."""
    is_alike: bool
    """Whether new ids only deal one result out to other consumers."""


def _limits(group: Group, strategy: Strategy, before: Strategy | None, way: Way) -> _Limits:
    pairs = group.partition_count * group.member_count
    is_slow = is_large(group)
    if Sees.LAG in strategy.sees and is_slow:
        return _Limits(1, dict.fromkeys(Depth, 1), is_alike=False)
    fewest, is_alike = FEWEST_DRAWS, False
    if way.starts_afresh and _makes_members_alike(group, strategy, before):
        fewest = 1 if is_slow else _FEWEST_OF_ALIKE
        is_alike = Sees.OWNERS not in strategy.sees and len(id_blocks(group) or ()) == 1
    affordable = (WORK + _WORK_PER_PAIR * min(pairs, _MOST_PAIRS)) / (
        way.rebalances * (group.partition_count + PER_REBALANCE)
    )
    least = {
        Depth.FIRST: 1 if is_slow or Sees.LAG in strategy.sees else _FEWEST_AT_FIRST,
        Depth.MORE: 1,
        Depth.WHOLE: _FEWEST_AT_ALL,
    }
    most = {
        depth: min(MOST_DRAWS, max(round(affordable * depth.value), least[depth]))
        for depth in Depth
    }
    return _Limits(min(fewest, most[Depth.WHOLE]), most, is_alike)


def _drawn(
    group: Group, ways: Iterator[Way], draws: list[Draw], limits: _Limits, depth: Depth
) -> Outlook:
    """Return what is known, with the draws that this depth adds."""
    current = _busiest(group, group.present_owners) if group.has_claims else None
    whole = limits.of_depth[Depth.WHOLE]
    most = min(limits.of_depth[depth] + (len(draws) if depth is Depth.MORE else 0), whole)
    is_rough = most < whole
    for way in islice(ways, max(most - len(draws), 0)):
        draws.append(_measured(group, way.end()))
        is_look = len(draws) == FIRST_LOOK or len(draws) % limits.fewest == 0
        if is_look and is_decided(_loads(draws), current):
            is_rough = False
            break
    return _outlook_of(draws, is_rough=is_rough)


def _relabelled(group: Group, owners: Owners, draws: int) -> list[Draw]:
    """Return a result dealt out to the members in several orders, each as likely."""
    chance = np.random.default_rng(SEED)
    orders = [chance.permutation(group.member_count) for _ in range(draws - 1)]
    dealt = (np.append(order, UNOWNED).astype(np.int32)[owners] for order in orders)
    return [_measured(group, each) for each in (owners, *dealt)]


def _outlook_of(
    draws: Sequence[Draw], *, is_complete: bool = False, is_rough: bool = False
) -> Outlook:
    ordered = sorted(draws, key=lambda draw: draw[1:])
    columns = np.sort(np.array([draw[1:] for draw in draws], np.int64), axis=0)
    return Outlook(
        owners=ordered[len(draws) // 2].owners,
        max_loads=columns[:, 0],
        max_counts=columns[:, 1],
        moves=columns[:, 2],
        max_lags=columns[:, 3],
        is_complete=is_complete,
        is_rough=is_rough,
        drawn=tuple(draws) if is_rough else (),
    )


def _loads(draws: Sequence[Draw]) -> LongArray:
    return np.array([draw.max_load or draw.max_count for draw in draws], np.int64)


def _busiest(group: Group, owners: Owners) -> int:
    draw = _measured(group, owners)
    return draw.max_load or draw.max_count


def _measured(group: Group, owners: Owners) -> Draw:
    moved = np.count_nonzero(is_moved(group.present_owners, owners))
    loads, counts = load_per_member(group, owners), count_per_member(group, owners)
    lags = loads if group.offsets.weights is None else lag_per_member(group, owners)
    return Draw(owners, int(loads.max()), int(counts.max()), int(moved), int(lags.max()))


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
