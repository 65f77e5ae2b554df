"""What a user states of a group that is no consumer group: another size, and its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from assignors.connect.cluster import ConnectCluster
from assignors.streams.application import StreamsApplication
from assignors.streams.broker_group import StreamsGroup
from evaluation.kinds.forecast import KindGroup
from evaluation.stated import InvalidNumberError, check_stated, stated, stated_of

_MOST: Final = 1_000.0
_RATE: Final = stated(
    "the restore rate",
    "Restores",
    "Records that one instance restores of changelogs per second",
    unit="records/s",
    least=0.001,
    link="restore_rate",
)
_CHANGELOG: Final = stated(
    "the changelog",
    "Changelog of a task",
    "Records that a new copy of a task's state has to restore",
    unit="records",
    most=1e12,
    is_whole=True,
    link="changelog",
)


def _more(whose: str, link: str) -> int:
    about = f"How many {whose} join; the picture shows the group after them"
    found: int = field(
        default=0,
        metadata=stated(
            f"the number of {whose} that join",
            f"More {whose}",
            about,
            most=_MOST,
            is_whole=True,
            link=link,
        ),
    )
    return found


def _threads() -> int:
    found: int = field(
        default=0,
        metadata=stated(
            "the number of threads to add",
            "More threads per instance",
            "num.stream.threads, beside what each instance has now",
            most=100,
            is_whole=True,
            link="threads_more",
        ),
    )
    return found


def _standbys(setting: str) -> int | None:
    found: int | None = field(
        default=None,
        metadata=stated(
            setting,
            setting,
            "Copies of each stateful task",
            most=20,
            is_whole=True,
            link="standbys",
        ),
    )
    return found


@dataclass(frozen=True, kw_only=True)
class ClassicStated:
    """Of Streams on the classic protocol."""

    more: int = _more("instances", "instances_more")
    threads: int = _threads()
    standbys: int | None = _standbys("num.standby.replicas")
    warmups: int = field(
        default=2,
        metadata=stated(
            "max.warmup.replicas",
            "max.warmup.replicas",
            "Copies that warm up at a time",
            least=1,
            most=_MOST,
            is_whole=True,
        ),
    )
    recovery_lag: int = field(
        default=10_000,
        metadata=stated(
            "acceptable.recovery.lag",
            "acceptable.recovery.lag",
            "How far a copy may be behind and still take over",
            unit="records",
            is_whole=True,
        ),
    )
    probing_min: float = field(
        default=10,
        metadata=stated(
            "probing.rebalance.interval.ms",
            "probing.rebalance.interval.ms",
            "How long until the next try to move what has warmed up; at least a minute",
            unit="min",
            least=1,
            most=1e6,
            link="probing",
        ),
    )
    changelog: int | None = field(default=None, metadata=_CHANGELOG)
    restore_per_s: float | None = field(default=None, metadata=_RATE)

    def __post_init__(self) -> None:
        check_stated(self)


@dataclass(frozen=True, kw_only=True)
class BrokerStated:
    """Of Streams on the broker's protocol."""

    more: int = _more("instances", "instances_more")
    threads: int = _threads()
    standbys: int | None = _standbys("streams.num.standby.replicas")
    changelog: int | None = field(default=None, metadata=_CHANGELOG)
    restore_per_s: float | None = field(default=None, metadata=_RATE)

    def __post_init__(self) -> None:
        check_stated(self)


@dataclass(frozen=True, kw_only=True)
class ConnectStated:
    """Of a Connect cluster."""

    more: int = _more("workers", "workers_more")
    max_delay_s: float = field(
        default=300,
        metadata=stated(
            "scheduled.rebalance.max.delay.ms",
            "scheduled.rebalance.max.delay.ms",
            "How long the work of a lost worker waits for it",
            unit="s",
            most=1e6,
            link="max_delay",
        ),
    )
    session_s: float = field(
        default=10,
        metadata=stated(
            "the workers' session.timeout.ms",
            "session.timeout.ms of workers",
            "How long until a worker that died counts as lost",
            unit="s",
            least=1,
            most=1e5,
            link="worker_session",
        ),
    )

    def __post_init__(self) -> None:
        check_stated(self)


@dataclass(frozen=True, kw_only=True)
class ShareStated:
    """Of a share group."""

    more: int = _more("consumers", "consumers_more")

    def __post_init__(self) -> None:
        check_stated(self)


KindStated: TypeAlias = ClassicStated | BrokerStated | ConnectStated | ShareStated


def stated_for(group: KindGroup) -> type[KindStated]:
    """Return what can be stated of a group."""
    if isinstance(group, StreamsApplication):
        return ClassicStated
    if isinstance(group, StreamsGroup):
        return BrokerStated
    return ConnectStated if isinstance(group, ConnectCluster) else ShareStated


def with_stated(group: KindGroup, said: KindStated) -> KindGroup:
    """Return the group under the settings that are stated."""
    if isinstance(group, StreamsApplication) and isinstance(said, ClassicStated):
        settings = group.settings._replace(
            standbys=group.settings.standbys if said.standbys is None else said.standbys,
            warmups=said.warmups,
            recovery_lag=said.recovery_lag,
            probing_ms=round(said.probing_min * 60_000),
        )
        ends = group.end_offsets
        if not group.knows_offsets:  # too far behind where no state is, unless stated
            end = 10 * max(said.recovery_lag, 1) if said.changelog is None else said.changelog
            ends = dict.fromkeys(group.stateful, end)
        return replace(group, settings=settings, end_offsets=ends)
    if isinstance(group, StreamsGroup) and isinstance(said, BrokerStated):
        return group if said.standbys is None else replace(group, standbys=said.standbys)
    if isinstance(group, ConnectCluster) and isinstance(said, ConnectStated):
        return replace(group, max_delay_ms=round(said.max_delay_s * 1000))
    return group


SETTINGS: Final = {
    "num.standby.replicas": ("standbys", 1.0),
    "streams.num.standby.replicas": ("standbys", 1.0),
    "max.warmup.replicas": ("warmups", 1.0),
    "acceptable.recovery.lag": ("recovery_lag", 1.0),
    "probing.rebalance.interval.ms": ("probing_min", 60_000.0),
    "scheduled.rebalance.max.delay.ms": ("max_delay_s", 1_000.0),
    "session.timeout.ms": ("session_s", 1_000.0),
    "changelog.records": ("changelog", 1.0),
    "restore.records.per.s": ("restore_per_s", 1.0),
}
"""Fields by the names of Kafka's settings, and how much of the setting is 1 of the field."""


def stated_as(group: KindGroup, settings: Mapping[str, float], threads: int = 0) -> KindStated:
    """Return what is stated by the names of settings.

    Raises InvalidNumberError for what is out of bounds, or is no setting of groups of this kind.
    """
    kind = stated_for(group)
    numbers = stated_of(kind)
    known = [name for name, (field_, _) in SETTINGS.items() if field_ in numbers]
    values: dict[str, float] = {"threads": threads} if threads else {}
    if threads and "threads" not in numbers:
        message = "only instances of a Streams application have threads"
        raise InvalidNumberError(message)
    for name, value in settings.items():
        if name not in known:
            there = f"there are {', '.join(known)}" if known else "there are none"
            message = f"{name} is no setting of this kind of group; {there}"
            raise InvalidNumberError(message)
        field_, times = SETTINGS[name]
        of_field = value / times
        values[field_] = int(of_field) if numbers[field_].is_whole else of_field
    return kind(**values)  # type: ignore[arg-type]
