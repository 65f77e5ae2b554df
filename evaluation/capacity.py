"""How fast consumers get rid of a backlog: a fluid model of reading.

A group stands still for a pause, then every consumer reads at its throughput, shared out
fairly among its partitions (max-min), while records keep arriving. P partitions, M members.
Unknown lags and rates count as 0, so that every time is the least it can be; callers say so.
"""

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, BoolArray, FloatArray, Group, LongArray, Owners

TOLERANCE: Final = 1e-9
"""Of a load against what a consumer can carry: sums of floats are not exact."""


class InvalidCapacityError(ValueError):
    """An input that contradicts itself; the message says what to give instead."""


@dataclass(frozen=True, kw_only=True)
class Capacity:
    """What consumers can do, and what is asked of them.

    Raises InvalidCapacityError where nothing can be worked out from the values.
    """

    throughput: float
    """Records per second that a consumer reads; members that state their own keep it."""
    partition_cap: float | None = None
    """Records per second that can be read from one partition, whoever reads it."""
    pause_s: float = 0.0
    """Seconds during which nobody reads, at the start."""
    allowed_s: float
    """Seconds, the pause included, after which no backlog may be left."""

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        _refuse_not_positive("the throughput of a consumer", self.throughput, "records/s")
        _refuse_not_positive("the time allowed", self.allowed_s, "s")
        if self.partition_cap is not None:
            _refuse_not_positive("the cap per partition", self.partition_cap, "records/s")
        if not 0 <= self.pause_s < math.inf:
            message = f"the pause must be 0 s or more; found {self.pause_s:,g} s"
            raise InvalidCapacityError(message)
        if self.pause_s >= self.allowed_s:
            message = (
                f"the time allowed ({self.allowed_s:,g} s) must be longer than the pause of a "
                f"rebalance ({self.pause_s:,g} s): until it is over nobody reads"
            )
            raise InvalidCapacityError(message)

    @property
    def most_from_one(self) -> float:
        """Records per second that a consumer of the given throughput reads from a partition."""
        return _capped(self.throughput, self)


@dataclass(frozen=True, eq=False, kw_only=True)
class Demand:
    """What has to be read, partition by partition; 0 where nobody subscribes."""

    rates: FloatArray
    """(P,) records per second produced."""
    backlog: FloatArray
    """(P,) records waiting when the pause is over."""
    needs: FloatArray
    """(P,) records per second to read so that the backlog is gone in time."""


class Drained(NamedTuple):
    """What one assignment comes to."""

    seconds: float
    """Until no consumer has any backlog, the pause included; infinite if never."""
    load: float
    """Of the consumer worst off, as a share of what it can read; at most 1 is in time."""
    idle: int
    """Members without a partition."""
    is_exact: bool
    """False if the cap per partition can bind, so that the seconds are only a lower bound."""


def demand_of(group: Group, capacity: Capacity) -> Demand:
    """Return what has to be read from each partition that somebody subscribes to.

    A partition with rate r and lag L needs r + (L + r D) / (T - D) records per second, D
    being the pause and T the time allowed.
    """
    rates = np.where(group.is_wanted, known_rates(group), 0.0)
    lags = np.where(group.is_wanted, group.counted_lags, 0).astype(np.float64)
    backlog = lags + rates * capacity.pause_s
    needs = rates + backlog / (capacity.allowed_s - capacity.pause_s)
    return Demand(rates=rates, backlog=backlog, needs=needs)


def known_rates(group: Group) -> FloatArray:
    """Return the records per second produced, 0 where unknown or negative; shape (P,)."""
    if group.rates is None:
        return np.zeros(group.partition_count)
    return np.maximum(np.nan_to_num(group.rates, nan=0.0), 0.0)


def speeds(group: Group, capacity: Capacity) -> FloatArray:
    """Return what each member reads: its own throughput where known, if it reads; shape (M,)."""
    if group.throughput is None:
        return np.full(group.member_count, capacity.throughput)
    own = np.maximum(group.throughput, 0.0)  # NaN stays NaN
    return np.where(np.isnan(own), capacity.throughput, own)


