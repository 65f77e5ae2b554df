"""When a backlog ends under given owners, from the facts, and what is proposed for that.

P partitions, M members.
"""

from typing import Final

import numpy as np

from assignors.model import UNOWNED, FloatArray, Group, Owners
from evaluation.advice import Advice
from evaluation.capacity.draining import (
    Capacity,
    demand_of,
    known_rates,
    seconds_per_member,
    speeds,
)
from evaluation.compare import Outcome
from evaluation.facts import Facts, Source

_WORTH_IT: Final = 0.1
"""The share of the busiest consumer's load for which a custom assignor is proposed."""


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


def end_s(group: Group, owners: Owners, facts: Facts) -> float:
    """Return when the last backlog has ended; infinite if never, or if something has no owner."""
    waits = (group.counted_lags > 0) | (known_rates(group) > 0)
    if group.member_count:  # else nobody subscribes, and yet nothing ends
        waits &= group.is_wanted
    is_left = bool((waits & (owners == UNOWNED)).any())
    return np.inf if is_left else float(seconds_to_end(group, owners, facts).max(initial=0.0))


def ending_s(group: Group, outcome: Outcome, facts: Facts) -> float | None:
    """Return when the backlog has ended under an outcome, in seconds; infinite if never.

    None if nothing waits, or if the arrival rate or the read rate is not known well enough.
    """
    is_speed_known = facts.speed.source is not Source.GUESS and not facts.speed.is_least
    if not is_speed_known or facts.arriving_source is None or not group.counted_lags.any():
        return None
    arriving = group.with_rates(facts.arriving)
    return end_s(arriving, outcome.owners, facts)


def proposal(group: Group, advice: Advice, facts: Facts) -> Outcome | None:
    """Return what to do: a setting, else a custom assignor that is worth it, else nothing.

    A custom assignor is code on every consumer. It is worth that if it takes a tenth of the load
    off the busiest consumer, or if the backlog ends under it and never under anything else.
    """
    usual, own = advice.settable or advice.now, advice.custom
    if own is None or usual is None:
        return advice.settable or own
    by_usual, by_own = (ending_s(group, outcome, facts) for outcome in (usual, own))
    is_needed = by_usual is not None and np.isinf(by_usual) and not np.isinf(by_own or 0.0)
    if advice.settable is None:
        most, least = (advice.load.of(outcome) for outcome in (usual, own))
        is_needed |= least <= (1 - _WORTH_IT) * most
        is_needed |= own.figures.unowned < usual.figures.unowned
    return own if is_needed else advice.settable
