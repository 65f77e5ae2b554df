"""How long the Fleet page reads a million summary rows: ``python -m benchmarks.fleet_page``."""

import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from assignors.registry import STRATEGIES
from schemas.tables import AS_IT_WAS, TABLES
from sources.fleet import open_fleet, place_of
from sources.fleet_ranking import ranking
from sources.fleet_schema import DAY, table_schema
from sources.fleet_scope import Scope, extent
from sources.fleet_totals import present, rejected, totals

ROWS: Final = 1_000_000
_SNAPSHOTS: Final = 24
_NAMES: Final = np.array([AS_IT_WAS, *STRATEGIES])
_FIRST: Final = np.datetime64("2026-03-01T00:00:00", "us")
_RUNS: Final = 5


def write(folder: Path, rows: int) -> int:
    """Write tables of about so many summary rows over two days; return how many they are."""
    for table in TABLES:
        (folder / table).mkdir(parents=True)
    groups = max(rows // (_SNAPSHOTS * _NAMES.size), 1)
    for half in range(2):
        hours = np.arange(_SNAPSHOTS // 2) * 2 + 24 * half
        columns = _summaries(groups, _FIRST + hours * np.timedelta64(1, "h"))
        day = folder / "group_summary" / f"{DAY}=2026-03-0{half + 1}"
        day.mkdir()
        pq.write_table(_table("group_summary", columns), day / "part-0.parquet")
    pq.write_table(
        _table("recommendation", _recommendations(groups)),
        folder / "recommendation" / "part-0.parquet",
    )
    return groups * _SNAPSHOTS * int(_NAMES.size)


def _summaries(groups: int, times: npt.NDArray[np.datetime64]) -> dict[str, Any]:
    random = np.random.default_rng(1)
    group, at, strategy = (
        numbers.ravel()
        for numbers in np.meshgrid(
            *map(np.arange, (groups, times.size, _NAMES.size)), indexing="ij"
        )
    )
    lag = random.lognormal(9, 2, group.size)
    return {
        **_named(group),
        "snapshot_at": times[at],
        "strategy": _NAMES[strategy],
        "total_lag": lag * 10,
        "max_lag": lag * 2,
        "max_over_mean_lag": random.lognormal(1, 1, group.size),
        "best_max_lag": lag,
        "moved_from_previous": strategy,
    }


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
    }


def _named(group: npt.NDArray[np.int64]) -> dict[str, Any]:
    return {
        "cluster": np.char.add("cluster-", (group % 3).astype(str)),
        "group_id": np.char.add("group-", group.astype(str)),
    }


def _table(table: str, columns: dict[str, Any]) -> pa.Table:
    """Return the table; whole numbers that are not given are 1, other figures unknown."""
    size = len(columns["cluster"])
    arrays = []
    fields = [field for field in table_schema(table) if field.name != DAY]
    for field in fields:
        usual = np.ones(size) if pa.types.is_integer(field.type) else pa.nulls(size)
        values = columns.get(field.name, usual)
        arrays.append(pa.array(values).cast(field.type, safe=False))
    return pa.table(arrays, schema=pa.schema(fields))


def first_view(folder: Path) -> None:
    """Read all that the page shows first, as if nothing were cached."""
    fleet = open_fleet(place_of(folder))
    extent(fleet)
    found = present(fleet, Scope())
    totals(found)
    rejected(fleet)
    ranking(fleet, Scope(), found)


def another_window(folder: Path) -> None:
    """Rank another window, for which nothing is worked out in advance."""
    fleet = open_fleet(place_of(folder))
    since = extent(fleet).days[0] + timedelta(hours=1)
    scope = Scope(since=since)
    ranking(fleet, scope, present(fleet, scope))


def _report(what: str, read: Callable[[Path], None], folder: Path) -> None:
    seconds, processor = [], []
    for _ in range(_RUNS):
        wall, used = perf_counter(), process_time()
        read(folder)
        seconds.append(perf_counter() - wall)
        processor.append(process_time() - used)
    print(f"{what}: {median(seconds):.2f} s, {median(processor):.2f} s of the processors")


def main(rows: int = ROWS) -> None:
    """Print the medians over five runs."""
    with tempfile.TemporaryDirectory() as name:
        written = write(Path(name), rows)
        print(f"The Fleet page over {written:,} rows of group_summary, nothing cached:")
        _report("all that it shows first", first_view, Path(name))
        _report("the ranking of another window", another_window, Path(name))


if __name__ == "__main__":
    main()
