"""Retention of topics, and the age of unread records."""

import math
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from confluent_kafka.admin import ConfigEntry, ConfigResource

from live.cluster import Cluster
from live.errors import LiveError
from live.model import NamedPartition
from live.offsets import listed_offsets

_YOUNGEST_S: Final = 0.1
_OLDEST_S: Final = 4e8
"""Upper bound on a record's age: twelve years."""
_SETTINGS: Final = frozenset({"cleanup.policy", "retention.ms", "retention.bytes"})
_PASSES: Final = 12
"""Each halves the logarithm of the bounds' ratio, in the end to half a percent."""


class Retention(NamedTuple):
    """How long a topic keeps records; infinite for no limit."""

    seconds: float
    """``retention.ms``."""
    bytes_: float
    """``retention.bytes``, of one partition."""


def retentions(cluster: Cluster, topics: Iterable[str]) -> dict[str, Retention | LiveError]:
    """Return how long each topic keeps records, or why that cannot be read.

    Requires the DESCRIBE_CONFIGS permission on the topic. A topic that is only compacted keeps
    every key's last record, so it has no limits.
    """
    resources = [ConfigResource(ConfigResource.Type.TOPIC, name) for name in topics]
    if not resources:
        return {}
    futures = cluster.admin.describe_configs(
        resources, request_timeout=cluster.read_options.client_timeout_s
    )
    by_name = {resource.name: future for resource, future in futures.items()}
    return cluster.responses(
        by_name, lambda name: f"the configuration of topic {name!r}", _retention
    )


def _retention(config: Mapping[str, ConfigEntry]) -> Retention | LiveError:
    if not config.keys() >= _SETTINGS:
        return LiveError("The cluster does not state the retention of its topics.")
    if "delete" not in str(config["cleanup.policy"].value):
        return Retention(math.inf, math.inf)
    ms, size = (float(config[f"retention.{unit}"].value or -1) for unit in ("ms", "bytes"))
    return Retention(ms / 1000 if ms >= 0 else math.inf, size if size >= 0 else math.inf)


def ages(
    cluster: Cluster, committed: Mapping[NamedPartition, int], now_s: float
) -> dict[NamedPartition, float]:
    """Return how many seconds old the record at each committed offset is, to half a percent.

    Every offset must lie below the end offset, so that it has a record. offsetsForTimes returns
    the first record from a time on, so the record at an offset was written between the latest
    time that gives no later offset and the earliest that does. Each pass asks for the geometric
    mean of these bounds, for all partitions at once. Partitions without that record, or without
    an answer, are absent. The clocks of this machine and of the producers (of the brokers under
    LogAppendTime) are assumed to agree.
    """
    bounds = dict.fromkeys(committed, (_YOUNGEST_S, _OLDEST_S))
    is_there: set[NamedPartition] = set()
    for _ in range(_PASSES if bounds else 0):
        middle = {partition: math.sqrt(young * old) for partition, (young, old) in bounds.items()}
        offsets = listed_offsets(
            cluster,
            {p: int((now_s - age) * 1000) for p, age in middle.items()},
        )
        for partition, age in middle.items():
            first = offsets[partition]
            young, old = bounds[partition]
            if first is not None and first <= committed[partition]:
                is_there.add(partition)
                bounds[partition] = (young, age)
            else:
                bounds[partition] = (age, old)
    return {partition: math.sqrt(math.prod(bounds[partition])) for partition in is_there}
