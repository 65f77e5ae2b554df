"""Every assignment of a small group, to check bounds by enumeration."""

from itertools import product

import numpy as np
from hypothesis import strategies as st

from assignors.model import Group, LongArray
from assignors.numbering import Member, Topic, group_of

_RACKS = ("a", "b")


@st.composite
def small_groups(draw: st.DrawFn, *, equal: bool, with_racks: bool = False) -> Group:
    """Draw a group of at most 7 partitions and 3 consumers; every partition has a subscriber."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    sizes = sizes[: 2 if sum(sizes) > 7 else 3]
    lag = st.integers(0, 12) | st.sampled_from([0, 1, 60])
    topics = {
        f"t{number}": Topic(
            partitions=size,
            lags=draw(st.lists(lag, min_size=size, max_size=size)),
            racks=draw(
                st.lists(
                    st.lists(st.sampled_from(_RACKS), unique=True), min_size=size, max_size=size
                )
            )
            if with_racks
            else None,
        )
        for number, size in enumerate(sizes)
    }
    names = sorted(topics)
    wanted = [
        names if equal else draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
        for _ in range(draw(st.integers(1, 3)))
    ]
    wanted[0] = names
    racks = st.sampled_from([*_RACKS, None])
    members = [Member(f"c{m}", want, rack=draw(racks)) for m, want in enumerate(wanted)]
    return group_of(topics, members)


def every_assignment(group: Group) -> LongArray:
    """Return all assignments that obey the subscriptions; shape (assignments, P)."""
    audiences = group.audiences
    choices = [
        audiences.members_of(audiences.of_topic[topic]).tolist()
        for topic in group.topic_of_partition
    ]
    return np.array(list(product(*choices)), np.int64)


def totals(group: Group, assignments: LongArray, weights: LongArray) -> LongArray:
    """Return the load of each member in each assignment; shape (assignments, M)."""
    is_owner = assignments[:, :, None] == np.arange(group.member_count)
    found: LongArray = (is_owner * weights[:, None]).sum(axis=1)
    return found
