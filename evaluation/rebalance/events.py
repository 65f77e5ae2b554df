"""Events between two rebalances; ``str`` of an event is its sentence.

``after(group, event)`` is the group as the assignor sees it next. To add an event, add a class
with ``change`` and ``__str__`` to ``Event``.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle, islice
from typing import Final, TypeAlias

import numpy as np

from assignors.model import Group
from assignors.numbering import Member
from evaluation.rebalance import membership, regroup
from evaluation.rebalance.event_errors import (
    InvalidEventError,
    known_numbers,
    refuse_none,
    refuse_taken,
)
from evaluation.rebalance.regroup import Change
from evaluation.wording import listed, plural

MOST_ADDED: Final = 100_000
"""The most partitions one event adds: events also come in links from strangers."""
_NAMED: Final = 3
"""A sentence names up to this many and counts the rest."""


@dataclass(frozen=True)
class Join:
    """New consumers join without claims."""

    ids: tuple[str, ...]
    topics: tuple[str, ...] | None = None
    """Their subscriptions; None: what most of the others subscribe to."""
    racks: tuple[str, ...] = ()
    """Their racks, repeated as needed; () for none."""
    instance_ids: tuple[str, ...] = ()
    """One ``group.instance.id`` each, or () for dynamic consumers."""

    def __str__(self) -> str:
        extra = f" with {_several(self.topics, 'topic')}" if self.topics is not None else ""
        extra += f" in rack {listed(self.racks)}" if self.racks else ""
        extra += " with static ids" if self.instance_ids else ""
        return f"{_consumers(self.ids, 'join')}{extra}"

    def change(self, group: Group) -> Change:
        """Return the group with the new consumers."""
        refuse_none(self.ids, "consumer that joins")
        refuse_taken(self.ids, group.members, "consumer")
        if self.instance_ids and len(self.instance_ids) != len(self.ids):
            message = (
                f"{len(self.instance_ids)} static ids are given for {len(self.ids)} consumers; "
                "give each one, or none at all"
            )
            raise InvalidEventError(message)
        refuse_taken(self.instance_ids, group.layout.instance_ids, "static id")
        topics = self.topics
        if topics is None:
            topics = tuple(group.topics[t] for t in regroup.usual_topics(group))
        known_numbers(topics, group.topics, "topic")
        racks = islice(cycle(self.racks or ("",)), len(self.ids))
        static = self.instance_ids or (None,) * len(self.ids)
        newcomers = [
            Member(id=name, topics=topics, rack=rack or None, instance_id=instance_id)
            for name, rack, instance_id in zip(self.ids, racks, static, strict=True)
        ]
        return membership.with_newcomers(group, newcomers)


@dataclass(frozen=True)
class Leave:
    """Consumers leave for good; their partitions are unowned until the rebalance is done.

    A static consumer (KIP-345) sends no LeaveGroup: it leaves when its session times out or an
    administrator removes it.
    """

    ids: tuple[str, ...]

    def __str__(self) -> str:
        return _consumers(self.ids, "leave")

    def change(self, group: Group) -> Change:
        """Return the group without them."""
        refuse_none(self.ids, "consumer that leaves")
        return membership.without_members(group, known_numbers(self.ids, group.members, "consumer"))


@dataclass(frozen=True)
class ComeBack:
    """A consumer restarts and gets a new member id.

    A dynamic consumer is new to the group and claims nothing. This is a short restart within one
    rebalance; a longer one is ``Leave``, then ``Join``. A static one (``group.instance.id``,
    KIP-345) is recognised: it keeps its claims and the group does not rebalance.
    """

    old_id: str
    new_id: str
    instance_id: str | None = None
    """A hypothetical static id; None: as in the group."""

    def __str__(self) -> str:
        known = f", recognised by its static id {self.instance_id}" if self.instance_id else ""
        return f"{self.old_id} restarts and returns as {self.new_id}{known}"

    def change(self, group: Group) -> Change:
        """Return the group after the restart."""
        member = int(known_numbers((self.old_id,), group.members, "consumer")[0])
        if self.new_id != self.old_id:
            refuse_none((self.new_id.strip(),), "new member id")
            refuse_taken((self.new_id,), group.members, "consumer")
        own = group.layout.instance_ids[member]
        if self.instance_id and self.instance_id != own:
            refuse_taken((self.instance_id,), group.layout.instance_ids, "static id")
        if self.instance_id or own:
            known = membership.renamed(group, member, self.new_id, self.instance_id or own)
            return replace(known, rebalances=False)
        return self._as_a_newcomer(group, member)

    def _as_a_newcomer(self, group: Group, member: int) -> Change:
        rack = int(group.layout.member_racks[member])
        newcomer = Member(
            id=self.new_id,
            topics=[group.topics[t] for t in regroup.subscriptions(group)[member]],
            rack=group.layout.racks[rack] if rack >= 0 else None,
            throughput=None
            if group.offsets.throughput is None
            else float(group.offsets.throughput[member]),
        )
        left = membership.without_members(group, np.array([member], np.int32))
        back = membership.with_newcomers(left.group, [newcomer])
        now = np.append(back.member_now, np.int32(regroup.GONE))[left.member_now]
        return replace(back, member_now=now)


@dataclass(frozen=True)
class AddPartitions:
    """A topic gets more partitions with unknown lag; Kafka can never remove any."""

    topic: str
    more: int

    def __str__(self) -> str:
        return f"{self.topic} gets {plural(self.more, 'more partition')}"

    def change(self, group: Group) -> Change:
        """Return the group with the larger topic."""
        topic = int(known_numbers((self.topic,), group.topics, "topic")[0])
        _refuse_number(self.more, f"{self.more:,} partitions cannot be added to {self.topic}")
        size = int(group.topic_sizes[topic]) + self.more
        return regroup.with_topic_sizes(group, {self.topic: size})


@dataclass(frozen=True)
class AddTopic:
    """A topic is created; members that subscribe to all others subscribe to it too.

    Members that subscribed to the topic before it existed now get its partitions.
    """

    topic: str
    partitions: int

    def __str__(self) -> str:
        return f"topic {self.topic} is created with {plural(self.partitions, 'partition')}"

    def change(self, group: Group) -> Change:
        """Return the group with the topic and its subscribers."""
        refuse_none((self.topic.strip(),), "topic name")
        existing = [
            name for name, size in zip(group.topics, group.topic_sizes, strict=True) if size
        ]
        refuse_taken((self.topic,), existing, "topic")
        _refuse_number(self.partitions, f"a topic cannot have {self.partitions:,} partitions")
        grown = regroup.with_topic_sizes(group, {self.topic: self.partitions})
        if self.topic in group.topics:
            return grown
        wants_all = np.all(group.subscribes, axis=1)[group.layout.class_of_member]
        everything = np.arange(len(grown.group.topics), dtype=np.int32)
        subscribed = regroup.with_subscription(
            grown.group, np.flatnonzero(wants_all).astype(np.int32), everything
        )
        return replace(grown, group=subscribed.group)


@dataclass(frozen=True)
class Subscribe:
    """Consumers change their subscription."""

    ids: tuple[str, ...]
    topics: tuple[str, ...]

    def __str__(self) -> str:
        wanted = f"only to {_several(self.topics, 'topic')}" if self.topics else "to nothing"
        return f"{_consumers(self.ids, 'subscribe')} {wanted}"

    def change(self, group: Group) -> Change:
        """Return the group with the new subscriptions."""
        refuse_none(self.ids, "consumer whose subscription changes")
        members = known_numbers(self.ids, group.members, "consumer")
        topics = known_numbers(self.topics, group.topics, "topic")
        return regroup.with_subscription(group, members, topics)


@dataclass(frozen=True)
class Rejoin:
    """All members rejoin with their claims; nothing else changes.

    This happens when a consumer missed a rebalance and returns with an old claim, or when the
    leader restarts; it shows whether a strategy leaves a good assignment alone.
    """

    def __str__(self) -> str:
        return "all consumers rejoin, nothing else changes"

    def change(self, group: Group) -> Change:
        """Return the group as it is."""
        return regroup.unchanged(group)


Event: TypeAlias = Join | Leave | ComeBack | AddPartitions | AddTopic | Subscribe | Rejoin


def after(group: Group, event: Event) -> Group:
    """Return the group as the assignor sees it next.

    Remaining members keep claims and generations, new ones claim nothing, lags of new partitions
    are unknown. Raises InvalidEventError for an impossible event.
    """
    return change_of(group, event).group


def change_of(group: Group, event: Event) -> Change:
    """Return the group after an event with its new numbers. Raises InvalidEventError."""
    change = event.change(group)
    kept = [
        (member, topic, number)
        for member, topic, number in group.claims.vanished
        if not (isinstance(event, Subscribe) and member in event.ids and topic not in event.topics)
    ]
    return regroup.with_vanished(group, change, kept) if group.claims.vanished else change


def _refuse_number(partitions: int, why: str) -> None:
    if not 1 <= partitions <= MOST_ADDED:
        message = f"{why}; give 1 to {MOST_ADDED:,}"
        raise InvalidEventError(message)


def _consumers(ids: Sequence[str], verb: str) -> str:
    return f"{_several(ids, 'consumer')} {verb}{'s' if len(ids) == 1 else ''}"


def _several(names: Sequence[str], noun: str) -> str:
    return listed(names) if len(names) <= _NAMED else plural(len(names), noun)
