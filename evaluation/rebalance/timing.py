"""Durations of a rebalance, and the cost of a rolling restart in closed form.

Partition-seconds: wanted but unread partitions times seconds.
"""

import math
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

from assignors.strategy import Protocol


class InvalidTimingError(ValueError):
    """An impossible duration or speed; the message says what to give instead."""


def require(what: str, value: float, unit: str, *, is_positive: bool = False) -> None:
    """Raise InvalidTimingError unless a value is finite and at least 0, or more than 0."""
    if not 0 <= value < math.inf or (is_positive and not value):
        least = f"more than 0 {unit}" if is_positive else f"0 {unit} or more"
        message = f"{what} must be {least}; found {value:,g} {unit}"
        raise InvalidTimingError(message)


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Durations in seconds, with Kafka's defaults where it has any.

    Raises InvalidTimingError for one that is negative or not finite.
    """

    pause_s: float = 3.0
    """One round of a rebalance, eager or cooperative: until the slowest member has rejoined."""
    warm_up_s: float = 0.0
    """From a partition's assignment until its new owner reads: caches, state, seeks."""
    restart_s: float = 20.0
    """From the last record read before a restart to the first one after it."""
    heartbeat_s: float = 5.0
    """``group.consumer.heartbeat.interval.ms`` of the broker (KIP-848)."""
    assignment_interval_s: float = 1.0
    """``consumer.assignment.interval.ms`` (KIP-1263, since Kafka 4.3; 0 before).

    The minimum time between two assignments computed by a broker."""
    session_timeout_s: float = 45.0
    """``session.timeout.ms``, or the broker's ``group.consumer.session.timeout.ms``."""

    def __post_init__(self) -> None:
        for field in fields(self):
            require(f"the {_SPOKEN[field.name]}", getattr(self, field.name), "s")

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


_SPOKEN: Final = {
    "pause_s": "pause of a rebalance",
    "warm_up_s": "warm-up of a moved partition",
    "restart_s": "time a restart takes",
    "heartbeat_s": "heartbeat interval",
    "assignment_interval_s": "assignment interval",
    "session_timeout_s": "session timeout",
}


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
        raise InvalidTimingError(message)
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
