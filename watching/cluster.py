"""One poll of a cluster, in a process of its own: groups as they are read, then retention."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from evaluation.reading import Reading
from live.client_config import ClientConfig
from live.cluster import Cluster
from live.errors import LiveError
from live.groups import STREAMS, groups_like
from live.model import GroupReading, LiveTopic, Unread
from live.read_options import ReadOptions
from live.reading import read_group, read_groups
from live.times import retentions
from processes.messages import tell
from sources.live import apart

_AT_ONCE: Final = 50
"""Groups sent to the watching process together."""
_MOST_SINGLE: Final = 20
"""Groups read a second time in one poll, for what describing groups in bulk leaves out."""

Read = tuple[float, GroupReading | Reading | Unread]
"""A group, and when it was read, in seconds on the monotonic clock, which processes share."""
Hear = Callable[[Sequence[Read]], object]


@dataclass(frozen=True)
class WatchedCluster:
    """Where to read, and which groups."""

    config: ClientConfig
    wanted: tuple[str, ...]
    """Names of groups, or patterns such as ``orders-*``; empty for all groups."""
    timeout_s: float
    is_cancelled: Callable[[], bool]

    def poll(
        self, hear: Hear, topics: Sequence[str], known: Mapping[str, LiveTopic]
    ) -> dict[str, float]:
        """Read every group, and return how many seconds these topics keep records.

        Of topics that are known from the poll before only what moves is read.
        ``hear`` gets the groups while others are being read, so that memory does not grow with
        their number. Raises SourceError when the cluster stops answering; groups heard before are
        whole.
        """
        options = ReadOptions(timeout_s=self.timeout_s, is_cancelled=self.is_cancelled)
        return apart(
            *(_read, self.config, options, None),
            *(self.wanted, tuple(topics), dict(known)),
            hear=hear,
        )


def _read(
    cluster: Cluster,
    wanted: Sequence[str],
    topics: Sequence[str],
    known: Mapping[str, LiveTopic],
) -> dict[str, float]:
    groups = read_groups(cluster, groups_like(cluster, wanted), known)
    single = _MOST_SINGLE
    while batch := tuple((time.monotonic(), group) for group in islice(groups, _AT_ONCE)):
        told = []
        for at_s, group in batch:
            is_partial = isinstance(group, Unread) or group.description.assignor == STREAMS
            single -= is_partial
            told.append((at_s, _whole(cluster, group) if is_partial and single >= 0 else group))
        tell(tuple(told))
    try:
        kept = retentions(cluster, topics)
    except LiveError:  # an older broker, or a user without the right to see it
        return {}
    return {name: each.seconds for name, each in kept.items() if not isinstance(each, LiveError)}


def _whole(cluster: Cluster, group: GroupReading | Unread) -> GroupReading | Unread:
    """Return the group with what threads of Streams and workers of Connect tell their leaders."""
    try:
        return read_group(cluster, group.id)
    except LiveError:
        return group
