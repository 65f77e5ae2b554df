"""What a micro-batch costs: jobs of Spark, commits, and code compiled for a few rows."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pipeline.batches import MicroBatch
from pipeline.ingest.files import input_files
from pipeline.ingest.rows import rows_of
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from pipeline.progress import Progress
from pipeline.session import interpreted
from tests.pipeline.lakes import SteppedLake
from tests.pipeline.telemetry import STRATEGIES, write_parquet

_COMPILES = "spark.sql.codegen.wholeStage"


@dataclass(frozen=True)
class NotedLake(SteppedLake):
    """A lake that notes whether Spark compiles what it runs at the moment."""

    moment: str = "before telemetry is listed"
    noted: list[str | None] = field(default_factory=list)

    def comes(self) -> None:
        self.noted.append(SparkSession.active().conf.get(_COMPILES))


@pytest.fixture
def compiling(spark: SparkSession) -> Iterator[SparkSession]:
    """Return Spark with its own default, from which the session of tests departs."""
    before = str(spark.conf.get(_COMPILES))
    spark.conf.set(_COMPILES, "true")
    yield spark
    spark.conf.set(_COMPILES, before)


def publish(spark: SparkSession, lake: Lake, number: int, source: Path, guess: int) -> None:
    batch = MicroBatch(
        spark, lake, STRATEGIES, Progress(), lateness=timedelta(0), query="q", number=number
    )
    batch.publish(rows_of(spark, input_files(spark, [str(source)])), guess, files=1)


@pytest.mark.parametrize(
    ("rows", "compiles"), [(1, "false"), (19_999, "false"), (20_000, "true"), (0, "true")]
)
def test_only_what_has_few_rows_is_interpreted(
    compiling: SparkSession, rows: int, compiles: str
) -> None:
    with interpreted(compiling, rows):
        assert compiling.conf.get(_COMPILES) == compiles

    assert compiling.conf.get(_COMPILES) == "true"


def test_a_batch_that_writes_every_table_takes_eight_jobs_and_nine_commits(
    compiling: SparkSession, tmp_path: Path
) -> None:
    source, lake = write_parquet(tmp_path / "in", 1, 2), NotedLake(str(tmp_path / "out"))
    lake.prepare()
    publish(compiling, lake, 0, source / "1.parquet", 0)
    before = latest_of(lake)["versions"]
    compiling.sparkContext.setJobGroup("batch", "")

    publish(compiling, lake, 1, source / "2.parquet", 1_850)

    jobs = compiling.sparkContext.statusTracker().getJobIdsForGroup("batch")
    versions = latest_of(lake)["versions"]
    assert lake.noted == ["true", "false"]
    assert len(jobs) <= 8  # 3 where nothing is rejected and no hour ends
    assert sum(versions[name] - before[name] for name in versions) <= 9
    assert all(versions[name] > before[name] for name in versions)
