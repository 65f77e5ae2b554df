"""How far each cluster has been replayed: every cluster has a watermark of its own.

Clusters are collected by different hosts, and their files come at different times. One watermark
for all would make late what comes from any but the fastest.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa

from assignors.model import LongArray
from pipeline.encoding import NAME, one_array

_NONE: Final[Mapping[str, Any]] = MappingProxyType({})
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_BEYOND_US: Final = 4_102_444_800_000_000
"""The year 2100: telemetry has no snapshot as late, as it has none of 1970."""


class SeenSpan(NamedTuple):
    """The first and the latest snapshot of a cluster, microseconds since 1970."""

    first: int
    last: int


Spans: TypeAlias = Mapping[str, SeenSpan]
"""By cluster."""


@dataclass(frozen=True)
class Horizons:
    """Up to when the snapshots of each cluster have been replayed, microseconds since 1970."""

    clusters: Mapping[str, int] = field(default_factory=dict)
    others: int = 0
    """Of clusters that are not named; 0 if none of their snapshots has been."""

    def of(self, cluster: str) -> int:
        """Return the horizon of a cluster."""
        return self.clusters.get(cluster, self.others)

    def of_rows(self, clusters: pa.ChunkedArray) -> LongArray:
        """Return the horizon of the cluster of each row."""
        if not self.clusters:
            return np.full(len(clusters), self.others, np.int64)
        names = one_array(clusters.cast(NAME))
        own = [self.of(name) for name in names.dictionary.to_pylist()]
        horizons: LongArray = np.array(own, np.int64)[names.indices.to_numpy()]
        return horizons

    @property
    def furthest(self) -> int:
        """The latest of them; 0 if there is none."""
        return max(self.others, *self.clusters.values(), 0)

    def capped(self, most: int) -> "Horizons":
        """Return the horizons, none of them beyond this one."""
        own = {cluster: min(horizon, most) for cluster, horizon in self.clusters.items()}
        return Horizons(own, min(self.others, most))

    def moved(self, to: Mapping[str, int]) -> "Horizons":
        """Return the horizons, those of these clusters moved on; none moves back."""
        own = {cluster: max(self.of(cluster), horizon) for cluster, horizon in to.items()}
        return replace(self, clusters={**self.clusters, **own})


NOTHING: Final = Horizons()
EVERYTHING: Final = Horizons(others=_BEYOND_US)


@dataclass(frozen=True)
class ReplayProgress:
    """How far the tables have come, as ``progress`` of ``runs`` keeps it."""

    replayed: Horizons = NOTHING
    seen: Spans = field(default_factory=dict)
    """What a stream has read of each cluster, replayed or not."""

    def capped(self, most: int) -> "ReplayProgress":
        """Return what is reached, nothing of it beyond this time."""
        seen = {
            cluster: SeenSpan(min(first, most), min(last, most))
            for cluster, (first, last) in self.seen.items()
        }
        return ReplayProgress(self.replayed.capped(most), seen)

    def as_data(self) -> dict[str, Any]:
        """Return a JSON object; ``horizon`` is of clusters that ``horizons`` does not name."""
        own = dict(self.replayed.clusters)
        return {"horizon": self.replayed.others or None, "horizons": own, "seen": dict(self.seen)}


def reached_in(progress: str) -> ReplayProgress:
    """Return what a row of ``runs`` says; earlier releases had one horizon for all clusters."""
    known = json.loads(progress)
    seen = {cluster: SeenSpan(*ends) for cluster, ends in known.get("seen", _NONE).items()}
    return ReplayProgress(Horizons(known.get("horizons", {}), known["horizon"] or 0), seen)


def joined(*several: Spans) -> dict[str, SeenSpan]:
    """Return the spans of each cluster as one."""
    found: dict[str, SeenSpan] = {}
    for spans in several:
        for cluster, (first, last) in spans.items():
            known = found.get(cluster, SeenSpan(first, last))
            found[cluster] = SeenSpan(min(known.first, first), max(known.last, last))
    return found


def moment(since_1970_us: int) -> datetime:
    """Return microseconds since 1970 as a datetime in UTC."""
    return _EPOCH + timedelta(microseconds=since_1970_us)
