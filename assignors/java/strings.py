"""Java's order of strings, and their hash codes."""

from collections.abc import Sequence
from functools import lru_cache
from operator import lt

import numpy as np
import numpy.typing as npt


def string_key(text: str) -> bytes:
    """Return a key that sorts like ``String.compareTo``: by UTF-16 code units."""
    return text.encode("utf-16-be", "surrogatepass")


def is_sorted(names: Sequence[str]) -> bool:
    """Return whether the names ascend strictly in Java's order."""
    keys = _keys(names)
    return all(map(lt, keys, keys[1:]))


def string_order(names: Sequence[str]) -> list[int]:
    """Return the positions of the names in ``String.compareTo`` order, ties by position."""
    return sorted(range(len(names)), key=_keys(names).__getitem__)


def _keys(names: Sequence[str]) -> Sequence[str] | list[bytes]:
    """Return keys that sort like the names in Java: those of ASCII do so themselves."""
    return names if "".join(names).isascii() else [string_key(name) for name in names]


def string_hashes(texts: Sequence[str]) -> npt.NDArray[np.uint32]:
    """Return ``String.hashCode`` of every text: its code units as digits to the base 31.

    Leading zeros change nothing, so all texts are padded to one length.
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


def string_hash(text: str) -> int:
    """Return ``String.hashCode`` of one text, signed as in Java.

    >>> string_hash("a"), string_hash("orders")
    (97, -1008770331)
    """
    return int(string_hashes([text]).view(np.int32)[0])


@lru_cache(maxsize=256)
def _powers(width: int) -> npt.NDArray[np.uint32]:
    """Return the weight of each digit, 1 for the last."""
    powers = np.full(width, 31, np.uint32)
    powers[:1] = 1
    return np.multiply.accumulate(powers, dtype=np.uint32)[::-1]
