"""Reading tables below FLEET_ROOT opens no file outside it."""

import json
import math
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sources.errors import SourceError
from sources.fleet.location import LocationPolicy, permitted
from sources.fleet.runs import edition_of, open_fleet
from tests.fleets import small, write

OUTSIDE = "leads out of the folder that FLEET_ROOT names"


def moved(path: Path, outside: Path) -> None:
    """Move a file or folder out of the root, and leave a link."""
    target = outside / path.name
    shutil.move(path, target)
    path.symlink_to(target)


def link_table(root: Path, outside: Path) -> None:
    moved(root / "fleet" / "group_summary", outside)


def link_runs(root: Path, outside: Path) -> None:
    moved(root / "fleet" / "runs", outside)


def link_log(root: Path, outside: Path) -> None:
    moved(root / "fleet" / "group_summary" / "_delta_log", outside)


def link_commit(root: Path, outside: Path) -> None:
    moved(root / "fleet" / "group_summary" / "_delta_log" / f"{0:020}.json", outside)


def link_day(root: Path, outside: Path) -> None:
    moved(next((root / "fleet" / "group_summary").glob("day=*")), outside)


def link_file(root: Path, outside: Path) -> None:
    moved(next((root / "fleet" / "group_summary").rglob("*.parquet")), outside)


def commit_elsewhere(form: str) -> Callable[[Path, Path], None]:
    """Return a function that moves a file out of the root and makes the commit point there."""

    def spoil(root: Path, outside: Path) -> None:
        table = root / "fleet" / "group_summary"
        file = next(table.rglob("*.parquet"))
        shutil.move(file, outside / "x.parquet")
        log = table / "_delta_log" / f"{0:020}.json"
        actions = [json.loads(line) for line in log.read_text().splitlines()]
        for action in actions:
            if action.get("add", {}).get("path", "").endswith(file.name):
                action["add"]["path"] = form.format(outside / "x.parquet")
        log.write_text("\n".join(map(json.dumps, actions)))

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        *(link_table, link_runs, link_log, link_commit, link_day, link_file),
        commit_elsewhere("{}"),
        commit_elsewhere("../../../outside/x.parquet"),
    ],
)
def test_a_file_outside_of_the_root_is_not_read(
    tmp_path: Path, spoil: Callable[[Path, Path], None]
) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.mkdir()
    write(root / "fleet", small())
    policy = LocationPolicy(str(root), is_local=True)
    spoil(root, outside)

    with pytest.raises(SourceError, match=OUTSIDE) as error:
        open_fleet(edition_of(permitted("fleet", policy), policy.resolved_root)).read(
            "group_summary", ["max_load"]
        )

    assert "\n" not in str(error.value)


@pytest.mark.parametrize("form", ["file://{}", "%2e%2e/%2e%2e/%2e%2e/outside/x.parquet"])
def test_other_ways_to_name_a_file_outside_find_nothing(tmp_path: Path, form: str) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    outside.mkdir()
    write(root / "fleet", small())
    commit_elsewhere(form)(root, outside)
    edition = edition_of(str(root / "fleet"), str(root))

    with pytest.raises(SourceError, match=f"{OUTSIDE}|cannot be read"):
        open_fleet(edition).read("group_summary", ["max_load"])


def test_links_inside_the_root_are_followed(tmp_path: Path) -> None:
    write(tmp_path / "fleet", small())
    (tmp_path / "other").mkdir()
    link_table(tmp_path, tmp_path / "other")
    (tmp_path / "link").symlink_to(tmp_path / "fleet")
    policy = LocationPolicy(str(tmp_path), is_local=False)

    edition = edition_of(permitted("link", policy), policy.resolved_root)

    assert open_fleet(edition).read("group_summary", ["max_load"]).num_rows


def test_without_a_root_links_lead_anywhere(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    write(tmp_path / "fleet", small())
    link_table(tmp_path, tmp_path / "other")

    fleet = open_fleet(edition_of(str(tmp_path / "fleet")))

    assert fleet.read("group_summary", ["max_load"]).num_rows


def pipe_in_log(table: Path) -> None:
    os.mkfifo(table / "_delta_log" / f"{9:020}.json")


def pipe_as_commit(table: Path) -> None:
    commit = table / "_delta_log" / f"{0:020}.json"
    commit.unlink()
    os.mkfifo(commit)


def pipe_as_checkpoint(table: Path) -> None:
    os.mkfifo(table / "_delta_log" / "_last_checkpoint")


def pipe_as_rows(table: Path) -> None:
    file = next(table.rglob("day=*/*.parquet"))
    file.unlink()
    os.mkfifo(file)


def link_to_pipe(table: Path) -> None:
    os.mkfifo(table / "pipe")
    file = next(table.rglob("day=*/*.parquet"))
    file.unlink()
    file.symlink_to(table / "pipe")


@pytest.mark.parametrize(
    "spoil", [pipe_in_log, pipe_as_commit, pipe_as_checkpoint, pipe_as_rows, link_to_pipe]
)
@pytest.mark.parametrize("has_root", [True, False])
def test_a_named_pipe_is_refused_instead_of_waiting_for_it(
    tmp_path: Path, spoil: Callable[[Path], None], *, has_root: bool
) -> None:
    write(tmp_path / "fleet", small())
    spoil(tmp_path / "fleet" / "group_summary")
    edition = edition_of(str(tmp_path / "fleet"), str(tmp_path) if has_root else None)

    with pytest.raises(SourceError, match="is neither a file nor a folder") as error:
        open_fleet(edition).read("group_summary", ["max_load"])

    assert "\n" not in str(error.value)


def test_infinities_in_tables_made_elsewhere_are_unknown(tmp_path: Path) -> None:
    tables = dict(small())
    row = dict(tables["recommendation"][0]) | {"max_load": math.inf, "moves": -math.inf}
    tables["recommendation"] = [row | {"gain_share": math.nan}]
    write(tmp_path / "fleet", tables)
    fleet = open_fleet(edition_of(str(tmp_path / "fleet")))

    columns = ["max_load", "moves", "gain_share", "max_load_as_it_was"]
    read = fleet.read("recommendation", columns).to_pylist()

    unknown = {"max_load": None, "moves": None, "gain_share": None}
    assert read == [{**unknown, "max_load_as_it_was": 900.0}]
