"""Orders that Kafka takes from the Java language: of strings, and of HashMap keys.

Both decide who gets the extra partition, so both are needed to predict a real group.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from assignors import ragged
from assignors.java_hash_map import HashMap, Key

FEWEST_BUCKETS: Final = 16
"""Of a ``HashMap`` or a ``HashSet``; numbers below it have buckets of their own in any."""
_FEWEST_BUCKETS_FOR_TREES: Final = 64
_LONGEST_CHAIN: Final = 8
"""A bucket with more keys than this overflows: see ``java_hash_map``."""


def string_key(text: str) -> bytes:
    """Return a key that sorts like ``String.compareTo``: by UTF-16 code units."""
    return text.encode("utf-16-be", "surrogatepass")


def is_sorted(names: Sequence[str]) -> bool:
    """Tell whether the names ascend strictly, hence without repeats, in Java's order."""
    if "".join(names).isascii():
        return all(low < high for low, high in pairwise(names))
    return all(low < high for low, high in pairwise(map(string_key, names)))


def string_order(names: Sequence[str]) -> list[int]:
    """Return the positions of the names in ``String.compareTo`` order, ties by position."""
    if "".join(names).isascii():
        return sorted(range(len(names)), key=names.__getitem__)
    keys = [string_key(name) for name in names]
    return sorted(range(len(names)), key=keys.__getitem__)


def string_hash(text: str) -> int:
    """Return ``String.hashCode`` as an unsigned 32-bit number.

    >>> string_hash("consumer1")
    3873962747
    """
    return int(string_hashes([text])[0])


def string_hashes(texts: Sequence[str]) -> npt.NDArray[np.uint32]:
    """Return ``String.hashCode`` of every text: its code units as digits to the base 31.

    Digits of 0 in front change nothing, so that all texts are read at one length.
    """
    width = max(map(len, texts), default=0)
    if width == min(map(len, texts), default=0) and (joined := "".join(texts)).isascii():
        units = np.frombuffer(joined.encode("latin-1"), np.uint8)
    else:
        digits = [text.encode("utf-16-le", "surrogatepass") for text in texts]
        longest = max(map(len, digits))
        width = longest // 2
        padded = b"".join([each.rjust(longest, b"\0") for each in digits])
        units = np.frombuffer(padded, np.uint16)
    return units.reshape(len(texts), width).astype(np.uint32) @ _powers(width)


@lru_cache(maxsize=256)
def _powers(width: int) -> npt.NDArray[np.uint32]:
    """Return what each digit counts, the last one 1."""
    powers = np.full(width, 31, np.uint32)
    powers[:1] = 1
    return np.multiply.accumulate(powers, dtype=np.uint32)[::-1]


def partition_hashes(topic: str, numbers: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return ``TopicPartition.hashCode`` of partitions of one topic."""
    return np.uint32(31) * (np.uint32(31) + numbers) + string_hashes([topic])


def bucket_of(
    hashes: npt.NDArray[np.uint32], buckets: int | npt.NDArray[np.int64]
) -> npt.NDArray[np.uint32]:
    """Return the bucket of each hash in a ``HashMap`` of so many buckets, a power of two."""
    last: npt.NDArray[np.uint32] = np.asarray(buckets - 1, np.uint32)
    return (hashes ^ (hashes >> np.uint32(16))) & last


def hash_sets_order(
    starts: npt.NDArray[np.int64], numbers: npt.NDArray[np.int32]
) -> npt.NDArray[np.int64]:
    """Return the positions of numbers, set after set, in the order the sets iterate them.

    Set s is ``new HashSet<Integer>(...)`` of numbers[starts[s]:starts[s + 1]], distinct and
    in this order, which those of one bucket keep. A ninth number in one of fewer than 64
    buckets doubles them. Limits: Java before 19 gives a set of 12, 24, 48, ... numbers twice
    the buckets; and nine of one remainder by 64 may come in the order of a tree, which is
    left out here.

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
        chained, late = places[order], order[_LONGEST_CHAIN:]
        ninths = np.sort(late[chained[_LONGEST_CHAIN:] == chained[:-_LONGEST_CHAIN]])
        crowded = sets[ninths]
        doubles = (buckets[crowded] < _FEWEST_BUCKETS_FOR_TREES) & (ninths > doubled_by[crowded])
        if not doubles.any():
            return order
        crowded, first = np.unique(crowded[doubles], return_index=True)
        doubled_by[crowded] = ninths[doubles][first]
        buckets[crowded] *= 2


def _buckets_of_sets(sizes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return how many buckets sets made of so many numbers have, as of Java 19."""
    needed = np.maximum(-(-sizes * 4 // 3), FEWEST_BUCKETS)
    buckets: npt.NDArray[np.int64] = np.left_shift(1, np.frexp(needed - 1)[1], dtype=np.int64)
    return buckets


def hash_map_order(keys: Sequence[str], hashes: npt.NDArray[np.uint32] | None = None) -> list[int]:
    """Return the positions of distinct keys in the order a ``HashMap`` iterates them.

    The keys are inserted one by one, in the given order, into a map that starts with 16
    buckets and doubles when it holds more than three quarters of its buckets. Buckets
    come in ascending order, insertion order within one, unless one overflows. ``hashes``
    are the keys' ``string_hashes``, where they are known already.

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


def _overflows(hashes: npt.NDArray[np.uint32], buckets: int) -> bool:
    if hashes.size <= _LONGEST_CHAIN:
        return False
    return bool(np.bincount(bucket_of(hashes, buckets)).max() > _LONGEST_CHAIN)


def _simulated_order(keys: Sequence[str], hashes: npt.NDArray[np.uint32]) -> list[int]:
    spread = bucket_of(hashes, 1 << 32).view(np.int32).tolist()
    texts = map(string_key, keys)
    simulated = HashMap([Key(*key) for key in zip(spread, texts, strict=True)])
    for position in range(len(keys)):
        simulated.put(position)
    return simulated.order()
