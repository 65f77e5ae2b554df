"""A recorder for what a strategy does, and its events, each with the rule that decides.

A strategy that can be explained takes a ``Trace`` and tells it every step; without one it tells
nothing and loses no time. ``evaluation.explain.words`` puts the events into words.
"""

from enum import Enum
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np

from assignors.model import UNOWNED, Group, IntArray, LongArray, Owners
from assignors.trace import rules
from assignors.trace.rules import Numbers

Rule: TypeAlias = tuple[object, ...]
"""One of the classes of ``rules``."""


class Kind(Enum):
    """What an event does to its partitions."""

    NOTE = "nothing: it says what the next events go by"
    KEPT = "their member keeps them"
    GIVEN_UP = "their member gives them up"
    ASSIGNED = "their member gets them"
    MOVED = "their member takes them from another"


class Event(NamedTuple):
    """What one rule does to some partitions, in order."""

    kind: Kind
    rule: Rule
    partitions: LongArray | None
    """None for a note about all."""
    members: IntArray
    """One for each partition, except in a note: there, those that it names."""


class Trace:
    """Records what a strategy does, in order.

    >>> trace = Trace()
    >>> trace.assigned([0, 1], 0, rules.Because("Night shift", "C0 works at night."))
    >>> trace.events[0].members
    array([0, 0], dtype=int32)
    """

    def __init__(self, members: IntArray | None = None) -> None:
        """Start without events; ``members`` are the numbers of those that the strategy renumbers.

        Then member 0 of an event is ``members[0]``, and so on.
        """
        self.events: list[Event] = []
        self._members = None if members is None else np.append(members, np.int32(UNOWNED))

    def note(self, rule: Rule, partitions: Numbers | None = None, members: Numbers = ()) -> None:
        """Say something about these partitions, or about all."""
        self._record(Kind.NOTE, rule, partitions, members)

    def kept(self, partitions: Numbers, members: Numbers | int, rule: Rule) -> None:
        """Tell that each partition stays with its member."""
        self._record(Kind.KEPT, rule, partitions, members)

    def given_up(self, partitions: Numbers, members: Numbers | int, rule: Rule) -> None:
        """Tell that each partition leaves its member."""
        self._record(Kind.GIVEN_UP, rule, partitions, members)

    def assigned(self, partitions: Numbers, members: Numbers | int, rule: Rule) -> None:
        """Tell that each partition goes to its member, one after another."""
        self._record(Kind.ASSIGNED, rule, partitions, members)

    def moved(self, partitions: Numbers, members: Numbers | int, rule: Rule) -> None:
        """Tell that each partition moves from its owner to this member."""
        self._record(Kind.MOVED, rule, partitions, members)

    def extend(self, other: "Trace") -> None:
        """Append the events of a part that was told apart, because it could have been undone."""
        self.events += other.events

    def renumbered(self, members: IntArray) -> "Trace":
        """Return a recorder of the same events for a part that numbers members in this order.

        Members within rules are not translated.
        """
        other = Trace(members)
        other.events = self.events
        return other

    def check(self, group: Group) -> None:
        """Raise IndexError if an event names a partition or a member that the group lacks."""
        for event in self.events:
            _check(event.members, UNOWNED, group.member_count, "member")
            if event.partitions is not None:
                _check(event.partitions, 0, group.partition_count, "partition")

    def _record(
        self, kind: Kind, rule: Rule, partitions: Numbers | None, members: Numbers | int
    ) -> None:
        if type(rule).__module__ != rules.__name__:
            name = type(rule).__name__
            message = f"{name} is no rule of {rules.__name__}; Because takes your own words"
            raise TypeError(message)
        numbers = None if partitions is None else np.array(partitions, np.int64)
        if numbers is not None and not numbers.size:
            return
        named = np.array(members, np.int32)
        if numbers is not None and kind is not Kind.NOTE:
            named = np.broadcast_to(named, numbers.shape)
        if self._members is not None:
            named = self._members[named]
        self.events.append(Event(kind, rule, numbers, named))


def _check(numbers: Numbers, least: int, count: int, what: str) -> None:
    for number in numbers:
        if not least <= number < count:
            message = f"its trace names {what} {number}; there are {count}, numbered from 0"
            raise IndexError(message)


class Traced(Protocol):
    """A strategy that tells a trace what it does, to the end of all rounds."""

    def __call__(self, group: Group, /, *, trace: Trace) -> Owners:
        """Return the final owners."""
