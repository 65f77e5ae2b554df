"""The cost of the pipeline and of its alternatives: ``python -m benchmarks.fleet [--only PART]``.

Every figure covers a whole command (start, read, compute, write) on a machine where ``prepare`` has
run. Telemetry is generated first, and kept between runs if ``--data`` names a folder. The report is
Markdown for ``RESULTS.md``; progress goes to standard error.
"""

import json
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import polars as pl

from benchmarks import fleet_page
from benchmarks.fleet_polars import STRATEGIES as TWO
from benchmarks.measuring import (
    Cost,
    LargestWorker,
    Spent,
    family_cpu_s,
    markdown,
    medians,
    timed,
    watched,
)
from pipeline.generating.fleet import Request, generate
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.runs import Run
from pipeline.session import LOCAL, open_session

_TWO_CORES: Final = "local[2]"
_UNIT: Final = ["cluster", "group_id", "snapshot_at", "strategy"]
_FIGURES: Final = (
    "topics", "partitions", "members", "total_load", "unknown_loads", "max_load", "max_partitions",
    "count_spread", "idle_members", "unowned", "lower_bound", "above_bound",
)  # fmt: skip


class _Sizes(NamedTuple):
    """The sizes to measure."""

    rows: int
    """Rows of the comparison, in groups of 200 partitions with 10 snapshots each."""
    rows_of_fleet: int
    growth: tuple[int, ...]
    runs: int


_FULL: Final = _Sizes(4_000_000, 10_000_000, (4_000_000, 16_000_000, 64_000_000), runs=3)
_QUICK: Final = _Sizes(400_000, 500_000, (100_000, 400_000), runs=1)


class _Taken(NamedTuple):
    """The cost of one run within a Spark session."""

    whole: Cost
    replay_s: float
    worker_mb: float
    """The most memory that one task's process held."""