def drained(
    demand: Demand, owners: Owners, speed_of_member: FloatArray, capacity: Capacity
) -> Drained:
    """Return how long a group with these owners takes, and how close it runs to the limit.

    A partition that is wanted but unowned is never read. Without a cap the time is exact:
    a consumer reads at full speed until the last of its partitions has caught up, however
    it divides itself. A cap that binds leaves speed unused; then the slowest partition on
    its own and the whole at full speed are both lower bounds, and the larger is returned.
    """
    held = np.flatnonzero(owners != UNOWNED)
    who, members = owners[held], speed_of_member.size
    rates = _sums(who, demand.rates[held], members)
    backlog = _sums(who, demand.backlog[held], members)
    loads = _loads(_sums(who, demand.needs[held], members), speed_of_member)
    seconds = _seconds(backlog, speed_of_member - rates, capacity)
    counts = np.bincount(who, minlength=members)
    load, slowest, is_exact = loads.max(initial=0.0), seconds.max(initial=0.0), True
    if capacity.partition_cap is not None:
        alone = np.minimum(speed_of_member[who], capacity.partition_cap)
        lone = _seconds(demand.backlog[held], alone - demand.rates[held], capacity)
        load = max(load, _loads(demand.needs[held], alone).max(initial=0.0))
        slowest = max(slowest, lone.max(initial=0.0))
        fastest = np.zeros(members)
        np.maximum.at(fastest, who, demand.rates[held])
        is_exact = not _binds(speed_of_member - rates + fastest, counts, capacity).any()
    if (demand.needs[owners == UNOWNED] > 0).any():
        load = slowest = math.inf
    return Drained(float(slowest), float(load), int(np.count_nonzero(counts == 0)), is_exact)


def is_in_time(load: float | FloatArray) -> bool | BoolArray:
    """Tell whether a load, as a share of what can be read, is carried in time."""
    return load <= 1 + TOLERANCE


def too_heavy(demand: Demand, fastest: float, capacity: Capacity) -> LongArray:
    """Return the partitions that no consumer can read in time, the slowest first.

    More consumers do not help: a partition has one reader, here the fastest there is.
    """
    most = _capped(fastest, capacity)
    heavy = np.flatnonzero(demand.needs > most * (1 + TOLERANCE))
    alone = seconds_alone(demand, fastest, capacity)[heavy]
    return heavy[np.lexsort((-demand.needs[heavy], -alone))]


def seconds_alone(demand: Demand, fastest: float, capacity: Capacity) -> FloatArray:
    """Return how long each partition takes with a consumer of its own; shape (P,).

    The pause is included; infinite where records arrive as fast as they can be read.
    """
    return _seconds(demand.backlog, _capped(fastest, capacity) - demand.rates, capacity)


def _sums(keys: Owners, values: FloatArray, size: int) -> FloatArray:
    return np.bincount(keys, values, minlength=size).astype(np.float64, copy=False)


def _loads(needs: FloatArray, most: FloatArray) -> FloatArray:
    """Return needs as shares of what can be read; any need of one who reads nothing is beyond."""
    found = np.where(needs > 0, math.inf, 0.0)
    np.divide(needs, most, out=found, where=most > 0)
    return found


def _capped(speed: float, capacity: Capacity) -> float:
    return speed if capacity.partition_cap is None else min(speed, capacity.partition_cap)


def _seconds(backlog: FloatArray, spare: FloatArray, capacity: Capacity) -> FloatArray:
    """Return when the backlog is gone at so many records per second beyond what arrives.

    A rounding error to spare is nothing to spare.
    """
    nothing = TOLERANCE * capacity.throughput
    found = np.full(backlog.size, math.inf)
    np.divide(backlog, spare, out=found, where=(backlog > 0) & (spare > nothing))
    keeps_up = (backlog == 0) & (spare >= -nothing)
    return np.where(keeps_up, 0.0, capacity.pause_s + found)


def _binds(most_level: FloatArray, counts: LongArray, capacity: Capacity) -> BoolArray:
    """Return for which members the cap may hold back what a fair share would give.

    The fair share only grows while partitions catch up; the last of them is given what the
    rates of the others leave. With a single partition the cap is all there is to it.
    """
    cap = math.inf if capacity.partition_cap is None else capacity.partition_cap
    return (counts > 1) & (most_level > cap * (1 + TOLERANCE))


def _refuse_not_positive(what: str, value: float, unit: str) -> None:
    if not 0 < value < math.inf:
        message = f"{what} must be more than 0 {unit}; found {value:,g}"
        raise InvalidCapacityError(message)
