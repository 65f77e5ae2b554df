"""How long the Fleet page reads a million summary rows: ``python -m benchmarks.fleet_page``."""

import tempfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
from deltalake import DeltaTable, write_deltalake

from assignors.registry import STRATEGIES
from schemas.arrow import arrow_schema
from schemas.tables import AS_IT_WAS, TABLES
from sources.fleet.distributions import evenness, gain_shares, idle_consumers
from sources.fleet.heatmaps import group_heatmap, member_heatmap
from sources.fleet.history import by_strategy, history, history_rows, loads
from sources.fleet.ranking import ranking
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.snapshot import snapshot
from sources.fleet.tables import Fleet
from sources.fleet.totals import as_it_was, totals, within

ROWS: Final = 1_000_000
_SNAPSHOTS: Final = 24
_NAMES: Final = np.array([AS_IT_WAS, *STRATEGIES])
_FIRST: Final = np.datetime64("2026-03-01T00:00:00", "us")
_MEMBERS: Final = 4
_PARTITIONS: Final = 12
"""Of every group."""
_GROUP: Final = ("cluster-0", "group-0")
_RUNS: Final = 5
_Numbers = npt.NDArray[np.int64]


def write(folder: Path, rows: int) -> int:
    """Write tables of about so many summary rows over two days; return how many they are."""
    groups = max(rows // (_SNAPSHOTS * _NAMES.size), 1)
    for half in range(2):
        hours = np.arange(_SNAPSHOTS // 2) * 2 + 24 * half
        times = _FIRST + hours * np.timedelta64(1, "h")
        for table, columns in {
            "group_summary": _summaries(groups, times),
            "member_load": _loads(groups, times),
            "partition_lag": _partitions(groups, times),
            "group_member": _members(groups, times),
        }.items():
            _append(folder, table, columns)
    _append(folder, "recommendation", _recommendations(groups))
    _append(folder, "rejected", {"file": []})
    _publish(folder)
    return groups * _SNAPSHOTS * int(_NAMES.size)


def _each(*sizes: int) -> tuple[_Numbers, ...]:
    """Return the numbers of every combination, the last number changing fastest."""
    return tuple(found.ravel() for found in np.indices(sizes))


def _summaries(groups: int, times: npt.NDArray[np.datetime64]) -> dict[str, Any]:
    random = np.random.default_rng(1)
    group, at, strategy = _each(groups, times.size, _NAMES.size)
    lag = random.lognormal(9, 2, group.size)
    return {
        **_named(group),
        "snapshot_at": times[at],
        "strategy": _words(_NAMES, strategy),
        "members": np.full(group.size, _MEMBERS),
        "partitions": np.full(group.size, _PARTITIONS),
        "total_lag": lag * 10,
        "max_lag": lag * 2,
        "max_over_mean_lag": random.lognormal(1, 1, group.size),
        "best_max_lag": lag,
        "moved_from_previous": strategy,
    }


def _loads(groups: int, times: npt.NDArray[np.datetime64]) -> dict[str, Any]:
    group, at, strategy, member = _each(groups, times.size, _NAMES.size, _MEMBERS)
    return {
        **_named(group),
        "snapshot_at": times[at],
        "strategy": _words(_NAMES, strategy),
        "member_id": _words(_consumers(), member),
        "lag": (strategy + 1) * (member + at),
    }


def _partitions(groups: int, times: npt.NDArray[np.datetime64]) -> dict[str, Any]:
    group, at, partition = _each(groups, times.size, _PARTITIONS)
    return {
        **_named(group),
        "snapshot_at": times[at],
        "topic": _words(np.array(["orders"]), np.zeros_like(group)),
        "partition": partition,
        "log_start_offset": np.zeros_like(group),
        "log_end_offset": 100 + partition,
        "committed_offset": 100 - at,
        "lag": partition + at,
        "member_id": _words(_consumers(), partition % _MEMBERS),
    }


def _members(groups: int, times: npt.NDArray[np.datetime64]) -> dict[str, Any]:
    group, at, member = _each(groups, times.size, _MEMBERS)
    names = _words(_consumers(), member)
    return {**_named(group), "snapshot_at": times[at], "member_id": names}


def _recommendations(groups: int) -> dict[str, Any]:
    gains = np.sort(np.random.default_rng(2).lognormal(9, 2, groups))[::-1]
    return {
        **_named(np.arange(groups)),
        "rank": np.arange(1, groups + 1),
        "strategy": np.full(groups, _NAMES[1]),
        "max_lag_as_it_was": 2 * gains,
        "max_lag": gains,
        "gain_lag": gains,
        "gain_share": np.full(groups, 0.5),
        "snapshots": np.full(groups, _SNAPSHOTS),
        "members": np.full(groups, _MEMBERS),
        "partitions": np.full(groups, _PARTITIONS),
        "best_max_lag": gains,
        "max_over_mean_as_it_was": np.full(groups, 2.5),
        "max_over_mean": np.full(groups, 1.25),
        "idle_members": np.zeros(groups),
        "reason": np.full(groups, "gains"),
    }


def _named(group: _Numbers) -> dict[str, Any]:
    names = np.char.add("group-", np.arange(group.max(initial=0) + 1).astype(str))
    clusters = np.array([f"cluster-{number}" for number in range(3)])
    return {"cluster": _words(clusters, group % 3), "group_id": _words(names, group)}


def _consumers() -> npt.NDArray[np.str_]:
    return np.array([f"consumer-{number}" for number in range(_MEMBERS)])


def _words(names: npt.NDArray[np.str_], numbers: _Numbers) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(numbers.astype(np.int32), pa.array(names))


def _append(folder: Path, table: str, columns: dict[str, Any]) -> None:
    """Append rows; whole numbers that are not given are 1, other figures unknown."""
    schema = arrow_schema(TABLES[table])
    if "snapshot_at" in columns:
        columns["day"] = columns["snapshot_at"].astype("datetime64[D]")
    size = len(next(iter(columns.values())))
    arrays = []
    for field in schema:
        usual = np.ones(size) if pa.types.is_integer(field.type) else pa.nulls(size)
        values = columns.get(field.name, usual)
        array = values if isinstance(values, pa.Array) else pa.array(values)
        arrays.append(array.cast(field.type, safe=False))
    days = ["day"] if "day" in schema.names else None
    rows = pa.table(arrays, schema=schema)
    write_deltalake(folder / table, rows, partition_by=days, mode="append")


def _publish(folder: Path) -> None:
    """Add the run that names the versions of the tables written."""
    at = _moment(0)
    written = [path.name for path in folder.iterdir()]
    versions = {table: DeltaTable(folder / table).version() for table in written}
    row = {"run_id": "1", "finished_at": at, "versions": versions, "strategies": [*STRATEGIES]}
    rows = pa.Table.from_pylist([row], schema=arrow_schema(TABLES["runs"]))
    write_deltalake(folder / "runs", rows)


def first_view(folder: Path) -> None:
    """Read all that the page shows first, as if nothing were cached."""
    fleet = open_fleet(edition_of(str(folder)))
    found = as_it_was(fleet, Scope())
    totals(found)
    fleet.count("rejected")
    ranking(fleet, Scope())


def another_window(fleet: Fleet, found: pd.DataFrame) -> None:
    """Rank another window, for which nothing is worked out in advance."""
    _rank(fleet, found, Scope(since=_moment(1)))


def other_strategies(fleet: Fleet, found: pd.DataFrame) -> None:
    """Rank by every strategy, named one by one."""
    _rank(fleet, found, Scope(strategies=tuple(STRATEGIES)))


def _rank(fleet: Fleet, found: pd.DataFrame, scope: Scope) -> None:
    kept = within(found, scope)
    totals(kept)
    ranking(fleet, scope)


def one_group(fleet: Fleet, _: pd.DataFrame) -> None:
    """Read a group's history under every strategy, and its consumers under one."""
    rows = history_rows(fleet, *_GROUP, Scope())
    history(rows)
    by_strategy(rows)
    member_heatmap(loads(fleet, *_GROUP, AS_IT_WAS, Scope()), "lag")


def a_snapshot(fleet: Fleet, _: pd.DataFrame) -> None:
    """Read a snapshot of a group as the editor takes it."""
    snapshot(fleet, *_GROUP, _moment(24))


def pictures(fleet: Fleet, found: pd.DataFrame) -> None:
    """Count and lay out what the distributions and the map over time show."""
    ranked = ranking(fleet, Scope())
    for spread in (evenness, gain_shares, idle_consumers):
        spread(ranked)
    group_heatmap(found, "total_lag", 200)


_CLICKS: Final[Mapping[str, Callable[[Fleet, pd.DataFrame], None]]] = {
    "the ranking of another window": another_window,
    "the ranking by all strategies, each named": other_strategies,
    "a group's history and its consumers": one_group,
    "a snapshot for the editor": a_snapshot,
    "distributions and the map over time": pictures,
}
"""What a visitor may ask for next; the groups as they were are in memory by then."""


def _moment(hour: int) -> datetime:
    first: datetime = _FIRST.item()
    return first.replace(tzinfo=UTC) + timedelta(hours=hour)


def _report(what: str, read: Callable[[], None]) -> None:
    seconds, processor = [], []
    for _ in range(_RUNS):
        wall, used = perf_counter(), process_time()
        read()
        seconds.append(perf_counter() - wall)
        processor.append(process_time() - used)
    print(f"{what}: {median(seconds):.2f} s, {median(processor):.2f} s of the processors")


def main(rows: int = ROWS) -> None:
    """Print the medians over five runs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        written = write(folder, rows)
        print(f"The Fleet page over {written:,} rows of group_summary, nothing cached:")
        _report("all that it shows first", partial(first_view, folder))
        fleet = open_fleet(edition_of(str(folder)))
        found = as_it_was(fleet, Scope())
        for what, click in _CLICKS.items():
            _report(what, partial(click, fleet, found))


if __name__ == "__main__":
    main()
