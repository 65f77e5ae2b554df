from pyspark.sql import SparkSession

from pipeline.frames import frame_of
from schemas.tables import columns
from schemas.telemetry import TELEMETRY


def test_a_frame_without_rows_has_the_types_of_its_table(spark: SparkSession) -> None:
    frame = frame_of(spark, TELEMETRY, [])

    assert frame.count() == 0
    found = {field.name: field.dataType.simpleString().upper() for field in frame.schema}
    assert found == columns(TELEMETRY)
