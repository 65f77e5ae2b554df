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
    def of(cls, times_s: FloatArray, end: LongArray, committed: LongArray) -> Self:
        """Find the jumps in offsets (K, P) whose times are all known.

        Who reads on at a like speed after one that comes to no more than 20 times as much has read
        it: an outage was over.
        """
        moments, partitions = committed.shape
        at, is_at_end = np.zeros(partitions, np.int64), np.zeros(partitions, np.bool_)
        by, before, speed, fastest = np.zeros((4, partitions))
        beyond = np.zeros((moments, partitions))
        earlier = (at.copy(), by.copy(), before.copy(), is_at_end.copy())
        is_known = (end != UNKNOWN) & (committed != UNKNOWN)
        lag = end - committed
        for k, seconds in enumerate(np.diff(times_s).tolist(), 1):
            both = is_known[k] & is_known[k - 1]
            read = np.where(both, committed[k] - committed[k - 1], 0).astype(np.float64)
            rate = read / max(seconds, 1.0)
            is_fast = (fastest > 0) & (rate >= _TIMES * fastest)
            was_read = is_fast & (at == k - 1) & (at > 0) & (speed < _TIMES * rate)
            beyond[k - 1, was_read] = 0
            for now, then in zip((at, by, before, is_at_end), earlier, strict=True):
                now[was_read] = then[was_read]
            jumped = is_fast & (read > _LEAST) & ~was_read
            for now, then in zip((at, by, before, is_at_end), earlier, strict=True):
                then[jumped] = now[jumped]
            at[jumped], by[jumped], before[jumped] = k, read[jumped], fastest[jumped]
            speed[jumped] = rate[jumped]
            beyond[k, jumped] = (read - fastest * seconds)[jumped]
            is_at_end[jumped] = (lag[k] <= np.maximum(end[k] - end[k - 1], 0))[jumped]
            is_busy = both & (lag[k] > 0) & (lag[k - 1] > 0) & ~jumped
            fastest = np.where(is_busy, np.maximum(fastest, rate), fastest)
        is_told = (at > 0) & (by > _TOLD) & (is_at_end | (at < moments - 1))
        return cls(at, by, before, is_told, np.cumsum(beyond, axis=0))

    @classmethod
    def none(cls, moments: int, partitions: int) -> Self:
        """Return no jumps, as where times are unknown."""
        nothing = np.zeros(partitions)
        is_told = np.zeros(partitions, np.bool_)
        at = np.zeros(partitions, np.int64)
        return cls(at, nothing, nothing, is_told, np.zeros((moments, partitions)))
