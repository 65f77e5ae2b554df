"""One round of the collector: a snapshot of every group, group by group."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from typing import TypeAlias

import pyarrow as pa

from live.cluster import Cluster
from live.errors import LiveError
from live.groups import list_groups
from live.model import Unread
from live.reading import read_groups
from pipeline.collecting.rows import telemetry_rows

Clock: TypeAlias = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)


@dataclass(kw_only=True)
class Round:
    """The outcome of a round, updated as its batches are consumed."""

    name: str
    """The cluster's name in telemetry."""
    wanted: Sequence[str]
    """Names of groups, or patterns such as ``orders-*``; none: all groups."""
    now: Clock = utc_now
    groups: int = 0
    unread: list[Unread] = field(default_factory=list)
    error: LiveError | None = None
    """Why the round ended early; groups read before it are complete."""

    def batches(self, cluster: Cluster) -> Iterator[pa.RecordBatch]:
        """Yield the rows of each group; record and skip groups that cannot be read."""
        try:
            for group in read_groups(cluster, self._chosen(cluster)):
                if isinstance(group, Unread):
                    self.unread.append(group)
                    continue
                self.groups += 1
                yield telemetry_rows(self.name, self.now(), group)
        except LiveError as error:
            self.error = error

    def _chosen(self, cluster: Cluster) -> list[str] | None:
        if not self.wanted:
            return None
        if not any(is_pattern(name) for name in self.wanted):
            return list(self.wanted)
        listed = [group.id for group in list_groups(cluster).groups]
        return [g for g in listed if any(fnmatchcase(g, pattern) for pattern in self.wanted)]


def is_pattern(name: str) -> bool:
    """Return whether a name is a glob pattern; group names rarely contain these characters."""
    return any(sign in name for sign in "*?[")
