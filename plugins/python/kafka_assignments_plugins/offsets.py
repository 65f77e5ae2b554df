"""Offsets as a leader reads them while it assigns, and the load that follows from them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeAlias

import numpy as np

from assignors.model import UNKNOWN, LongArray
from assignors.offsets import lag_from_offsets
from kafka_assignments_plugins.user_data import Partition

_LARGEST = np.iinfo(np.int64).max


@dataclass
class OffsetsRead:
    """Offsets by partition; one that is missing was not read, but for ``committed``."""

    begin: Mapping[Partition, int] = field(default_factory=dict)
    end: Mapping[Partition, int] = field(default_factory=dict)
    arrived: Mapping[Partition, int] = field(default_factory=dict)
    """Records that arrived within the horizon."""
    committed: Mapping[Partition, int] | None = None
    """None if not read; a partition that is missing has no commit."""
    problem: str = ""
    """The first error."""

    def lags(self, partitions: Sequence[Partition], auto_offset_reset: str) -> LongArray:
        """Return the lag of each partition by the rules of KAFKA-5337."""
        if self.committed is None:
            return np.full(len(partitions), UNKNOWN)
        begin, end, committed = (
            column(each, partitions) for each in (self.begin, self.end, self.committed)
        )
        return lag_from_offsets(begin, end, committed, auto_offset_reset)

    def loads(self, partitions: Sequence[Partition], auto_offset_reset: str) -> LongArray:
        """Return lag plus arrivals, ``UNKNOWN`` if either is."""
        lags, arrived = self.lags(partitions, auto_offset_reset), column(self.arrived, partitions)
        is_known = (lags != UNKNOWN) & (arrived != UNKNOWN)
        sums = np.minimum(lags, _LARGEST - np.maximum(arrived, 0)) + np.maximum(arrived, 0)
        return np.where(is_known, sums, UNKNOWN)


ReadOffsets: TypeAlias = Callable[[OffsetsRead, Sequence[Partition]], None]
"""Fill in the offsets, as far as it gets; may raise, may hang."""


def column(values: Mapping[Partition, int], partitions: Sequence[Partition]) -> LongArray:
    """Return the value of each partition, ``UNKNOWN`` where there is none."""
    return np.array([values.get(partition, UNKNOWN) for partition in partitions], np.int64)


def read_in_time(
    read: ReadOffsets, partitions: Sequence[Partition], timeout_s: float
) -> OffsetsRead:
    """Return what a thread of its own has read after this time; it ends when its client does."""
    offsets, done = OffsetsRead(), SimpleQueue[str]()

    def work() -> None:
        try:
            read(offsets, partitions)
        except Exception as error:  # noqa: BLE001 -- whatever it is, the consumer must go on
            done.put(f"{type(error).__name__}: {error}")
        else:
            done.put("")

    Thread(target=work, name="load-sticky-offsets", daemon=True).start()
    try:
        problem = done.get(timeout=timeout_s)
    except Empty:
        problem = f"not all offsets came within {timeout_s:g} s"
    return OffsetsRead(offsets.begin, offsets.end, offsets.arrived, offsets.committed, problem)
