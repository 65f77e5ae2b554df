"""Fixtures of the pipeline tests: a Spark session, and the tables of a small fleet."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from pyspark.sql import SparkSession

from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.runs import Run
from pipeline.session import open_session
from tests.pipeline.telemetry import STRATEGIES, Tables, tables_in, write_parquet

_SETTINGS: Final = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",  # a few rows: compiling takes longer than running
}


@pytest.fixture(scope="session")
def spark(quick_java: None) -> Iterator[SparkSession]:
    """Start Spark once for all tests of a run."""
    del quick_java
    session = open_session("local[2]", settings=_SETTINGS)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def run(spark: SparkSession) -> Callable[[Path, Path], Path]:
    """Return a function that runs the pipeline in this process, from input to output."""

    def run(source: Path, output: Path) -> Path:
        lake = Lake(str(output))
        lake.prepare()
        Run(spark, lake, STRATEGIES, Progress()).batch([str(source)])
        return output

    return run


@pytest.fixture(scope="session")
def undisturbed(
    run: Callable[[Path, Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Tables:
    """Return the tables of days 1 and 2 after an uninterrupted run."""
    folder = tmp_path_factory.mktemp("undisturbed")
    return tables_in(run(write_parquet(folder / "in", 1, 2), folder / "out"))
