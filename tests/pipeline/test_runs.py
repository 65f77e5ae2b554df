"""Whole runs through Spark and Delta, compared with a slow and plain replay."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from deltalake import write_deltalake
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from assignors.clients.registry import ALL_STRATEGIES
from evaluation.judging import JudgeBy
from pipeline.batches import MicroBatch
from pipeline.conflicts import ConflictError
from pipeline.errors import PipelineError
from pipeline.horizons import EVERYTHING
from pipeline.ingest.files import input_files
from pipeline.ingest.rows import rows_of
from pipeline.jobs.replay import replayed
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.recommendation import ranked, recommended
from pipeline.replay.fleet import merged_states
from pipeline.replay.states import newest
from pipeline.runs import Run
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY
from tests.pipeline.lakes import FailingLake, SharedLake, WatchedLake, added
from tests.pipeline.replay.fleets import Row, at, fleets
from tests.pipeline.replay.reference import expected
from tests.pipeline.replay.test_replay import differences
from tests.pipeline.telemetry import tables_in

NAMES: Final = ("range", "sticky", "load-sticky", "franz-go-cooperative-sticky")
FIGURES: Final = ("partition_lag", "group_member", "member_load", "group_summary")
_FLEETS: Final = 6
_FEWEST: Final = 60


@st.composite
def companies(draw: st.DrawFn) -> list[Row]:
    """Draw several fleets with distinct clusters."""
    rows: list[Row] = []
    for number in range(_FLEETS):
        fleet = draw(fleets())
        rows += [{**row, "cluster": f"{row['cluster']}-{number}"} for row in fleet]
    return rows


def lake_in(folder: Path) -> Lake:
    lake = Lake(str(folder))
    lake.prepare()
    return lake


def write(folder: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write telemetry as Parquet, one file per file name in the rows."""
    folder.mkdir(parents=True, exist_ok=True)
    schema = arrow_schema(TELEMETRY)
    for name in {row["file"] for row in rows}:
        own = [dict.fromkeys(schema.names) | {**row} for row in rows if row["file"] == name]
        known = [{key: row[key] for key in schema.names} for row in own]
        pq.write_table(pa.Table.from_pylist(known, schema), folder / f"{name}.parquet")
    return folder


def rows_in(lake: Lake, table: str) -> list[Row]:
    """Return the rows of a table at the newest run's version, without the day."""
    run = lake.latest()
    assert run is not None
    rows = lake.rows(table, run["versions"][table])
    if table == "checkpoint":
        rows = newest(rows)
    return [
        {name: value for name, value in row.items() if name not in {"day", "file"}}
        for row in rows.to_pylist()
    ]


def everything_in(lake: Lake, *tables: str) -> dict[str, list[str]]:
    """Return the sorted rows of these tables, by default all."""
    tables = tables or ("telemetry", *FIGURES, "rejected", "checkpoint", "recommendation")
    return {name: sorted(map(repr, rows_in(lake, name))) for name in tables}


_TOLD: Final = pytest.mark.filterwarnings("ignore:Generating overly large repr")
"""Hypothesis prints a fleet that fails; its warning of the size would take the failure's place."""
_ONE = settings(
    max_examples=1, phases=[Phase.generate], deadline=None, suppress_health_check=list(HealthCheck)
)


@_TOLD
@_ONE
@given(fleet=companies())
def test_every_table_is_what_a_plain_loop_finds(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, fleet: list[Row]
) -> None:
    assume(len(fleet) > _FEWEST)
    folder = tmp_path_factory.mktemp("batch")
    lake = lake_in(folder / "out")
    wanted = expected(fleet, [ALL_STRATEGIES[name] for name in NAMES])

    run = Run(spark, lake, NAMES, Progress()).batch([str(write(folder / "in", fleet))])

    for name in FIGURES:
        assert not differences(rows_in(lake, name), getattr(wanted, name)), name
    assert len(rows_in(lake, "rejected")) == run["rows_rejected"] == len(wanted.rejected)
    assert len(rows_in(lake, "telemetry")) == run["rows_used"]
    assert run["rows_in"] == run["rows_used"] + run["rows_rejected"] == len(fleet)
    summary = lake.rows("group_summary")
    assert rows_in(lake, "recommendation") == ranked(recommended(summary, NAMES)).to_pylist()
    assert run["snapshots"] == len({_snapshot(row) for row in fleet})
    assert run["groups"] == len({(row["cluster"], row["group_id"]) for row in fleet})


