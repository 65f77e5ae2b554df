"""Plain groups for tests to draw, and the same ones one by one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from assignors import ragged
from assignors.model import UNOWNED, Group, LongArray, Owners
from assignors.plain_groups import LAG_BITS, PlainGroups


class Plain(NamedTuple):
    """One group whose members want every topic."""

    topics: Sequence[int]
    """Partitions of each."""
    members: int
    lags: Sequence[int]
    owners: Sequence[int]

    def group(self) -> Group:
        """Return it as any strategy takes it."""
        names = [f"t{topic}" for topic in range(len(self.topics))]
        members = [f"c{member:02}" for member in range(self.members)]
        fresh = Group.of(names, self.topics, members, lags=self.lags)
        return fresh.owned_by(np.array(self.owners, np.int32))


@st.composite
def plain_groups(draw: st.DrawFn, least_owner: int = UNOWNED) -> Plain:
    """Draw sizes and lags that meet in ties, gaps and totals of every kind."""
    topics = draw(st.lists(st.integers(1, 9), min_size=1, max_size=4))
    members, size = draw(st.integers(1, 6)), sum(topics)
    highest = draw(st.sampled_from([0, 1, 3, 5, 12, 1000, (1 << LAG_BITS) // size - 1]))
    least = draw(st.sampled_from([0, least_owner]))
    return Plain(
        topics,
        members,
        draw(st.lists(st.integers(0, highest), min_size=size, max_size=size)),
        draw(st.lists(st.integers(least, members - 1), min_size=size, max_size=size)),
    )


def together(drawn: Sequence[Plain]) -> tuple[PlainGroups, Owners]:
    """Return the same groups as one, and their owners."""

    def all_of(field: str) -> LongArray:
        return np.array([each for plain in drawn for each in getattr(plain, field)], np.int64)

    sizes = np.array([sum(plain.topics) for plain in drawn], np.int64)
    members = np.array([plain.members for plain in drawn], np.int64)
    groups = PlainGroups(
        all_of("lags"), ragged.starts_of(sizes), members, ragged.starts_of(all_of("topics"))
    )
    return groups, all_of("owners").astype(np.int32)


def apart(groups: PlainGroups, values: Owners) -> list[list[int]]:
    """Return what each group has of values of all partitions."""
    return [part.tolist() for part in np.split(values, groups.starts[1:-1])]
