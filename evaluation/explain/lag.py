"""Why lag-capped, lag-skew and lag-sticky give a partition to its owner.

The greedy start is derived anew from what the candidates carried when the partition's turn
came; the search for even lag is run once more, each of its turns with the lags it changed.
Limit: beyond 2^62 records in all the strategies compare lags in a coarser unit, so equals
are then equal within that unit; the figures stay exact.
"""

import numpy as np

from assignors.lag.greedy import by_lag
from assignors.lag.skew import Stages, stages_of
from assignors.lag.sticky import default_moves, placed_owners, steps_with_moves
from assignors.model import UNOWNED, Group, IntArray
from evaluation.explain.lag_greedy import BySeats, ByWindow, Greedy, Placed
from evaluation.explain.lag_search import Turn, moved, outline, taker_of, turns_of, with_lags
from evaluation.explain.reasoning import (
    Derivation,
    Reasoning,
    Step,
    Words,
    exact_lags,
    place_of,
)
from evaluation.wording import ordinal, plural


def derive_lag_skew(group: Group, skew: int) -> Derivation:
    """Return why lag-skew decides as it does, and lag-capped, which is lag-skew without skew."""
    stages = stages_of(group, skew)
    found = with_lags(group, stages.start, stages.steps)
    if stages.members is None or stages.window is None:
        return _Improved(group, BySeats(group, stages.start, stages.batches), found)
    if stages.is_round_robin:
        return _Improved(group, _InTurn(group, stages.members, stages), found)
    greedy = Greedy(stages.start, np.zeros(0, np.int64), stages.order)
    return _Improved(group, ByWindow(group, greedy, stages.members, stages.window), found)


class _Improved:
    """A start, and the moves and swaps after it."""

    def __init__(self, group: Group, start: Derivation, found: list[Turn]) -> None:
        self._words, self._start, self._turns = Words(group), start, found
        self.order = start.order

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        owner, steps = self._start.reason(partition)
        own = turns_of(self._turns, partition)
        if self._turns:
            steps = (outline(self._turns, own), *steps)
        for turn in own:
            owner = taker_of(turn, partition)
            steps = (*steps, moved(self._words, turn, partition))
        return Reasoning(owner, steps)


class _InTurn:
    """Gives one partition each in turn, where that ends more even than the greedy start."""

    def __init__(self, group: Group, members: IntArray, stages: Stages) -> None:
        self._words, self._members = Words(group), members
        self._largest = max(exact_lags(group, stages.start, stages.order))
        self.order = np.sort(stages.order)

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition."""
        place = place_of(partition, self.order)
        taker = int(self._members[place % self._members.size])
        start = (
            "Assigned by lag and improved, the largest lag would end higher than where all are "
            f"assigned in turn, topic by topic, at {self._largest:,}: so it starts from there."
        )
        turn = (
            f"This is the {ordinal(place + 1)} of {plural(self.order.size, 'partition')} assigned "
            f"in turn to {self._words.members(self._members)}: it goes to "
            f"{self._words.member(taker)}."
        )
        return Reasoning(taker, (Step("In turn", start), Step("Circle", turn)))


class LagSticky:
    """Keeps or places each partition, then moves as far as the budget reaches."""

    def __init__(self, group: Group) -> None:
        self._words, home, order = Words(group), group.fit_owners, by_lag(group)
        owners = placed_owners(group)
        kept, free = np.flatnonzero(home != UNOWNED), order[home[order] == UNOWNED]
        every, budget = list(steps_with_moves(group, owners.copy())), default_moves(group)
        reach = next((n for n, turn in enumerate(every) if turn.moved > budget), len(every))
        found = with_lags(group, owners, (turn.moves for turn in every))
        within, self._beyond = found[:reach], found[reach:]
        start = Placed(group, Greedy(owners, kept, free), within)
        self._improved = _Improved(group, start, within)
        self.order = start.order
        self._spent = ""
        if self._beyond:
            self._spent = (
                f"the budget of {plural(budget, 'move')}, a tenth of the {kept.size:,} that could "
                f"stay, was spent: turn {reach + 1:,} would have made it {every[reach].moved:,}"
            )

    def reason(self, partition: int) -> Reasoning:
        """Derive the owner of one wanted partition, and what the budget held back."""
        owner, steps = self._improved.reason(partition)
        beyond = turns_of(self._beyond, partition)
        if not beyond:
            return Reasoning(owner, steps)
        taker = self._words.member(taker_of(beyond[0], partition))
        text = (
            f"Turn {beyond[0].number:,} would still have moved it to {taker}, but {self._spent}. "
            f"{self._words.member(owner)} keeps it."
        )
        return Reasoning(owner, (*steps, Step("Budget", text)))
