"""Durations of a rebalance, and the cost of a rolling restart in closed form.

Partition-seconds: wanted but unread partitions times seconds.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from assignors.strategy import Protocol
from evaluation.stated import InvalidNumberError, check_stated, stated

PAUSE_S: Final = 10.0
"""How long nobody reads in an eager rebalance, unless it is stated: the same on every page."""


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Durations in seconds, with Kafka's defaults where it has any.

    Raises InvalidNumberError for one that is negative or not finite.
    """

    pause_s: float = field(
        default=PAUSE_S,
        metadata=stated(
            "the rebalance pause",
            "Rebalance pause",
            "Until the slowest consumer has rejoined: measure it. Not under KIP-848",
            unit="s",
            is_shared=True,
        ),
    )
    warm_up_s: float = field(
        default=0.0,
        metadata=stated(
            "the warm-up of a moved partition",
            "Warm-up of a moved partition",
            "Until the new owner reads it: caches, state stores, seeks",
            unit="s",
        ),
    )
    restart_s: float = field(
        default=20.0,
        metadata=stated(
            "the time a restart takes",
            "A restart takes",
            "From the last record before it to the first one after it",
            unit="s",
        ),
    )
    heartbeat_s: float = field(
        default=5.0,
        metadata=stated(
            "the heartbeat interval",
            "Broker's heartbeat interval",
            "group.consumer.heartbeat.interval.ms: under KIP-848, a moved partition waits for "
            "half of it on average",
            unit="s",
        ),
    )
    assignment_interval_s: float = field(
        default=1.0,
        metadata=stated(
            "the assignment interval",
            "Broker's assignment interval",
            "consumer.assignment.interval.ms (KIP-1263): a broker waits so long from one "
            "assignment to the next; 0 before Kafka 4.3",
            unit="s",
            link="interval",
        ),
    )
    session_timeout_s: float = field(
        default=45.0,
        metadata=stated(
            "the session timeout",
            "Session timeout",
            "session.timeout.ms, or the broker's group.consumer.session.timeout.ms: until the "
            "coordinator notices that a consumer has crashed, or that a static one is away",
            unit="s",
            link="session",
        ),
    )

    def __post_init__(self) -> None:
        check_stated(self)

    @property
    def is_restart_noticed(self) -> bool:
        """Whether a static consumer is away long enough for its session to time out."""
        return self.restart_s >= self.session_timeout_s

    def round_s(self, protocol: Protocol) -> float:
        """Return how long partitions pause in one round, without warm-up.

        A broker hands over a partition with the next heartbeat of its new owner: after half an
        interval on average.
        """
        return self.heartbeat_s / 2 if protocol is Protocol.BROKER else self.pause_s

    def interval_s(self, protocol: Protocol) -> float:
        """Return the minimum time between two assignments."""
        return self.assignment_interval_s if protocol is Protocol.BROKER else 0.0


class Loss(NamedTuple):
    """Partition-seconds lost by a rolling restart of the whole group under one protocol."""

    protocol: Protocol
    dynamic: float
    """Every consumer leaves and joins under a new member id: two rebalances each."""
    static: float
    """Every consumer has a ``group.instance.id`` (KIP-345)."""
    pays_off_below_s: float
    """Static ids lose less if a restart takes less than this."""


def rolling_restart_losses(members: int, partitions: int, timing: Timing) -> list[Loss]:
    """Return what restarting all members one after another loses, by protocol.

    Each of n members owns P / n partitions, and exactly those move, out and back, as under sticky
    strategies; W is the warm-up. Eager: all members pause for D twice per restart, 2nDP + 2PW.
    Cooperative: only what moves does, 2P(D + W). KIP-848: 2P(h / 2 + W), and if the assignment
    interval I is longer than h / 2 + W, all but the first to leave wait for the rest of it,
    P (n - 1) / n times. Static: P R under every protocol; if a static member's session times out
    first, its partitions wait for that and then follow the dynamic case.

    >>> losses = rolling_restart_losses(12, 120, Timing(pause_s=3.0, restart_s=20.0))
    >>> [(loss.dynamic, loss.static) for loss in losses]
    [(8640.0, 2400.0), (720.0, 2400.0), (600.0, 2400.0)]
    """
    if members < 1 or partitions < 0:
        message = (
            "a rolling restart needs 1 consumer or more and 0 partitions or more; "
            f"found {members:,} and {partitions:,}"
        )
        raise InvalidNumberError(message)
    return [_loss(protocol, members, partitions, timing) for protocol in Protocol]


def _loss(protocol: Protocol, members: int, partitions: int, timing: Timing) -> Loss:
    stops = members if protocol is Protocol.EAGER else 1
    each = 2.0 * (stops * timing.round_s(protocol) + timing.warm_up_s)
    rest_s = timing.interval_s(protocol) - timing.round_s(protocol) - timing.warm_up_s
    waits = (members - 1) / members
    away = timing.restart_s
    if timing.is_restart_noticed:
        late = waits * max(rest_s - timing.session_timeout_s, 0.0)
        away = timing.session_timeout_s + late + each
    each += waits * max(rest_s, 0.0)
    return Loss(
        protocol=protocol,
        dynamic=each * partitions,
        static=away * partitions,
        pays_off_below_s=min(each, timing.session_timeout_s),
    )
