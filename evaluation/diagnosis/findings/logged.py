"""What the logs of a group's own consumers say, beside any snapshot."""

from dataclasses import dataclass, field
from math import nan
from typing import ClassVar

from evaluation.diagnosis.figures import figure
from evaluation.diagnosis.findings.cause import Cause, Look
from evaluation.verdict_kinds import VerdictKind


@dataclass(frozen=True, kw_only=True)
class Logged(Cause):
    """Consumers that left the group, by their client ids: they may be no members any more."""

    helped_by_assignment: ClassVar = False
    has_backlog: ClassVar = False
    is_of_group: bool = field(init=False, default=True)
    members: tuple[int, ...] = field(init=False, default=())
    partitions: tuple[int, ...] = field(init=False, default=())
    lag: float = field(init=False, default=nan, metadata=figure("lag_records"))
    consumers: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class PollTimeout(Logged):
    """They took longer than ``max.poll.interval.ms`` between two polls."""

    kind: ClassVar = VerdictKind.POLL_TIMEOUT
    look_at: ClassVar = (Look.POLL_RECORDS, Look.POLL_INTERVAL)


@dataclass(frozen=True, kw_only=True)
class InstanceFenced(Logged):
    """Another consumer joined with their ``group.instance.id``."""

    kind: ClassVar = VerdictKind.INSTANCE_FENCED
    look_at: ClassVar = (Look.STATIC_IDS,)
