"""In which orders a broker may visit members whose ids share a bucket of its hash map.

There the order in which they joined decides, which no tool prints.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice, permutations, product
from typing import Final, NamedTuple, TypeVar

import numpy as np

from assignors.certainty import EXACT, Certainty, Known
from assignors.java.hash_order import FEWEST_BUCKETS, bucket_of
from assignors.java.strings import string_hashes
from assignors.share.group import ShareGroup
from assignors.streams.broker_group import StreamsGroup

MOST_ORDERS: Final = 24
Answer = TypeVar("Answer")
_Ordered = TypeVar("_Ordered", ShareGroup, StreamsGroup)


class Orders(NamedTuple):
    """Orders of members, by position, and whether they are all that are possible."""

    positions: list[list[int]]
    are_all: bool


def orders_of(ids: Sequence[str]) -> Orders:
    """Return the orders of ids that differ within buckets, the given one first.

    >>> orders_of(["2r8Li13RSKGZO5Me7Rpvyg", "4PXkVOfVTrGGJ4oEqNPFMA"])
    Orders(positions=[[0, 1], [1, 0]], are_all=True)
    """
    buckets = FEWEST_BUCKETS
    while len(ids) > buckets * 3 // 4:
        buckets *= 2
    of_each = bucket_of(string_hashes(ids), buckets).tolist() if ids else []
    crowds = [[at for at, each in enumerate(of_each) if each == b] for b in np.unique(of_each)]
    every = product(*map(permutations, crowds))
    listed = [[at for crowd in order for at in crowd] for order in islice(every, MOST_ORDERS + 1)]
    return Orders(listed[:MOST_ORDERS], len(listed) <= MOST_ORDERS)


def in_order(group: _Ordered, order: Sequence[int]) -> _Ordered:
    """Return the group with its members in this order of positions."""
    return replace(group, members=[group.members[at] for at in order])


def likely_orders(ids: Sequence[str], is_at_rest: Callable[[list[int]], bool]) -> Orders:
    """Return the orders under which the group would be at rest as it is; all if under none."""
    orders = orders_of(ids)
    if len(orders.positions) == 1:
        return orders
    at_rest = [each for each in orders.positions if is_at_rest(each)]
    return Orders(at_rest or orders.positions, orders.are_all)


def certainty_of(answers: Sequence[Answer], orders: Orders, certainty: Certainty) -> Certainty:
    """Return how certain the first answer is, one of those to each order."""
    distinct = sum(each not in answers[:at] for at, each in enumerate(answers))
    if certainty != EXACT or (distinct == 1 and orders.are_all):
        return certainty
    return Certainty(
        Known.ONE_OF_SEVERAL,
        "Ids of members share buckets of the broker's hash map, where the order in which they "
        "joined decides.",
        answers=distinct if orders.are_all else 0,
    )
