"""What a micro-batch costs: jobs of Spark, commits, and code compiled for a few rows."""

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
from tests.pipeline.lakes import SteppedLake
from tests.pipeline.telemetry import STRATEGIES, write_parquet

_COMPILES = "spark.sql.codegen.wholeStage"


@dataclass(frozen=True)
class NotedLake(SteppedLake):
    """A lake that notes whether Spark compiles what it runs at the moment."""

    noted: list[str | None] = field(default_factory=list)

    def comes(self) -> None:
        self.noted.append(SparkSession.active().conf.get(_COMPILES))


def publish(spark: SparkSession, lake: Lake, number: int, source: Path, guess: int = 1) -> None:
    batch = MicroBatch(
        spark, lake, STRATEGIES, Progress(), lateness=timedelta(0), query="q", number=number
    )
    batch.publish(rows_of(spark, input_files(spark, [str(source)])), guess)


@pytest.fixture(scope="module")
def telemetry(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_parquet(tmp_path_factory.mktemp("telemetry") / "in", 1, 2)


@pytest.mark.parametrize(("guess", "compiles"), [(1_850, "false"), (0, "true"), (10**6, "true")])
def test_only_a_batch_of_few_rows_is_interpreted(
    spark: SparkSession, telemetry: Path, tmp_path: Path, guess: int, compiles: str
) -> None:
    lake = NotedLake(str(tmp_path), moment="before telemetry is listed")
    lake.prepare()

    publish(spark, lake, 0, telemetry / "1.parquet", guess)

    assert lake.noted == [compiles]
    assert spark.conf.get(_COMPILES, "true") == "true"


def test_a_batch_that_writes_every_table_takes_twelve_jobs_and_nine_commits(
    spark: SparkSession, telemetry: Path, tmp_path: Path
) -> None:
    lake = Lake(str(tmp_path))
    lake.prepare()
    publish(spark, lake, 0, telemetry / "1.parquet")
    before = latest_of(lake)["versions"]
    spark.sparkContext.setJobGroup("batch", "")

    publish(spark, lake, 1, telemetry / "2.parquet")

    jobs = spark.sparkContext.statusTracker().getJobIdsForGroup("batch")
    versions = latest_of(lake)["versions"]
    assert len(jobs) <= 12  # 7 where nothing is rejected and no hour ends
    assert sum(versions[name] - before[name] for name in versions) <= 9
    assert all(versions[name] > before[name] for name in versions)
