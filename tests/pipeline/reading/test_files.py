import datetime as dt
import json
import os
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import Row, SparkSession

from pipeline.reading import ReadingError, Telemetry
from tests.pipeline.reading import judging
from tests.pipeline.reading.judging import judged, tally, usable
from tests.pipeline.reading.messy import NOON, line, table, write_messy


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("telemetry")
    return write_messy(folder)


@pytest.fixture(scope="module")
def telemetry(spark: SparkSession, folder: Path) -> Telemetry:
    return judged(spark, [str(folder), f"{folder}/*.json", f"file://{folder}/plain.csv"])


@pytest.fixture(scope="module")
def rejected(telemetry: Telemetry) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in judging.rejected(telemetry).collect():
        found.setdefault(Path(row["file"]).name, []).append(row)
    return found


def test_rows_in_are_rows_used_and_rows_rejected(telemetry: Telemetry) -> None:
    assert sum(tally(telemetry).values()) == telemetry.rows_in


def test_what_can_be_read_of_any_file_is_used(telemetry: Telemetry) -> None:
    rows = usable(telemetry).collect()

    of_cut = [row for row in rows if telemetry.files[row["file"]].name.endswith("cut.json.gz")]
    rest = [row for row in rows if row not in of_cut]
    assert 0 < len(of_cut) < 3000
    assert sorted(row["partition"] for row in rest if row["topic"]) == [
        0, 1, 2, 3, 4, 5, 6, 8, 9, 9, 10,
    ]  # fmt: skip
    assert {(row["group_id"], *row["subscribed_topics"]) for row in rest if not row["topic"]} == {
        ("orders", "a", "b"),
        ('or,"ders"', "a"),
    }
    assert {(row["cluster"], row["group_id"]) for row in rest} == {
        ("eu", "orders"),
        ("eu", 'or,"ders"'),
    }
    assert {row["snapshot_at"] for row in rest} == {NOON.replace(tzinfo=None)}
    assert sorted(row["log_end_offset"] for row in rest if row["log_end_offset"]) == [12, 12, 12]


def test_each_line_that_cannot_be_used_is_kept_as_it_was(rejected: dict[str, list[Row]]) -> None:
    assert {row["raw"] for row in rejected["[1]{x}%20.jsonl"]} == {"garbage", line("x").strip()}
    assert [row["raw"] for row in rejected["plain.csv"]] == ["eu,orders,1714564800,t"]
    assert [row["raw"] for row in rejected["other.csv.gz"]] == ["9,t,bye,,eu,2024-05-01T12:00:00Z"]
    assert len(rejected["noise.json"]) == 2
    assert "a b.json" not in rejected  # its blank line is none
    (row,) = rejected["b.parquet"]
    assert json.loads(row["raw"])["partition"] == 2**31
    (row,) = rejected["a.parquet"]
    assert json.loads(row["raw"])["log_end_offset"] == "x"


def test_a_file_that_cannot_be_read_is_one_rejected_row(rejected: dict[str, list[Row]]) -> None:
    lost = {name: [(row["raw"], row["rows"]) for row in rejected[name]] for name in rejected}

    assert lost["cut.json.gz"] == lost["cut.csv.gz"] == lost["README.md"] == [(None, None)]
    (row,) = rejected["cut.json.gz"]
    assert re.search(r"beyond its row \d+: java.io.EOFException", row["reason"])
    assert lost["footless.parquet"] == [(None, None)]
    assert lost["headless.csv"] == lost["foreign.parquet"] == [(None, 2)]


def test_columns_left_out_and_empty_files_are_said_once(telemetry: Telemetry) -> None:
    notes = "\n".join(telemetry.notes)

    words = ("note", "extra", "empty.json has no rows", "has no rows")
    assert [notes.count(word) for word in words] == [1, 1, 1, 1]


