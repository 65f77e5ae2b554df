"""What the tests of the pipeline share: one Spark session, and what it makes of a small fleet."""

import os
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pipeline.jobs.run import add_arguments
from pipeline.progress import Progress
from pipeline.publishing import staged
from pipeline.running import Run
from pipeline.session import open_session
from tests.pipeline.telemetry import STRATEGIES, tables_in, write_parquet


@pytest.fixture(scope="session")
def quick_java() -> None:
    """Let Java compile little, for a test is over before more of it would pay."""
    os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")


@pytest.fixture(scope="session")
def spark(quick_java: None) -> Iterator[SparkSession]:  # noqa: ARG001 - before Java starts
    """Start Spark once for all tests of a run; a cold start costs seconds."""
    session = open_session("local[2]")
    session.conf.set("spark.sql.shuffle.partitions", "2")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def run(spark: SparkSession) -> Callable[..., Path]:
    """Return what runs the pipeline in this process: input, output, further arguments."""
    parser = ArgumentParser()
    add_arguments(parser)

    def run(source: Path, output: Path, *further: str) -> Path:
        arguments = ["--input", str(source), "--output", str(output), *further]
        options = parser.parse_args([*arguments, "--strategies", STRATEGIES])
        with staged(options.output) as staging:
            Run(spark, staging, Progress(1), options).run()
        return output

    return run


@pytest.fixture(scope="session")
def undisturbed(
    run: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[str]]:
    """Return the tables of days 1 and 2, as a run leaves them that nobody disturbs."""
    folder = tmp_path_factory.mktemp("undisturbed")
    return tables_in(run(write_parquet(folder / "in", 1, 2), folder / "out"))
