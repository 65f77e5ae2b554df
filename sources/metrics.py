"""Groups as a server of metrics knows them: listed, and read with their past."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.reading import Reading
from live.access import Access
from live.errors import LiveError
from live.model import GroupList, GroupListing, Unread
from live.prometheus.api import PrometheusApi
from live.prometheus.fetching import Question, counts, group_names, present, windows_of
from live.prometheus.http_config import HttpConfig, basic, bearer, read_http_config
from live.prometheus.series import TimeGrid
from live.prometheus.spans import NOBODY, UNKNOWN, Span
from live.read_options import ReadOptions
from sources.budget import LIMITS
from sources.columns import Field
from sources.errors import SourceError, guarded
from sources.pastes.grouping import readings
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, Parsed, StateRow, row_of

FORMAT: Final = "metrics of Prometheus"
_LISTED_S: Final = 300
"""Groups with a sample in this time are listed."""
_PAST: Final = 3 * 3600, 60
"""How far back a group is opened with its past, and its step, in seconds."""
_NEWEST: Final = 300, 15
"""The same where only the newest snapshot is wanted, as when a group is watched."""
_KEYS: Final = ("url", "http_config", "username", "password", "bearer_token", "cluster_label")
_MOST_ROWS: Final = 200_000
"""Rows of a group's past; a larger group's begins later."""


@dataclass(frozen=True)
class Metrics:
    """A server of metrics, and how to log in to it."""

    url: str
    config: HttpConfig = field(default_factory=HttpConfig)
    access: Access | None = None
    cluster_label: str | None = None

    def question(self, options: ReadOptions) -> Question:
        """Return what asks it. Raises LiveError for an address that is none or not allowed."""
        api = PrometheusApi(
            url=self.url,
            config=self.config,
            access=self.access,
            timeout_s=options.timeout_s,
            is_cancelled=options.is_cancelled,
        )
        return Question(client=api, cluster_label=self.cluster_label)


def metrics_at(url: str, user: str, secret: str, access: Access | None = None) -> Metrics:
    """Return a server with a login: by a password, or by a token if no user is named.

    Raises SourceError for a secret that cannot be sent.
    """
    with _one_error_family():
        if user:
            return Metrics(url, basic(user, secret), access)
        return Metrics(url, bearer(secret) if secret else HttpConfig(), access)


def of_section(keys: Mapping[str, str]) -> Metrics:
    """Return the server that an operator names: url, and http_config, a file, or a login.

    Raises SourceError for keys that are none, and a file that cannot be read.
    """
    with _one_error_family():
        unknown = next((name for name in keys if name not in _KEYS), None)
        if unknown is not None or "url" not in keys:
            message = f"a named Prometheus has {', '.join(_KEYS)}, and needs url; found "
            raise SourceError(message + (repr(unknown) if unknown else "none"))
        url, label = keys["url"], keys.get("cluster_label")
        if "http_config" in keys:
            return Metrics(url, read_http_config(Path(keys["http_config"])), None, label)
        secret = keys.get("password", keys.get("bearer_token", ""))
        return replace(metrics_at(url, keys.get("username", ""), secret), cluster_label=label)


def metrics_of(url: str, http_config: Path | None, cluster_label: str | None) -> Metrics:
    """Return a server as a command line names it. Raises SourceError for what cannot be used."""
    with _one_error_family():
        config = HttpConfig() if http_config is None else read_http_config(http_config)
        metrics = Metrics(url, config, None, cluster_label)
        metrics.question(ReadOptions())  # which checks the address
        return metrics


def list_groups(metrics: Metrics, options: ReadOptions | None = None) -> GroupList:
    """Return the groups with samples in the last minutes. Raises SourceError."""
    with _one_error_family():
        question = metrics.question(options or ReadOptions())
        grid = _grid(_LISTED_S, 60)
        names = group_names(question, grid, counts(question, grid))
        listed = (GroupListing(name, "Unknown", "unknown") for name in sorted(names))
        return GroupList(tuple(listed))


def read_group(
    metrics: Metrics,
    group: str,
    options: ReadOptions | None = None,
    *,
    is_newest_alone: bool = False,
) -> Reading:
    """Return a group, with its past unless only the newest snapshot is wanted.

    Of a group of that name in several clusters, the first by name. Raises SourceError.
    """
    past_s, step_s = _NEWEST if is_newest_alone else _PAST
    with _one_error_family():
        question = metrics.question(options or ReadOptions()).named([group])
        grid = _grid(past_s, step_s)
        counted = counts(question, grid)
        spans = [span for part in windows_of(question, grid, counted) for span in part]
        span = next((each for each in spans if each.group_id == group), None)
        if span is None or not span.is_told.any():
            message = f"{question.client.server} has no offsets of {group!r} in the last "
            raise SourceError(message + f"{past_s // 60} minutes")
        reading = _reading(span, is_newest_alone=is_newest_alone)
        notes = (*reading.notes, *question.remarks.said)
        return replace(reading, notes=notes, is_live=True)


def newest(
    metrics: Metrics, options: ReadOptions, is_wanted: Callable[[str], bool]
) -> Iterator[tuple[float, Reading] | Unread]:
    """Yield the newest snapshot of each group with its time, in seconds since the epoch.

    Of groups of one name in several clusters the first is read, and the others are told as unread.
    Raises SourceError for a server that has no samples of the last minutes.
    """
    with _one_error_family():
        question = replace(metrics.question(options), is_wanted=is_wanted)
        grid = _grid(*_NEWEST)
        counted = counts(question, grid)
        if not present(question, counted):
            message = f"{question.client.server} has no lags or offsets of the last "
            raise SourceError(message + f"{_NEWEST[0] // 60} minutes from any exporter known here")
        cluster_of: dict[str, str] = {}
        for span in (each for part in windows_of(question, grid, counted) for each in part):
            if not span.is_told.any():
                continue
            if cluster_of.setdefault(span.group_id, span.cluster) != span.cluster:
                first = cluster_of[span.group_id]
                why = f"{first!r} has a group of this name too; one label tells clusters apart"
                yield Unread(span.group_id, f"of cluster {span.cluster!r}: {why}")
                continue
            try:
                reading = _reading(span, is_newest_alone=True)
            except SourceError as error:
                yield Unread(span.group_id, str(error))
                continue
            at = int(np.flatnonzero(span.is_told.any(axis=0))[-1])
            yield float(span.window.times_s[at]), replace(reading, is_live=True)


def _grid(past_s: int, step_s: int) -> TimeGrid:
    now = int(time.time()) // step_s * step_s
    return TimeGrid(now - past_s, now, step_s)


def _reading(span: Span, *, is_newest_alone: bool) -> Reading:
    times = np.flatnonzero(span.is_told.any(axis=0))
    kept = max(2, _MOST_ROWS // max(len(span.partitions), 1))
    times = times[-1:] if is_newest_alone else times[-kept:]
    LIMITS.check("rows", len(span.partitions))
    parsed = Parsed(FORMAT)
    key = GroupKey(span.group_id, span.cluster)
    for number, at in enumerate(times.tolist()):
        for place in np.flatnonzero(span.is_told[:, at]).tolist():
            row = row_of(number * 2, key, span.partitions[place], _fields(span, place, at), _as_is)
            parsed.rows.append(row._replace(at_s=float(span.window.times_s[at])))
    newest = int(times[-1])
    if not span.has_owners and span.members[newest] != UNKNOWN:
        parsed.states.append(StateRow(0, key, members=int(span.members[newest])))
    (reading,) = readings(Page("", LIMITS), parsed)
    if reading.history is None or not reading.history.moments:
        moment = Moment.of(reading.group, float(span.window.times_s[newest]))
        history = reading.history or OffsetHistory()
        reading = replace(reading, history=replace(history, moments=(moment,)))
    return reading


def _fields(span: Span, place: int, at: int) -> dict[Field, Any]:
    offsets = {
        Field.BEGIN: span.begin[place, at],
        Field.END: span.end[place, at],
        Field.COMMITTED: span.committed[place, at],
    }
    fields: dict[Field, Any] = {
        name: None if value == UNKNOWN else int(value) for name, value in offsets.items()
    }
    number = int(span.owner[place, at])
    if number != NOBODY:
        owner = span.owners[number]
        fields |= {Field.MEMBER: owner.id, Field.CLIENT: owner.client_id, Field.HOST: owner.host}
    elif span.has_owners:
        fields[Field.MEMBER] = None  # nobody's, as owners are told
    return fields


def _as_is(value: Any) -> Any:  # noqa: ANN401 -- an offset, a name or None
    return value


@contextmanager
def _one_error_family() -> Iterator[None]:
    """Turn errors of ``live``, and bugs, into a SourceError."""
    with guarded("the metrics"):
        try:
            yield
        except LiveError as error:
            raise SourceError(str(error)) from error
