"""Committed offsets that jumped to the end of the log, further than they were read before."""

from typing import Final, NamedTuple, Self

import numpy as np

from assignors.model import UNKNOWN, FloatArray, LongArray
from evaluation.measuring.offset_history import COMMITTED, END, OffsetHistory

_TIMES: Final = 20.0
"""From this multiple of all reading before on, a jump is none."""
_LEAST: Final = 50_000
"""Fewer records are soon read, once a consumer is back."""


class Skips(NamedTuple):
    """The last jump of each partition (P,)."""

    at: LongArray
    """The first moment after it; 0 if there is none."""
    by: FloatArray
    """Records."""
    before: FloatArray
    """The most that was read of it per second until then, while more waited."""

    @classmethod
    def of(cls, history: OffsetHistory, offsets: LongArray) -> Self:
        """Find them in a history of these offsets (K, 3, P) whose moments are all dated."""
        partitions = offsets.shape[2]
        at, by, before = np.zeros(partitions, np.int64), np.zeros(partitions), np.zeros(partitions)
        if history.lacks_times or history.is_approximate:
            return cls(at, by, before)
        end, committed = offsets[:, END], offsets[:, COMMITTED]
        is_known = (end != UNKNOWN) & (committed != UNKNOWN)
        lag, fastest = end - committed, np.zeros(partitions)
        for k, seconds in enumerate(np.diff(history.times_s).tolist(), 1):
            both = is_known[k] & is_known[k - 1]
            read = np.where(both, committed[k] - committed[k - 1], 0).astype(np.float64)
            rate = read / max(seconds, 1.0)
            is_at_end = both & (lag[k] <= np.maximum(end[k] - end[k - 1], 0))
            jumped = is_at_end & (read > _LEAST) & (fastest > 0) & (rate >= _TIMES * fastest)
            at[jumped], by[jumped], before[jumped] = k, read[jumped], fastest[jumped]
            is_busy = both & (lag[k] > 0) & (lag[k - 1] > 0) & ~jumped
            fastest = np.where(is_busy, np.maximum(fastest, rate), fastest)
        return cls(at, by, before)
