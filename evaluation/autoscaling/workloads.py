"""Workloads, step by step: from snapshots of a group, or a day with a profile.

K steps, P partitions.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from assignors.model import BoolArray, FloatArray
from evaluation.stated import InvalidNumberError

DAY_S: Final = 86_400.0
_NOTHING: Final = 1e-6
"""In records, since sums of floats are not exact."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Workload:
    """Arrivals over time."""

    step_s: float
    rates: FloatArray
    """(K, P) records per second that arrive during each step."""
    lags: FloatArray
    """(P,) records of lag at the start."""
    stuck: BoolArray
    """(P,) partitions that nobody can read, as with a record that cannot be processed."""

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return int(self.rates.shape[0])


class Profile(Enum):
    """How a group's rates vary over a day."""

    STEADY = "steady"
    DIURNAL = "day and night"
    BURST = "bursts"
    SKEWED = "a hot key"
    STUCK = "a stuck partition"


def day(
    rates: FloatArray,
    lags: FloatArray,
    profile: Profile,
    *,
    step_s: float = 60.0,
    hours: float = 24.0,
) -> Workload:
    """Return a day of a group with these mean rates (P,) and present lags (P,).

    Day and night: a cosine from 0.2 times the mean at 4:00 to 1.8 at 16:00. Bursts: four times the
    mean for 20 minutes every four hours, less in between so that the mean stays. A hot key: from
    8:00 to 16:00 the busiest partition gets five times as much, at most half of everything, and
    the others proportionally less. A stuck partition: nobody reads the busiest one. The last two
    also vary by day and night.
    """
    steps = max(round(hours * 3600 / step_s), 1)
    time_s = np.arange(0.5, steps, dtype=np.float64) * step_s
    shaped = _factors(profile, time_s)[:, np.newaxis] * rates[np.newaxis, :]
    hot = int(np.argmax(rates)) if rates.size else 0
    stuck = np.zeros(rates.size, np.bool_)
    if profile is Profile.SKEWED and rates.size:
        is_hot = (time_s % DAY_S >= 8 * 3600) & (time_s % DAY_S < 16 * 3600)
        total = float(rates.sum()) or 1.0
        share = float(rates[hot]) / total
        more = max(min(5 * share, 0.5), share)
        scale = np.full(rates.size, (1 - more) / (1 - share) if share < 1 else 1.0)
        scale[hot] = more / share if share else 1.0
        shaped[is_hot] *= scale
    if profile is Profile.STUCK and rates.size:
        stuck[hot] = True
    return Workload(step_s=step_s, rates=shaped, lags=lags.astype(np.float64), stuck=stuck)


def from_snapshots(
    times_s: FloatArray, ends: FloatArray, lags: FloatArray, *, step_s: float = 60.0
) -> Workload:
    """Return what arrived between S snapshots, assumed to arrive evenly.

    ``times_s`` (S,) ascending, ``ends`` (S, P) end offsets, NaN if unknown, ``lags`` (P,) at the
    first snapshot. Falling offsets, as of a recreated topic, add nothing. Raises
    InvalidNumberError for fewer than two snapshots or less than a step in all.
    """
    steps = int((times_s[-1] - times_s[0]) // step_s) if times_s.size > 1 else 0
    if steps < 1:
        message = (
            f"a history takes two snapshots {step_s:,g} s apart or more; found "
            f"{times_s.size:,} over {times_s[-1] - times_s[0] if times_s.size else 0:,g} s"
        )
        raise InvalidNumberError(message)
    known = np.isfinite(ends)
    at_s = times_s[0] + np.arange(steps + 1) * step_s
    arrived = np.zeros((steps + 1, ends.shape[1]))
    for partition in range(ends.shape[1]):
        seen = known[:, partition]
        if seen.sum() > 1:
            grown = np.maximum(np.diff(ends[seen, partition]), 0.0)
            total = np.concatenate([[0.0], np.cumsum(grown)])
            arrived[:, partition] = np.interp(at_s, times_s[seen], total)
    rates = np.diff(arrived, axis=0) / step_s
    stuck = np.zeros(ends.shape[1], np.bool_)
    return Workload(step_s=step_s, rates=rates, lags=np.nan_to_num(lags), stuck=stuck)


def _factors(profile: Profile, time_s: FloatArray) -> FloatArray:
    """Return the factor of the mean rates at each time; its mean over a day is 1."""
    if profile is Profile.STEADY:
        return np.ones_like(time_s)
    if profile is Profile.BURST:
        period_s, burst_s, high = 4 * 3600.0, 1200.0, 4.0
        share = burst_s / period_s
        low = (1 - high * share) / (1 - share)
        is_high = time_s % period_s >= period_s - burst_s
        return np.where(is_high, high, low)
    return 1 - 0.8 * np.cos(2 * np.pi * (time_s - 4 * 3600.0) / DAY_S)


class Ages:
    """The age of each partition's next record."""

    def __init__(self, workload: Workload) -> None:
        arrived = np.cumsum(workload.rates * workload.step_s, axis=0)
        self.ends = np.concatenate([np.zeros((1, workload.lags.size)), arrived]) + workload.lags
        """(K + 1, P) end offsets at the start of each step, and after the last."""
        self._step_s = workload.step_s
        self._first = workload.rates[0]
        self._partition = np.arange(workload.lags.size)
        self._reached = np.zeros(workload.lags.size, np.int64)
        """(P,) the last of these times at which the end was not beyond the next record."""

    def after(self, step: int, lags: FloatArray) -> FloatArray:
        """Return the ages (P,) at the end of a step, in seconds; 0 if everything is read.

        The end offset grows evenly within a step, as in
        ``evaluation.measuring.lag_in_time.time_lag``. Lag at the start
        is as old as the rate of the first step makes it, or counts from the start without a rate.
        """
        ends, partition, last = self.ends, self._partition, step + 1
        read = ends[last] - lags
        while True:
            has_passed = ends[np.minimum(self._reached + 1, last), partition] <= read
            has_passed &= self._reached < last
            if not has_passed.any():
                break
            self._reached += has_passed
        low = ends[self._reached, partition]
        high = ends[np.minimum(self._reached + 1, last), partition]
        rate = np.where(read < low, self._first, (high - low) / self._step_s)
        since = np.zeros_like(lags)
        np.divide(read - low, rate, out=since, where=rate > 0)
        written_s = self._reached * self._step_s + since
        return np.where(lags > _NOTHING, last * self._step_s - written_s, 0.0)