@dataclass(frozen=True)
class _Bench:
    """Runs commands on generated telemetry in one folder."""

    folder: Path

    def telemetry(self, request: Request) -> Path:
        """Return the folder with this telemetry; generate it if missing."""
        size = f"{request.groups}-{request.rows}-{request.snapshots}"
        folder = self.folder / f"{request.shape}-{size}"
        if not folder.exists():
            print(f"generating {folder.name}", file=sys.stderr)
            generate(request, folder)
        return folder

    def uniform(self, rows: int) -> Path:
        """Return the folder with about this many rows of equally sized groups."""
        groups = max(1, rows // (200 * 10))
        rows = groups * 200 * 10
        return self.telemetry(Request(shape="uniform", groups=groups, rows=rows, snapshots=10))

    def pipeline(self, source: Path, master: str, strategies: Sequence[str] = ()) -> Spent:
        """Run the pipeline with these strategies, by default with all of them."""
        choice = ["--strategies", *strategies] if strategies else []
        command = ("pipeline", "run", "--input", source, "--master", master)
        return self.run(*command, "--output", self.tables, *choice)

    def run(self, module: str, *arguments: object) -> Spent:
        """Run a module as a command."""
        command = [sys.executable, "-m", module, *map(str, arguments)]
        print(*command[2:], file=sys.stderr)
        return watched(command, self.folder / "log.txt")

    def in_session(self, sources: Sequence[Path], rounds: int, master: str) -> list[list[_Taken]]:
        """Return the costs of runs in a running Spark session, by source."""
        print("in a session", master, *sources, file=sys.stderr)
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            session = process.submit(_in_session, master, self.folder, sources, rounds)
            return session.result()

    @property
    def tables(self) -> Path:
        """The folder of the pipeline's output tables."""
        return self.folder / "tables"


def _in_session(
    master: str, folder: Path, sources: Sequence[Path], rounds: int
) -> list[list[_Taken]]:
    """Run two strategies on every source in turn, because the machine's speed varies over time.

    The first run on each source, before the counted rounds, is a warm-up.
    """
    spark, lake = open_session(master), Lake(str(folder / "session"))
    lake.prepare()
    runs: dict[Path, list[_Taken]] = {source: [] for source in sources}
    for source in [*sources] * (1 + rounds):
        progress, worker = Progress(), LargestWorker()
        batch = Run(spark, lake, TWO, progress).batch
        worker.start()
        cost, _ = timed(partial(batch, [str(source)]), family_cpu_s)
        taken = _Taken(cost, progress.seconds["replaying"], worker.stop())
        print(f"{source.name}: {taken}", file=sys.stderr)
        runs[source].append(taken)
    spark.stop()
    return list(runs.values())


def main(arguments: Sequence[str]) -> None:
    """Run all measurements and print the report."""
    parser = ArgumentParser(prog="python -m benchmarks.fleet", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, one run")
    what = "measure this part alone; may be repeated"
    parser.add_argument("--only", choices=_PARTS, action="append", help=what)
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep telemetry and tables here")
    options = parser.parse_args(arguments)
    sizes = _QUICK if options.quick else _FULL
    with TemporaryDirectory() as scratch:
        bench = _Bench(options.data or Path(scratch))
        bench.folder.mkdir(parents=True, exist_ok=True)
        print("# The fleet pipeline\n")
        for part in options.only or _PARTS:
            print(*_PARTS[part](bench, sizes), "", sep="\n", flush=True)


def _compared(bench: _Bench, sizes: _Sizes) -> Iterator[str]:
    source, other = bench.uniform(sizes.rows), bench.folder / "other"
    bench.run("pipeline", "prepare")
    ours, polars, starts_s = list[Spent](), list[Spent](), list[float]()
    for _ in range(sizes.runs):  # in turn, because the machine's speed varies over time
        polars.append(bench.run("benchmarks.fleet_polars", source, other))
        ours.append(bench.pipeline(source, LOCAL, TWO))
        quality = json.loads(latest_of(Lake(str(bench.tables)))["quality"])
        starts_s.append(quality["seconds"]["starting Spark"])
    best_ours, best_polars = (min(each, key=lambda one: one.wall_s) for each in (ours, polars))
    yield f"## {sizes.rows:,} rows, {' and '.join(TWO)}, groups of 200 partitions\n"
    yield _table({"the pipeline": best_ours, "polars + numpy, one process": best_polars})
    whole, without = (
        ", ".join(
            f"{(one.wall_s - start_s * left_out) / rival.wall_s:.2f}"
            for one, rival, start_s in zip(ours, polars, starts_s, strict=True)
        )
        for left_out in (False, True)
    )
    yield f"\nTime, pair by pair: {whole} x; without Spark's start {without} x."
    first, *others = (
        taken.whole.wall_s for taken in bench.in_session([source], sizes.runs, LOCAL)[0]
    )
    yield (
        f"In a session that runs already: {first:.1f} s for the first run of it, then"
        f" {min(others):.1f} s, {min(others) / best_polars.wall_s:.2f} x."
    )
    yield f"\nThe answers: {_difference(bench.tables, other)}."


def _difference(ours: Path, theirs: Path) -> str:
    """Return the columns of ``group_summary`` in which two programs differ, and how often."""
    lake = Lake(str(ours))
    rows = lake.rows("group_summary", latest_of(lake)["versions"]["group_summary"])
    here = pl.DataFrame(rows).sort(_UNIT)
    there = pl.read_parquet(f"{theirs}/group_summary.parquet").sort(_UNIT)
    if here.height != there.height:
        return f"{here.height:,} rows here, {there.height:,} there"
    differs = {
        name: int((~here[name].cast(pl.Int64).eq_missing(there[name].cast(pl.Int64))).sum())
        for name in _FIGURES
    }
    words = [f"{name} in {count:,} rows" for name, count in differs.items() if count]
    return f"different {', '.join(words)}" if words else "the same figures in every row"


def _fleet(bench: _Bench, sizes: _Sizes) -> Iterator[str]:
    groups, rows = sizes.rows_of_fleet // 45, sizes.rows_of_fleet
    source = bench.telemetry(Request(groups=groups, rows=rows, snapshots=1))
    ours = bench.pipeline(source, _TWO_CORES)
    yield f"## {groups:,} groups of heavy-tailed size, {rows:,} rows, all strategies and bounds\n"
    yield _table({"the pipeline": ours})
    yield f"\n{1e3 * ours.cpu_s / groups:.2f} ms of CPU a group, everything included.\n"
    yield from fleet_page.report(str(bench.tables))


def _growth(bench: _Bench, sizes: _Sizes) -> Iterator[str]:
    yield "## Cost a row, two strategies, in a session that runs already, sizes in turn, medians\n"
    sources = [bench.uniform(rows) for rows in sizes.growth]
    lines = []
    for rows, (_, *taken) in zip(
        sizes.growth, bench.in_session(sources, sizes.runs, _TWO_CORES), strict=True
    ):
        cost = medians(each.whole for each in taken)
        us = {"us a row": cost.wall_s, "CPU-us a row": cost.cpu_s}
        figures = {name: f"{1e6 * seconds / rows:.2f}" for name, seconds in us.items()}
        peak = f"{max(each.worker_mb for each in taken):.0f}"
        lines.append({"rows": f"{rows:,}"} | figures | {"largest worker, MB": peak})
    yield markdown(lines)


def _cores(bench: _Bench, sizes: _Sizes) -> Iterator[str]:
    source = bench.uniform(sizes.rows)
    most = min(4, os.cpu_count() or 1)
    one_s, most_s = (
        min(taken.replay_s for taken in bench.in_session([source], 2, f"local[{cores}]")[0][1:])
        for cores in (1, most)
    )
    yield (
        f"The replay of {sizes.rows:,} rows takes {one_s:.1f} s on one core and"
        f" {most_s:.1f} s on {most}: {one_s / most_s:.1f} times faster."
    )


_PARTS: Final = {"compared": _compared, "fleet": _fleet, "growth": _growth, "cores": _cores}


def _table(spent: dict[str, Spent]) -> str:
    ours, *_ = spent.values()
    return markdown(
        {
            "what": name,
            "seconds": f"{one.wall_s:.1f}",
            "CPU-seconds": f"{one.cpu_s:.1f}",
            "ratio": f"x {one.cpu_s / ours.cpu_s:.2f}",
            "JVM MB": f"{one.peak_mb['java']:.0f}",
            "Python MB": f"{one.peak_mb['main'] + one.peak_mb['workers']:.0f}",
        }
        for name, one in spent.items()
    )


if __name__ == "__main__":
    main(sys.argv[1:])
