"""What the pipeline costs, and what else would: ``python -m benchmarks.fleet [--quick]``.

Every figure is of a whole command: start, read, compute, write. Telemetry is generated
first, and kept from run to run if ``--data`` names a folder. The report is Markdown, for
``RESULTS.md``; progress goes to standard error.
"""

import json
import statistics
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import polars as pl

from benchmarks.fleet_answers import difference
from benchmarks.fleet_polars import STRATEGIES as TWO
from benchmarks.processes import Spent, watched
from benchmarks.table import markdown
from pipeline.generating.fleet import Request, generate
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake

_GIANT: Final = Request(shape="uniform", groups=1, rows=500_000, snapshots=1, members=10_000)
_HEAD: Final = ["what", "seconds", "CPU-seconds", "ratio", "JVM MB", "Python MB"]
_MASTER: Final = "local[2]"


@dataclass(frozen=True)
class _Sizes:
    """How much is measured."""

    rows: int
    """Of the comparison; groups of 200 partitions, 10 snapshots."""
    rows_of_loops: int
    """Of the comparison with what takes far longer."""
    rows_of_fleet: int
    growth: tuple[int, ...]
    giant: Request
    runs: int


_FULL: Final = _Sizes(4_000_000, 400_000, 10_000_000, (1_000_000, 4_000_000, 16_000_000), _GIANT, 3)
_QUICK: Final = _Sizes(
    400_000,
    40_000,
    500_000,
    (100_000, 400_000),
    Request(shape="uniform", groups=1, rows=20_000, snapshots=1, members=400),
    1,
)


class _Taken(NamedTuple):
    """What one run in a session took."""

    wall_s: float
    cpu_s: float
    replay_s: float


class _Bench:
    """Runs commands over telemetry that it has made, in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def telemetry(self, request: Request) -> Path:
        """Return the folder with this telemetry, generated unless it is there already."""
        size = f"{request.groups}-{request.rows}-{request.snapshots}"
        folder = self._folder / f"{request.shape}-{size}"
        if not folder.exists():
            _say(f"generating {folder.name}")
            generate(request, folder)
        return folder

    def as_text(self, source: Path, name: str) -> Path:
        """Return a folder with the same telemetry as JSON Lines or CSV, written if need be."""
        kind, _, _ = name.lower().partition(" ")
        folder = source.with_name(f"{source.name}-{kind}")
        if not folder.exists():
            folder.mkdir()
            rows = pl.read_parquet(source / "*.parquet").with_columns(
                pl.col("snapshot_at").dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
                pl.col("subscribed_topics").list.join(";"),
            )
            if name == "CSV":
                rows.write_csv(folder / "rows.csv")
            else:
                lists = pl.col("subscribed_topics").str.split(";")
                rows.with_columns(lists).write_ndjson(folder / "rows.jsonl")
        return folder

    def pipeline(self, source: Path, strategies: Sequence[str] = ()) -> Spent:
        """Run the pipeline, with these strategies or all."""
        command = ["-m", "pipeline", "run", "--input", str(source), "--master", _MASTER]
        command += ["--output", str(self.tables)]
        return self._run([*command, *(["--strategies", *strategies] if strategies else [])])

    def in_session(
        self, sources: Sequence[Path], rounds: int, master: str = _MASTER
    ) -> list[list[_Taken]]:
        """Return what runs take in one session, which starts before.

        Of two strategies, by source, a round after the other over all of them.
        """
        folder = str(self._folder / "session")
        self.rival("fleet_session", master, folder, str(rounds), *map(str, sources))
        said = (self._folder / "log.txt").read_text(encoding="utf-8").splitlines()[-1]
        return [[_Taken(*taken) for taken in runs] for runs in json.loads(said)]

    def rival(self, module: str, *arguments: str) -> Spent:
        """Run another program."""
        return self._run(["-m", f"benchmarks.{module}", *arguments])

    @property
    def start_s(self) -> float:
        """How long Spark took to start in the last run of the pipeline."""
        run = latest_of(Lake(str(self.tables)))
        return float(json.loads(run["quality"])["seconds"]["starting Spark"])

    @property
    def tables(self) -> Path:
        """Where the pipeline's tables are."""
        return self._folder / "tables"

    @property
    def other(self) -> Path:
        """Where the other programs' tables are."""
        return self._folder / "other"

    def _run(self, command: list[str]) -> Spent:
        _say(" ".join(command))
        return watched([sys.executable, *command], self._folder / "log.txt")


