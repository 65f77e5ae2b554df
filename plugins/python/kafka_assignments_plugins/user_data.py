"""What members and leaders tell each other: a generation, what is owned and promised, and a plan.

Version 1, big endian: ``int8 version, int32 generation, owned, promised, int32 members {int16
length, UTF-8 id, planned}...``; a list is ``int32 topics {int16 length, UTF-8 name, int32 count,
int32...}...``. Later versions may only append. The assignors for Java write and read the same.
"""

import struct
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, Self, TypeAlias

Partition: TypeAlias = tuple[str, int]
"""A topic and a partition's number in it."""
NO_GENERATION: Final = -1
_VERSION: Final = 1


class UserData(NamedTuple):
    """What one member tells the leader, or the leader one member."""

    generation: int = NO_GENERATION
    """The newest generation whose assignment the member received; all else is of it."""
    owned: tuple[Partition, ...] = ()
    """What the member owned, if the protocol does not carry it, as an eager one does not."""
    promised: tuple[Partition, ...] = ()
    """What is meant for the member, but was another's at the time."""
    planned: Mapping[str, tuple[Partition, ...]] = {}
    """What each member should end up with that it did not have, by member id. The leader that
    planned it sends it, in case another member never receives its share."""

    def encoded(self) -> bytes:
        """Return the bytes of version 1."""
        head = struct.pack(">bi", _VERSION, self.generation)
        parts = [head, _written(self.owned), _written(self.promised)]
        parts.append(struct.pack(">i", len(self.planned)))
        for member, partitions in sorted(self.planned.items()):
            parts += [_text(member), _written(partitions)]
        return b"".join(parts)

    @classmethod
    def decoded(cls, data: bytes | None) -> Self:
        """Return what the bytes say; what cannot be read says nothing."""
        reader = _Reader(data or b"")
        try:
            if reader.number(">b") < _VERSION:
                return cls()
            generation = reader.number(">i")
            return cls(generation, reader.partitions(), reader.partitions(), reader.plan())
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
        parts += [_text(topic), struct.pack(f">{len(numbers) + 1}i", len(numbers), *numbers)]
    return b"".join(parts)


def _text(text: str) -> bytes:
    data = text.encode()
    return struct.pack(">h", len(data)) + data


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
            topic = self._text()
            found += [(topic, self.number(">i")) for _ in range(self._length(">i"))]
        return tuple(found)

    def plan(self) -> dict[str, tuple[Partition, ...]]:
        return {self._text(): self.partitions() for _ in range(self._length(">i"))}

    def _text(self) -> str:
        end = self._length(">h") + self._at
        text, self._at = self._data[self._at : end].decode(), end
        return text

    def _length(self, form: str) -> int:
        length = self.number(form)
        if not 0 <= length <= len(self._data) - self._at:
            message = f"a list of {length} cannot be here"
            raise ValueError(message)
        return length
