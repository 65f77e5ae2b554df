"""What ``--help`` of a command waits for."""

import os
import sys

import pytest

from pipeline.__main__ import main
from tests.pipeline.processes import finished, pipeline


@pytest.mark.parametrize("command", ["run", "stream", "replay"])
def test_help_waits_for_neither_spark_nor_tables_nor_a_second_python(command: str) -> None:
    environ = {**os.environ, "PYTHONPROFILEIMPORTTIME": "1"}

    ended = finished(pipeline(command, "--help"), environ)

    assert ended.returncode == 0
    assert "--output DIR" in ended.stdout
    imported = [line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()]
    assert imported.count("argparse") == 1
    assert not {"pyspark", "deltalake", "pyarrow"} & {*imported}


@pytest.mark.parametrize("command", ["run", "stream", "replay", "prepare"])
def test_without_spark_a_command_names_what_to_install(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)  # as if it were not installed

    assert main([command, "--output", "nowhere"]) == 1

    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"pipeline: {command} needs Spark: make pipeline")
