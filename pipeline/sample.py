"""Replace the sample fleet's tables: ``python -m pipeline.sample``, or ``make fleet``.

Runs the pipeline on ``sample_data/fleet/telemetry`` and writes the Delta tables of one run, each
with one version and few files, so that a repository can hold them.
"""

import json
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from deltalake import WriterProperties, write_deltalake

from evaluation.judging import JudgeBy
from pipeline.__main__ import main as pipeline
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake

SAMPLE: Final = Path("sample_data") / "fleet"
TELEMETRY: Final = SAMPLE / "telemetry"
JUDGED_BY: Final = JudgeBy.WORK
_LEFT_OUT: Final = frozenset({"telemetry", "checkpoint"})
"""Large, and not needed for reading; the telemetry is beside the tables."""
_SMALL: Final = WriterProperties(compression="ZSTD", compression_level=19)
_ORDER: Final = (
    *("rank", "cluster", "group_id", "snapshot_at", "strategy"),
    *("topic", "partition", "member_id"),
)


def main() -> int:
    """Replace the tables; return the exit status."""
    with TemporaryDirectory() as scratch:
        options = ["--judge-by", JUDGED_BY.value, "--output", scratch]
        status = pipeline(["run", "--input", str(TELEMETRY), *options])
        if not status:
            _ship(Lake(scratch), SAMPLE / "tables")
    return status


def _ship(made: Lake, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    lake, run = Lake(str(target)), latest_of(made)
    lake.prepare()
    versions = dict.fromkeys(run["versions"], 0)
    for name in versions.keys() - _LEFT_OUT:
        rows = made.rows(name, run["versions"][name])
        order = [(column, "ascending") for column in _ORDER if column in rows.column_names]
        if rows.num_rows:
            sorted_rows = rows.sort_by(order) if order else rows
            write_deltalake(lake.table(name), sorted_rows, mode="append", writer_properties=_SMALL)
            versions[name] = 1
    moment = run["last_snapshot"]
    quality = json.dumps(json.loads(run["quality"]) | {"seconds": {}, "software": {}})
    known = {"run_id": "sample", "started_at": moment, "finished_at": moment, "quality": quality}
    known["input"] = TELEMETRY.as_posix()
    lake.publish({**run, **known, "versions": versions}, None)
    for log in target.glob("*/_delta_log/*.json"):
        _forget_location(log)


def _forget_location(log: Path) -> None:
    """Remove the path of the table, which deltalake writes into the first commit."""
    actions = [json.loads(line) for line in log.read_text().splitlines()]
    for action in actions:
        action.get("commitInfo", {}).get("operationParameters", {}).pop("location", None)
    log.write_text("".join(f"{json.dumps(action, separators=(',', ':'))}\n" for action in actions))


if __name__ == "__main__":
    sys.exit(main())
