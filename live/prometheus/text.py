"""Exporters' metrics from a text: an exposition with times, OpenMetrics, or a dump of a database.

What ``promtool tsdb dump`` prints has milliseconds, as Prometheus' own text format does;
OpenMetrics, which ends in ``# EOF``, has seconds.
"""

import math
import os
import time
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, TextIO

import numpy as np
from prometheus_client.parser import text_string_to_metric_families

from live.errors import LiveError
from live.prometheus.exporters import Exporter, Meaning, meanings_of
from live.prometheus.series import MetricSeries, TimeGrid
from live.prometheus.spans import Reads

MOST_SAMPLES: Final = 20_000_000
"""Each takes 16 bytes."""
_LINES_AT_ONCE: Final = 5_000
_LONGEST_LINE: Final = 100_000
_END: Final = b"# EOF"
_MILLISECONDS: Final = 1_000.0
_LATEST_S: Final = 253_402_300_800.0
"""The year 10,000."""
_BROKEN: Final = (ValueError, IndexError, KeyError, TypeError, AttributeError)
"""What the client library's parser raises for lines that it does not expect."""

Key = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True, eq=False)
class Samples:
    """The samples of each series: times in seconds and values, as they stand in the text."""

    of: dict[Key, tuple["array[float]", "array[float]"]] = field(default_factory=dict)

    @property
    def span_s(self) -> tuple[float, float] | None:
        """The first and the last time; None without samples."""
        if not self.of:
            return None
        firsts, lasts = zip(*((min(t), max(t)) for t, _ in self.of.values()), strict=True)
        return min(firsts), max(lasts)


def read_samples(path: Path, exporters: Sequence[Exporter], most: int = MOST_SAMPLES) -> Samples:
    """Return the samples of known metrics; those without a time are as of now.

    Raises LiveError for a line that is no sample, and beyond ``most`` samples.
    """
    names = meanings_of(exporters)
    samples, count, now_s = Samples(), 0, float(int(time.time()))
    try:
        scale = 1.0 if _ends_as_openmetrics(path) else 1 / _MILLISECONDS
        with path.open(encoding="utf-8") as file:
            for name, labels, value, at in _parsed(path, file):
                if name not in names:
                    continue
                at_s = now_s if at is None else at * _MILLISECONDS * scale
                if not 0 < at_s < _LATEST_S:
                    continue
                count += 1
                if count > most:
                    message = (
                        f"{path} has more than {most:,} samples of groups' offsets; divide it by "
                        "time (promtool tsdb dump --min-time, --max-time)."
                    )
                    raise LiveError(message)
                key = name, tuple(sorted(labels.items()))
                times, values = samples.of.setdefault(key, (array("d"), array("d")))
                times.append(at_s)
                values.append(value)
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}."
        raise LiveError(message) from None
    except UnicodeDecodeError:
        message = f"{path} is not text in UTF-8."
        raise LiveError(message) from None
    return samples


def reads_of(samples: Samples, exporters: Sequence[Exporter], window: TimeGrid) -> list[Reads]:
    """Return each exporter's series in a window: at each time the newest sample of the step."""
    meanings = meanings_of(exporters)
    series: dict[str, dict[Meaning, list[MetricSeries]]] = {}
    for (name, labels), (times, values) in samples.of.items():
        exporter, meaning = meanings[name]
        sampled = _sampled(np.array(times), np.array(values), window)
        if not np.isnan(sampled).all():
            own = series.setdefault(exporter.name, {})
            own.setdefault(meaning, []).append(MetricSeries(name, dict(labels), sampled))
    return [Reads(e, series[e.name]) for e in exporters if e.name in series]


def _sampled(
    times: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    values: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    window: TimeGrid,
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return the newest value at each time, NaN if it is older than a step, or marks an end."""
    order = np.argsort(times, kind="stable")
    times, values = times[order], values[order]
    asked = window.times_s.astype(np.float64)
    place = np.searchsorted(times, asked, side="right") - 1
    is_fresh = (place >= 0) & (asked - times[np.maximum(place, 0)] < window.step_s)
    return np.where(is_fresh, values[np.maximum(place, 0)], math.nan)


def _parsed(path: Path, file: TextIO) -> Iterator[tuple[str, dict[str, str], float, float | None]]:
    """Yield name, labels, value and time of each sample, block by block of lines."""
    source, first = iter(partial(file.readline, _LONGEST_LINE + 1), ""), 1
    while block := list(islice(source, _LINES_AT_ONCE)):
        if any(len(line) > _LONGEST_LINE for line in block):
            message = (
                f"{path} has a line of more than {_LONGEST_LINE:,} characters, as no sample has."
            )
            raise LiveError(message)
        try:
            families = list(text_string_to_metric_families("".join(block)))
        except _BROKEN:
            message = f"{path}, {_broken(block, first)} is no sample in Prometheus' text format."
            raise LiveError(message) from None
        for sample in (sample for family in families for sample in family.samples):
            at = None if sample.timestamp is None else float(sample.timestamp)
            yield sample.name, sample.labels, float(sample.value), at
        first += len(block)


def _broken(block: Sequence[str], first: int) -> str:
    """Name the first line that cannot be parsed alone."""
    for number, line in enumerate(block, first):
        try:
            list(text_string_to_metric_families(line))
        except _BROKEN:
            return f"line {number}: what stands there"
    return f"lines {first} to {first + len(block) - 1}: what stands there"


def _ends_as_openmetrics(path: Path) -> bool:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 100))
        return file.read().rstrip().endswith(_END)
