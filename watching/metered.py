"""One poll of a server of metrics: the newest snapshot of each group that lag exporters tell of."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from live.model import GroupReading, LiveTopic, Unread
from live.read_options import ReadOptions
from sources.metrics import Metrics, newest
from watching.cluster import Hear, Read
from watching.watch import Pollable


def _epoch_s() -> float:
    return time.time() - time.monotonic()


@dataclass(frozen=True)
class WatchedMetrics:
    """Where to read, and which groups."""

    metrics: Metrics
    wanted: tuple[str, ...]
    """Names of groups, or patterns such as ``orders-*``; empty for all groups."""
    timeout_s: float
    is_cancelled: Callable[[], bool]
    epoch_s: float = field(default_factory=_epoch_s)

    def poll(
        self, hear: Hear, topics: Sequence[str], known: Mapping[str, LiveTopic]
    ) -> dict[str, float]:
        """Read every group; no metric tells how long topics keep records. Raises SourceError."""
        del topics, known
        self.read(hear, self.is_wanted)
        return {}

    def read(self, hear: Hear, is_wanted: Callable[[str], bool]) -> None:
        """Read these groups. Raises SourceError."""
        options = ReadOptions(timeout_s=self.timeout_s, is_cancelled=self.is_cancelled)
        for found in newest(self.metrics, options, is_wanted):
            if isinstance(found, Unread):
                hear([(time.monotonic(), found)])
            else:
                at_s, reading = found
                hear([(at_s - self.epoch_s, reading)])

    def is_wanted(self, group: str) -> bool:
        """Return whether a group is one of those to read."""
        return not self.wanted or any(fnmatchcase(group, each) for each in self.wanted)


@dataclass(frozen=True)
class WatchedBoth:
    """A cluster, and metrics of groups that it does not have."""

    cluster: Pollable
    metrics: WatchedMetrics

    def poll(
        self, hear: Hear, topics: Sequence[str], known: Mapping[str, LiveTopic]
    ) -> dict[str, float]:
        """Read the cluster, then the metrics. Raises SourceError."""
        of_cluster: set[str] = set()

        def heard(batch: Sequence[Read]) -> None:
            of_cluster.update(each.id for _, each in batch if isinstance(each, GroupReading))
            hear(batch)

        kept = self.cluster.poll(heard, topics, known)
        self.metrics.read(
            hear, lambda name: name not in of_cluster and self.metrics.is_wanted(name)
        )
        return kept
