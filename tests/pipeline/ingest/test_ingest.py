"""Ingest all kinds of files to ``telemetry`` and ``rejected``, through Spark and Delta."""

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from pipeline.errors import PipelineError
from pipeline.ingest.files import SPARK_ERRORS, first_line, input_files
from pipeline.ingest.limits import OFFSETS
from pipeline.ingest.rows import with_rows_of
from pipeline.ingest.tables import Destination, Ingested, ingest
from pipeline.lake import Lake
from tests.pipeline.ingest.messy import NOON, line, table, write_messy

Row = Mapping[str, Any]
Ingest = Callable[..., tuple[Ingested, Lake]]


@pytest.fixture(scope="module")
def ingested(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Ingest:
    """Return a function that ingests paths into new tables."""

    def ingested(*paths: object, tasks: int = 2) -> tuple[Ingested, Lake]:
        lake = Lake(str(tmp_path_factory.mktemp("lake")))
        lake.prepare()
        files = input_files(spark, [str(path) for path in paths])
        destination = Destination(lake, "run", tasks)
        return with_rows_of(spark, files, lambda rows: ingest(rows, destination)), lake

    return ingested


@pytest.fixture(scope="module")
def messy(ingested: Ingest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Ingested, Lake]:
    folder = write_messy(tmp_path_factory.mktemp("telemetry"))
    return ingested(folder, f"{folder}/*.json", f"file://{folder}/plain.csv")


def used(lake: Lake) -> list[Row]:
    rows: list[Row] = lake.rows("telemetry").to_pylist()
    return rows


def rejected(lake: Lake) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in lake.rows("rejected").to_pylist():
        found.setdefault(Path(row["file"]).name, []).append(row)
    return found


def test_rows_in_are_rows_used_and_rows_rejected(messy: tuple[Ingested, Lake]) -> None:
    counts, lake = messy

    assert counts.rows_used == len(used(lake))
    assert counts.rows_in - counts.rows_used == sum(map(len, rejected(lake).values()))
    assert counts.rows_in - counts.rows_used == sum(counts.reasons.values())


def test_what_can_be_read_of_any_file_is_used(messy: tuple[Ingested, Lake]) -> None:
    rows = used(messy[1])

    partitions = sorted(row["partition"] for row in rows if row["topic"])
    assert partitions == [0, 1, 2, 3, 4, 5, 6, 8, 9, 9, 10]
    assert {(row["group_id"], *row["subscribed_topics"]) for row in rows if not row["topic"]} == {
        ("orders", "a", "b"),
        ('or,"ders"', "a"),
    }
    assert {row["snapshot_at"] for row in rows} == {NOON}
    assert sorted(row["log_end_offset"] for row in rows if row["log_end_offset"]) == [12, 12, 12]


def test_each_row_knows_its_file_its_bucket_and_its_day(messy: tuple[Ingested, Lake]) -> None:
    rows = used(messy[1])

    by_name = {Path(row["file"]).name: row["partition"] for row in rows}
    assert (by_name["[1]{x}%20.jsonl"], by_name["packed.json.gz"]) == (2, 3)
    assert {row["day"] for row in rows} == {NOON.date()}
    assert len({(row["group_id"], row["bucket"]) for row in rows}) == 2


def test_each_line_that_cannot_be_used_is_kept_as_it_was(messy: tuple[Ingested, Lake]) -> None:
    found = rejected(messy[1])

    assert {row["raw"] for row in found["[1]{x}%20.jsonl"]} == {"garbage", line("x").strip()}
    assert [row["raw"] for row in found["plain.csv"]] == ["eu,orders,1714564800,t"]
    assert [row["raw"] for row in found["other.csv.gz"]] == ["9,t,bye,,eu,2024-05-01T12:00:00Z"]
    assert len(found["noise.json"]) == 2
    assert "a b.json" not in found  # its blank line is not a row
    assert json.loads(found["b.parquet"][0]["raw"])["partition"] == 2**31
    assert json.loads(found["a.parquet"][0]["raw"])["log_end_offset"] == "x"


def test_the_reason_says_what_was_expected_and_what_was_found(messy: tuple[Ingested, Lake]) -> None:
    found = {name: [row["reason"] for row in rows] for name, rows in rejected(messy[1]).items()}

    whole = "partition must be a whole number from 0 to 999,999, found"
    assert sorted(found["[1]{x}%20.jsonl"]) == [f"{whole} x", "the line must be a JSON object"]
    assert found["b.parquet"] == [f"{whole} 2147483648"]
    assert found["plain.csv"] == ["the line must have 8 values, as many as the header"]
    assert found["other.csv.gz"] == ["group_id is missing"]
    header = "the file must begin with a line that names cluster, group_id, snapshot_at"
    assert found["headless.csv"] == [header] * 2


_LONG, _E_ACUTE = "n" * 32_767, "\u00e9"  # two bytes
_BROKEN: dict[str, Row] = {
    "cluster is missing": {"cluster": ""},
    "snapshot_at is missing": {"snapshot_at": None},
    "snapshot_at must be a date and time of the years 2000 to 2099 (ISO 8601, or since 1970), "
    "found 2100-01-01 00:00:00": {"snapshot_at": "2100-01-01"},
    "snapshot_at must be a date and time of the years 2000 to 2099 (ISO 8601, or since 1970), "
    "found 12:30": {"snapshot_at": "12:30"},
    "topic is missing for partition, found 7": {"topic": None},
    "partition is missing for topic, found t": {"partition": None},
    "topic, partition and member_id are all missing": {"topic": None, "partition": None},
    "partition must be a whole number from 0 to 999,999, found 1000000": {"partition": 1_000_000},
    "partition must be a whole number from 0 to 999,999, found -1": {"partition": -1},
    "log_start_offset must be 0 or more, found -2": {"log_start_offset": -2},
    "log_end_offset must be 0 or more, found -2": {"log_end_offset": -2},
    "committed_offset must be 0 or more, found -2": {"committed_offset": -2},
    "committed_offset must be a whole number, found many": {"committed_offset": "many"},
    "log_end_offset must not be below log_start_offset 5, found 4": {
        "log_start_offset": 5,
        "log_end_offset": 4,
    },
    "subscribed_topics must be a list of topics, found [1": {"subscribed_topics": "[1"},
    **{
        f"{name} must be at most 32,767 bytes, found {'n' * 80}…": {name: f"{_LONG}n"}
        for name in ("cluster", "group_id", "member_id", "client_id", "host", "rack")
    },
    f"group_instance_id must be at most 32,767 bytes, found {'n' * 80}…": {
        "group_instance_id": f"{_LONG}n"
    },
    f"topic must be at most 249 bytes, found {80 * _E_ACUTE}…": {"topic": 125 * _E_ACUTE},
}
"""By the reason, what makes a row unusable."""
_USABLE: list[Row] = [
    {"snapshot_at": "2000-01-01"},
    {"snapshot_at": "2099-12-31T23:59:59.999999Z"},
    *({"snapshot_at": 1_714_564_800 * unit} for unit in (1, 10**3, 10**6, 10**9)),
    {"snapshot_at": 1_714_564_800.0},
    {"partition": 999_999},
    {"partition": None, "topic": None, "member_id": "m"},
    {"log_start_offset": 0, "log_end_offset": 0, "committed_offset": 9},
    *(dict.fromkeys(OFFSETS, none) for none in (-1, -1001, "-1", "-1001", "NaN", "", " ", None)),
    {"topic": "n" * 249, "group_id": _LONG, "member_id": _LONG, "host": _LONG},
    {"subscribed_topics": "a; b"},
    {"subscribed_topics": "[]"},
    {"subscribed_topics": " "},
]  # fmt: skip


def test_each_rule_rejects_the_row_that_breaks_it_and_none_at_its_limit(
    ingested: Ingest, tmp_path: Path
) -> None:
    (tmp_path / "broken.json").write_text(
        "".join(line(**{"partition": 7, **row}) for row in _BROKEN.values())
    )
    (tmp_path / "usable.json").write_text(
        "".join(line(**{"partition": 7, **row}) for row in _USABLE)
    )

    counts, lake = ingested(tmp_path)

    assert {row["reason"] for row in rejected(lake).pop("broken.json")} == {*_BROKEN}
    assert (counts.rows_used, counts.rows_in) == (len(_USABLE), len(_USABLE) + len(_BROKEN))
    offsets = [row["committed_offset"] for row in used(lake)]
    assert sorted(each for each in offsets if each is not None) == [9]
    assert [row["subscribed_topics"] for row in used(lake)].count([]) == 1  # blank is unknown


def test_a_file_that_is_no_telemetry_is_one_rejected_row(messy: tuple[Ingested, Lake]) -> None:
    found = rejected(messy[1])

    assert [row["reason"] for row in found["README.md"]] == [
        "the file must be named .jsonl, .csv or .parquet"
    ]
    assert "no readable Parquet" in found["footless.parquet"][0]["reason"]
    assert [row["reason"] for row in found["foreign.parquet"]] == ["group_id is missing"] * 2
    assert not {"half.json", ".hidden.json"} & {*found}


def test_only_a_file_s_own_header_is_no_row(ingested: Ingest, tmp_path: Path) -> None:
    needed = "cluster,group_id,snapshot_at,topic"
    rows = "eu,orders,1714564800,t,1\neu,orders,1714564800,t,2\n"
    (tmp_path / "a.csv").write_text(f"{needed},partition\n{rows}")
    (tmp_path / "b.csv").write_text(f"{needed},rack,partition\neu,orders,1714564800,t,r,3\n")

    counts, lake = ingested(tmp_path)

    assert (counts.rows_in, counts.rows_used) == (3, 3)
    assert sorted((row["partition"], row["rack"]) for row in used(lake)) == [
        (1, None), (2, None), (3, "r"),
    ]  # fmt: skip


def test_a_reset_by_duration_is_usable_in_any_spelling_of_kafka_s(
    ingested: Ingest, tmp_path: Path
) -> None:
    resets = ["EARLIEST", "by_duration:PT1H", "By_Duration:p1dt1.5s", ""]
    broken = ["by_duration", "by_duration:", "by_duration:1h", "by_duration:PT", "sometimes"]
    lines = [line(n, auto_offset_reset=reset) for n, reset in enumerate(resets + broken)]
    (tmp_path / "a.json").write_text("".join(lines))

    counts, lake = ingested(tmp_path)

    assert (
        counts.reasons["auto_offset_reset unknown"]
        == counts.rows_in - counts.rows_used
        == len(broken)
    )
    kept = sorted(row["auto_offset_reset"] or "" for row in used(lake))
    assert kept == ["", "by_duration:P1DT1.5S", "by_duration:PT1H", "earliest"]


def test_integers_are_integers(ingested: Ingest, tmp_path: Path) -> None:
    header = "cluster,group_id,snapshot_at,topic,partition,log_end_offset"
    numbers = ["7", "7.0", "1e3", "0x7", "7.5", "1E0", "1.0e3", f"{2**53}.0"]
    lines = [f"eu,orders,1714564800,t,{n},{number}" for n, number in enumerate(numbers)]
    (tmp_path / "a.csv").write_text("\n".join([header, *lines]))
    floats = {"log_end_offset": pa.array([2.0**30, 1.5])}
    pq.write_table(table(pa.array([8, 9]), **floats), tmp_path / "c.parquet")
    in_json = ["8", "8.0", "2e3", "2.5E+1", "8.5"]
    text = "".join(
        line(20 + n, log_end_offset="_").replace('"_"', number) for n, number in enumerate(in_json)
    )
    text += line(30, log_end_offset=9.0, host='"log_end_offset": 1e3')
    text += line(31, note={"log_end_offset": "_"}, log_end_offset=9).replace('"_"', "1e3")
    (tmp_path / "b.json").write_text(text)

    _, lake = ingested(tmp_path)

    kept = {row["partition"]: row["log_end_offset"] for row in used(lake)}
    assert kept == {0: 7, 1: 7, 8: 2**30, 20: 8, 21: 8, 30: 9, 31: 9}
    for name, wrong in {"a.csv": numbers[2:], "b.json": in_json[2:]}.items():
        assert {row["reason"] for row in rejected(lake)[name]} == {
            f"log_end_offset must be a whole number, found {number}" for number in wrong
        }


@pytest.mark.proof  # Spark reads a damaged folder again in halves
def test_damaged_files_are_rejected_by_name_and_the_others_are_used(
    ingested: Ingest, tmp_path: Path
) -> None:
    whole = gzip.compress("".join(line(n, host=f"{n:x}" * 9) for n in range(3000)).encode())
    (tmp_path / "cut.json.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "good.json").write_text(line(0) + "no JSON\n")
    for name in ("good", "page", "footer"):
        pq.write_table(table(pa.array(range(1, 1001))), tmp_path / f"{name}.parquet")
    middle = pq.read_metadata(tmp_path / "page.parquet").row_group(0).column(4).data_page_offset
    _flip(tmp_path / "page.parquet", middle + 40)
    _flip(tmp_path / "footer.parquet", -20)

    counts, lake = ingested(tmp_path)

    assert sorted(row["partition"] for row in used(lake)) == [*range(1001)]
    found = {name: [row["reason"] for row in rows] for name, rows in rejected(lake).items()}
    assert found.keys() == {"cut.json.gz", "good.json", "page.parquet", "footer.parquet"}
    assert found["page.parquet"][0].startswith("the file is damaged and left out as a whole: ")
    assert counts.rows_in == counts.rows_used + 4


def _flip(file: Path, place: int) -> None:
    content = bytearray(file.read_bytes())
    content[place] ^= 0xFF
    file.write_bytes(content)


def test_a_link_to_a_folder_around_it_is_told_and_not_followed(
    ingested: Ingest, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.json").write_text(line(0))
    (tmp_path / "aside").mkdir()
    (tmp_path / "aside" / "b.json").write_text(line(1))
    (tmp_path / "in" / "beside").symlink_to(tmp_path / "aside")
    for name, target in {"gone.json": "nowhere", "a": "b", "b": "a", "_own": "."}.items():
        (tmp_path / "in" / name).symlink_to(target)
    (tmp_path / "it").symlink_to("it")
    assert ingested(f"{tmp_path}/i*")[0].rows_in == 2

    up = tmp_path / "in" / "up"
    up.symlink_to("..")
    with pytest.raises(PipelineError, match=r"up is a link to .*, a folder around it"):
        ingested(tmp_path / "in")
    for name in ("one", "two"):
        (tmp_path / "in" / name).symlink_to(tmp_path / "in")

    with pytest.raises(PipelineError, match=r"one is a link to .*in, a folder around it"):
        ingested(f"{tmp_path}/i*")
    with pytest.raises(PipelineError, match=r"one is a link to .*in, a folder around it"):
        ingested(f"file:{tmp_path}/in")


def test_a_path_without_files_is_refused(ingested: Ingest, tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match="nowhere cannot be listed"):
        ingested(tmp_path / "nowhere")


def test_all_rows_of_a_group_are_in_the_file_of_its_buckets(
    ingested: Ingest, tmp_path: Path
) -> None:
    lines = [line(n, group_id=f"g{group}") for group in range(40) for n in range(3)]
    (tmp_path / "a.json").write_text("".join(lines))

    _, lake = ingested(tmp_path, tasks=4)

    files = [pq.read_table(name) for name in lake.table("telemetry").file_uris()]
    ranges = [{bucket * 4 // 1024 for bucket in file["bucket"].to_pylist()} for file in files]
    assert len(files) == 4
    assert all(len(each) == 1 for each in ranges)


@pytest.mark.proof
def test_the_files_of_many_days_are_all_added(ingested: Ingest, tmp_path: Path) -> None:
    # More than one task reads the footers of: 200.
    days = [f"{NOON + timedelta(days=n):%Y-%m-%d}" for n in range(201)]
    (tmp_path / "a.json").write_text("".join(line(0, snapshot_at=f"{day} 12:00") for day in days))

    _, lake = ingested(tmp_path, tasks=1)

    files = lake.actions("telemetry")
    assert sorted(f"{day}" for day in files["partition.day"].to_pylist()) == days
    assert set(files["num_records"].to_pylist()) == {1}


_PARTITIONS = st.one_of(st.integers(-3, 5), st.sampled_from(["1", "x", None, 1.5, 2e9]))
_LINES = st.lists(
    st.one_of(_PARTITIONS.map(line), st.text(max_size=8).map(lambda text: text + "\n")),
    min_size=1,
    max_size=40,
)


@pytest.mark.proof
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
@given(files=st.lists(_LINES, min_size=1, max_size=3))
def test_whatever_the_lines_every_one_is_in_one_of_the_tables(
    ingested: Ingest, tmp_path_factory: pytest.TempPathFactory, files: list[list[str]]
) -> None:
    folder = tmp_path_factory.mktemp("drawn")
    for number, lines in enumerate(files):
        (folder / f"{number}.json").write_text("".join(lines), encoding="utf-8", newline="")

    counts, lake = ingested(folder)

    assert counts.rows_in == len(used(lake)) + sum(map(len, rejected(lake).values()))


class _DeadJavaError(Exception):
    """Calls Java for its text, as ``Py4JJavaError`` does."""

    def __str__(self) -> str:
        raise ConnectionRefusedError


def test_an_error_is_explained_when_java_no_longer_responds() -> None:
    assert "Java ran out of memory" in first_line(_DeadJavaError())


def test_an_error_in_a_python_worker_is_told_by_its_last_cause(spark: SparkSession) -> None:
    def fill(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            yield from batches
            int("the first cause")
        except ValueError as error:
            raise OSError(28, "No space left on device", "/tables/part") from error

    with pytest.raises(SPARK_ERRORS) as failed:
        spark.range(1).mapInArrow(fill, "id BIGINT").collect()

    assert first_line(failed.value) == "[Errno 28] No space left on device: '/tables/part'"


def test_a_line_too_long_for_a_header_is_none(ingested: Ingest, tmp_path: Path) -> None:
    long = "cluster,snapshot_at,group_id" + "x" * 200_000
    (tmp_path / "long.csv").write_text(f"{long}\nc,2026-01-01T00:00:00Z,g\n")

    _, lake = ingested(tmp_path)

    (rows,) = rejected(lake).values()
    assert {row["reason"].partition(" with")[0] for row in rows} == {"the file must begin"}


def test_files_of_too_many_different_headers_are_refused(ingested: Ingest, tmp_path: Path) -> None:
    for number in range(51):
        (tmp_path / f"{number}.csv").write_text(f"cluster,group_id,snapshot_at,x{number}\n")

    with pytest.raises(PipelineError, match="51 different headers; read at most 50"):
        ingested(tmp_path)
