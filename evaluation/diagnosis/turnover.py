"""What happened to a group's consumers between its snapshots: who came, who left, who again.

An event is a run of changes in which nobody leaves who came in it: a deploy that replaces one
consumer after another, one that leaves and comes back, others that join step by step. Who leaves
again begins the next one. A group that keeps rebalancing is one event after another.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple, Self

import numpy as np

from assignors.model import FloatArray
from evaluation.measuring.offset_history import Moment, OffsetHistory

OFTEN_S: Final = 900.0
"""What happens at least every quarter of an hour happens often: deploys and jobs do not."""
_SETTLED_S: Final = 60.0
"""A cooperative rebalance, in two rounds, is over within it."""


class Turnover(NamedTuple):
    """The latest changes of owners, each within a quarter of an hour of the one before."""

    changes: int
    """In how many intervals between snapshots owners changed."""
    events: int
    """How many events those are of."""
    since_s: float
    """From the snapshot before the first of them; NaN if unknown."""
    goes_on: bool
    """Whether owners have not been the same for longer than between two changes."""

    @classmethod
    def of(cls, history: OffsetHistory) -> Self:
        """Count over the snapshots that tell who owns what."""
        latest = list(_changes(history.moments))
        if not latest:
            return cls(0, 0, float("nan"), goes_on=False)
        times_s, order = history.times_s, np.arange(len(history.moments), dtype=np.float64)
        ends = np.array([change.after for change in latest])
        apart = np.flatnonzero(np.diff(times_s[ends]) > OFTEN_S)  # NaN is not
        latest = latest[int(apart[-1]) + 1 if apart.size else 0 :]
        ends = np.array([change.after for change in latest])
        at = order if np.isnan(times_s).any() else times_s
        longest = np.diff(at[ends]).max(initial=0.0)
        return cls(
            len(latest),
            _events(latest, times_s),
            float(times_s[-1] - times_s[latest[0].before]),
            goes_on=bool(at[-1] - at[ends[-1]] <= longest),
        )


class _Change(NamedTuple):
    """Owners that differ between two snapshots, by their places."""

    before: int
    after: int
    left: frozenset[str] = frozenset()
    came: frozenset[str] = frozenset()
    is_told: bool = True
    """Whether it is known who left and came."""


def _changes(moments: tuple[Moment, ...]) -> Iterator[_Change]:
    told = [k for k, moment in enumerate(moments) if moment.ownership is not None]
    for before, after in pairwise(told):
        if moments[before].ownership == moments[after].ownership:
            continue
        held, then = moments[before].held, moments[after].held
        if held is None or then is None:
            yield _Change(before, after, is_told=False)
        else:
            was, now = frozenset(held.members), frozenset(then.members)
            yield _Change(before, after, was - now, now - was)


def _events(changes: list[_Change], times_s: FloatArray) -> int:
    """Return how many events these changes are of.

    Owners that change among the same consumers are a further round, within a minute of who came
    or left; later they are an event of their own, as of consumers that left and came unseen. Where
    nobody knows who did, they may all be of one event.
    """
    events, came, begun_s = 0, frozenset[str](), float("nan")
    for change in changes:
        is_round = not (change.left or change.came) and (
            times_s[change.after] - begun_s < _SETTLED_S  # NaN is not
        )
        is_told = not change.is_told or bool(change.left or change.came)
        is_step = is_told and events and not change.left & came
        if not (is_round or is_step):
            events, came = events + 1, frozenset()
        if not is_round:
            begun_s = float(times_s[change.after])
        came |= change.came
    return events
