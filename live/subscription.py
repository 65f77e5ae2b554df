"""A classic member's subscription: Kafka's ConsumerProtocolSubscription, decoded."""

import struct
from dataclasses import dataclass

_FIRST_WITH_RACK = 3


@dataclass(frozen=True, slots=True)
class Subscription:
    """What a member asked for when it last joined."""

    topics: tuple[str, ...]
    rack: str | None


def subscription_of(metadata: bytes) -> Subscription | None:
    """Decode versions 0 to 3, and later ones, which begin alike; None if it is no consumer's.

    Source: ConsumerProtocolSubscription.json of Apache Kafka; KIP-429, KIP-792, KIP-881.

    >>> subscription_of(bytes([0, 0, 0, 0, 0, 1, 0, 1]) + b"t" + bytes([0, 0, 0, 0]))
    Subscription(topics=('t',), rack=None)
    """
    reader = _Reader(metadata)
    try:
        version = reader.number(">h")
        topics = tuple(reader.string() or "" for _ in range(reader.number(">i")))
        rack = _rack(reader) if version >= _FIRST_WITH_RACK else None
    except (struct.error, UnicodeDecodeError):
        return None
    return Subscription(topics, rack or None)


def _rack(reader: "_Reader") -> str | None:
    reader.take(max(reader.number(">i"), 0))  # user data
    for _ in range(reader.number(">i")):
        reader.string()
        reader.take(4 * reader.number(">i"))  # partitions owned
    reader.number(">i")  # generation
    return reader.string()


class _Reader:
    """Takes the fields off the front of the bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def number(self, form: str) -> int:
        value: int = struct.unpack(form, self.take(struct.calcsize(form)))[0]
        return value

    def string(self) -> str | None:
        length = self.number(">h")
        return None if length < 0 else self.take(length).decode()

    def take(self, length: int) -> bytes:
        if not 0 <= length <= len(self._data) - self._at:
            message = "a length leads beyond the end"
            raise struct.error(message)
        self._at += length
        return self._data[self._at - length : self._at]