def main(arguments: Sequence[str]) -> None:
    """Measure, and print the report."""
    parser = ArgumentParser(prog="python -m benchmarks.fleet", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, one run")
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep telemetry and tables here")
    options = parser.parse_args(arguments)
    sizes = _QUICK if options.quick else _FULL
    with TemporaryDirectory() as scratch:
        folder = options.data or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        bench = _Bench(folder)
        print("# The fleet pipeline\n")
        for part in (_compared, _loops, _formats, _fleet, _growth, _cores, _giant):
            print("\n".join(part(bench, sizes)), flush=True)


def _uniform(rows: int) -> Request:
    groups = max(1, rows // (200 * 10))
    return Request(shape="uniform", groups=groups, rows=groups * 2000, snapshots=10)


def _compared(bench: _Bench, sizes: _Sizes) -> Iterator[str]:
    source = bench.telemetry(_uniform(sizes.rows))
    pairs, starts_s = [], []
    for _ in range(sizes.runs):  # in turn, for the machine's own speed changes by the minute
        polars = bench.rival("fleet_polars", str(source), str(bench.other))
        pairs.append((bench.pipeline(source, TWO), polars))
        starts_s.append(bench.start_s)
    spark = bench.rival("fleet_spark", str(source), f"{bench.other}/spark")
    ours, polars = (min(spent, key=lambda one: one.wall_s) for spent in zip(*pairs, strict=True))
    yield f"## {sizes.rows:,} rows, {' and '.join(TWO)}, groups of 200 partitions\n"
    rivals = {"polars + numpy, one process": polars, "PySpark, applyInArrow a group": spark}
    yield _table(ours, {"the pipeline": ours, **rivals})
    whole = [one.wall_s / other.wall_s for one, other in pairs]
    without = [
        (one.wall_s - start_s) / other.wall_s
        for (one, other), start_s in zip(pairs, starts_s, strict=True)
    ]
    yield f"\nTime, pair by pair: {_ratios(whole)}; without Spark's start {_ratios(without)}."
    (first_s, _, _), *others = bench.in_session([source], sizes.runs + 1)[0]
    best_s = min(each.wall_s for each in others)
    yield (
        f"In a session that runs already: {first_s:.1f} s for the first run of it, then"
        f" {best_s:.1f} s, {best_s / polars.wall_s:.2f} x."
    )
    yield f"\nThe answers: {difference(bench.tables, bench.other)}.\n"


def _loops(bench: _Bench, sizes: _Sizes) -> Iterator[str]:
    source = bench.telemetry(_uniform(sizes.rows_of_loops))
    ours = bench.pipeline(source, TWO)
    target = str(bench.other / "summary.parquet")
    rivals = {
        "pandas, a loop over groups": bench.rival("fleet_pandas", "loop", str(source), target),
        "Spark's applyInPandas": bench.rival("fleet_pandas", "spark", str(source), f"{target}.d"),
    }
    yield f"## The same at {sizes.rows_of_loops:,} rows, against loops (summaries only)\n"
    yield _table(ours, {"the pipeline": ours, **rivals})
    yield ""


def _formats(bench: _Bench, sizes: _Sizes) -> Iterator[str]:
    source = bench.telemetry(_uniform(sizes.rows_of_loops))
    spent = {"Parquet": bench.pipeline(source, TWO)}
    for name in ("JSON Lines", "CSV"):
        spent[name] = bench.pipeline(bench.as_text(source, name), TWO)
    yield f"## The same {sizes.rows_of_loops:,} rows in other formats\n"
    yield _table(spent["Parquet"], spent)
    yield ""


def _fleet(bench: _Bench, sizes: _Sizes) -> Iterator[str]:
    groups = sizes.rows_of_fleet // 45
    rows = sizes.rows_of_fleet
    source = bench.telemetry(Request(groups=groups, rows=rows, snapshots=1))
    ours = bench.pipeline(source)
    yield f"## {groups:,} groups of heavy-tailed size, {rows:,} rows, all strategies and bounds\n"
    yield _table(ours, {"the pipeline": ours})
    yield f"\n{1e3 * ours.cpu_s / groups:.2f} ms of CPU a group, everything included.\n"


def _growth(bench: _Bench, sizes: _Sizes) -> Iterator[str]:
    sources = {rows: bench.telemetry(_uniform(rows)) for rows in sizes.growth}
    spent = {rows: bench.pipeline(source, TWO) for rows, source in sources.items()}
    lines = [
        [f"{rows:,}", f"{one.wall_s:.1f}", f"{one.cpu_s:.1f}", f"{1e6 * one.cpu_s / rows:.2f}"]
        for rows, one in spent.items()
    ]
    yield "## Cost a row, two strategies\n"
    yield markdown(["rows", "seconds", "CPU-seconds", "CPU-us a row"], lines)
    steps = list(pairwise(spent.items()))
    each = ", ".join(
        f"{1e6 * (most.cpu_s - less.cpu_s) / (more - fewer):.2f} us from {fewer:,} to {more:,}"
        for (fewer, less), (more, most) in steps
    )
    yield f"\nEach row more, without what a start costs: {each}.\n"
    found = bench.in_session(list(sources.values()), sizes.runs + 1)
    lines = [
        [
            f"{rows:,}",
            *(
                f"{1e6 * statistics.median(one) / rows:.2f}"
                for one in list(zip(*runs, strict=True))[:2]
            ),
        ]
        for rows, (_, *runs) in zip(sources, found, strict=True)
    ]
    yield "In a session that runs already, sizes in turn, medians:\n"
    yield f"{markdown(['rows', 'us a row', 'CPU-us a row'], lines)}\n"
    yield from _overhead(bench, sizes.rows_of_loops)


def _overhead(bench: _Bench, rows: int) -> Iterator[str]:
    """Cut the same rows into a tenth as many partitions a group: what the groups cost more."""
    few, many = (
        _uniform(10 * rows),
        Request(shape="uniform", groups=10 * rows // 200, rows=10 * rows, snapshots=10),
    )
    spent = [bench.pipeline(bench.telemetry(request), TWO) for request in (few, many)]
    units = 10 * (many.groups - few.groups)
    each_us = 1e6 * (spent[1].cpu_s - spent[0].cpu_s) / units
    yield (
        f"Overhead of a group's snapshot: {each_us:.0f} us of CPU ({10 * rows:,} rows as groups"
        " of 20 partitions instead of 200, with two consumers instead of 20).\n"
    )


def _cores(bench: _Bench, sizes: _Sizes) -> Iterator[str]:
    source = bench.telemetry(_uniform(sizes.rows))
    taken_s = {
        cores: min(
            each.replay_s for each in bench.in_session([source], 3, f"local[{cores}]")[0][1:]
        )
        for cores in (1, 4)
    }
    yield (
        f"The replay of {sizes.rows:,} rows takes {taken_s[1]:.1f} s on one core and"
        f" {taken_s[4]:.1f} s on four: {taken_s[1] / taken_s[4]:.1f} times faster.\n"
    )


def _giant(bench: _Bench, sizes: _Sizes) -> Iterator[str]:
    ours = bench.pipeline(bench.telemetry(sizes.giant))
    yield (
        f"## One group of {sizes.giant.rows:,} partitions and {sizes.giant.members:,} consumers,"
        " all strategies and bounds\n"
    )
    yield _table(ours, {"the pipeline": ours})


def _table(ours: Spent, spent: dict[str, Spent]) -> str:
    lines = [
        [
            name,
            f"{one.wall_s:.1f}",
            f"{one.cpu_s:.1f}",
            "" if one is ours else f"x {one.cpu_s / ours.cpu_s:.2f}",
            f"{one.peak_mb['java']:.0f}",
            f"{one.peak_mb['main'] + one.peak_mb['workers']:.0f}",
        ]
        for name, one in spent.items()
    ]
    return markdown(_HEAD, lines)


def _ratios(ratios: Sequence[float]) -> str:
    return ", ".join(f"{ratio:.2f}" for ratio in ratios) + " x"


def _say(what: str) -> None:
    sys.stderr.write(f"{what}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
