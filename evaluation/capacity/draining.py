"""How fast consumers clear a backlog: a fluid model of reading.

Nobody reads during a pause; then every consumer divides its throughput max-min fairly among
its partitions while records keep arriving. P partitions, M members. Unknown lags and rates
count as 0, which makes every time a lower bound; callers must show it as one.
"""

import math
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, BoolArray, FloatArray, Group, LongArray, Owners
from assignors.sums import float_sums
from evaluation.fluid import Flow, seconds_to_catch_up_each
from evaluation.rebalance.timing import PAUSE_S
from evaluation.stated import InvalidNumberError, check_stated, stated
from evaluation.wording import duration

ALLOWED_S: Final = 600.0
"""The time allowed where nobody states one."""
TOLERANCE: Final = 1e-9
"""Relative, for loads, since sums of floats are not exact."""


@dataclass(frozen=True, kw_only=True)
class Capacity:
    """How fast consumers read and how long they may take.

    Raises InvalidNumberError for values out of range.
    """

    throughput: float = field(
        metadata=stated(
            "the processing rate of a consumer",
            "One consumer reads",
            "Measure it under load, processing included. Blank: what consumers with a backlog read "
            "between two snapshots; failing that, at least what the fastest read; failing that, a "
            "guess.",
            unit="records/s",
            least=1e-9,
        )
    )
    """Of a consumer, unless the member states its own."""
    allowed_s: float = field(
        metadata=stated(
            "the time allowed",
            "Time allowed",
            "The backlog must be cleared within this time.",
            unit="min",
            times=60.0,
            usual=ALLOWED_S,
            least=1e-9,
            link="allowed_min",
        )
    )
    pause_s: float = field(
        default=0.0,
        metadata=stated(
            "the rebalance pause",
            "Rebalance pause",
            "At the start nobody reads for this long, as in an eager rebalance.",
            unit="s",
            usual=PAUSE_S,
            is_shared=True,
        ),
    )
    partition_cap: float | None = field(
        default=None,
        metadata=stated(
            "the most read from one partition",
            "At most from one partition",
            "Set it where one partition cannot use a consumer's full rate, as with small fetches "
            "from distant brokers. Every page counts it.",
            unit="records/s",
            least=1e-9,
        ),
    )
    """From one partition, by any consumer; None: no limit."""

    def __post_init__(self) -> None:
        check_stated(self)
        if self.pause_s >= self.allowed_s:
            message = (
                f"the time allowed ({duration(self.allowed_s)}) must be longer than the rebalance "
                f"pause ({duration(self.pause_s)}), during which nobody reads"
            )
            raise InvalidNumberError(message)


@dataclass(frozen=True, eq=False, kw_only=True)
class Demand:
    """What must be read, by partition; 0 if nobody subscribes."""

    rates: FloatArray
    """(P,) records per second produced."""
    backlog: FloatArray
    """(P,) records behind when the pause ends."""
    needs: FloatArray
    """(P,) records per second required to clear the backlog in time."""


class Drained(NamedTuple):
    """The performance of one assignment."""

    seconds: float
    """Until the last backlog is cleared, including the pause; infinite if never."""
    load: float
    """Of the busiest consumer, as a share of its capacity; up to 1 is in time."""
    idle: int
    """Members without partitions."""


def demand_of(group: Group, capacity: Capacity) -> Demand:
    """Return what must be read from each partition with a subscriber.

    A partition with rate r and lag L needs r + (L + r D) / (T - D) records per second, with the
    pause D and the time allowed T.
    """
    rates = np.where(group.is_wanted, known_rates(group), 0.0)
    lags = np.where(group.is_wanted, group.counted_lags, 0).astype(np.float64)
    backlog = lags + rates * capacity.pause_s
    needs = rates + backlog / (capacity.allowed_s - capacity.pause_s)
    return Demand(rates=rates, backlog=backlog, needs=needs)


def known_rates(group: Group) -> FloatArray:
    """Return the records produced per second, 0 if unknown or negative; shape (P,)."""
    if group.offsets.rates is None:
        return np.zeros(group.partition_count)
    return np.maximum(np.nan_to_num(group.offsets.rates, nan=0.0), 0.0)


def speeds(group: Group, usual: float) -> FloatArray:
    """Return each member's records per second, its own throughput or the usual one; shape (M,)."""
    if group.offsets.throughput is None:
        return np.full(group.member_count, usual)
    own = np.maximum(group.offsets.throughput, 0.0)  # NaN stays NaN
    return np.where(np.isnan(own), usual, own)


def drained(
    demand: Demand, owners: Owners, speed_of_member: FloatArray, capacity: Capacity
) -> Drained:
    """Return how long a group with these owners takes, and the load of its busiest consumer.

    A partition that is wanted but unowned is never read. Without a cap a consumer reads at full
    speed until its last partition has caught up, however it divides its time. A cap that binds
    leaves speed unused towards the end; if that makes a consumer late, it counts as load.
    """
    held = np.flatnonzero(owners != UNOWNED)
    who, members = owners[held], speed_of_member.size
    loads = _loads(float_sums(who, demand.needs[held], members), speed_of_member)
    seconds = seconds_per_member(demand, owners, speed_of_member, capacity)
    counts = np.bincount(who, minlength=members)
    load, slowest = loads.max(initial=0.0), seconds.max(initial=0.0)
    if capacity.partition_cap is not None:
        alone = np.minimum(speed_of_member[who], capacity.partition_cap)
        load = max(load, _loads(demand.needs[held], alone).max(initial=0.0))
        if capacity.allowed_s < slowest < math.inf:
            load = max(load, slowest / capacity.allowed_s)
    if (demand.needs[owners == UNOWNED] > 0).any():
        load = slowest = math.inf
    return Drained(float(slowest), float(load), int(np.count_nonzero(counts == 0)))


