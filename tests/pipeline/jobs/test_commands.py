"""The commands as users start them: cancelled, killed, concurrent, with readers."""

import gzip
import json
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

import pyarrow as pa
import pytest

from pipeline.conflicts import ConflictError
from pipeline.lake import Lake
from tests.patience import await_
from tests.pipeline.processes import (
    PATIENCE_S,
    REPOSITORY,
    alive,
    below,
    finished,
    pipeline,
    runs,
    started,
)
from tests.pipeline.telemetry import STRATEGIES, Tables, tables_in, write_parquet

Run: TypeAlias = Callable[[Path, Path], Path]


def command(source: Path, output: Path, *further: str) -> list[str]:
    strategies = ["--strategies", *STRATEGIES, "--master", "local[2]"]
    return pipeline("run", "--input", source, "--output", output, *strategies, *further)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the tables of days 1 and 2 after an uninterrupted run."""
    folder = tmp_path_factory.mktemp("done")
    source = write_parquet(folder / "in", 1, 2)
    ended = finished(command(source, folder / "out", "--progress", "json"))
    assert ended.returncode == 0, ended.stderr
    told = [json.loads(line)["stage"].partition(":")[0] for line in ended.stdout.splitlines()]
    stages = list(dict.fromkeys(told))  # a slow one tells how far it is
    assert stages[:-1] == ["starting Spark", "reading", "replaying", "writing", "publishing"]
    assert ended.stderr == ""
    return folder / "out"


def test_status_says_what_the_tables_hold(done: Path) -> None:
    ended = finished(pipeline("status", done))

    rows = "200 in, 198 used, 2 rejected"
    assert ended.returncode == 0
    assert rows in ended.stdout
    assert "2  " in ended.stdout
    assert "repeated row" in ended.stdout


def test_a_reader_that_closes_the_pipe_is_not_an_error(done: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)

    ended = subprocess.run(  # noqa: S603 -- our own program
        pipeline("status", done),
        cwd=REPOSITORY,
        stdout=writing,
        stderr=subprocess.PIPE,
        check=False,
    )

    os.close(writing)
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_maintenance_changes_no_row(done: Path) -> None:
    before = tables_in(done)

    assert finished(pipeline("maintain", "--output", done, "--keep-versions", "0s")).returncode == 0

    assert tables_in(done) == before
    lake = Lake(str(done))
    assert len(lake.table("group_summary").file_uris()) == 2  # one for each day
    kept = [place for place in done.rglob("*.*") if "_delta_log" not in place.parts]
    assert {place.suffix for place in kept if place.is_file()} <= {".parquet", ".crc"}


def test_maintenance_removes_old_files_that_no_version_names(done: Path, tmp_path: Path) -> None:
    output = shutil.copytree(done, tmp_path / "copy")
    before, now = tables_in(output), time.time()
    ages_d = {"telemetry/killed/part-0.parquet": 8, "member_load/day=2026-03-01/again.parquet": 1.1}
    ages_d |= {"telemetry/going-on/part-1.parquet": 0.9}
    for name, days in ages_d.items():
        (output / name).parent.mkdir(exist_ok=True)
        (output / name).write_bytes(b"PAR1")
        os.utime(output / name, (now - days * 86_400,) * 2)

    ended = finished(pipeline("maintain", "--output", output, "--keep-versions", "0s"))

    assert ended.returncode == 0, ended.stderr
    assert [name for name in ages_d if (output / name).exists()] == [*ages_d][2:]
    assert tables_in(output) == before


def test_retention_drops_the_days_before_and_no_row_after(done: Path, tmp_path: Path) -> None:
    lake = Lake(str(shutil.copytree(done, tmp_path / "copy")))
    names, first = ("telemetry", "group_summary", "member_load"), datetime(2026, 3, 2, tzinfo=UTC)
    kept = {name: _rows_since(lake.rows(name), first) for name in names}

    for name in names:
        version = lake.table(name).version()
        lake.compact(name, datetime(2026, 3, 2, 15, tzinfo=UTC), after=version)

    assert {name: lake.rows(name).num_rows for name in names} == kept
    assert finished(pipeline("maintain", "--output", lake.output, "--retain", "1d")).returncode == 0
    assert not lake.rows("group_summary").num_rows


def _rows_since(rows: pa.Table, since: datetime) -> int:
    return sum(at >= since for at in rows["snapshot_at"].to_pylist())


@pytest.mark.parametrize(
    ("moment", "number"),
    [
        pytest.param("--strategies", signal.SIGINT, marks=pytest.mark.proof),  # only Python runs
        pytest.param("SparkSubmit", signal.SIGTERM, marks=pytest.mark.proof),  # Java is starting
        ("pyspark.daemon", signal.SIGINT),  # workers are running
    ],
)
def test_a_signal_ends_every_process_in_a_line(
    tmp_path: Path, number: signal.Signals, moment: str
) -> None:
    source = write_parquet(tmp_path / "in", 1)
    with started(command(source, tmp_path / "out")) as process:
        await_(lambda: runs(process.pid, moment))
        everything = below(process.pid)

        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE_S)

        told = [line for line in said.splitlines() if not line.startswith("[")]
        assert told == ["pipeline: cancelled; the tables are what they were before"]
        assert process.returncode == 128 + number
        assert not alive(everything)


@pytest.mark.proof
def test_a_packed_file_of_one_endless_line_is_refused_in_a_sentence(tmp_path: Path) -> None:
    source = tmp_path / "in" / "bomb.jsonl.gz"
    source.parent.mkdir()
    source.write_bytes(gzip.compress(b"a" * 400_000_000, 1))
    small = ("--conf", "spark.driver.memory=512m")

    ended = finished(command(source.parent, tmp_path / "out", *small))

    told = [line for line in ended.stderr.splitlines() if not line.startswith("[")]
    assert ended.returncode == 1
    assert "one endless line; leave such a file out, or give more memory" in told[0], told
    assert len(told) == 2  # and where Spark's log is


_UNREACHABLE = """
<ivysettings><settings defaultResolver="mirror"/>
  <resolvers><ibiblio name="mirror" m2compatible="true" root="http://127.0.0.1:1/"/></resolvers>
