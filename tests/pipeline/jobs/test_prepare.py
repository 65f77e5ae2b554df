import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from pipeline.archive import Archive
from pipeline.java import Java, java_found
from tests.pipeline.processes import REPOSITORY, started

_PREPARE: Final = (sys.executable, "-m", "pipeline", "prepare")
_SESSION: Final = """
from pathlib import Path
from pipeline.session import open_session
session = open_session("local[1]")
number = session.sparkContext._gateway.proc.pid
lines = Path(f"/proc/{number}/maps").read_text().splitlines()
names = {line.split(maxsplit=5)[-1] for line in lines}
assert any(name.endswith("libjvm.so") for name in names)
print([name for name in names if "/spark-" in name and name.endswith(".jsa")])
"""


@pytest.fixture(scope="module")
def environ(tmp_path_factory: pytest.TempPathFactory, quick_java: None) -> dict[str, str]:
    """Return an environment with a cache of its own, whose name has a blank in it."""
    del quick_java
    return os.environ | {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("the cache"))}


@pytest.fixture(scope="module")
def prepared(environ: dict[str, str]) -> Path:
    """Prepare, and return the one file that this leaves."""
    told = _told(_PREPARE, environ)
    [file] = _cache(environ).iterdir()
    assert told.startswith(f"prepared: {file}, ")
    return file


def _cache(environ: dict[str, str]) -> Path:
    return Path(environ["XDG_CACHE_HOME"], "kafka-assignments")


def _told(command: tuple[str, ...], environ: dict[str, str]) -> str:
    with started(command, environ=environ) as process:
        told, _ = process.communicate()
    assert process.returncode == 0
    return told


def _mapped(environ: dict[str, str]) -> tuple[str, str]:
    """Start Spark; return the archives in its memory, and what Java said of archives."""
    ran = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-c", _SESSION],
        cwd=REPOSITORY,
        env=environ,
        capture_output=True,
        text=True,
        check=True,
    )
    said = [line for line in ran.stderr.splitlines() if "cds" in line or "archive" in line]
    return ran.stdout.strip(), "\n".join(said)


@pytest.mark.needs("class archive")
def test_spark_starts_with_what_was_prepared(environ: dict[str, str], prepared: Path) -> None:
    mapped, said = _mapped(environ)

    assert mapped == str([str(prepared)])
    assert said == ""


@pytest.mark.needs("class archive")
def test_what_is_prepared_is_not_prepared_again(environ: dict[str, str], prepared: Path) -> None:
    before = prepared.stat()

    told = _told(_PREPARE, environ)

    assert told == f"prepared already: {prepared}\n"
    assert list(_cache(environ).iterdir()) == [prepared]
    assert prepared.stat() == before


@pytest.mark.needs("class archive")
def test_spark_starts_without_an_archive_that_is_damaged(
    prepared: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    content = bytearray(prepared.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 1_000_000] = bytes(reversed(content[middle : middle + 1_000_000]))
    damaged = environ | {"XDG_CACHE_HOME": str(tmp_path)}
    _cache(damaged).mkdir()
    Path(_cache(damaged), prepared.name).write_bytes(content)

    mapped, said = _mapped(damaged)

    assert mapped == "[]"
    assert said == ""


def test_an_archive_that_was_cut_short_is_not_found(tmp_path: Path) -> None:
    archive = Archive(tmp_path, "key")
    (tmp_path / "written").write_bytes(b"whole archive")

    kept = archive.keep(tmp_path / "written")
    assert kept is not None
    assert archive.found() == kept
    kept.write_bytes(b"whole")

    assert archive.found() is None
    assert archive.options() == []


def test_a_file_that_java_did_not_finish_is_not_kept(tmp_path: Path) -> None:
    archive = Archive(tmp_path, "key")
    (tmp_path / "written").write_bytes(bytes(4096) + b"classes")

    assert archive.keep(tmp_path / "written") is None
    assert archive.keep(tmp_path / "never written") is None
    assert archive.found() is None


def test_each_java_spark_and_choice_of_settings_has_an_archive_of_its_own() -> None:
    java = java_found()
    others = [
        java._replace(home=Path("/other")),
        java._replace(build=java.build + "-2"),
        java._replace(found="elsewhere"),
    ]

    def key(java: Java, *settings: str, **environ: str) -> str:
        return Archive.of(java, settings, environ).key

    keys = [key(other, "-Xa") for other in others]
    keys += [key(java, "-Xb"), key(java, "-Xa", SPARK_CONF_DIR="/conf"), key(java, "-Xa")]
    assert len(set(keys)) == len(keys) - 1
    assert keys[2] == keys[5], "where a Java was found makes it no other"


@pytest.mark.needs("class archive")
def test_a_prepare_that_is_cancelled_leaves_nothing(
    quick_java: None, environ: dict[str, str], tmp_path: Path
) -> None:
    del quick_java
    cancelled = environ | {"XDG_CACHE_HOME": str(tmp_path)}

    with started(_PREPARE, environ=cancelled) as process:
        while not list(_cache(cancelled).glob("prepare-*/tables/_versions")):
            assert process.poll() is None
        process.terminate()
        process.communicate()

    assert process.returncode == 130
    assert list(_cache(cancelled).iterdir()) == []


def test_a_java_without_an_archive_to_add_to_says_so(
    environ: dict[str, str], tmp_path: Path
) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text(
        "#!/bin/sh\n"
        '[ "$1" = -Xshare:on ] && exit 1\n'
        f"echo '    java.home = {tmp_path}' >&2\n"
        "echo '    java.specification.version = 21' >&2\n"
    )
    java.chmod(0o755)
    lacking = environ | {"JAVA_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    ran = subprocess.run(_PREPARE, cwd=REPOSITORY, env=lacking, capture_output=True, text=True)  # noqa: S603, PLW1510

    assert ran.returncode == 1
    assert ran.stderr.startswith(f"pipeline: JAVA_HOME ({java}) came without an archive")
    assert not (tmp_path / "cache").exists()
