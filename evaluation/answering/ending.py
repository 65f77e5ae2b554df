"""When a backlog ends under given owners, from the facts. P partitions, M members."""

import numpy as np

from assignors.model import UNOWNED, FloatArray, Group, Owners
from evaluation.answering.given import Knowledge
from evaluation.capacity.draining import (
    Capacity,
    demand_of,
    known_rates,
    seconds_per_member,
    speeds,
)
from evaluation.measuring.facts import Facts


def ends_s(owners: Owners, known: Knowledge) -> float | None:
    """Return when the backlog has ended under these owners, in seconds; infinite if never.

    None if nothing waits, or if arrivals or the speed of a consumer are not known well enough.
    """
    facts, group = known.facts, known.group
    if not facts.speed.is_known or facts.arriving_source is None or not group.counted_lags.any():
        return None
    return end_s(group.with_rates(facts.arriving), owners, facts)


def end_s(group: Group, owners: Owners, facts: Facts) -> float:
    """Return when the last backlog has ended; infinite if never, or if something has no owner."""
    waits = (group.counted_lags > 0) | (known_rates(group) > 0)
    if group.member_count:  # else nobody subscribes, and yet nothing ends
        waits &= group.is_wanted
    is_left = bool((waits & (owners == UNOWNED)).any())
    return np.inf if is_left else float(seconds_to_end(group, owners, facts).max(initial=0.0))


def seconds_to_end(group: Group, owners: Owners, facts: Facts) -> FloatArray:
    """Return how long each consumer of these owners (P,) takes to read its backlog; (M,).

    At the speed of the facts and the group's own rates, without a pause; infinite if it gets more
    than it reads.
    """
    capacity = Capacity(
        throughput=facts.speed.records_s, partition_cap=facts.partition_cap, allowed_s=3600.0
    )
    demand = demand_of(group, capacity)
    return seconds_per_member(demand, owners, speeds(group, capacity.throughput), capacity)
