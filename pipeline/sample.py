"""Replace the sample fleet's tables: ``python -m pipeline.sample``, or ``make fleet``.

Runs the pipeline on ``sample_data/fleet/telemetry`` and writes the Delta tables of one run, each
with one version and few files, so that a repository can hold them. Two runs write the same bytes.
"""

import json
import shutil
import sys
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from uuid import NAMESPACE_URL, uuid5

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
    for commit in target.glob("*/_delta_log/*.json"):
        _make_reproducible(commit, moment)


def _make_reproducible(commit: Path, moment: datetime) -> None:
    """Replace what deltalake draws or reads off the machine: ids, names of files, times, paths."""
    table, at_ms = commit.parents[1], round(moment.timestamp() * 1000)
    actions = [json.loads(line) for line in commit.read_text().splitlines()]
    for action in actions:
        if done := action.get("commitInfo"):
            action["commitInfo"] = {"timestamp": at_ms, "operation": done["operation"]}
        if metadata := action.get("metaData"):
            metadata |= {"id": str(uuid5(NAMESPACE_URL, table.name)), "createdTime": at_ms}
        if added := action.get("add"):
            written = table / added["path"]
            file = written.rename(written.with_name(f"part-00000{''.join(written.suffixes)}"))
            stats = json.dumps(json.loads(added["stats"]), sort_keys=True)
            path = file.relative_to(table).as_posix()
            added |= {"path": path, "modificationTime": at_ms, "stats": stats}
    lines = [json.dumps(each, separators=(",", ":"), sort_keys=True) for each in actions]
    commit.write_text("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    sys.exit(main())
