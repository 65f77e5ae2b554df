"""One Spark task: read the telemetry of its groups, replay it, write the tables' files.

Tasks read and write the tables' Parquet files directly, because passing rows through Java to Python
takes longer than everything else together. Files become visible with a commit.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake.transaction import AddAction

from assignors.catalogue import strategy_called
from assignors.model import LongArray
from evaluation.judging import LAG, Measure
from pipeline.lake import Lake, opened
from pipeline.recommendation import OF_THIS_RELEASE, recommended
from pipeline.replay.encoding import decoded, group_names
from pipeline.replay.ends import ends_before
from pipeline.replay.parts import PLACE, Part, Share, parts, places_of
from pipeline.replay.replay import Replayed, replay
from pipeline.replay.states import in_order, states
from pipeline.replay.writing import write, write_file

MOST_FAILURES: Final = 20
_T = TypeVar("_T")
_COUNTS: Final = (*("rows_used", "offsets_backwards", "answers_missing", "snapshots", "groups"),)


@dataclass(frozen=True)
class TaskSettings:
    """The parameters shared by all tasks of a replay."""

    lake: Lake
    telemetry: int
    """The version of the table."""
    strategies: tuple[str, ...]
    most_rows: int
    """Of telemetry in memory at a time, unless one snapshot of a group has more."""
    recommends: bool = True
    """Whether to judge each group over the snapshots of this replay."""
    first: date | None = None
    """The figures of days before it are not written."""
    measure: Measure = LAG


@dataclass(frozen=True)
class TaskResult:
    """The result of a task, or of all tasks of a replay."""

    files: dict[str, list[AddAction]] = field(default_factory=lambda: defaultdict(list))
    """Uncommitted files by table; rows of ``recommendation`` have no rank yet."""
    rows_used: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    """Number of rejected rows by the name of the reason."""
    dropped: dict[str, list[LongArray]] = field(default_factory=dict)
    """Path below ``telemetry`` -> where in the file the rejected rows are."""
    offsets_backwards: int = 0
    answers_missing: int = 0
    snapshots: int = 0
    groups: int = 0
    """Number of groups that were not in the given checkpoint."""
    first_us: int | None = None
    last_us: int | None = None
    failures: list[dict[str, str]] = field(default_factory=list)
    """The first few failures of strategies."""

    @property
    def rows_rejected(self) -> int:
        """Number of rejected rows."""
        return self.reasons.total()


def work(job: TaskSettings, share: Share) -> TaskResult:
    """Replay a share, part by part, and write the files of its tables."""
    return merged(list(_results(job, share)))


def _results(job: TaskSettings, share: Share) -> Iterator[TaskResult]:
    files, carried, has_changed = job.lake.files(), None, False
    summaries = list[pa.Table]()
    strategies = [strategy_called(name) for name in job.strategies]
    for part in parts(files, share, job.most_rows):
        if carried is None:
            groups, buckets = pc.unique(group_names(part.rows)), pc.unique(part.rows["bucket"])
            known = states(files, share.checkpoint, groups, buckets)
            before_us, has_changed = share.since_us, False
        else:  # more of the same group
            known, before_us = carried, _last_us(carried, share.since_us)
        ends = ends_before(job.lake, job.telemetry, part.rows, before_us, len(strategies))
        replayed = replay(part.rows, strategies, pa.concat_tables([known, ends]), job.measure)
        tables = dict(replayed.tables)
        summaries.append(tables["group_summary"].select(OF_THIS_RELEASE))
        state = decoded(replayed.checkpoint)
        has_changed |= state.num_rows > 0
        if not state.num_rows and (part.continues or carried is not None):
            state = known  # of a group whose rows are all rejected
        carried = state if part.continues else None
        if not part.continues:
            if has_changed:
                tables["checkpoint"] = in_order(state)
            if job.recommends:
                tables["recommendation"] = recommended(pa.concat_tables(summaries), job.strategies)
            summaries.clear()
        written = {name: list(write(files, name, rows, job.first)) for name, rows in tables.items()}
        yield _result(share, part, replayed, written)


def _last_us(state: pa.Table, otherwise: int | None) -> int | None:
    """Return the time of a group's state."""
    last: int | None = pc.max(state["snapshot_at"].cast(pa.int64())).as_py()
    return otherwise if last is None else last


def _result(
    share: Share,
    part: Part,
    replayed: Replayed,
    written: dict[str, list[AddAction]],
) -> TaskResult:
    places = places_of(share, part.rows[PLACE].to_numpy()[replayed.rejected])
    at_us = replayed.snapshots
    return TaskResult(
        files=written,
        rows_used=replayed.rows_used,
        reasons=replayed.reasons,
        dropped={path: [rows] for path, rows in places.items()},
        offsets_backwards=replayed.offsets_backwards,
        answers_missing=len(replayed.failures),
        snapshots=int(at_us.size),
        groups=replayed.groups,
        first_us=int(at_us.min()) if at_us.size else None,
        last_us=int(at_us.max()) if at_us.size else None,
        failures=replayed.failures[:MOST_FAILURES],
    )


def merged(results: Sequence[TaskResult]) -> TaskResult:
    """Combine results."""
    return TaskResult(
        files=_appended(each.files for each in results),
        dropped=_appended(each.dropped for each in results),
        reasons=sum((each.reasons for each in results), Counter()),
        **{name: sum(getattr(each, name) for each in results) for name in _COUNTS},
        first_us=min((o.first_us for o in results if o.first_us is not None), default=None),
        last_us=max((o.last_us for o in results if o.last_us is not None), default=None),
        failures=[failure for each in results for failure in each.failures][:MOST_FAILURES],
    )


def _appended(parts: Iterable[dict[str, list[_T]]]) -> dict[str, list[_T]]:
    """Return the entries of all dictionaries, with the lists of equal keys joined."""
    joined = defaultdict[str, list[_T]](list)
    for part in parts:
        for key, values in part.items():
            joined[key] += values
    return joined


def without(lake: Lake, path: str, places: LongArray) -> AddAction | None:
    """Write a file of ``telemetry`` again without some of its rows; return None if none is left."""
    files = lake.files()
    rows = pq.read_table(opened(files, f"telemetry/{path}"), partitioning=None)
    is_kept = np.ones(rows.num_rows, np.bool_)
    is_kept[places] = False
    kept = rows.filter(pa.array(is_kept))
    folder = f"{path.rpartition('/')[0]}/".lstrip("/")
    return write_file(files, "telemetry", kept, folder) if kept.num_rows else None
