"""Committed offsets that jumped ahead, further than they were ever read in that time."""

from typing import Final, NamedTuple, Self

import numpy as np

from assignors.model import UNKNOWN, BoolArray, FloatArray, LongArray

_TIMES: Final = 20.0
"""From this multiple of all other reading on, a jump is none."""
_LEAST: Final = 5_000
"""Fewer records are a few batches."""
_TOLD: Final = 50_000
"""Fewer records are soon read, once a consumer is back: what is unknown is no reset yet."""
_OF_ALL: Final = 4.0
"""The same multiple for the group as a whole, where all of its consumers are new since: offsets are
reset by hand while a group has none."""
_BUSY_S: Final = 10.0
"""What waits for longer is a backlog: consumers commit every 5 s by default."""


class Skips(NamedTuple):
    """The jumps of P partitions over K moments; how much was read in such a time is unknown."""

    at: LongArray
    """(P,) the first moment after the last one; 0 if there is none."""
    by: FloatArray
    """(P,) records."""
    before: FloatArray
    """(P,) the most that was read of it per second until then, while more waited."""
    is_told: BoolArray
    """(P,) was no reading, as far as can be told: it is large, and ends where the log does or is
    followed by slower reading. Else the next moment tells."""
    beyond: FloatArray
    """(K, P) records by which each moment is further than reading as before would have led."""

    @classmethod
    def of(
        cls, times_s: FloatArray, end: LongArray, committed: LongArray, is_renewed: BoolArray
    ) -> Self:
        """Find the jumps in offsets (K, P) whose times are all known.

        Who reads on at a like speed after one that comes to no more than 20 times as much has read
        it: an outage was over. ``is_renewed`` (K,) are the moments of which all consumers are new.
        """
        moments, partitions = committed.shape
        at, (is_at_end, is_of_all) = np.zeros(partitions, np.int64), np.zeros((2, partitions), bool)
        by, before, speed, fastest = np.zeros((4, partitions))
        beyond = np.zeros((moments, partitions))
        latest = (at, by, before, is_at_end, is_of_all)
        earlier = tuple(each.copy() for each in latest)
        is_known = (end != UNKNOWN) & (committed != UNKNOWN)
        lag = end - committed
        are_of_all = _of_all(times_s, end, committed) & is_renewed
        for k, seconds in enumerate(np.diff(times_s).tolist(), 1):
            both = is_known[k] & is_known[k - 1]
            read = np.where(both, committed[k] - committed[k - 1], 0).astype(np.float64)
            rate = read / max(seconds, 1.0)
            is_fast = (fastest > 0) & (rate >= _TIMES * fastest)
            was_read = is_fast & (at == k - 1) & (at > 0) & (speed < _TIMES * rate)
            beyond[k - 1, was_read] = 0
            for now, then in zip(latest, earlier, strict=True):
                now[was_read] = then[was_read]
            alone = is_fast & (read > _LEAST) & ~was_read
            jumped = alone | (are_of_all[k] & (read > 0) & ~was_read)
            for now, then in zip(latest, earlier, strict=True):
                then[jumped] = now[jumped]
            at[jumped], by[jumped], before[jumped] = k, read[jumped], fastest[jumped]
            is_of_all[jumped] = are_of_all[k]
            speed[jumped] = rate[jumped]
            beyond[k, jumped] = np.maximum(read - fastest * seconds, 0)[jumped]
            is_at_end[jumped] = (lag[k] <= np.maximum(end[k] - end[k - 1], 0))[jumped]
            is_busy = both & (lag[k] > 0) & (lag[k - 1] > 0) & ~jumped
            fastest = np.where(is_busy, np.maximum(fastest, rate), fastest)
        is_past = (at > 0) & (at < moments - 1)
        is_told = is_past & is_of_all | (at > 0) & (by > _TOLD) & (is_at_end | is_past)
        return cls(at, by, before, is_told, np.cumsum(beyond, axis=0))

    @classmethod
    def none(cls, moments: int, partitions: int) -> Self:
        """Return no jumps, as where times are unknown."""
        nothing = np.zeros(partitions)
        is_told = np.zeros(partitions, np.bool_)
        at = np.zeros(partitions, np.int64)
        return cls(at, nothing, nothing, is_told, np.zeros((moments, partitions)))


def _of_all(times_s: FloatArray, end: LongArray, committed: LongArray) -> BoolArray:
    """Return by which moments (K,) all partitions together moved much further than they are read.

    A backlog stood before, since then, and at both ends: whoever could read as fast would have read
    on. Whether the last moment is one, the next will show.
    """
    is_known = ((end != UNKNOWN) & (committed != UNKNOWN)).all(axis=0)
    read, lag = (
        offsets[:, is_known].astype(np.float64).sum(axis=1)
        for offsets in (committed, np.maximum(end - committed, 0))
    )
    rates = np.diff(read) / np.maximum(np.diff(times_s), 1.0)
    is_busy = np.minimum(lag[1:], lag[:-1]) > _BUSY_S * np.maximum(rates, 0)
    found = np.zeros(times_s.size, np.bool_)
    for k in range(1, rates.size):
        before, after = rates[:k][is_busy[:k]], rates[k + 1 :][is_busy[k + 1 :]]
        is_shown = before.size and before.max() > 0 and (after.size or k == rates.size - 1)
        usual = max(before.max(initial=0.0), after.max(initial=0.0))
        is_far = rates[k] >= _OF_ALL * usual and read[k + 1] - read[k] > _LEAST
        found[k + 1] = is_shown and is_far and lag[k + 1] > _BUSY_S * usual
    return found
