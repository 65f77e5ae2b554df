"""Fleets of unusual shapes, each a whole cold command: ``python -m benchmarks.fleet_shapes``.

Many tiny groups, one huge group, and as many rows in very many files.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.measuring import markdown, watched
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake

_START: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
_STRATEGIES: Final = ("range", "roundrobin")


class _Shape(NamedTuple):
    """A fleet whose groups are all alike."""

    about: str
    groups: int
    partitions: int
    snapshots: int
    files: int
    ending: str = "parquet"

    @property
    def rows(self) -> int:
        """How many rows of telemetry it has."""
        return self.groups * self.partitions * self.snapshots

    @property
    def small(self) -> "_Shape":
        """A hundredth of it, to try whether all works."""
        groups, partitions = max(1, self.groups // 100), max(2, self.partitions // 100)
        return self._replace(groups=groups, partitions=partitions, files=min(self.files, 200))


_SHAPES: Final = {
    "tiny-groups": _Shape("100,000 groups of 2 partitions, 10 snapshots", 100_000, 2, 10, 10),
    "groups": _Shape("10,000 groups of 20 partitions, 10 snapshots", 10_000, 20, 10, 10),
    "huge-group": _Shape("1 group of 100,000 partitions, 20 snapshots", 1, 100_000, 20, 20),
    "long-group": _Shape("1 group of 100,000 partitions, 200 snapshots", 1, 100_000, 200, 200),
    "files": _Shape("1,000 groups of 20, 20 snapshots, 20 files", 1_000, 20, 20, 20, "jsonl"),
    "many-files": _Shape("the same in 20,000 files", 1_000, 20, 20, 20_000, "jsonl"),
}


def main(arguments: Sequence[str]) -> None:
    """Measure the shapes and print the table."""
    parser = ArgumentParser(prog="python -m benchmarks.fleet_shapes", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a hundredth of each")
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep telemetry and tables here")
    what = "measure this shape alone; may be repeated"
    parser.add_argument("--only", choices=_SHAPES, action="append", help=what)
    options = parser.parse_args(arguments)
    chosen = [_SHAPES[name] for name in options.only or _SHAPES]
    with TemporaryDirectory() as scratch:
        folder = options.data or Path(scratch)
        _measure(folder, [shape.small for shape in chosen] if options.quick else chosen)


def _measure(folder: Path, shapes: Sequence[_Shape]) -> None:
    lines = []
    for shape in shapes:
        source = folder / "-".join(map(str, shape[1:]))
        if not source.exists():
            print(f"generating {source.name}", file=sys.stderr)
            _write(shape, source)
        output = folder / "tables"
        words = ["run", "--input", str(source), "--output", str(output), "--master", "local[2]"]
        words += ["--strategies", *_STRATEGIES]
        spent = watched([sys.executable, "-m", "pipeline", *words], folder / "log.txt")
        row = latest_of(Lake(str(output)))
        figures = {"rows": f"{row['rows_used']:,}", "CPU-seconds": f"{spent.cpu_s:.0f}"}
        peaks = {
            "JVM MB": f"{spent.peak_mb['java']:.0f}",
            "largest Python process, MB": f"{spent.peak_mb['worker']:.0f}",
        }
        lines.append({"fleet": shape.about} | figures | peaks)
        print(lines[-1], file=sys.stderr)
    print(markdown(lines))


def _write(shape: _Shape, folder: Path) -> None:
    """Write the fleet's telemetry; each file has some groups at some snapshots."""
    folder.mkdir(parents=True)
    per_file = max(1, shape.groups * shape.snapshots // shape.files)
    for number, units in enumerate(_chunks(shape.groups * shape.snapshots, per_file)):
        rows, file = _rows(shape, units), folder / f"{number}.{shape.ending}"
        if shape.ending == "parquet":
            pq.write_table(rows, file)
        else:
            at = rows["snapshot_at"].cast(pa.int64())
            rows = rows.set_column(2, "snapshot_at", at)
            file.write_text(rows.to_pandas().to_json(orient="records", lines=True))


def _chunks(total: int, size: int) -> Iterator[np.ndarray]:
    for first in range(0, total, size):
        yield np.arange(first, min(first + size, total))


def _rows(shape: _Shape, units: np.ndarray) -> pa.Table:
    """Return the rows of these pairs of snapshot and group."""
    unit, partition = np.repeat(units, shape.partitions), np.arange(units.size * shape.partitions)
    partition %= shape.partitions
    snapshot, group = np.divmod(unit, shape.groups)
    at = np.datetime64(_START.replace(tzinfo=None), "us") + snapshot * np.timedelta64(60, "s")
    members = pa.array([f"consumer-{n}" for n in range(10)])
    groups = pa.array([f"group-{n:06}" for n in range(shape.groups)])
    one = pa.DictionaryArray.from_arrays
    return pa.table(
        {
            "cluster": pa.array(["prod"] * unit.size),
            "group_id": one(pa.array(group.astype(np.int32)), groups).cast(pa.string()),
            "snapshot_at": pa.array(at, pa.timestamp("us", "UTC")),
            "topic": pa.array(["orders"] * unit.size),
            "partition": pa.array(partition.astype(np.int32)),
            "log_start_offset": pa.array(np.zeros(unit.size, np.int64)),
            "log_end_offset": pa.array(1_000 + 7 * snapshot + partition),
            "committed_offset": pa.array(900 + snapshot),
            "member_id": one(pa.array((partition % 10).astype(np.int32)), members).cast(
                pa.string()
            ),
        }
    )


if __name__ == "__main__":
    main(sys.argv[1:])
