"""Make the sample fleet anew: ``python -m pipeline.jobs.sample``, or ``make fleet``.

Telemetry and, by the pipeline itself, its tables, into ``sample_data/fleet``; each table as
few small files, without links, so that they can be kept in a repository.
"""

import json
import shutil
import sys
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipeline.__main__ import main as pipeline
from pipeline.generating.fleet import Request, generate
from schemas.arrow import arrow_schema
from schemas.tables import TABLES

SAMPLE: Final = Path("sample_data") / "fleet"
TELEMETRY: Final = SAMPLE / "telemetry"
REQUEST: Final = Request(shape="showcase", interval=timedelta(hours=1), seed=5)
_REPORT: Final = "run_report.json"
_UNTOLD: Final = frozenset({"options", "seconds", "started_at", "finished_at"})
"""What the report says of one machine on one day."""
_DAY: Final = "day"
_ORDER: Final = (
    *("rank", "cluster", "group_id", "snapshot_at", "strategy"),
    *("topic", "partition", "member_id"),
)


def main() -> int:
    """Replace telemetry and tables; return the exit status."""
    shutil.rmtree(TELEMETRY, ignore_errors=True)
    generate(REQUEST, TELEMETRY)
    with TemporaryDirectory() as scratch:
        status = pipeline(["run", "--input", str(TELEMETRY), "--output", scratch])
        if not status:
            _ship(Path(scratch), SAMPLE / "tables")
    return status


def _ship(tables: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    for name, ddl in TABLES.items():
        rows = pq.read_table(tables / name, schema=arrow_schema(ddl))
        order = [(column, "ascending") for column in _ORDER if column in rows.column_names]
        rows = rows.sort_by(order) if order else rows
        if _DAY not in rows.column_names:
            _write(rows, target / name)
            continue
        for day in rows[_DAY].unique().sort().to_pylist():
            of_day = rows.filter(pc.equal(rows[_DAY], day)).drop_columns([_DAY])
            _write(of_day, target / name / f"{_DAY}={day}")
    report = json.loads((tables / _REPORT).read_text(encoding="utf-8"))
    told = {key: value for key, value in report.items() if key not in _UNTOLD}
    (target / _REPORT).write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


def _write(rows: pa.Table, folder: Path) -> None:
    folder.mkdir(parents=True)
    pq.write_table(
        rows,
        folder / "part-0.parquet",
        compression="zstd",
        compression_level=19,
        store_schema=False,
    )


if __name__ == "__main__":
    sys.exit(main())
