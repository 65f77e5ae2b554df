"""The events of a strategy's trace, by partition, and who owned what before each of them."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import UNOWNED, Group, LongArray, Owners
from assignors.quotas import held_by_each
from assignors.sums import exact_sums
from assignors.trace.events import Event, Kind

_STATES: Final = 32
"""The most states that are kept, and the fewest events between two of them twice over."""


class Replay:
    """The events of a trace, in order; before the first, nobody owns anything."""

    def __init__(self, group: Group, events: Sequence[Event]) -> None:
        """Index the events by partition."""
        self.group, self.events = group, events
        empty = np.zeros(0, np.int64)
        rows = [empty if event.partitions is None else event.partitions for event in events]
        sizes = np.array([row.size for row in rows], np.int64)
        partitions = np.concatenate([empty, *rows])
        order = partitions.argsort(kind="stable")
        self._starts = partitions[order].searchsorted(np.arange(group.partition_count + 1))
        self._index = ragged.row_of_each(ragged.starts_of(sizes))[order]
        self._place = ragged.place_in_row(sizes)[order]
        self._of_all = [n for n, event in enumerate(events) if event.partitions is None]
        self._between = max(2 * _STATES, -(-len(events) // _STATES))

    def of(self, partition: int) -> list["ReplayMoment"]:
        """Return what happens to a partition, and the notes about it, in order."""
        span = slice(*self._starts[partition : partition + 2].tolist())
        own = zip(self._index[span].tolist(), self._place[span].tolist(), strict=True)
        moments = [ReplayMoment(self, index, place, partition) for index, place in own]
        notes = [ReplayMoment(self, index, 0, partition) for index in self._of_all]
        return sorted([*moments, *notes], key=lambda moment: moment.index)

    @property
    def order(self) -> LongArray:
        """The partitions that get owners, in the order in which those become final."""
        kinds = [event.kind in {Kind.KEPT, Kind.ASSIGNED, Kind.MOVED} for event in self.events]
        latest_first = np.concatenate(
            [np.zeros(0, np.int64)]
            + [
                event.partitions[::-1]
                for event, gives in zip(self.events[::-1], kinds[::-1], strict=True)
                if gives and event.partitions is not None
            ]
        )
        _, latest = np.unique(latest_first, return_index=True)
        order: LongArray = latest_first[np.sort(latest)[::-1]]
        return order

    def owners_before(self, index: int, place: int = 0) -> Owners:
        """(P,) the owners before an event, or before the partition at a place of it."""
        nearest = index // self._between
        owners = self._states[nearest].copy()
        for event in self.events[nearest * self._between : index]:
            _apply(owners, event)
        if place:
            _apply(owners, self.events[index], place)
        return owners

    @cached_property
    def _states(self) -> list[Owners]:
        """The owners before every ``_between`` events."""
        owners, states = self.group.nobody(), []
        for number, event in enumerate([*self.events, None]):
            if number % self._between == 0:
                states.append(owners.copy())
            if event is not None:
                _apply(owners, event)
        return states


def _apply(owners: Owners, event: Event, first: int | None = None) -> None:
    if event.kind is not Kind.NOTE and event.partitions is not None:
        is_left = event.kind is Kind.GIVEN_UP
        owners[event.partitions[:first]] = UNOWNED if is_left else event.members[:first]


class ReplayMoment:
    """One partition at one event."""

    def __init__(self, replay: Replay, index: int, place: int, partition: int) -> None:
        self.replay, self.group, self.index, self.place = replay, replay.group, index, place
        self.partition, self.event = partition, replay.events[index]

    @property
    def member(self) -> int:
        """The member that keeps, gives up or gets it."""
        return int(self.event.members[self.place])

    @property
    def is_about_all(self) -> bool:
        """Whether the event is a note about all partitions."""
        return self.event.partitions is None

    @property
    def partitions(self) -> LongArray:
        """All partitions of the event, in order; all wanted ones for a note about all."""
        return self.group.wanted if self.event.partitions is None else self.event.partitions

    @property
    def is_last(self) -> bool:
        """Whether the partition then has its final owner."""
        later = self.replay.of(self.partition)
        return not any(m.index > self.index and m.event.kind is not Kind.NOTE for m in later)

    @cached_property
    def owners(self) -> Owners:
        """(P,) the owners before this partition's turn."""
        return self.replay.owners_before(self.index, self.place)

    @cached_property
    def counts(self) -> LongArray:
        """(M,) how many partitions each member holds before this partition's turn."""
        return held_by_each(self.owners, self.group.member_count)

    @cached_property
    def lags(self) -> list[int]:
        """(M,) each member's lag before this partition's turn, however large."""
        return self.sums(self.owners, self.group.counted_weights)

    def sums(self, owners: Owners, values: LongArray) -> list[int]:
        """Return each member's sum of values (P,), none negative, under these owners."""
        of_each: list[int] = exact_sums(owners + 1, values, self.group.member_count + 1).tolist()
        return of_each[1:]
