"""A rebalance that was under way when a group was read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from assignors.model import Group, LongArray, Owners

NOT_READY: Final = "NotReady"
"""Of a streams group to which the broker gives nothing as yet."""
STEADY: Final = frozenset({"Stable", "Empty", "Dead", NOT_READY})
"""The states of a group in which no rebalance is under way, as Kafka's tools write them."""
KAFKA_20431: Final = (
    "Brokers 4.0.0 to 4.3.0 do not list the partitions that a consumer still has to give up "
    "(KAFKA-20431)."
)
UNDER_WAY: Final = (
    "A rebalance is under way{state}: a partition without an owner is not one that nobody reads, "
    "and the predictions tell who owns it when the rebalance ends. Describe the group again; if "
    "it still rebalances, a consumer does not come back from poll()."
)
UNSEEN: Final = (
    "A rebalance is under way, and the text shows no consumers: who will own what cannot be "
    "predicted. Describe the group again; if it still rebalances, a consumer does not come back "
    "from poll()."
)
TARGETS_SHOWN: Final = (
    "A rebalance is under way: consumers are shown with their targets, from which the next "
    f"assignment starts; some do not hold them yet. {KAFKA_20431}"
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Rebalancing:
    """How far a rebalance is, as far as the source tells.

    The group of such a reading owns what its targets say: broker-side assignors start from
    targets, not from what members hold (``TargetAssignmentBuilder``).
    """

    group_epoch: int | None = None
    """The epoch of the group's members and subscriptions; None where not told."""
    target_epoch: int | None = None
    """The epoch for which the targets were computed."""
    member_epochs: Mapping[str, int] = field(default_factory=dict)
    """The epoch that each member has reached, by id."""
    now: Owners | None = field(default=None, repr=False)
    """(P,) who holds each partition at this moment, ``UNOWNED`` where none is told."""
    target: Owners | None = field(default=None, repr=False)
    """(P,) who will hold it; None in the classic protocol, which tells no targets."""

    @property
    def moving(self) -> LongArray:
        """The partitions that their targets do not hold yet, by number."""
        if self.now is None or self.target is None:
            return np.zeros(0, np.int64)
        return np.flatnonzero(self.now != self.target)


def owners_by_name(group: Group, held: Mapping[str, Iterable[tuple[str, int]]]) -> Owners:
    """Return (P,) the owners that these lists of named partitions make; the later one counts.

    >>> group = Group.fresh({"t": 3}, ["a", "b"])
    >>> owners_by_name(group, {"b": [("t", 0)], "a": [("t", 2), ("gone", 0)]}).tolist()
    [1, -1, 0]
    """
    number = {name: t for t, name in enumerate(group.topics)}
    member_of = {name: m for m, name in enumerate(group.members)}
    owners = group.nobody()
    for member, partitions in held.items():
        for topic, partition in partitions:
            span = group.topic_span(number[topic]) if topic in number else slice(0, 0)
            if member in member_of and partition < span.stop - span.start:
                owners[span.start + partition] = member_of[member]
    return owners
