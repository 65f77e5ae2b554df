"""What members and leaders tell each other: a generation, owned and promised partitions.

Version 1, big endian: ``int8 version, int32 generation, owned, promised``; a list is ``int32 topics
{int16 length, UTF-8 name, int32 count, int32...}``. Later versions may only append. The assignors
for Java write and read the same.
"""

import struct
from collections.abc import Iterable
from typing import Final, NamedTuple, Self, TypeAlias

Partition: TypeAlias = tuple[str, int]
"""A topic and a partition's number in it."""
NO_GENERATION: Final = -1
_VERSION: Final = 1


class UserData(NamedTuple):
    """What one member tells the leader, or the leader one member."""

    generation: int = NO_GENERATION
    """The generation of what is owned and promised."""
    owned: tuple[Partition, ...] = ()
    """What the member owned, if the protocol does not say so: under an eager one."""
    promised: tuple[Partition, ...] = ()
    """What is meant for the member, but was another's at the time."""

    def encoded(self) -> bytes:
        """Return the bytes of version 1."""
        head = struct.pack(">bi", _VERSION, self.generation)
        return head + _written(self.owned) + _written(self.promised)

    @classmethod
    def decoded(cls, data: bytes | None) -> Self:
        """Return what the bytes say; what cannot be read says nothing."""
        reader = _Reader(data or b"")
        try:
            if reader.number(">b") < _VERSION:
                return cls()
            generation = reader.number(">i")
            return cls(generation, reader.partitions(), reader.partitions())
        except (struct.error, UnicodeDecodeError, ValueError):
            return cls()


def by_topic(partitions: Iterable[Partition]) -> dict[str, list[int]]:
    """Return the numbers of each topic's partitions, both ascending."""
    found: dict[str, list[int]] = {}
    for topic, number in sorted(partitions):
        found.setdefault(topic, []).append(number)
    return found


def _written(partitions: Iterable[Partition]) -> bytes:
    topics = by_topic(partitions)
    parts = [struct.pack(">i", len(topics))]
    for topic, numbers in topics.items():
        name = topic.encode()
        parts += [struct.pack(">h", len(name)), name]
        parts.append(struct.pack(f">{len(numbers) + 1}i", len(numbers), *numbers))
    return b"".join(parts)


class _Reader:
    """A position in the bytes; lengths are checked before memory is taken for them."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def number(self, form: str) -> int:
        (value,) = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return int(value)

    def partitions(self) -> tuple[Partition, ...]:
        found = []
        for _ in range(self._length(">i")):
            end = self._length(">h") + self._at
            topic, self._at = self._data[self._at : end].decode(), end
            found += [(topic, self.number(">i")) for _ in range(self._length(">i"))]
        return tuple(found)

    def _length(self, form: str) -> int:
        length = self.number(form)
        if not 0 <= length <= len(self._data) - self._at:
            message = f"a list of {length} cannot be here"
            raise ValueError(message)
        return length
