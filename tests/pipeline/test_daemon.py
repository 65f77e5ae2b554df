"""What Spark's Python workers are forked from has their imports, and nothing that forks badly."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import SparkSession

from pipeline.session import ONE_THREAD
from tests.pipeline.processes import REPOSITORY

_FORKED = """
import sys
from pathlib import Path
import pipeline.daemon
print(len(list(Path("/proc/self/task").iterdir())))
"""


def test_it_has_no_thread_but_its_own() -> None:
    environ = os.environ | dict.fromkeys(ONE_THREAD, "1")
    command = [sys.executable, "-c", _FORKED]
    said = subprocess.run(  # noqa: S603 - ourselves
        command, cwd=REPOSITORY, env=environ, capture_output=True, text=True, check=True
    )

    assert said.stdout == "1\n"


def test_workers_here_are_forked_from_it(spark: SparkSession) -> None:
    def parent(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        list(batches)
        yield pa.record_batch({"command": [Path(f"/proc/{os.getppid()}/cmdline").read_text()]})

    found = spark.range(0, 1, 1, 1).mapInArrow(parent, "command STRING").toArrow()

    assert "pipeline.daemon" in found["command"][0].as_py()
