"""One Spark task: read the telemetry of its groups, replay it, write the tables' files.

Tasks read and write the tables' Parquet files directly, because passing rows through Java to Python
takes longer than everything else together. Files become visible with a commit.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
from pipeline.encoding import decoded, group_names
from pipeline.horizons import Horizons
from pipeline.lake import Lake, opened
from pipeline.recommendation import OF_THIS_RELEASE, recommended
from pipeline.replay.ends import ends_before
from pipeline.replay.parts import PLACE, Part, Share, parts, places_of
from pipeline.replay.replay import Replayed, replay
from pipeline.replay.states import Sought, in_order, states
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
    last_us: Mapping[str, int] = field(default_factory=dict)
    """The time of the last snapshot of each cluster."""
    failures: list[dict[str, str]] = field(default_factory=list)
    """The first few failures of strategies."""

    @property
    def rows_rejected(self) -> int:
        """Number of rejected rows."""
        return self.reasons.total()


def work(job: TaskSettings, share: Share) -> TaskResult:
    """Replay a share, part by part, and write the files of its tables."""
    task = _Task(job, share)
    return merged([task.done(part) for part in parts(task.files, share, job.most_rows)])


class _Task:
    """A share that is being replayed; a group of several parts takes its state from one on."""

    def __init__(self, job: TaskSettings, share: Share) -> None:
        self.files = job.lake.files()
        self._job, self._share = job, share
        self._strategies = [strategy_called(name) for name in job.strategies]
        self._carried: pa.Table | None = None
        """The state of the group that goes on in the next part."""
        self._has_changed = False
        """Whether its state is a new one."""
        self._summaries: list[pa.Table] = []
        """The rows of ``group_summary`` since the last group that was whole."""

    def done(self, part: Part) -> TaskResult:
        """Replay a part and write its tables."""
        job, (known, before) = self._job, self._known(part)
        ends = ends_before(job.lake, job.telemetry, part.rows, before, len(job.strategies))
        replayed = replay(part.rows, self._strategies, pa.concat_tables([known, ends]), job.measure)
        tables = replayed.tables | self._of_whole_groups(part, known, replayed)
        written = {
            name: list(write(self.files, name, rows, job.first)) for name, rows in tables.items()
        }
        return _result(self._share, part, replayed, written)

    def _known(self, part: Part) -> tuple[pa.Table, Horizons]:
        """Return the states that a part goes on from, and how far they reach."""
        since = self._share.since
        if self._carried is not None:
            return self._carried, _last_of(self._carried, since)
        sought = Sought(pc.unique(group_names(part.rows)), pc.unique(part.rows["bucket"]), since)
        return states(self.files, self._share.checkpoint, sought), since

    def _of_whole_groups(
        self, part: Part, known: pa.Table, replayed: Replayed
    ) -> dict[str, pa.Table]:
        """Return the tables with a row or a state for each group; none while a group goes on."""
        state, is_one_of_many = decoded(replayed.checkpoint), self._carried is not None
        self._summaries.append(replayed.tables["group_summary"].select(OF_THIS_RELEASE))
        self._has_changed |= state.num_rows > 0
        if not state.num_rows and (part.continues or is_one_of_many):
            state = known  # of a group whose rows are all rejected
        if part.continues:
            self._carried = state
            return {}
        summaries, has_changed = self._summaries, self._has_changed
        self._carried, self._summaries, self._has_changed = None, [], False
        found = {"checkpoint": in_order(state)} if has_changed else {}
        if self._job.recommends:
            found["recommendation"] = recommended(pa.concat_tables(summaries), self._job.strategies)
        return found


def _last_of(state: pa.Table, otherwise: Horizons) -> Horizons:
    """Return the time of a group's state."""
    last: int | None = pc.max(state["snapshot_at"].cast(pa.int64())).as_py()
    return otherwise if last is None else Horizons(others=last)


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
        last_us=replayed.last_us,
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
        last_us=_latest(each.last_us for each in results),
        failures=[failure for each in results for failure in each.failures][:MOST_FAILURES],
    )


def _latest(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """Return the greatest value of each key."""
    found: dict[str, int] = {}
    for part in parts:
        found |= {key: max(value, found.get(key, value)) for key, value in part.items()}
    return found


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
