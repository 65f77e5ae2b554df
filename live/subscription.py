"""What a classic member says when it joins: Kafka's ConsumerProtocolSubscription, in bytes."""

import struct
from dataclasses import dataclass

_RACKS_SINCE = 3


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a member asked for when it last joined."""

    topics: tuple[str, ...]
    rack: str | None


def subscription_of(metadata: bytes) -> Subscription | None:
    """Return what the bytes say, None if they are empty or not a consumer's.

    Versions 0 to 3 and later ones, whose fields begin likewise. Source:
    ConsumerProtocolSubscription.json of Apache Kafka; KIP-429, KIP-792, KIP-881.

    >>> subscription_of(bytes([0, 0, 0, 0, 0, 1, 0, 1]) + b"t" + bytes([0, 0, 0, 0]))
    Subscription(topics=('t',), rack=None)
    """
    cursor = _Cursor(metadata)
    try:
        version = cursor.number(">h")
        topics = tuple(cursor.text() or "" for _ in range(cursor.number(">i")))
        rack = _rack(cursor) if version >= _RACKS_SINCE else None
    except (struct.error, UnicodeDecodeError):
        return None
    return Subscription(topics, rack or None)


def _rack(cursor: "_Cursor") -> str | None:
    cursor.skip(max(cursor.number(">i"), 0))  # user data
    for _ in range(cursor.number(">i")):
        cursor.text()
        cursor.skip(4 * cursor.number(">i"))  # partitions owned
    cursor.number(">i")  # generation
    return cursor.text()


class _Cursor:
    """A place in the bytes; reading moves it on."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, form: str) -> int:
        found: int = struct.unpack_from(form, self._data, self._at)[0]
        self._at += struct.calcsize(form)
        return found

    def text(self) -> str | None:
        length = self.number(">h")
        return None if length < 0 else self._bytes(length).decode()

    def skip(self, length: int) -> None:
        self._bytes(length)

    def _bytes(self, length: int) -> bytes:
        if not 0 <= length <= len(self._data) - self._at:
            message = "the length leads out of the bytes"
            raise struct.error(message)
        self._at += length
        return self._data[self._at - length : self._at]
