"""Packets from the tasks that make them to the tasks that take them.

Where they lie on shelves, the driver holds where, and tells each task with its code; Spark then
plans, shuffles and keeps nothing. Elsewhere, and where there are very many, Spark carries them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, Self, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 -- Spark's own name for it

from assignors.model import LongArray
from pipeline.frames import framed
from pipeline.packets.packet import PACKETS
from pipeline.packets.shelves import taken
from schemas.arrow import arrow_schema

MOST_IN_HAND: Final = 1 << 18
"""So many packets a driver holds, in some thirty megabytes, and gives to each task."""
_OPENING_TASKS: Final = 64
_TASK: Final = "task"
Batches: TypeAlias = Iterable[pa.RecordBatch]
Work: TypeAlias = Callable[[Batches], Iterator[pa.RecordBatch]]
"""What a task does with rows of ``PACKETS``."""


class Packets(Protocol):
    """Rows of ``PACKETS``, computed once."""

    def of(self, *kinds: str) -> Self:
        """Return those of some kinds."""
        ...

    def of_files(self, files: Sequence[int]) -> Self:
        """Return those of some files."""
        ...

    def plus(self, frame: DataFrame) -> Self:
        """Return these and the packets of a frame, computed once as these are."""
        ...

    def may_have(self, kind: str) -> bool:
        """Tell whether there is a packet of a kind, as far as is known without a look."""
        ...

    def table(self) -> pa.Table:
        """Return all rows, here."""
        ...

    def opened(self, kind: str, ddl: str) -> DataFrame:
        """Return what packets of a kind hold."""
        ...

    def dealt(self, tasks: int, work: Work, ddl: str) -> DataFrame:
        """Return what tasks make of the packets, all of a bucket in one task."""
        ...

    def release(self) -> None:
        """Let go of what Spark keeps of them; they would be computed anew."""
        ...


@dataclass(frozen=True)
class InHand:
    """Packets that lie on shelves: what says where is here."""

    spark: SparkSession
    rows: pa.Table

    def of(self, *kinds: str) -> Self:
        """Return those of some kinds."""
        return self._where(pc.is_in(self.rows["kind"], pa.array(kinds)))

    def of_files(self, files: Sequence[int]) -> Self:
        """Return those of some files."""
        return self._where(pc.is_in(self.rows["file"], pa.array(files, pa.int32())))

    def plus(self, frame: DataFrame) -> Self:
        """Return these and the packets of a frame."""
        return type(self)(self.spark, pa.concat_tables([self.rows, collected(frame)]))

    def may_have(self, kind: str) -> bool:
        """Tell whether there is a packet of a kind."""
        return bool(self.of(kind).rows.num_rows)

    def table(self) -> pa.Table:
        """Return all rows, here."""
        return self.rows

    def opened(self, kind: str, ddl: str) -> DataFrame:
        """Return what packets of a kind hold."""
        rows = self.of(kind).rows
        if not rows.num_rows:
            return framed(self.spark, ddl, rows)
        return self._given(rows, np.arange(rows.num_rows) % _OPENING_TASKS, _contents, ddl)

    def dealt(self, tasks: int, work: Work, ddl: str) -> DataFrame:
        """Return what tasks make of the packets, all of a bucket in one task."""
        return self._given(self.rows, self.rows["bucket"].to_numpy() % tasks, work, ddl)

    def release(self) -> None:
        """Let go of nothing, for Spark keeps nothing."""

    def _where(self, is_one: pa.ChunkedArray) -> Self:
        return type(self)(self.spark, self.rows.filter(is_one))

    def _given(self, rows: pa.Table, key: LongArray, work: Work, ddl: str) -> DataFrame:
        """Return what tasks make of the rows, all with one key in one task."""
        keys, task = np.unique(key, return_inverse=True)
        given = rows.append_column(_TASK, pa.array(task, pa.int32()))

        def worked(batches: Batches) -> Iterator[pa.RecordBatch]:
            for number in (number for batch in batches for number in batch["id"]):
                own = given.filter(pc.equal(given[_TASK], number.as_py()))
                yield from work(own.combine_chunks().to_batches())

        return self.spark.range(0, keys.size, 1, max(keys.size, 1)).mapInArrow(worked, ddl)


@dataclass(frozen=True)
class InSpark:
    """Packets that Spark carries, with what they hold or with where it lies."""

    frame: DataFrame

    def of(self, *kinds: str) -> Self:
        """Return those of some kinds."""
        return type(self)(self.frame.where(F.col("kind").isin(list(kinds))))

    def of_files(self, files: Sequence[int]) -> Self:
        """Return those of some files."""
        return type(self)(self.frame.where(F.col("file").isin(list(files))))

    def plus(self, frame: DataFrame) -> Self:
        """Return these and the packets of a frame."""
        return type(self)(self.frame.unionByName(frame.persist(StorageLevel.DISK_ONLY)))

    def may_have(self, kind: str) -> bool:
        """Tell nothing without a look."""
        del kind
        return True

    def table(self) -> pa.Table:
        """Return all rows, here."""
        return collected(self.frame)

    def opened(self, kind: str, ddl: str) -> DataFrame:
        """Return what packets of a kind hold."""
        return self.of(kind).frame.mapInArrow(_contents, ddl)

    def dealt(self, tasks: int, work: Work, ddl: str) -> DataFrame:
        """Return what tasks make of the packets, all of a bucket in one task."""
        task = (F.col("bucket") % tasks).alias(_TASK)
        return self.frame.select("*", task).repartitionById(tasks, _TASK).mapInArrow(work, ddl)

    def release(self) -> None:
        """Let go of what Spark keeps of them; they would be computed anew."""
        self.frame.unpersist()


def computed(frame: DataFrame) -> InSpark:
    """Return packets of Spark's that are computed only once, when first asked for."""
    return InSpark(frame.persist(StorageLevel.DISK_ONLY))


def collected(frame: DataFrame) -> pa.Table:
    """Return the packets of a frame, here."""
    return pa.table(frame.toArrow()).cast(arrow_schema(PACKETS))


def _contents(batches: Batches) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        yield from (content for _, content in taken(batch))
