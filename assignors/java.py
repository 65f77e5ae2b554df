"""Orders that Kafka takes from the Java language: of strings, and of HashMap keys.

Both decide who gets the extra partition, so both are needed to predict a real group.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise


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
    value = 0
    units = text.encode() if text.isascii() else _code_units(text)
    for unit in units:
        value = (31 * value + unit) & 0xFFFFFFFF
    return value


def hash_map_order(keys: Sequence[str]) -> list[int]:
    """Return the positions of distinct keys in the order a ``HashMap`` iterates them.

    The keys are inserted one by one, in the given order, into a map that starts with 16
    buckets and doubles when it holds more than three quarters of its buckets. Buckets
    come in ascending order, insertion order within one. Limit: nine keys that meet in one
    bucket make Java grow the map early, or order that bucket as a tree; here it stays a
    list. The JDK puts the odds of eight at one bucket in ten million.

    >>> hash_map_order(["consumer2", "consumer1", "consumer10"])
    [2, 0, 1]
    """
    buckets = 16
    while len(keys) > buckets * 3 // 4:
        buckets *= 2
    bucket_of = []
    for key in keys:
        value = string_hash(key)
        bucket_of.append((value ^ (value >> 16)) & (buckets - 1))
    return sorted(range(len(keys)), key=bucket_of.__getitem__)


def _code_units(text: str) -> Iterable[int]:
    data = string_key(text)
    return (high << 8 | low for high, low in zip(data[::2], data[1::2], strict=True))
