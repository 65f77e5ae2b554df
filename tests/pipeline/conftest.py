"""What the tests of the pipeline share: one Spark session."""

import os
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from pipeline.session import open_session


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """Start Spark once for all tests of a run; Java compiles little, for tests are short."""
    os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    session = open_session("local[2]", settings={"spark.sql.shuffle.partitions": "2"})
    yield session
    session.stop()