def as_owned_now(group: Group, capacity: Capacity) -> Drained | None:
    """Return how long the present owners take; None if something to read has no owner."""
    unpaused = replace(capacity, pause_s=0.0)
    demand, owners = demand_of(group, unpaused), group.present_owners
    has_needs = demand.needs > 0
    if not has_needs.any() or (has_needs & (owners == UNOWNED)).any():
        return None
    return drained(demand, owners, speeds(group, capacity.throughput), unpaused)


def seconds_per_member(
    demand: Demand, owners: Owners, speed_of_member: FloatArray, capacity: Capacity
) -> FloatArray:
    """Return how long each member takes, infinite if for ever; (M,). See ``drained``."""
    held = np.flatnonzero(owners != UNOWNED)
    who, members = owners[held], speed_of_member.size
    rates = float_sums(who, demand.rates[held], members)
    backlog = float_sums(who, demand.backlog[held], members)
    seconds = _seconds(backlog, speed_of_member - rates, capacity)
    if capacity.partition_cap is not None:
        alone = np.minimum(speed_of_member[who], capacity.partition_cap)
        lone = _seconds(demand.backlog[held], alone - demand.rates[held], capacity)
        np.maximum.at(seconds, who, lone)
        flow = Flow(
            demand.backlog[held], demand.rates[held], who, speed_of_member, capacity.partition_cap
        )
        each = capacity.pause_s + seconds_to_catch_up_each(flow)
        seconds = np.where((backlog > 0) & np.isfinite(seconds), np.maximum(seconds, each), seconds)
    return seconds


def headroom_of(
    demand: Demand, owners: Owners, speed_of_member: FloatArray, capacity: Capacity
) -> float:
    """Return by which share more may arrive everywhere, and these owners are still in time.

    Negative if they are late, infinite if nothing arrives. A cap on one partition may make them
    late a little earlier, since it leaves speed unused towards the end.
    """
    held = np.flatnonzero(owners != UNOWNED)
    if (demand.needs[owners == UNOWNED] > 0).any():
        return -1.0
    who, members = owners[held], speed_of_member.size
    waits = demand.needs - demand.rates
    shares = [_more(demand.rates[held], waits[held], _capped_each(speed_of_member[who], capacity))]
    rates, waiting = (float_sums(who, each[held], members) for each in (demand.rates, waits))
    shares.append(_more(rates, waiting, speed_of_member))
    return float(np.concatenate(shares).min(initial=math.inf))


def _more(rates: FloatArray, waits: FloatArray, most: FloatArray) -> FloatArray:
    """Return the share by which each rate may rise beside what waits."""
    shares = np.where(waits > most, -1.0, math.inf)
    np.divide(most - waits, rates, out=shares, where=rates > 0)
    return np.where(rates > 0, shares - 1, shares)


def _capped_each(speeds_: FloatArray, capacity: Capacity) -> FloatArray:
    cap = capacity.partition_cap
    return speeds_ if cap is None else np.minimum(speeds_, cap)


def is_in_time(load: float | FloatArray) -> bool | BoolArray:
    """Return whether a load, as a share of the capacity, is cleared in time."""
    return load <= 1 + TOLERANCE


def too_heavy(demand: Demand, fastest: float, capacity: Capacity) -> LongArray:
    """Return the partitions that no consumer can clear in time, the slowest first.

    More consumers do not help, because a partition has one owner, here the fastest.
    """
    most = _capped(fastest, capacity)
    heavy = np.flatnonzero(demand.needs > most * (1 + TOLERANCE))
    alone = seconds_alone(demand, fastest, capacity)[heavy]
    return heavy[np.lexsort((-demand.needs[heavy], -alone))]


def seconds_alone(demand: Demand, fastest: float, capacity: Capacity) -> FloatArray:
    """Return how long each partition takes with a consumer of its own; shape (P,).

    Includes the pause; infinite if records arrive as fast as they can be read.
    """
    return _seconds(demand.backlog, _capped(fastest, capacity) - demand.rates, capacity)


def _loads(needs: FloatArray, most: FloatArray) -> FloatArray:
    """Return needs as shares of what can be read; infinite if nothing can."""
    loads = np.where(needs > 0, math.inf, 0.0)
    np.divide(needs, most, out=loads, where=most > 0)
    return loads


def _capped(speed: float, capacity: Capacity) -> float:
    return speed if capacity.partition_cap is None else min(speed, capacity.partition_cap)


def _seconds(backlog: FloatArray, spare: FloatArray, capacity: Capacity) -> FloatArray:
    """Return when the backlog is cleared, given the read rate beyond the arrival rate.

    A spare rate within the rounding error counts as none.
    """
    nothing = TOLERANCE * capacity.throughput
    draining_s = np.full(backlog.size, math.inf)
    np.divide(backlog, spare, out=draining_s, where=(backlog > 0) & (spare > nothing))
    keeps_up = (backlog == 0) & (spare >= -nothing)
    return np.where(keeps_up, 0.0, capacity.pause_s + draining_s)
