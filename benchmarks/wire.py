"""Kafka's wire format, as far as the stand-in for a broker needs it: big-endian, lengths first."""

import struct
from collections.abc import Iterable


def int16(value: int) -> bytes:
    """Return two bytes."""
    return struct.pack(">h", value)


def int32(value: int) -> bytes:
    """Return four bytes."""
    return struct.pack(">i", value)


def text(value: str) -> bytes:
    """Return a string after its length in two bytes."""
    encoded = value.encode()
    return int16(len(encoded)) + encoded


def blob(value: bytes) -> bytes:
    """Return bytes after their length in four."""
    return int32(len(value)) + value


def array(items: Iterable[bytes]) -> bytes:
    """Return the items after their count."""
    parts = list(items)
    return int32(len(parts)) + b"".join(parts)


class Reader:
    """Reads the same, from the front on."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def int16(self) -> int:
        """Read two bytes."""
        return int.from_bytes(self._taken(2), signed=True)

    def int32(self) -> int:
        """Read four bytes."""
        return int.from_bytes(self._taken(4), signed=True)

    def text(self) -> str:
        """Read a string."""
        return self._taken(self.int16()).decode()

    def blob(self) -> bytes:
        """Read bytes."""
        return self._taken(self.int32())

    def _taken(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        self._at += size
        return taken
