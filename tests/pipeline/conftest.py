"""The one Spark session that the tests of the pipeline share."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from pipeline.session import open_session


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """Start Spark once for all tests of a run; a cold start costs seconds."""
    session = open_session("local[2]")
    yield session
    session.stop()
