"""Tables written to an address: what the last commit names is read, and nothing else."""

import json
import shutil
from pathlib import Path

import pytest

from sources.errors import SourceError
from sources.fleet import Fleet, open_fleet
from sources.fleet_place import place_of
from tests.fleets import TIMES, Rows, commit, publish, small


def opened(folder: Path) -> Fleet:
    return open_fleet(place_of(folder))


def of_day_two() -> dict[str, Rows]:
    """The second day alone, in which ``orders`` is called ``parcels``."""
    found: dict[str, Rows] = {}
    for table, rows in small().items():
        kept = [row for row in rows if row.get("snapshot_at", TIMES[1]) >= TIMES[1]]
        found[table] = [
            {**row, "group_id": "parcels"} if row.get("group_id") == "orders" else row
            for row in kept
        ]
    return found


def names(fleet: Fleet, table: str) -> set[str]:
    found: set[str] = set(fleet.read(table, ["group_id"])["group_id"].to_pylist())
    return found


def test_every_table_of_the_only_commit_is_read(tmp_path: Path) -> None:
    tables = small()

    fleet = opened(commit(tmp_path / "fleet", tables))

    assert {table: fleet.count(table) for table in tables} == {
        table: len(rows) for table, rows in tables.items()
    }
    assert fleet.report() == {"rows_in": 1}


def test_of_several_commits_the_last_says_which_version_each_day_is_of(tmp_path: Path) -> None:
    folder = commit(tmp_path / "fleet", small(), 1)
    before = place_of(folder).stamp

    fleet = opened(commit(folder, of_day_two(), 2))

    assert names(fleet, "group_summary") == {"orders", "parcels", "audit", "mails"}
    assert names(fleet, "recommendation") == {"parcels", "audit", "mails"}
    assert fleet.count("group_summary") == len(small()["group_summary"])
    assert fleet.report() == {"rows_in": 2}
    assert fleet.place.stamp != before


def test_another_commit_of_the_same_files_is_another_version(tmp_path: Path) -> None:
    folder = commit(tmp_path / "fleet", small())
    before = place_of(folder).stamp
    path = folder / "_commits" / "part-8.json"

    path.write_text(json.dumps({**json.loads(path.read_text()), "number": 2}))

    assert place_of(folder).stamp != before


def test_a_version_that_no_commit_names_is_not_there(tmp_path: Path) -> None:
    folder = commit(tmp_path / "fleet", small(), 1)
    commit(folder, of_day_two(), 2)
    (folder / "_commits" / "part-7.json").unlink()

    assert names(opened(folder), "recommendation") == {"orders", "audit", "mails"}


def test_commits_count_before_what_a_run_had_published_there(tmp_path: Path) -> None:
    folder = publish(tmp_path / "fleet", small())

    commit(folder, of_day_two(), 1)

    assert names(opened(folder), "recommendation") == {"parcels", "audit", "mails"}


def test_a_commit_without_rows_of_a_table_leaves_it_empty(tmp_path: Path) -> None:
    folder = commit(tmp_path / "fleet", small())
    path = folder / "_commits" / "part-8.json"
    line = json.loads(path.read_text())
    line["places"]["member_load"] = {}
    del line["places"]["rejected"]
    path.write_text(json.dumps(line))

    fleet = opened(folder)

    assert (fleet.count("member_load"), fleet.count("rejected")) == (0, 0)


def test_commits_that_spark_has_not_finished_do_not_count(tmp_path: Path) -> None:
    folder = commit(tmp_path / "fleet", small())
    (folder / "_commits" / ".part-0.json.crc").write_bytes(b"crc")
    (folder / "_commits" / "_SUCCESS").touch()
    (folder / "_commits" / "_temporary").mkdir()
    (folder / "_commits" / "old").mkdir()

    assert opened(folder).count("recommendation") == 3


def test_a_folder_without_a_line_of_commits_holds_no_finished_run(tmp_path: Path) -> None:
    (tmp_path / "_commits").mkdir()

    with pytest.raises(SourceError, match="holds no finished run yet"):
        place_of(tmp_path)


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"number": 1, "version": "v", "places": 1}'])
def test_a_line_that_is_no_commit_is_one_sentence(tmp_path: Path, text: str) -> None:
    folder = commit(tmp_path / "fleet", small())
    (folder / "_commits" / "part-9.json").write_text(text)

    with pytest.raises(SourceError, match=r"line 1 of .*part-9.json is no commit"):
        place_of(folder)


def test_a_version_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    folder = commit(tmp_path / "fleet", small())
    shutil.rmtree(folder / "_versions" / "v8" / "member_load" / "day=2026-03-03")

    with pytest.raises(
        SourceError, match="lacks _versions/v8/member_load/day=2026-03-03, which its last commit"
    ):
        place_of(folder)


@pytest.mark.parametrize(
    ("day", "version"), [("", "../../other"), ("../../../../other/rejected", "v8"), ("", "..")]
)
def test_a_commit_leads_nowhere_but_to_its_versions(tmp_path: Path, day: str, version: str) -> None:
    publish(tmp_path / "other", small())
    folder = commit(tmp_path / "fleet", small())
    path = folder / "_commits" / "part-8.json"
    line = json.loads(path.read_text())
    line["places"]["rejected"] = {day: version}
    path.write_text(json.dumps(line))

    with pytest.raises(SourceError, match="leads out of its versions"):
        place_of(folder)
