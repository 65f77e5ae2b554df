from pathlib import Path

import pytest

from sources.errors import SourceError
from sources.fleet_folders import Doors, listed, permitted
from tests.fleets import commit, publish, small, write


def test_a_local_server_without_a_root_opens_any_folder(tmp_path: Path) -> None:
    assert permitted(f" {tmp_path} ", Doors(None, is_local=True)) == tmp_path


def test_a_server_for_others_without_a_root_opens_none(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="opens the sample alone"):
        permitted(str(tmp_path), Doors(None, is_local=False))


@pytest.mark.parametrize("is_local", [True, False])
def test_below_a_root_folders_are_opened(tmp_path: Path, is_local: bool) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    doors = Doors(tmp_path, is_local)

    assert permitted("a/b", doors) == tmp_path / "a" / "b"
    assert permitted(str(tmp_path / "a"), doors) == tmp_path / "a"
    assert permitted(".", doors) == tmp_path


@pytest.mark.parametrize("is_local", [True, False])
@pytest.mark.parametrize("name", ["..", "a/../../x", "/etc", "~", "out"])
def test_nothing_beside_the_root_is_opened_nor_told_of(
    tmp_path: Path, name: str, is_local: bool
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)

    with pytest.raises(SourceError, match="is not below the folder that FLEET_ROOT names"):
        permitted(name, Doors(root, is_local))


def test_no_name_asks_for_one() -> None:
    with pytest.raises(SourceError, match="no folder is named"):
        permitted("  ", Doors(None, is_local=True))


@pytest.mark.parametrize("form", ["file://{}", "file:{}", "FILE:///{}"])
def test_the_address_of_a_folder_on_this_machines_disk_is_the_folder(
    tmp_path: Path, form: str
) -> None:
    assert permitted(form.format(tmp_path), Doors(None, is_local=True)) == tmp_path
    assert permitted(form.format(tmp_path / "a"), Doors(tmp_path, is_local=False)) == tmp_path / "a"


def test_the_address_of_a_folder_beside_the_root_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()

    with pytest.raises(SourceError, match="is not below the folder that FLEET_ROOT names"):
        permitted(f"file://{tmp_path}", Doors(tmp_path / "root", is_local=True))


@pytest.mark.parametrize("name", ["s3a://bucket/fleet", "hdfs://host:9000/fleet", "hdfs:/fleet"])
@pytest.mark.parametrize("root", [None, Path("/")])
def test_an_address_elsewhere_says_what_to_do_instead(name: str, root: Path | None) -> None:
    with pytest.raises(SourceError) as error:
        permitted(name, Doors(root, is_local=True))

    assert str(error.value) == (
        f"the address {name} is one that the pipeline writes to and this page does not read; copy "
        "it whole to a disk of this server, or mount it there, and name that folder"
    )


def test_folders_of_tables_below_the_root_are_listed(tmp_path: Path) -> None:
    publish(tmp_path / "b" / "published", small())
    write(tmp_path / "a", small())
    commit(tmp_path / "c", small())
    (tmp_path / "other").mkdir()

    assert listed(tmp_path) == ["a", "b/published", "c"]
