"""One micro-batch: what arrived goes on top of what the last version knows, and is published.

Everything the next batch needs lies inside the version, so the rename that shows the tables
moves on the stream as well: a batch is in the tables once, wherever the process was killed.
"""

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import msgspec
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from pipeline.publishing import Version, staged
from pipeline.recommendation import recommended
from pipeline.replaying import replayed, row_counts, table_of
from pipeline.reporting import versions_used
from pipeline.streaming.arrivals import Arrived
from pipeline.streaming.settling import IS_SETTLED, with_settled
from pipeline.streaming.state import StreamState, state_in, write_state
from pipeline.streaming.versions import add_provisional, carry_over, merge_small
from schemas.replay import CHAIN
from schemas.tables import TABLES
from schemas.telemetry import TELEMETRY

_CHAIN: Final = "_chain"
_PENDING: Final = "_pending"
_PROVISIONAL: Final = "_provisional"
_BY_DAY: Final = ("partition_lag", "group_member", "member_load", "group_summary")
_APPENDED: Final = (*_BY_DAY, "rejected")
_WITH_FILE: Final = f"{TELEMETRY}, file STRING"


@dataclass(frozen=True, kw_only=True)
class Stream:
    """What stays the same from batch to batch."""

    output: str
    strategies: tuple[str, ...]
    lateness: timedelta
    window: timedelta
    """How far back from the last snapshot recommendations look."""


def publish_batch(stream: Stream, arrived: Callable[[], Arrived], query: str, number: int) -> StreamState | None:
    """Publish the next version with what arrived; None if this batch is in the tables already.

    Raises PipelineError if rows would be lost, or the folder is not this stream's.
    """
