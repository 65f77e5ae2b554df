"""Opening and reading the Delta tables of a run."""

import os
import shutil
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable, WriterProperties, convert_to_deltalake, write_deltalake

from evaluation.judging import LAG
from schemas.arrow import arrow_schema
from schemas.earlier import FORMER
from schemas.tables import TABLES
from sources.errors import SourceError
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope, in_time, of_group, rows_where
from sources.fleet.tables import Fleet
from tests.fleets import TIMES, publish, small, write, write_table


def opened(folder: Path | str) -> Fleet:
    return open_fleet(edition_of(str(folder)))


def test_every_table_is_read(tmp_path: Path) -> None:
    tables = small()

    fleet = opened(write(tmp_path / "fleet", tables))

    for table, rows in tables.items():
        names = arrow_schema(TABLES[table]).names
        found = fleet.read(table, names)
        assert found.num_rows == fleet.count(table) == len(rows)
        assert found.schema.names == names


def test_the_rows_are_those_that_were_written(tmp_path: Path) -> None:
    fleet = opened(write(tmp_path / "fleet", small()))
    names = ["cluster", "group_id", "snapshot_at", "strategy", "max_load", "rate"]

    found = fleet.read("group_summary", names).to_pylist()

    expected = [{name: row[name] for name in names} for row in small()["group_summary"]]
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_tables_of_an_earlier_release_are_read_and_judged_by_lag(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    rows = DeltaTable(f"{folder}/runs").to_pyarrow_table().drop_columns(["judged_by"])
    write_deltalake(f"{folder}/runs", rows, mode="overwrite", schema_mode="overwrite")

    fleet = opened(folder)

    assert (fleet.run["judged_by"], fleet.measure) == (None, LAG)


def of_earlier_release(folder: str) -> None:
    """Rename columns of load as an earlier release named them, which overwrote those of lag."""
    versions = {}
    for table, former in FORMER.items():
        rows = DeltaTable(f"{folder}/{table}").to_pyarrow_table()
        rows = rows.drop_columns([name for name in former.values() if name in rows.column_names])
        names = [former.get(name, name) for name in rows.column_names]
        write_deltalake(
            f"{folder}/{table}",
            rows.rename_columns(names),
            partition_by=["day"] if "day" in names else None,
            mode="overwrite",
            schema_mode="overwrite",
        )
        versions[table] = DeltaTable(f"{folder}/{table}").version()
    run = DeltaTable(f"{folder}/runs").to_pyarrow_table().to_pylist()[-1]
    publish(folder, dict(run["versions"]) | versions, judged_by=run["judged_by"])


@pytest.mark.parametrize("judged_by", ["lag", "work"])
def test_loads_of_an_earlier_release_are_read_from_its_columns_of_lag(
    tmp_path: Path, judged_by: str
) -> None:
    folder = write(tmp_path / "fleet", small(), judged_by=judged_by)
    columns = ["cluster", "group_id", "strategy", "snapshot_at", "max_load", "lower_bound"]
    asked = {
        "group_summary": [*columns, "unknown_loads", "total_load"],
        "member_load": ["member_id", "snapshot_at", "strategy", "load", "unknown_loads"],
        "recommendation": ["rank", "max_load_as_it_was", "max_load", "lower_bound", "gain_load"],
    }
    new = {table: opened(folder).read(table, names) for table, names in asked.items()}

    of_earlier_release(folder)

    fleet = opened(folder)
    for table, names in asked.items():
        assert rows_of(fleet.read(table, names)) == rows_of(new[table])
        assert rows_of(fleet.look_up(table, names, ds.field(names[0]).is_valid())) == rows_of(
            new[table]
        )
        assert not fleet.read(table, names, ds.field(names[0]).is_null()).num_rows
    lags = fleet.read("group_summary", ["max_lag", "max_load"]).to_pydict()
    loads = lags["max_load"]
    assert lags["max_lag"] == (loads if judged_by == "lag" else [None] * len(loads))


def rows_of(table: pa.Table) -> list[str]:
    return sorted(map(str, table.to_pylist()))


def test_a_measure_that_is_not_known_here_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small(), judged_by="bytes")

    with pytest.raises(SourceError, match="judged by 'bytes', which this version does not know"):
        opened(folder)


