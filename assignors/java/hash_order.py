"""The iteration order of a Java ``HashMap`` or ``HashSet``.

It decides which member gets the extra partition, so predicting a real group requires it.
"""

from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from assignors import ragged
from assignors.java.hash_map import FEWEST_BUCKETS_FOR_TREES, LONGEST_CHAIN, HashMap, Key
from assignors.java.strings import string_hashes, string_key

FEWEST_BUCKETS: Final = 16
"""Of a ``HashMap`` or ``HashSet``; smaller numbers never share a bucket."""

_FIBONACCI: Final = np.uint64(0x9E37_79B9_7F4A_7C15)
"""2**64 divided by the golden ratio."""


def partition_hashes(topic: str, numbers: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return ``TopicPartition.hashCode`` of one topic's partitions."""
    return np.uint32(31) * (np.uint32(31) + numbers) + string_hashes([topic])


def bucket_of(
    hashes: npt.NDArray[np.uint32], buckets: int | npt.NDArray[np.int64]
) -> npt.NDArray[np.uint32]:
    """Return the bucket of each hash in a ``HashMap`` with this many buckets, a power of two."""
    last: npt.NDArray[np.uint32] = np.asarray(buckets - 1, np.uint32)
    return (hashes ^ (hashes >> np.uint32(16))) & last


def hash_sets_order(
    starts: npt.NDArray[np.int64], numbers: npt.NDArray[np.int32]
) -> npt.NDArray[np.int64]:
    """Return the positions of numbers, set after set, in iteration order.

    Set s is ``new HashSet<Integer>(...)`` of numbers[starts[s]:starts[s + 1]], distinct and in
    insertion order, which a bucket keeps. A ninth number in one of fewer than 64 buckets doubles
    them. Limits: Java before 19 gives a set of 12, 24, 48, ... numbers twice the buckets, and
    nine numbers equal modulo 64 may come in the order of a tree, which is not modelled.

    >>> hash_sets_order(np.array([0, 2, 4]), np.array([15, 16, 1, 0], np.int32))
    array([1, 0, 3, 2])
    """
    hashes, sets = numbers.astype(np.uint32), ragged.row_of_each(starts)
    buckets = _buckets_of_sets(np.diff(starts))
    doubled_by = np.full(buckets.size, -1)
    while True:
        widest = int(buckets.max(initial=1))
        places = sets * np.int64(widest) + bucket_of(hashes, buckets[sets])
        order = places.argsort(kind="stable")
        chained, late = places[order], order[LONGEST_CHAIN:]
        ninths = np.sort(late[chained[LONGEST_CHAIN:] == chained[:-LONGEST_CHAIN]])
        crowded = sets[ninths]
        doubles = (buckets[crowded] < FEWEST_BUCKETS_FOR_TREES) & (ninths > doubled_by[crowded])
        if not doubles.any():
            return order
        crowded, first = np.unique(crowded[doubles], return_index=True)
        doubled_by[crowded] = ninths[doubles][first]
        buckets[crowded] *= 2


def _buckets_of_sets(sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return how many buckets sets made from this many numbers have since Java 19."""
    needed = np.maximum(-(-sizes * 4 // 3), FEWEST_BUCKETS)
    buckets: npt.NDArray[np.int64] = np.left_shift(1, np.frexp(needed - 1)[1], dtype=np.int64)
    return buckets


def hash_map_order(keys: Sequence[str], hashes: npt.NDArray[np.uint32] | None = None) -> list[int]:
    """Return the positions of distinct keys in the iteration order of a ``HashMap``.

    Keys are inserted one by one in the given order into a map that starts with 16 buckets and
    doubles above three quarters. Iteration goes bucket by bucket, in insertion order within one
    unless it overflows. ``hashes`` are the keys' ``string_hashes``, if already known.

    >>> hash_map_order(["consumer2", "consumer1", "consumer10"])
    [2, 0, 1]
    """
    if hashes is None:
        hashes = string_hashes(keys)
    buckets = FEWEST_BUCKETS
    while len(keys) > buckets * 3 // 4:
        if _overflows(hashes[: buckets * 3 // 4 + 1], buckets):
            return _simulated_order(keys, hashes)
        buckets *= 2
    if _overflows(hashes, buckets):
        return _simulated_order(keys, hashes)
    order: list[int] = bucket_of(hashes, buckets).argsort(kind="stable").tolist()
    return order


class HasId(Protocol):
    """A member, which a map keeps by its id."""

    @property
    def id(self) -> str:
        """The key."""
        ...


_Member = TypeVar("_Member", bound=HasId)


def in_hash_map_order(members: Sequence[_Member]) -> list[_Member]:
    """Return members as a ``HashMap`` of their ids iterates them."""
    return [members[at] for at in hash_map_order([each.id for each in members])]


def buckets_of_maps(
    starts: npt.NDArray[np.int64],
    places: npt.NDArray[np.int64],
    hashes: npt.NDArray[np.uint32],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return how many buckets many maps have, and which of them overflow one on the way.

    Map m holds keys of hashes[starts[m]:starts[m + 1]], inserted one by one in the order of
    ``places``, from 0 in each map. Maps that overflow have another order than that of buckets.

    >>> same = np.zeros(9, np.uint32)
    >>> buckets_of_maps(np.array([0, 2, 9]), np.array([0, 1, *range(7)]), same)
    (array([16, 16]), array([False, False]))
    >>> buckets_of_maps(np.array([0, 9]), np.arange(9), same)
    (array([16]), array([ True]))
    """
    sizes, maps = np.diff(starts), ragged.row_of_each(starts)
    buckets = np.full(sizes.size, FEWEST_BUCKETS)
    is_crowded = np.zeros(sizes.size, np.bool_)
    wide = FEWEST_BUCKETS
    while True:
        most = wide * 3 // 4
        there = places <= most  # the next key doubles the buckets, after it is in one
        each = maps[there] * np.int64(wide) + bucket_of(hashes[there], wide)
        slots, counts = np.unique(each, return_counts=True)
        is_crowded[slots[counts > LONGEST_CHAIN] // wide] = True
        larger = sizes > most
        if not larger.any():
            return buckets, is_crowded
        keep = larger[maps]
        maps, places, hashes = maps[keep], places[keep], hashes[keep]
        wide *= 2
        buckets[larger] = wide


def order_of_hashes(
    hashes: Sequence[int], capacity: int = 16, *, computed: bool = False
) -> list[int]:
    """Return the positions of distinct keys, known by hash code, in iteration order.

    They are inserted in the given order into a ``HashMap`` or ``HashSet`` with room for
    ``capacity`` keys, by ``put`` or by ``computeIfAbsent``. Of a code its lower 32 bits count.
    Limit: a map of 64 or more buckets with nine keys in one may iterate that one in the order of
    a tree, which is not modelled for keys that have no text.

    >>> order_of_hashes([17, 1, 33])
    [0, 1, 2]
    >>> order_of_hashes([17, 1, 33], computed=True), order_of_hashes([17, 1, 33], capacity=64)
    ([2, 1, 0], [1, 0, 2])
    """
    codes = np.array([code & 0xFFFF_FFFF for code in hashes], np.uint32)
    spread = bucket_of(codes, 1 << 32).view(np.int32).tolist()
    filled = HashMap([Key(each, b"") for each in spread], capacity)
    insert = filled.compute_if_absent if computed else filled.put
    for position in range(len(spread)):
        insert(position)
    return filled.order()


def coordinator_order(members: Sequence[str]) -> list[int]:
    """Return the positions of member ids in the order in which a group coordinator keeps them.

    That of its ``TimelineHashMap``: by the upper bits of a Fibonacci hash, two slots at first and
    twice as many above four thirds. Ids that share a slot stay as given, as their order depends
    on the group's past; so does that of a group which once was larger.

    >>> coordinator_order(["consumer1", "consumer2", "consumer3", "consumer4"])
    [3, 0, 2, 1]
    """
    bits = 1
    while len(members) * 3 > 4 << bits:
        bits += 1
    hashes = string_hashes(members).view(np.int32).astype(np.int64).view(np.uint64)
    slots = (hashes * _FIBONACCI) >> np.uint64(64 - bits)
    order: list[int] = slots.argsort(kind="stable").tolist()
    return order


def _overflows(hashes: npt.NDArray[np.uint32], buckets: int) -> bool:
    if hashes.size <= LONGEST_CHAIN:
        return False
    return bool(np.bincount(bucket_of(hashes, buckets)).max() > LONGEST_CHAIN)


def _simulated_order(keys: Sequence[str], hashes: npt.NDArray[np.uint32]) -> list[int]:
    spread = bucket_of(hashes, 1 << 32).view(np.int32).tolist()
    texts = map(string_key, keys)
    simulated = HashMap([Key(*key) for key in zip(spread, texts, strict=True)])
    for position in range(len(keys)):
        simulated.put(position)
    return simulated.order()
