"""Names and tables of hostile or broken writers: each is reported in one sentence."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from schemas.arrow import arrow_schema
from schemas.tables import TABLES
from sources.errors import SourceError, UnexpectedError
from sources.fleet.location import LocationPolicy, permitted
from sources.fleet.runs import edition_of, open_fleet
from tests.fleets import small, write
from tests.hostile.mutations import mutated

DEEP: Final = '{"a":' * 100_000
CHANGED_LOGS: Final = 300
NAMES: Final = {
    "the home of nobody": "~nosuchuser/x",
    "a NUL": "a\x00b",
    "half a character": "a\ud800b",
    "a long name": "x" * 300,
    "a long path": "x/" * 5_000,
    "a line break": "a\nb",
}


@pytest.mark.parametrize(
    "policy", [LocationPolicy(None, is_local=True), LocationPolicy("/", is_local=True)]
)
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_strange_name_of_a_folder_is_one_sentence(name: str, policy: LocationPolicy) -> None:
    with pytest.raises(SourceError) as caught:
        edition_of(permitted(name, policy), policy.resolved_root)

    assert not isinstance(caught.value, UnexpectedError)
    assert "\n" not in str(caught.value)
    str(caught.value).encode()


def nested_commit(table: Path) -> None:
    (table / "_delta_log" / f"{0:020}.json").write_text(DEEP)


def nested_statistics(table: Path) -> None:
    log = table / "_delta_log" / f"{0:020}.json"
    deep = DEEP.replace('"', '\\"')
    log.write_text(log.read_text().replace('"stats":"', f'"stats":"{deep}'))


def empty_commit(table: Path) -> None:
    (table / "_delta_log" / f"{0:020}.json").write_bytes(b"")


def commit_of_noise(table: Path) -> None:
    (table / "_delta_log" / f"{0:020}.json").write_bytes(bytes(range(256)) * 40)


@pytest.mark.parametrize("spoil", [nested_commit, empty_commit, commit_of_noise])
@pytest.mark.parametrize("table", ["runs", "group_summary"])
def test_a_damaged_log_is_one_sentence(
    tmp_path: Path, table: str, spoil: Callable[[Path], None]
) -> None:
    folder = write(tmp_path / "fleet", small())
    spoil(tmp_path / "fleet" / table)

    with pytest.raises(SourceError) as caught:
        open_fleet(edition_of(folder)).read(table, ["cluster"])

    assert not isinstance(caught.value, UnexpectedError)
    assert "\n" not in str(caught.value)


def test_statistics_nested_deep_do_no_harm(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    nested_statistics(tmp_path / "fleet" / "group_summary")

    try:
        rows = open_fleet(edition_of(folder)).read("group_summary", ["cluster"]).num_rows
    except SourceError:
        return

    assert rows == len(small()["group_summary"])


@pytest.mark.parametrize(
    "text", [DEEP, '{"a": 1e999}', '{"a": Infinity}', '{"a": "\\ud800"}', "[" * 100_000]
)
def test_a_report_that_is_no_json_is_kept_as_text(tmp_path: Path, text: str) -> None:
    folder = write(tmp_path / "fleet", small(), quality=text)

    assert open_fleet(edition_of(folder)).run["quality"] == text


def test_text_that_is_no_utf_8_is_one_sentence(tmp_path: Path) -> None:
    folder = write(tmp_path / "fleet", small())
    schema = arrow_schema(TABLES["rejected"])
    bytes_ = pa.array([b"\xff\xfe"], pa.binary())
    table = pa.table(
        {name: bytes_.view(pa.string()) for name in schema.names},
        schema=pa.schema([(name, pa.string()) for name in schema.names]),
    )
    file = next((tmp_path / "fleet" / "rejected").rglob("*.parquet"))
    pq.write_table(table, file)

    with pytest.raises(SourceError, match=r"table rejected in .* cannot be read"):
        open_fleet(edition_of(folder)).read("rejected", ["raw"])


@pytest.mark.parametrize("mode", ["name", "id"])
@pytest.mark.parametrize("table", ["runs", "group_summary"])
def test_a_table_with_column_mapping_is_refused(tmp_path: Path, table: str, mode: str) -> None:
    folder = write(tmp_path / "fleet", small())
    log = tmp_path / "fleet" / table / "_delta_log" / f"{0:020}.json"
    mapped = f'"configuration":{{"delta.columnMapping.mode":"{mode}"}}'
    plain = log.read_text()
    assert plain.count('"configuration":{}') == 1
    log.write_text(plain.replace('"configuration":{}', mapped))

    with pytest.raises(SourceError, match=f"table {table} .* maps columns .*mode={mode}"):
        open_fleet(edition_of(folder)).read(table, ["cluster"])


@pytest.mark.slow
@pytest.mark.parametrize("table", ["runs", pytest.param("group_summary", marks=pytest.mark.proof)])
def test_a_log_with_anything_changed_is_read_or_refused_in_a_sentence(
    tmp_path: Path, table: str
) -> None:
    folder = write(tmp_path / "fleet", small())
    log = tmp_path / "fleet" / table / "_delta_log" / f"{0:020}.json"
    whole = log.read_bytes()

    for number in range(CHANGED_LOGS):
        log.write_bytes(mutated(random.Random(number), [whole]))  # noqa: S311 -- always the same
        try:
            open_fleet(edition_of(folder, folder)).read(table, ["cluster"])
        except UnexpectedError as error:
            pytest.fail(f"input {number}: {error}")
        except SourceError as error:
            assert "\n" not in str(error)  # noqa: PT017 -- either outcome is right