def test_rows_of_other_days_stay_unread(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    fleet = opened(folder)
    shutil.rmtree(tmp_path / "fleet" / "group_summary" / "day=2026-03-02")

    found = fleet.read("group_summary", ["day"], in_time(Scope(since=TIMES[1])))

    assert set(found["day"].to_pylist()) == {date(2026, 3, 3)}


def test_row_groups_of_other_groups_stay_unread(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    table = DeltaTable(f"{folder}/group_summary")
    write_deltalake(
        table,
        table.to_pyarrow_table().sort_by("group_id"),
        mode="overwrite",
        writer_properties=WriterProperties(max_row_group_size=3),
    )
    publish(folder, {"group_summary": table.version()})
    for file in table.file_uris():
        _damage_row_groups(Path(file), "audit")
    fleet = opened(folder)

    orders = rows_where(fleet, "group_summary", ["max_load"], of_group("prod", "orders"))

    assert len(orders) == 3 * len(TIMES)
    with pytest.raises(SourceError, match="table group_summary"):
        rows_where(fleet, "group_summary", ["max_load"], of_group("prod", "audit"))


def _damage_row_groups(file: Path, group: str) -> None:
    """Overwrite the row groups of a Parquet file that begin with a group."""
    footer, content = pq.read_metadata(file), bytearray(file.read_bytes())
    place = footer.schema.to_arrow_schema().get_field_index("group_id")
    for number in range(footer.num_row_groups):
        row_group = footer.row_group(number)
        if row_group.column(place).statistics.min == group:
            first = min(
                row_group.column(c).dictionary_page_offset or row_group.column(c).data_page_offset
                for c in range(row_group.num_columns)
            )
            size = sum(
                row_group.column(c).total_compressed_size for c in range(row_group.num_columns)
            )
            content[first : first + size] = bytes(size)
    file.write_bytes(content)


def test_a_run_is_seen_whole_while_the_next_one_writes(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    before = opened(folder)
    edition = edition_of(folder)

    version = write_table(folder, "recommendation", [])
    meanwhile = opened(folder)
    publish(folder, {**before.run["versions"], "recommendation": version})

    assert edition_of(folder) != edition
    assert before.count("recommendation") == meanwhile.count("recommendation") == 3
    assert before.read("recommendation", ["rank"]).num_rows == 3
    assert opened(folder).count("recommendation") == 0


def test_the_newest_run_is_shown_whatever_the_order_of_their_rows(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small(), run_id="new")
    versions = opened(folder).run["versions"]

    for days in (3, 2, 1):
        publish(folder, versions, run_id=f"{days}", finished_at=TIMES[0] - timedelta(days=days))

    assert opened(folder).run["run_id"] == "new"


def test_of_runs_within_a_millisecond_the_last_is_shown(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small(), finished_at=TIMES[0])
    versions = opened(folder).run["versions"]

    for micros in (999, 300, 600):
        end = TIMES[0] + timedelta(microseconds=micros)
        publish(folder, versions, run_id=f"{micros}", finished_at=end)

    assert opened(folder).run["run_id"] == "999"


def test_a_run_tells_what_it_recorded(tmp_path: Path) -> None:
    quality = '{"offsets_backwards": 2, "rejected": []}'

    fleet = opened(write(tmp_path / "fleet", small(), rows_in=7, quality=quality, progress="{"))

    assert fleet.run["rows_in"] == 7
    assert fleet.run["quality"] == {"offsets_backwards": 2, "rejected": []}
    assert fleet.run["progress"] == "{"
    assert fleet.run["rows_used"] is None


def test_a_recreated_folder_is_another_edition(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    before = edition_of(folder)
    again = edition_of(folder)

    shutil.rmtree(folder)
    write(folder, {})

    assert again == before
    assert edition_of(folder) != before


def test_columns_beyond_those_of_the_schema_do_no_harm(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    schema = arrow_schema(TABLES["rejected"])
    rows = pa.Table.from_pylist(
        [{"file": "c", "new": 1}], schema.append(pa.field("new", pa.int8()))
    )

    write_deltalake(f"{folder}/rejected", rows, mode="append", schema_mode="merge")
    publish(folder, {**opened(folder).run["versions"], "rejected": 1})

    assert opened(folder).count("rejected") == len(small()["rejected"]) + 1


def test_times_in_the_form_of_older_sparks_are_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    table = tmp_path / "fleet" / "recommendation"
    rows = pa.Table.from_pylist(list(small()["recommendation"]), arrow_schema(TABLES[table.name]))
    shutil.rmtree(table)
    table.mkdir()
    pq.write_table(rows, table / "part-0.parquet", use_deprecated_int96_timestamps=True)

    convert_to_deltalake(table)

    found = opened(folder).read("recommendation", ["window_start"])["window_start"]
    assert set(found.to_pylist()) == {TIMES[0]}


def drop_table(folder: Path) -> None:
    shutil.rmtree(folder / "group_summary")


def drop_from_run(folder: Path) -> None:
    versions = opened(folder).run["versions"]
    publish(folder, {name: version for name, version in versions.items() if name == "rejected"})


def drop_column(folder: Path) -> None:
    schema = arrow_schema(TABLES["group_summary"])
    schema = schema.remove(schema.get_field_index("max_load"))
    again(folder, schema)


def change_type(folder: Path) -> None:
    schema = arrow_schema(TABLES["group_summary"])
    at = schema.get_field_index("max_load")
    again(folder, schema.set(at, pa.field("max_load", pa.string())))


def again(folder: Path, schema: pa.Schema) -> None:
    version = write_table(folder, "group_summary", [], schema)
    publish(folder, {**opened(folder).run["versions"], "group_summary": version})


def damage(folder: Path) -> None:
    for path in (folder / "group_summary").rglob("*.parquet"):
        path.write_bytes(b"PAR1 and no more" * 1000)


def damage_log(folder: Path) -> None:
    (folder / "group_summary" / "_delta_log" / f"{0:020}.json").write_text("{")


def vacuum(folder: Path) -> None:
    for path in (folder / "group_summary").rglob("*.parquet"):
        path.unlink()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (drop_table, "table group_summary in .* cannot be read"),
        (drop_from_run, "wrote no table group_summary; make the tables anew: python -m"),
        (drop_column, "table group_summary in .* has no column 'max_load'; make the tables anew"),
        (change_type, "column 'max_load' of table group_summary .* is string where int64"),
        (damage, "table group_summary in .* cannot be read"),
        (damage_log, "table group_summary in .* cannot be read"),
        (vacuum, "table group_summary in .* cannot be read"),
    ],
)
def test_what_is_wrong_with_a_table_is_one_sentence(
    tmp_path: Path, spoil: Callable[[Path], None], sentence: str
) -> None:
    write(tmp_path, small())
    spoil(tmp_path)

    with pytest.raises(SourceError, match=sentence) as error:
        opened(tmp_path).read("group_summary", ["max_load"])

    assert "\n" not in str(error.value)
    assert "\x1b" not in str(error.value)


def damage_runs(folder: Path) -> None:
    for path in (folder / "runs" / "_delta_log").iterdir():
        path.write_text("{")


def damage_rows_of_runs(folder: Path) -> None:
    for path in (folder / "runs").glob("*.parquet"):
        path.write_bytes(b"no")


@pytest.mark.parametrize("spoil", [damage_runs, damage_rows_of_runs])
def test_a_damaged_table_of_runs_is_one_sentence(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    write(tmp_path, small())
    spoil(tmp_path)

    with pytest.raises(SourceError, match="cannot be read") as error:
        opened(tmp_path)

    assert "\n" not in str(error.value)


def test_each_kind_of_folder_without_a_run_has_its_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    (tmp_path / "empty").mkdir()
    write(tmp_path / "fleet", small())
    write_table(tmp_path / "begun", "telemetry", [])

    for folder, sentence in {
        "none": "none does not exist; choose the folder given to the pipeline",
        "a.txt": "a.txt is a file, not a folder",
        "empty": "empty is empty",
        ".": r"holds no tables of the pipeline, but a.txt, begun, empty and fleet;",
        "begun": "begun holds no finished run yet; wait for the pipeline",
        "fleet/rejected": "rejected is a single Delta table; choose the folder that holds it",
    }.items():
        with pytest.raises(SourceError, match=sentence):
            edition_of(str(tmp_path / folder))


@pytest.mark.parametrize(
    "inside", ["_versions/1/rejected", "_commits", "group_summary/day=2026-03-02"]
)
def test_the_output_of_an_earlier_version_is_refused_with_how_to_recreate_it(
    tmp_path: Path, inside: str
) -> None:
    (tmp_path / inside).mkdir(parents=True)

    with pytest.raises(
        SourceError, match=r"written by an earlier version; make the tables anew: .* --output"
    ):
        edition_of(str(tmp_path))


def test_runs_without_a_row_are_no_finished_run(tmp_path: Path) -> None:
    write_table(tmp_path, "runs", [])

    with pytest.raises(SourceError, match="holds no finished run yet"):
        opened(tmp_path)


def test_missing_credentials_are_reported_with_the_settings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    with pytest.raises(SourceError, match=r"; start this server with AWS_ACCESS_KEY_ID, .* set"):
        edition_of("s3://bucket/fleet")


def test_reading_leaves_no_trace(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    before = sorted(tmp_path.rglob("*"))

    fleet = opened(folder)
    fleet.read("group_summary", ["cluster"])
    with pytest.raises(SourceError):
        edition_of(str(tmp_path / "none"))

    assert sorted(tmp_path.rglob("*")) == before
    assert DeltaTable(f"{folder}/runs").version() == fleet.edition.version