def test_hidden_files_and_leftovers_are_no_input(telemetry: Telemetry) -> None:
    names = {Path(file.name).name for file in telemetry.files}

    assert not names & {"half.json", ".hidden.json"}
    assert len(names) == len(telemetry.files) == 19


def test_files_that_arrive_later_change_nothing(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(line(0))
    telemetry = judged(spark, [str(tmp_path)])

    (tmp_path / "b.json").write_text(line(1))

    assert telemetry.rows_in == usable(telemetry).count() == 1


def test_days_before_since_are_counted_apart(spark: SparkSession, tmp_path: Path) -> None:
    early, bad = line(0, snapshot_at="2024-04-30T23:59:59Z"), line(None)
    (tmp_path / "a.json").write_text(early + line(1, snapshot_at="2024-05-01T00:00:00Z") + bad)

    telemetry = judged(spark, [str(tmp_path)], dt.date(2024, 5, 1))

    assert tally(telemetry) == {"used": 1, "before_since": 1, "rejected": 1}
    assert [row["partition"] for row in usable(telemetry).collect()] == [1]


def test_only_a_file_s_own_header_is_no_row(spark: SparkSession, tmp_path: Path) -> None:
    needed = "cluster,group_id,snapshot_at,topic"
    rows = "eu,orders,1714564800,t,1\neu,orders,1714564800,t,2\n"
    (tmp_path / "a.csv").write_text(f"{needed},partition\n{rows}{needed},partition\n")
    (tmp_path / "b.csv").write_text(f"{needed},rack\n{needed},partition\n")

    telemetry = judged(spark, [str(tmp_path)])

    assert tally(telemetry) == {"used": 2, "before_since": 0, "rejected": 1}
    assert telemetry.rows_in == 3


def test_broken_pages_of_parquet_cost_their_file_alone(spark: SparkSession, tmp_path: Path) -> None:
    broken = tmp_path / "broken.parquet"
    pq.write_table(table(pa.array(range(2000))), broken, compression="none", row_group_size=1000)
    start = pq.read_metadata(broken).row_group(1).column(0).dictionary_page_offset
    data = bytearray(broken.read_bytes())
    data[start : start + 1000] = os.urandom(1000)
    broken.write_bytes(bytes(data))
    (tmp_path / "sound.json").write_text(line(7))

    telemetry = judged(spark, [str(tmp_path)])

    assert tally(telemetry) == {"used": 1001, "before_since": 0, "rejected": 1000}
    assert telemetry.rows_in == 2001


@pytest.mark.parametrize("others", [(), ("sound",)])
def test_parquet_without_a_byte_is_unreadable_alone_as_among_others(
    spark: SparkSession, tmp_path: Path, others: tuple[str, ...]
) -> None:
    (tmp_path / "empty.parquet").write_bytes(b"")
    for name in others:
        pq.write_table(table(pa.array([1])), tmp_path / f"{name}.parquet")

    telemetry = judged(spark, [str(tmp_path)])

    assert [lost.reason for lost in telemetry.lost] == ["the file is no readable Parquet"]
    assert telemetry.rows_in == len(others)
    assert telemetry.notes == ()


def test_a_path_without_files_is_told(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="nowhere cannot be listed"):
        judged(spark, [str(tmp_path / "nowhere")])


_PARTITIONS = st.one_of(st.integers(-3, 5), st.sampled_from(["1", "x", None, 1.5, 2e9]))
_LINES = st.lists(
    st.one_of(_PARTITIONS.map(line), st.text(max_size=8).map(lambda text: text + "\n")),
    max_size=40,
)


@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(files=st.lists(_LINES, min_size=1, max_size=3))
def test_whatever_the_lines_every_one_is_accounted_for(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, files: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("drawn")
    for number, lines in enumerate(files):
        (folder / f"{number}.json").write_text("".join(lines), encoding="utf-8", newline="")

    telemetry = judged(spark, [str(folder)])

    assert sum(tally(telemetry).values()) == telemetry.rows_in
