"""What ``--help`` of a command waits for."""

import os

import pytest

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
