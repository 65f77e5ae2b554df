"""A micro-batch published at every step of another writer: both count, or the other is refused."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from pyspark.sql import SparkSession

from pipeline.conflicts import ConflictError, started_over
from pipeline.lake import Lake
from tests.pipeline.lakes import WRITERS, BesideLake, micro_batch
from tests.pipeline.telemetry import Tables, tables_in, write_parquet

pytestmark = pytest.mark.proof

STEPS: Final[Mapping[str, Sequence[str]]] = {
    "run": ("before telemetry is committed", "after checkpoint is committed", "before publication"),
    "stream": (
        "before telemetry is committed",
        "after telemetry is committed",
        "before publication",
    ),
    "replay": ("before partition_lag is committed", "before publication"),
    "day": (
        "before telemetry is committed",
        "after partition_lag is replaced",
        "before publication",
    ),
    "maintain": ("after rejected is compacted", "before publication", "before telemetry is swept"),
}
_REFUSED: Final = ("run", "day")
"""Their input would not take the other's rows into account, so they do not start over."""


class Prepared(NamedTuple):
    """A lake with day 1, and one with both days, as a stream made them."""

    source: Path
    first: Path
    second: Path
    tables: Tables
    """Of both days."""


@pytest.fixture(scope="module")
def prepared(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    folder = tmp_path_factory.mktemp("writers")
    source = write_parquet(folder / "in", 1, 2)
    lake = Lake(str(folder / "first"))
    lake.prepare()
    micro_batch(spark, lake, 0, f"{source}/1.parquet")
    shutil.copytree(folder / "first", folder / "second")
    micro_batch(spark, Lake(str(folder / "second")), 1, f"{source}/2.parquet")
    return Prepared(source, folder / "first", folder / "second", tables_in(folder / "second"))


@pytest.mark.parametrize(
    ("kind", "moment"), [(kind, moment) for kind, moments in STEPS.items() for moment in moments]
)
def test_beside_a_micro_batch_no_row_is_lost(
    spark: SparkSession, prepared: Prepared, tmp_path: Path, kind: str, moment: str
) -> None:
    output, alone = tmp_path / "out", tmp_path / "alone"
    shutil.copytree(prepared.first, output)
    lake = BesideLake(str(output), moment=moment, arriving=[f"{prepared.source}/2.parquet"])

    def write() -> None:
        WRITERS[kind](spark, lake, str(prepared.source))

    if kind in _REFUSED:
        with pytest.raises(ConflictError, match="something else wrote to the table"):
            write()
    else:
        started_over(write)

    expected = prepared.tables
    if kind == "replay":
        shutil.copytree(prepared.second, alone)
        WRITERS[kind](spark, Lake(str(alone)), str(prepared.source))
        expected = tables_in(alone)
    assert not lake.arriving  # it came
    assert tables_in(output) == expected