@pytest.mark.parametrize("most", [2, pytest.param(4, marks=pytest.mark.proof)])
@_TOLD
@_ONE
@given(fleet=companies())
def test_a_stream_leaves_the_tables_of_a_batch(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, most: int, fleet: list[Row]
) -> None:
    assume(len(fleet) > _FEWEST)
    kept = sorted({row["snapshot_at"] for row in fleet})[:most]
    fleet = [row for row in fleet if row["snapshot_at"] in kept]
    folder = tmp_path_factory.mktemp("stream")
    batch, stream = lake_in(folder / "batch"), lake_in(folder / "stream")
    clusters = {row["cluster"] for row in fleet}  # each of which waits for a later snapshot
    last = [_rows(10_000, partitions=1, file="9")[0] | {"group_id": "last"}]
    last = [{**row, "cluster": cluster} for cluster in sorted(clusters) for row in last]
    moments = sorted({row["snapshot_at"] for row in fleet})
    Run(spark, batch, NAMES, Progress()).batch([str(write(folder / "in", fleet))])

    for number in range(len(moments) + 1):
        due = [row for row in fleet if _arrives(row, moments) == number]
        due += last if number == len(moments) else []
        micro(spark, stream, number, write(folder / f"{number}", due) if due else None)

    streamed = everything_in(stream)
    settled = len(rows_in(batch, "telemetry"))
    assert len(rows_in(stream, "telemetry")) == settled + len(clusters)
    for name, rows in everything_in(batch).items():
        assert [row for row in streamed[name] if "'last'" not in row] == rows, name


def _arrives(row: Row, moments: Sequence[Any]) -> int:
    """Return the micro-batch of a row; every other row comes one batch later than it could."""
    return moments.index(row["snapshot_at"]) + (row.get("partition") or 0) % 2


def micro(
    spark: SparkSession, lake: Lake, number: int, folder: Path | None, lateness_s: int = 300
) -> dict[str, Any] | None:
    """Publish a micro-batch of the files in a folder."""
    lateness = timedelta(seconds=lateness_s)
    batch = MicroBatch(spark, lake, NAMES, Progress(), lateness=lateness, query="q", number=number)
    rows = rows_of(spark, input_files(spark, [str(folder)])) if folder else None
    return batch.publish(rows, 0)


def _snapshot(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("cluster", "group_id", "snapshot_at"))


def _rows(
    snapshot_s: float, *, partitions: int = 3, file: str = "0", ends: Sequence[int] = (90,) * 3
) -> list[Row]:
    about = {"cluster": "eu", "group_id": "g", "topic": "t", "file": file}
    moment = {"snapshot_at": at(snapshot_s)}
    return [
        {**about, **moment, "partition": p, "member_id": f"c{p % 2}", "committed_offset": 10 * p}
        | {"log_end_offset": ends[p]}
        for p in range(partitions)
    ]


