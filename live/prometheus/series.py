"""MetricSeries on a common grid of times: one value a step, unknown where there is no sample."""

import math
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from live.errors import LiveError
from live.prometheus.api import RawSeries

FloatArray = npt.NDArray[np.float64]
_SLACK_S: Final = 0.01
"""Servers write times in milliseconds."""


class TimeGrid(NamedTuple):
    """Times from ``start_s`` to ``end_s``, a step apart, both included; whole seconds of 1970."""

    start_s: int
    end_s: int
    step_s: int

    @property
    def points(self) -> int:
        """How many times there are."""
        return (self.end_s - self.start_s) // self.step_s + 1

    @property
    def times_s(self) -> npt.NDArray[np.int64]:
        """The times."""
        return np.arange(self.points, dtype=np.int64) * self.step_s + self.start_s


class MetricSeries(NamedTuple):
    """One series: its metric, its labels, and a value a step, NaN without a sample."""

    metric: str
    labels: dict[str, str]
    values: FloatArray


def on_grid(
    raw: Iterable[RawSeries], window: TimeGrid, metric: str, server: str
) -> Iterator[MetricSeries]:
    """Yield the series of a range query.

    Raises LiveError for a value that is no number, or a time that was not asked for.
    """
    for each in raw:
        values = np.full(window.points, math.nan)
        if each.values:
            times = np.array([at for at, _ in each.values])
            place = (times - window.start_s) / window.step_s
            index = np.rint(place)
            is_wrong = ~(np.abs(place - index) * window.step_s <= _SLACK_S)
            if is_wrong.any() or index.min() < 0 or index.max() >= window.points:
                message = f"{server} does not answer for the times that were asked of it."
                raise LiveError(message)
            try:
                values[index.astype(np.int64)] = [float(text) for _, text in each.values]
            except ValueError:
                message = f"{server} answers with a value of {metric} that is no number."
                raise LiveError(message) from None
        labels = {name: text for name, text in each.metric.items() if name != "__name__"}
        yield MetricSeries(metric, labels, values)
