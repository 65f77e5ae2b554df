"""Java's order of UUIDs, and their hash codes.

Client and broker tell two classes apart, ``java.util.UUID`` and Kafka's ``Uuid``; both compare and
hash alike.
"""

from uuid import UUID


def uuid_key(text: str) -> tuple[int, int]:
    """Return a key that sorts like ``UUID.compareTo``: both halves as signed 64-bit numbers.

    >>> sorted(["1a6c0000-0000-0000-0000-000000000000", "f1000000-0000-0000-0000-000000000000"],
    ...     key=uuid_key)
    ['f1000000-0000-0000-0000-000000000000', '1a6c0000-0000-0000-0000-000000000000']
    """
    data = UUID(text).bytes
    return int.from_bytes(data[:8], signed=True), int.from_bytes(data[8:], signed=True)


def uuid_hash(text: str) -> int:
    """Return ``UUID.hashCode`` as an unsigned number: both halves folded into 32 bits."""
    whole = UUID(text).int
    folded = (whole >> 64) ^ (whole & 0xFFFF_FFFF_FFFF_FFFF)
    return (folded >> 32) ^ (folded & 0xFFFF_FFFF)
