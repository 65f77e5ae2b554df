from pathlib import Path

import pytest

from sources.errors import SourceError
from sources.fleet.location import LocationPolicy, permitted, table_folders
from tests.fleets import small, write
from tests.said import lacks

ANYTHING = LocationPolicy(None, is_local=True)


def below(root: Path | str, *, is_local: bool = False) -> LocationPolicy:
    return LocationPolicy(str(root), is_local)


def test_a_local_server_without_a_root_opens_any_folder(tmp_path: Path) -> None:
    assert permitted(f" {tmp_path}/ ", ANYTHING) == str(tmp_path)
    assert permitted("a/../b", ANYTHING) == str(Path.cwd() / "b")


@pytest.mark.parametrize("name", ["/data", "file:///data", "s3://bucket/fleet", "hdfs://h/fleet"])
def test_a_server_for_others_without_a_root_opens_none(name: str) -> None:
    with pytest.raises(SourceError, match="only the sample is opened here"):
        permitted(name, LocationPolicy(None, is_local=False))


@pytest.mark.parametrize("is_local", [True, False])
def test_below_a_root_folders_are_opened(tmp_path: Path, is_local: bool) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    policy = below(tmp_path, is_local=is_local)

    assert permitted("a/b", policy) == str(tmp_path / "a" / "b")
    assert permitted(str(tmp_path / "a"), policy) == str(tmp_path / "a")
    assert permitted(f"file://{tmp_path}/a", policy) == str(tmp_path / "a")
    assert permitted(".", policy) == str(tmp_path)
    assert permitted("a", below(f"file://{tmp_path}")) == str(tmp_path / "a")


@pytest.mark.parametrize("is_local", [True, False])
@pytest.mark.parametrize("name", ["..", "a/../../x", "/etc", "~", "out", "file:/etc", "s3://b/c"])
def test_nothing_outside_the_root_is_opened_nor_revealed(
    tmp_path: Path, name: str, is_local: bool
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "out").symlink_to(tmp_path)

    with pytest.raises(SourceError, match="is not below the folder that FLEET_ROOT names"):
        permitted(name, below(root, is_local=is_local))


@pytest.mark.parametrize("form", ["file://{}", "file:{}", "FILE:///{}", "file://{}/"])
def test_a_file_address_is_the_folder(tmp_path: Path, form: str) -> None:
    assert permitted(form.format(tmp_path), ANYTHING) == str(tmp_path)


def test_a_bucket_may_be_named_either_way() -> None:
    assert permitted("s3://bucket/fleet", below("s3a://bucket")) == "s3://bucket/fleet"
    assert permitted("S3A://bucket/fleet/", below("s3://bucket")) == "s3://bucket/fleet"


@pytest.mark.parametrize("name", ["s3://bucket/fleet", " S3A:/b ", "s3://169.254.169.254/x"])
def test_without_a_root_in_a_bucket_no_bucket_is_asked(name: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="opens only below FLEET_ROOT"):
        permitted(name, ANYTHING)
    with pytest.raises(SourceError, match="is not below the folder that FLEET_ROOT names"):
        permitted(name, below(tmp_path, is_local=True))


def test_below_a_root_in_a_bucket_names_are_relative_to_it() -> None:
    policy = below("s3a://bucket/fleets/")

    assert permitted("a/b", policy) == "s3://bucket/fleets/a/b"
    assert permitted("s3://bucket/fleets/a", policy) == "s3://bucket/fleets/a"
    assert permitted("s3://bucket/fleets", policy) == "s3://bucket/fleets"


@pytest.mark.parametrize(
    "name", ["../x", "a/../../x", "s3://bucket/fleets2", "s3://bucket", "s3://b/fleets", "file:/x"]
)
def test_nothing_outside_a_root_in_a_bucket_is_opened(name: str) -> None:
    policy = below("s3://bucket/fleets")

    with pytest.raises(SourceError, match="is not below the folder that FLEET_ROOT names"):
        permitted(name, policy)


@pytest.mark.parametrize("name", ["hdfs://host:9000/fleet", "hdfs:/fleet", "https://host/fleet"])
@pytest.mark.parametrize("root", [None, "/"])
def test_an_address_of_another_kind_says_what_can_be_read(name: str, root: str | None) -> None:
    with pytest.raises(SourceError) as error:
        permitted(name, LocationPolicy(root, is_local=True))

    readable = ("local folders", "file://", "s3://", "s3a://")
    assert lacks(str(error.value), name, "cannot be read", *readable, "copy", "mount") == []


def test_folders_of_tables_below_the_root_are_listed(tmp_path: Path) -> None:
    for name in ("b/fleet", "a", "_hidden", "too/deep/fleet"):
        write(tmp_path / name, small())
    (tmp_path / "other").mkdir()

    assert table_folders(str(tmp_path)) == ["a", "b/fleet"]
    assert table_folders("s3://bucket/fleets") == []


@pytest.mark.parametrize("name", ["a[1]", "a%2e%2E/x", "a/.\t./../x", "s3://b/a%2F..%2Fx", "[s]"])
@pytest.mark.parametrize("root", [None, "/", "s3://b/a"])
def test_a_name_that_is_read_otherwise_than_written_is_not_opened(
    name: str, root: str | None
) -> None:
    with pytest.raises(SourceError, match="contains brackets, control characters or percent codes"):
        permitted(name, LocationPolicy(root, is_local=True))
