"""The past of a fleet from metrics: window by window, each a file that is complete or not there."""

import threading
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Final

import pyarrow as pa

from evaluation.wording import listed
from live.errors import CancelledError, LiveError
from live.prometheus.api import PrometheusApi
from live.prometheus.exporters import EXPORTERS, Exporter
from live.prometheus.fetching import Question, counts, points_at_once, present, windows_of
from live.prometheus.http_config import HttpConfig, read_http_config
from live.prometheus.mapping import read_mapping
from live.prometheus.series import TimeGrid
from live.prometheus.spans import Remarks, Span, spans_of
from live.prometheus.text import Samples, read_samples, reads_of
from pipeline.collecting.files import alone_in, write_rows
from pipeline.collecting.metrics.coverage import file_of, mark_of, missing
from pipeline.collecting.metrics.owners import GivenOwners, read_owners
from pipeline.collecting.metrics.rows import rows_of

_POINTS_OF_TEXT: Final = 60
"""Windows of a text, whose samples are in memory anyway."""


@dataclass(kw_only=True)
class _Window:
    """One window as it is written."""

    spans: Iterator[list[Span]]
    cluster: str
    given: Mapping[str, GivenOwners]
    groups: int = 0
    owners_told: int = 0

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows of each group; where it is read, errors come through."""
        for part in self.spans:
            for span in part:
                rows = rows_of(span, self.cluster, self.given.get(span.group_id))
                if rows.num_rows:
                    self.groups += 1
                    self.owners_told += span.has_owners or span.group_id in self.given
                    yield rows


def collect_metrics(options: Namespace, stop: threading.Event, say: Callable[[str], None]) -> None:
    """Write what is not yet there of the time asked for, oldest first, until it is complete.

    Raises LiveError or PipelineError; the files written before stay, and the next call goes on
    after them.
    """
    exporters = _exporters(options)
    given = read_owners(options.owners)
    remarks = Remarks()
    if given:
        remarks.add(
            "Owners of "
            f"{listed(sorted(given))} are those given, wherever as many consumers are counted."
        )
    writing = partial(_Done, options.out, given, say)
    with alone_in(options.out):
        if options.prometheus:
            _of_server(options, exporters, remarks, stop, writing)
        else:
            _of_texts(options, exporters, remarks, stop, writing)
    for sentence in remarks.said:
        say(sentence)


def _exporters(options: Namespace) -> Sequence[Exporter]:
    if options.mapping is None:
        return EXPORTERS
    return (read_mapping(options.mapping), *EXPORTERS)


def _is_wanted(patterns: Sequence[str], group: str) -> bool:
    return not patterns or any(fnmatchcase(group, pattern) for pattern in patterns)


def _of_server(
    options: Namespace,
    exporters: Sequence[Exporter],
    remarks: Remarks,
    stop: threading.Event,
    writing: "Callable[[str, str], _Done]",
) -> None:
    config = HttpConfig() if options.http_config is None else read_http_config(options.http_config)
    client = PrometheusApi(
        url=options.prometheus,
        config=config,
        timeout_s=options.timeout.total_seconds(),
        is_cancelled=stop.is_set,
    )
    question = Question(
        client=client,
        exporters=exporters,
        cluster_label=options.cluster_label,
        is_wanted=partial(_is_wanted, options.group),
        remarks=remarks,
    )
    step = max(1, round(options.step.total_seconds()))
    now = int(time.time())
    since = int(now - options.since.total_seconds())
    whole = TimeGrid(-(-since // step) * step, now // step * step, step)
    mark = mark_of([client.server, options.prometheus, *_asked(options)])
    seen: dict[str, None] = {}
    done = writing(mark, options.cluster or client.server)
    for gap in missing(options.out, mark, whole):
        start = gap.start_s
        while start <= gap.end_s:
            if stop.is_set():
                raise CancelledError(_STOPPED)
            rest = gap._replace(start_s=start)
            counted = counts(question, rest)
            seen |= dict.fromkeys(exporter.name for exporter in present(question, counted))
            points = points_at_once(question, counted, rest.points)
            window = rest._replace(end_s=start + (points - 1) * step)
            done.write(window, windows_of(question, window, counted) if counted else iter(()))
            start = window.end_s + step
    done.finish(whole, tuple(seen))


_STOPPED: Final = (
    "Stopped on request; every file is complete, and the next call goes on from there."
)


def _of_texts(
    options: Namespace,
    exporters: Sequence[Exporter],
    remarks: Remarks,
    stop: threading.Event,
    writing: "Callable[[str, str], _Done]",
) -> None:
    step = max(1, round(options.step.total_seconds()))
    for path in options.openmetrics:
        samples = read_samples(path, exporters)
        mark = mark_of([path.resolve(), path.stat().st_mtime_ns, *_asked(options)])
        done = writing(mark, options.cluster or path.stem)
        whole = _span_of(samples, step)
        if whole is None:
            done.finish(None, ())
            continue
        for gap in missing(options.out, mark, whole):
            for start in range(gap.start_s, gap.end_s + 1, _POINTS_OF_TEXT * step):
                if stop.is_set():
                    raise CancelledError(_STOPPED)
                end = min(gap.end_s, start + (_POINTS_OF_TEXT - 1) * step)
                window = gap._replace(start_s=start, end_s=end)
                spans = spans_of(
                    reads_of(samples, exporters, window),
                    window,
                    remarks,
                    cluster_label=options.cluster_label,
                    is_wanted=partial(_is_wanted, options.group),
                )
                done.write(window, iter([spans]))
        done.finish(whole, ())


def _span_of(samples: Samples, step: int) -> TimeGrid | None:
    span = samples.span_s
    if span is None:
        return None
    first, last = (-int(-each // step) * step for each in span)
    return TimeGrid(first, last, step)


def _asked(options: Namespace) -> list[object]:
    mapping = None if options.mapping is None else options.mapping.read_text()
    return [options.cluster, options.cluster_label, *sorted(options.group), mapping]


class _Done:
    """Writes windows and reports how far they are."""

    def __init__(
        self,
        out: Path,
        given: Mapping[str, GivenOwners],
        say: Callable[[str], None],
        mark: str,
        cluster: str,
    ) -> None:
        self._out, self._given, self._say = out, given, say
        self._mark, self._cluster = mark, cluster
        self._rows = 0
        self._has_owners = True

    def write(self, window: TimeGrid, spans: Iterator[list[Span]]) -> None:
        """Write one window, if it has any row."""
        writing = _Window(spans=spans, cluster=self._cluster, given=self._given)
        file, rows = write_rows(file_of(self._out, self._mark, window), writing.batches())
        self._rows += rows
        self._has_owners &= writing.owners_told == writing.groups
        begin, end = (datetime.fromtimestamp(s, UTC) for s in (window.start_s, window.end_s))
        what = f"{writing.groups:,} groups, {rows:,} rows -> {file}" if file else "no samples"
        self._say(f"{begin:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M} UTC: {what}")

    def finish(self, whole: TimeGrid | None, exporters: Sequence[str]) -> None:
        """Say what was found, and what is unknown. Raises LiveError if nothing was, ever."""
        if exporters:
            self._say(f"Exporters found: {', '.join(exporters)}.")
        if self._rows and not self._has_owners:
            self._say(
                "Who owns which partition is not told by these metrics: lag, rates and what each "
                "strategy would do are computed, what was is left out."
            )
        is_there = whole is not None and any(self._out.glob(f"*/metrics-{self._mark}-*.parquet"))
        if not self._rows and not is_there:
            known = ", ".join(exporter.name for exporter in EXPORTERS if exporter.tells_offsets)
            message = (
                "There are no offsets of consumer groups in that time by a metric known here, of "
                f"{known}; for other names, give --mapping FILE."
            )
            raise LiveError(message)
