"""Whether there is a backlog under given owners, and when it ends. P partitions, M members."""

from typing import Final

import numpy as np

from assignors.model import UNOWNED, FloatArray, Group, Owners
from assignors.sums import float_sums
from evaluation.answering.given import Knowledge
from evaluation.capacity.draining import (
    TOLERANCE,
    Capacity,
    demand_of,
    known_rates,
    seconds_per_member,
    speeds,
)
from evaluation.comparing.load import load_in
from evaluation.judging import JudgeBy
from evaluation.measuring.facts import COMMITTED_LATE_S, ONE_POLL, PACE, Facts, Source
from evaluation.measuring.partition_times import KEEPS_UP_S
from evaluation.metrics import lag_per_member

_NEARLY_FULL: Final = 0.8
"""The share of what it can read that a consumer, or a partition, gets where little room is left."""


def all_keep_up(known: Knowledge) -> bool:
    """Return whether no consumer is behind, nor nearly full, as far as speeds are known.

    Behind is one with more than a poll returns, and more than it is known to read in 10 s. Where
    lag alone is the load, nothing else is asked; where numbers of partitions are, it is unknown.
    """
    if not load_in(known.group, known.measure).by_weight:
        return False
    facts, group, speed = known.facts, known.group, known.facts.speed
    owners, own = group.present_owners, speeds(group, speed.records_s)
    soon = np.zeros(own.size) if speed.source is Source.GUESS else KEEPS_UP_S * own
    if (lag_per_member(group, owners) > np.maximum(soon, ONE_POLL)).any():
        return False
    if known.measure.by is JudgeBy.LAG:
        return True
    if facts.arriving_source is None or not group.is_lag_known[facts.is_counted].all():
        return False
    if not speed.is_known:
        return True
    arriving, held = np.nan_to_num(facts.arriving), np.flatnonzero(owners != UNOWNED)
    due = float_sums(owners[held], arriving[held], group.member_count)
    has_room = bool((due <= _NEARLY_FULL * own).all())
    return has_room and bool((arriving <= _NEARLY_FULL * facts.partition_speed).all())


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

    At ``speeds_in`` the facts and the group's own rates, without a pause; infinite if it gets more
    than it reads. One that has kept up with as much waits for nothing: its lag is of late commits.
    """
    capacity = Capacity(
        throughput=facts.speed.records_s, partition_cap=facts.partition_cap, allowed_s=3600.0
    )
    demand, seen = demand_of(group, capacity), _kept_up_with(group, facts)
    seconds = seconds_per_member(demand, owners, speeds_in(group, facts), capacity)
    held = np.flatnonzero(owners != UNOWNED)
    rates, backlog = (
        float_sums(owners[held], each[held], group.member_count)
        for each in (demand.rates, demand.backlog)
    )
    keeps_up = (rates <= seen * (1 + TOLERANCE)) & (backlog <= seen * COMMITTED_LATE_S)
    return np.where(np.isinf(seconds) & keeps_up, 0.0, seconds)


def speeds_in(group: Group, facts: Facts) -> FloatArray:
    """Return what each consumer reads, records/s: its own throughput, or the usual one; (M,).

    Where speeds are measured, no less than it was seen to read, or to keep up with. The facts are
    those of these consumers.
    """
    usual = speeds(group, facts.speed.records_s)
    if facts.speed.source not in {Source.TIMED, Source.MEASURED}:
        return usual
    return np.fmax(np.fmax(usual, facts.reading), _kept_up_with(group, facts))


def _kept_up_with(group: Group, facts: Facts) -> FloatArray:
    """Return the arrival rate of each consumer that reads as much, records/s; else NaN; (M,)."""
    owners = group.present_owners
    held = np.flatnonzero(owners != UNOWNED)
    arriving = float_sums(owners[held], known_rates(group)[held], group.member_count)
    return np.where(facts.reading >= (1 - PACE) * arriving, arriving, np.nan)
