"""How long offsets stand, and how long they stood before and went on. P partitions, M members."""

from typing import Final, NamedTuple, Self

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, BoolArray, FloatArray, Group, LongArray
from evaluation.measuring.offset_history import COMMITTED, END, OFF_BY_ONE, OffsetHistory

_CLEARLY: Final = 1.5
"""Who stands for this multiple of the longest pause before does not merely pause again."""


class Pauses(NamedTuple):
    """How long each partition (P,) stands, and its longest pause before; seconds.

    A pause is one between two commits while records waited: of who commits once a minute, or reads
    in batches. One in which owners changed tells of a restart instead.
    """

    stood_s: FloatArray
    longest_s: FloatArray

    @classmethod
    def of(cls, history: OffsetHistory, offsets: LongArray) -> Self:
        """Find both in a history of these offsets (K, 3, P) that has two dated moments or more."""
        moments = [history.moments[k] for k in history.timed.tolist()]
        times_s, of_dated = history.times_s[history.timed], offsets[history.timed]
        end, committed = of_dated[:, END], of_dated[:, COMMITTED]
        is_known = (end != UNKNOWN) & (committed != UNKNOWN)
        waits = is_known & (end - committed > OFF_BY_ONE)
        begun_s = pausing_s = np.full(offsets.shape[2], times_s[0])
        longest_s = np.zeros(offsets.shape[2])
        for k in range(1, len(moments)):
            goes_on = committed[k] != committed[k - 1]
            is_another = moments[k].ownership != moments[k - 1].ownership
            paused_s = np.where(goes_on & waits[k - 1], times_s[k - 1] - pausing_s, 0.0)
            longest_s = longest_s if is_another else np.maximum(longest_s, paused_s)
            begun_s = np.where(goes_on, times_s[k], begun_s)
            pausing_s = np.where(goes_on | is_another, times_s[k], pausing_s)
        return cls(times_s[-1] - begun_s, longest_s)

    @property
    def usual_s(self) -> FloatArray:
        """How long each partition (P,) stands, where that is no longer than it did before."""
        return np.where(self.are_usual, self.stood_s, 0.0)

    @property
    def are_usual(self) -> BoolArray:
        """Whether each partition (P,) has not stood clearly longer than it did before."""
        return self.stood_s < _CLEARLY * self.longest_s

    def are_usual_of(self, group: Group) -> BoolArray:
        """Return the same of each member (M,), which stands since it last committed anything."""
        owners = group.present_owners
        owned = np.flatnonzero(owners != UNOWNED)
        stood_s, longest_s = np.full(group.member_count, np.inf), np.zeros(group.member_count)
        np.minimum.at(stood_s, owners[owned], self.stood_s[owned])
        np.maximum.at(longest_s, owners[owned], self.longest_s[owned])
        return stood_s < _CLEARLY * longest_s
