"""The subscribers of each topic; topics with the same subscribers share one audience."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from assignors import ragged

NO_AUDIENCE: Final = -1
"""The audience of a topic without subscribers."""


class Audiences(NamedTuple):
    """The subscribers of each topic, one audience for all topics with the same ones."""

    of_topic: npt.NDArray[np.int32]
    """(T,) audience number, ``NO_AUDIENCE`` without subscribers."""
    starts: npt.NDArray[np.int64]
    """(audiences + 1,) audience a is members[starts[a]:starts[a + 1]]."""
    members: npt.NDArray[np.int32]
    """Member numbers, ascending within an audience."""
    sizes: npt.NDArray[np.int64]
    """(T,) subscribers of each topic."""

    def members_of(self, audience: int) -> npt.NDArray[np.int32]:
        """Return the members of one audience, ascending."""
        return self.members[self.starts[audience] : self.starts[audience + 1]]


def audiences_of(
    subscribes: npt.NDArray[np.bool_],
    class_of_member: npt.NDArray[np.int32],
    block: int = 1 << 24,
) -> Audiences:
    """Return the subscribers of every topic, audiences numbered by their first topic.

    ``subscribes`` is the (C, T) table of classes and topics; classes without members make no
    difference. The table is read by topic, so its columns should be contiguous. Members are
    looked up for about ``block`` pairs of audience and member at a time, which bounds memory.
    """
    if class_of_member.size and subscribes.size and subscribes.all():
        return _only_one(class_of_member.size, subscribes.shape[1])
    used, column_of_member = np.unique(class_of_member, return_inverse=True)
    by_topic = subscribes.T if used.size == len(subscribes) else subscribes.T.take(used, axis=1)
    first_topics, of_topic = _distinct_rows(by_topic)
    member_count = class_of_member.size
    sizes, members = [np.zeros(0, np.int64)], [np.zeros(0, np.int32)]
    step = max(1, block // max(1, member_count))
    for start in range(0, first_topics.size, step):
        is_member = by_topic[first_topics[start : start + step]].take(column_of_member, axis=1)
        sizes.append(np.count_nonzero(is_member, axis=1))
        row_starts = np.repeat(np.arange(len(is_member)) * member_count, sizes[-1])
        members.append((np.flatnonzero(is_member) - row_starts).astype(np.int32))
    size_of_each = np.concatenate(sizes)
    return Audiences(
        of_topic,
        ragged.starts_of(size_of_each),
        np.concatenate(members),
        np.append(size_of_each, 0)[of_topic],
    )


def _only_one(member_count: int, topic_count: int) -> Audiences:
    everybody = np.arange(member_count, dtype=np.int32)
    return Audiences(
        np.zeros(topic_count, np.int32),
        np.array([0, member_count], np.int64),
        everybody,
        np.full(topic_count, member_count, np.int64),
    )


def _distinct_rows(
    table: npt.NDArray[np.bool_],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the first row of each kind and the kind of every row; -1 for rows without True."""
    packed = np.packbits(table, axis=1)
    kinds = {bytes(packed.shape[1]): NO_AUDIENCE}
    first: list[int] = []
    kind_of = []
    for number, row in enumerate(packed):
        kind = kinds.setdefault(row.tobytes(), len(first))
        if kind == len(first):
            first.append(number)
        kind_of.append(kind)
    return np.array(first, np.int32), np.array(kind_of, np.int32)