</ivysettings>"""


def test_jars_out_of_reach_are_named_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "ivy.xml").write_text(_UNREACHABLE)
    places = {"ivy": tmp_path / "ivy", "ivySettings": tmp_path / "ivy.xml"}
    settings = [f"--conf=spark.jars.{name}={place}" for name, place in places.items()]
    words = ["run", "--input", "s3a://a/b", "--output", tmp_path / "out", "--progress", "json"]

    ended = finished(pipeline(*words, *settings))

    assert ended.returncode == 1
    assert "fetches jars from Maven Central" in ended.stderr.splitlines()[0]
    assert [json.loads(line)["stage"] for line in ended.stdout.splitlines()] == ["starting Spark"]


@pytest.mark.proof
def test_readers_see_consistent_tables_during_two_concurrent_runs(
    run: Run, undisturbed: Tables, tmp_path: Path
) -> None:
    first, both = write_parquet(tmp_path / "1", 1), write_parquet(tmp_path / "2", 1, 2)
    output = run(first, tmp_path / "out")
    whole = [tables_in(output), undisturbed]
    seen, failures = list[bool](), list[str]()
    stop = threading.Event()

    def read() -> None:
        while not stop.wait(0.2):  # reading continuously would take a processor from the runs
            seen.append(tables_in(output) in whole)

    reader = threading.Thread(target=read)
    reader.start()
    with started(command(both, output)) as other:
        assert other.stderr is not None
        next(line for line in other.stderr if "reading" in line)
        try:
            run(first, output)
        except ConflictError as error:
            failures.append(str(error))
        said = other.stderr.read()
        failures += [said] * (other.wait() != 0)
    stop.set()
    reader.join()

    assert len(failures) < 2
    assert all("something else wrote to the table" in failure for failure in failures)
    assert all(seen)
    assert len(seen) > 1
    assert tables_in(output) in whole


@pytest.mark.proof
def test_without_its_supervisor_nothing_goes_on_and_the_next_start_sweeps_what_it_left(
    tmp_path: Path,
) -> None:
    source, java = write_parquet(tmp_path / "in", 1), os.environ.get("JDK_JAVA_OPTIONS", "")
    everywhere = {"JDK_JAVA_OPTIONS": f"{java} -Djava.io.tmpdir={tmp_path}"}
    environ = {**os.environ, **everywhere, "TMPDIR": str(tmp_path)}
    with started(command(source, tmp_path / "out"), environ=environ) as process:
        await_(lambda: runs(process.pid, "pyspark.daemon"))
        everything = below(process.pid)

        os.kill(process.pid, signal.SIGKILL)
        process.wait(PATIENCE_S)

        await_(lambda: not alive(everything))
    assert any(tmp_path.glob("kafka-assignments-*"))

    ended = finished(command(tmp_path / "nowhere", tmp_path / "out"), environ)

    assert ended.returncode == 1
    assert [place.name for place in tmp_path.iterdir() if place.name not in {"in", "out"}] == [
        Path(ended.stderr.split()[-1]).name  # Spark's log
    ]
    assert Path(ended.stderr.split()[-1]).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run", "--input", "{}", "--output", "{}/out"], "lies in --input"),
        (["stream", "--input", "{}", "--output", "{}/out"], "lies in --input"),
        (["stream", "--input", "{}", "--output", "nowhere"], "around it, and would be followed"),
        (["stream", "--topic", "t", "--output", "{}"], "--topic needs --bootstrap-server"),
        (["status", "{}"], "there is no finished run in"),
        (
            ["pack", "--output", "/proc/nowhere/it.zip"],
            "No such file or directory: '/proc/nowhere'",
        ),
        (["maintain", "--output", "{}"], "there is no finished run in"),
        (["replay", "--output", "{}/typo"], "there is no finished run in"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(tmp_path: Path, words: list[str], told: str) -> None:
    (tmp_path / "again").symlink_to(tmp_path)

    ended = finished(pipeline(*(word.format(tmp_path) for word in words)))

    assert ended.returncode == 1
    [line] = ended.stderr.splitlines()
    assert line.startswith("pipeline: ")
    assert told in line
    assert not (tmp_path / "typo").exists()


@pytest.mark.parametrize(
    "command",
    [
        *("run", "maintain"),
        *(
            pytest.param(name, marks=pytest.mark.proof)
            for name in ("stream", "replay", "status", "prepare", "collect")
        ),
    ],
)
def test_every_command_has_help(command: str) -> None:
    ended = finished(pipeline(command, "--help"))

    assert ended.returncode == 0
    assert f"python -m pipeline {command}" in ended.stdout