@pytest.mark.proof
def test_a_batch_that_failed_half_way_is_rolled_back_and_repeated(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake, whole = lake_in(tmp_path / "out"), lake_in(tmp_path / "whole")
    first, second = write(tmp_path / "1", _rows(0)), write(tmp_path / "2", _rows(60))
    for target in (lake, whole):
        micro(spark, target, 0, first, lateness_s=0)
    before = everything_in(lake)

    with pytest.raises(OSError, match="the disk is full"):
        micro(spark, FailingLake(lake.output), 1, second, lateness_s=0)

    assert lake.table("telemetry").version() > latest_of(lake)["versions"]["telemetry"]
    assert everything_in(lake) == before
    for target in (lake, whole):
        micro(spark, target, 1, second, lateness_s=0)
    assert everything_in(lake) == everything_in(whole)
    assert micro(spark, lake, 1, second) is None  # Spark retries a batch that was killed


@pytest.mark.proof
def test_a_stream_looks_up_the_ends_that_tell_lags_by_duration(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake, about = lake_in(tmp_path / "out"), {"auto_offset_reset": "by_duration:PT3M"}
    seconds = [60 * n + 0.0007 for n in range(5)]  # Delta's log knows milliseconds
    for number, minutes in enumerate([(0,), (1,), (2,), (3, 4)]):  # the last looks into two files
        rows = [
            row | about | {"committed_offset": None, "log_end_offset": 100 * n + row["partition"]}
            for n in minutes
            for row in _rows(seconds[n])
        ]
        micro(spark, lake, number, write(tmp_path / f"{number}", rows), lateness_s=0)

    lags = [(row["snapshot_at"], row["lag"]) for row in rows_in(lake, "partition_lag")]

    wanted = [None, None, None, 300, 300]
    assert sorted(lags, key=str) == [
        (at(seconds[n]), wanted[n]) for n in range(5) for _ in range(3)
    ]


@pytest.mark.proof
def test_many_small_files_of_states_are_merged_and_leftovers_dropped(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = lake_in(tmp_path / "out")
    large = [{**_rows(0)[0], "group_id": f"g{n}"} for n in range(100)]
    micro(spark, lake, 0, write(tmp_path / "0", large), lateness_s=0)
    micro(spark, lake, 1, write(tmp_path / "1", _rows(60)[:1]), lateness_s=0)
    (small,) = lake.actions("checkpoint").sort_by("num_records").slice(0, 1).to_pylist()
    state = lake.rows("checkpoint").filter(pc.field("snapshot_at") == at(60))
    version, moments = lake.table("checkpoint").version(), [at(60 + n) for n in range(1, 17)]
    for moment in moments:
        later = state.set_column(2, "snapshot_at", pa.array([moment], pa.timestamp("us", "UTC")))
        version = added(lake, "checkpoint", later, after=version)

    version = merged_states(spark, lake, version, EVERYTHING)

    files = lake.actions("checkpoint", version).to_pylist()
    assert sorted(file["num_records"] for file in files) == [1, 100]
    assert small["path"] not in {file["path"] for file in files}
    states = newest(lake.rows("checkpoint", version))
    assert states.num_rows == 101
    assert max(states["snapshot_at"].to_pylist()) == moments[-1]
    assert merged_states(spark, lake, version, EVERYTHING) == version


@pytest.mark.proof
def test_a_reader_of_a_stream_sees_whole_batches_and_every_row_is_in_one_table(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = lake_in(tmp_path / "out")
    watched, rows = WatchedLake(lake.output), 0
    nobody = {**_rows(60)[0], "group_id": None}
    batches = [_rows(0), [*_rows(60), *_rows(60, file="1"), nobody], [*_rows(1), *_rows(600)]]
    for number, batch in enumerate(batches):
        before = tables_in(lake.output) if number else {}

        run = micro(
            spark, watched if number else lake, number, write(tmp_path / f"{number}", batch), 9
        )

        rows += len(batch)
        assert all(seen == before for seen in watched.seen)
        watched.seen.clear()
        assert run is not None
        assert run["rows_in"] == rows == run["rows_used"] + run["rows_rejected"]
        assert len(rows_in(lake, "rejected")) == run["rows_rejected"]
        assert len(rows_in(lake, "telemetry")) == run["rows_used"]
        assert len(rows_in(lake, "partition_lag")) == run["rows_used"] - run["rows_pending"]
    assert latest_of(lake)["rows_rejected"] == 2 * len(_rows(1)) + 1


@pytest.mark.proof
def test_tables_of_an_earlier_version_are_read_and_added_to(
    spark: SparkSession, tmp_path: Path
) -> None:
    lacking = {"telemetry": "rack", "group_summary": "rate"}
    lake, whole = lake_in(tmp_path / "out"), lake_in(tmp_path / "whole")
    parts = [write(tmp_path / str(number), _rows(60 * number)) for number in range(3)]
    for target in (lake, whole):
        micro(spark, target, 0, parts[0], lateness_s=60)
    for table, column in lacking.items():
        _drop(lake, table, column)

    lake.prepare()
    assert all(column in lake.rows(table).column_names for table, column in lacking.items())
    for target in (lake, whole):
        micro(spark, target, 1, parts[1], lateness_s=60)
    assert everything_in(lake) == everything_in(whole)
    for target in (lake, whole):  # and again when all tables are replaced
        Run(spark, target, (*NAMES, "fair"), Progress()).replay(latest_of(target))
    assert everything_in(lake) == everything_in(whole)


def _drop(lake: Lake, table: str, column: str) -> None:
    """Rewrite a table's published version without a column, as an earlier release wrote it."""
    run = latest_of(lake)
    rows = lake.rows(table, run["versions"][table]).drop_columns([column])
    write_deltalake(lake.table(table), rows, mode="overwrite", schema_mode="overwrite")
    versions = {**run["versions"], table: lake.table(table).version()}
    lake.publish({**run, "versions": versions}, run)


@pytest.mark.proof
def test_a_stream_judges_its_window_anew_when_an_hour_of_snapshots_begins(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake, seen = lake_in(tmp_path / "out"), []
    for number, second in enumerate((0, 60, 180)):  # 23:58, 23:59 and 00:01
        folder = write(tmp_path / f"{number}", _rows(second))
        batch = MicroBatch(
            spark, lake, NAMES, Progress(),
            lateness=timedelta(0), window=timedelta(minutes=2), query="q", number=number,
        )  # fmt: skip
        batch.publish(rows_of(spark, input_files(spark, [str(folder)])), 0)
        (row,) = rows_in(lake, "recommendation")
        seen.append((row["window_start"], row["window_end"], row["snapshots"]))

    assert seen == [(at(0), at(0), 1), (at(0), at(0), 1), (at(180), at(180), 1)]


def test_files_without_a_usable_row_leave_the_tables_as_they_are_unless_that_is_wanted(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake, good = lake_in(tmp_path / "out"), write(tmp_path / "good", _rows(0))
    Run(spark, lake, NAMES, Progress()).batch([str(good)])
    before, versions = lake.latest(), [lake.table(name).version() for name in FIGURES]
    (tmp_path / "wrong.jsonl").write_text('level=INFO "no telemetry"\n')
    (tmp_path / "blank.jsonl").write_text("\n")

    for name, says in (("wrong", "wrong.jsonl: .*JSON object: .level=INFO"), ("blank", "no rows")):
        with pytest.raises(PipelineError, match=says):
            Run(spark, lake, NAMES, Progress()).batch([str(tmp_path / f"{name}.jsonl")])
        assert lake.latest() == before
        assert [lake.table(name).version() for name in FIGURES] == versions
    wrong = [str(tmp_path / "wrong.jsonl")]
    row = Run(spark, lake, NAMES, Progress(), allow_empty=True).batch(wrong)

    assert (row["rows_in"], row["rows_used"], rows_in(lake, "group_summary")) == (1, 0, [])


def test_rows_before_the_watermark_are_late_and_rejected(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = lake_in(tmp_path / "out")
    micro(spark, lake, 0, write(tmp_path / "1", _rows(600)), lateness_s=60)

    micro(spark, lake, 1, write(tmp_path / "2", [*_rows(540), *_rows(541)]), 60)  # it stays 540
    run = micro(spark, lake, 2, write(tmp_path / "3", [*_rows(530), *_rows(700)]), 60)

    assert run is not None
    reasons = {each["reason"]: each["rows"] for each in json.loads(run["quality"])["rejected"]}
    assert reasons == {"late": 6}
    assert (run["rows_in"], run["rows_rejected"], run["rows_pending"]) == (15, 6, 3)
    assert run["last_snapshot"] == at(600)


def test_a_snapshot_ahead_of_the_clock_makes_no_other_late(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake, now_s = lake_in(tmp_path / "out"), (datetime.now(UTC) - at()).total_seconds()
    ahead = [*_rows(now_s - 7_200), *_rows(now_s + 1_800), *_rows(now_s + 86_400)]
    micro(spark, lake, 0, write(tmp_path / "1", ahead), lateness_s=3_600)

    run = micro(spark, lake, 1, write(tmp_path / "2", _rows(now_s - 1_800)), lateness_s=3_600)

    assert run is not None
    assert (run["rows_in"], run["rows_rejected"], run["rows_pending"]) == (12, 3, 6)
    reasons = {each["reason"]: each["rows"] for each in json.loads(run["quality"])["rejected"]}
    assert reasons == {"ahead of the clock": 3}


@pytest.mark.proof
def test_a_wrong_clock_among_the_files_of_a_run_does_not_stop_a_stream(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake, now_s = lake_in(tmp_path / "out"), (datetime.now(UTC) - at()).total_seconds()
    files = write(tmp_path / "1", [*_rows(now_s - 7_200), *_rows(now_s + 70 * 365 * 86_400)])
    first = Run(spark, lake, NAMES, Progress()).batch([str(files)])

    run = micro(spark, lake, 0, write(tmp_path / "2", _rows(now_s - 1_800)), lateness_s=60)

    assert (first["rows_in"], first["rows_rejected"]) == (6, 3)
    assert first["last_snapshot"] == at(now_s - 7_200)
    assert run is not None
    assert (run["rows_in"], run["rows_rejected"], run["rows_pending"]) == (9, 3, 3)


@pytest.mark.proof
def test_a_group_with_an_absurd_partition_is_set_aside_at_that_snapshot(
    spark: SparkSession, tmp_path: Path
) -> None:
    other = [{**row, "group_id": "other"} for row in _rows(60)]
    absurd = {**_rows(60)[0], "partition": 999_999}
    lake, whole = lake_in(tmp_path / "out"), lake_in(tmp_path / "whole")
    first, third = write(tmp_path / "1", _rows(0)), write(tmp_path / "3", _rows(120))
    for target, second in ((lake, [*_rows(60), absurd, *other]), (whole, other)):
        source = write(tmp_path / f"2-{len(second)}", second)
        for number, arriving in enumerate((first, source, third)):
            micro(spark, target, number, arriving, lateness_s=0)

    run, rejected = latest_of(lake), rows_in(lake, "rejected")

    for table in ("telemetry", *FIGURES, "checkpoint", "recommendation"):
        assert everything_in(lake, table) == everything_in(whole, table), table
    assert run["rows_in"] == 13 == run["rows_used"] + len(rejected)
    (reason,) = {row["reason"] for row in rejected}
    assert reason == (
        "expected partition numbers up to 1,039 in topic t, of which the group has 4 rows at this "
        "snapshot, found 999,999; so the group is set aside at it"
    )
    assert json.loads(run["quality"])["rejected"] == [
        {"reason": "absurd partition: group set aside", "rows": 4}
    ]


def test_a_run_on_invalid_rows_accounts_for_each(spark: SparkSession, tmp_path: Path) -> None:
    lake = lake_in(tmp_path / "out")
    (tmp_path / "a.jsonl").write_text("no JSON\n[1, 2]\n")
    (tmp_path / "b.parquet").write_bytes(b"PAR1 and no more")

    run = Run(spark, lake, NAMES, Progress(), allow_empty=True).batch([str(tmp_path / "*.*")])

    assert (run["rows_in"], run["rows_used"], run["groups"]) == (3, 0, 0)
    assert sorted(str(row["raw"]) for row in rows_in(lake, "rejected")) == [
        *("None", "[1, 2]", "no JSON")
    ]
    assert not any(rows_in(lake, table) for table in (*FIGURES, "recommendation"))


@pytest.mark.proof
def test_other_strategies_are_replayed_over_what_is_there(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake, whole = lake_in(tmp_path / "out"), lake_in(tmp_path / "whole")
    source = write(tmp_path / "in", [*_rows(0), *_rows(60), *_rows(60, file="1")])
    base = Run(spark, lake, ("range",), Progress()).batch([str(source)])
    for file in source.iterdir():
        file.unlink()

    Run(spark, lake, ("range", "fair"), Progress()).replay(base)

    write(tmp_path / "in", [*_rows(0), *_rows(60), *_rows(60, file="1")])
    Run(spark, whole, ("range", "fair"), Progress()).batch([str(source)])
    assert everything_in(lake) == everything_in(whole)
    assert latest_of(lake)["rows_rejected"] == 3


@pytest.mark.proof
def test_a_stream_goes_on_with_the_strategies_that_were_replayed_later(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake, whole = lake_in(tmp_path / "out"), lake_in(tmp_path / "whole")
    parts = [write(tmp_path / str(n), _rows(60 * n, file=str(n))) for n in range(3)]
    lateness = timedelta(seconds=60)

    def publish(target: Lake, number: int, strategies: tuple[str, ...]) -> None:
        batch = MicroBatch(
            spark, target, strategies, Progress(), lateness=lateness, query="q", number=number
        )
        batch.publish(rows_of(spark, input_files(spark, [str(parts[number])])), 0)

    for number in (0, 1):
        publish(lake, number, NAMES[:1])
    Run(spark, lake, NAMES, Progress()).replay(latest_of(lake))
    publish(lake, 2, NAMES)

    for number in range(3):
        publish(whole, number, NAMES)
    assert everything_in(lake) == everything_in(whole)
    assert latest_of(lake)["rows_pending"] == latest_of(whole)["rows_pending"] == len(_rows(0))


def test_a_stream_does_not_mix_strategies(spark: SparkSession, tmp_path: Path) -> None:
    lake = lake_in(tmp_path / "out")
    source = write(tmp_path / "in", _rows(0))
    Run(spark, lake, ("range",), Progress()).batch([str(source)])

    with pytest.raises(PipelineError, match="was replayed for range; give these as"):
        micro(spark, lake, 0, source)


def test_tables_are_replayed_by_another_measure_as_if_they_had_been_made_by_it(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake, whole = lake_in(tmp_path / "out"), lake_in(tmp_path / "whole")
    source = write(tmp_path / "in", [*_rows(0), *_rows(60, ends=(90, 690, 100))])
    Run(spark, lake, NAMES, Progress()).batch([str(source)])

    replayed(spark, lake, (), Progress(), JudgeBy.WORK)
    kept = replayed(spark, lake, (), Progress())

    Run(spark, whole, NAMES, Progress(), JudgeBy.WORK).batch([str(source)])
    assert everything_in(lake) == everything_in(whole)
    assert kept["judged_by"] == "work"
    # At 60: 10 a second arrive in the second partition, whose lag is 680; 300 s of that are due.
    summary = [row for row in rows_in(lake, "group_summary") if row["rate"]]
    assert {(row["total_lag"], row["total_load"]) for row in summary} == {
        (90 + 680 + 80, 90 + (680 + 3_000) + (80 + 50))
    }


@pytest.mark.proof
def test_a_stream_does_not_mix_measures_and_keeps_that_of_an_earlier_release(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = lake_in(tmp_path / "out")
    first = micro(spark, lake, 0, write(tmp_path / "1", _rows(0)), lateness_s=0)
    assert first is not None
    lake.publish({**first, "judged_by": None}, lake.latest())

    second = micro(spark, lake, 1, write(tmp_path / "2", _rows(60)), lateness_s=0)

    assert second is not None
    assert (first["judged_by"], second["judged_by"]) == ("lag", None)
    with pytest.raises(PipelineError, match="judged by lag; give --judge-by lag, or replay it"):
        MicroBatch(
            spark, lake, NAMES, Progress(), JudgeBy.RATE, lateness=timedelta(0), query="q", number=2
        ).publish(None, 0)


def test_a_stream_beside_another_writer_publishes_nothing(
    spark: SparkSession, tmp_path: Path
) -> None:
    lake = lake_in(tmp_path / "out")
    micro(spark, lake, 0, write(tmp_path / "1", _rows(0)), lateness_s=0)
    before = lake.latest()

    with pytest.raises(ConflictError, match="something else wrote to the table group_summary"):
        micro(spark, SharedLake(lake.output), 1, write(tmp_path / "2", _rows(60)), lateness_s=0)

    assert lake.latest() == before
