"""Rules by which autoscalers choose a number of consumers, and what these overlook."""

import math
from typing import NamedTuple

import numpy as np

from assignors.model import Group
from assignors.registry import Promise, Strategy
from evaluation.capacity.draining import Capacity, InvalidCapacityError, known_rates
from evaluation.sums import exact_total, whole


class Advice(NamedTuple):
    """How many consumers a rule asks for."""

    consumers: int
    uncapped: int
    """Before the number of partitions limits it."""


def keda(group: Group, lag_threshold: float) -> Advice:
    """Return ``ceil(total lag / threshold)``, at most one consumer a partition.

    KEDA's Kafka scaler with ``lagThreshold``, as long as idle consumers are not allowed.
    It sees total lag: neither produce rates nor the share of a single partition.
    """
    if not 0 < lag_threshold < math.inf:
        message = f"KEDA's lag threshold must be more than 0 records; found {lag_threshold:,g}"
        raise InvalidCapacityError(message)
    total = exact_total(group.counted_lags)
    return _at_most_partitions(group, total / lag_threshold)


def flink(group: Group, capacity: Capacity) -> Advice:
    """Return ``ceil((rate + lag / catch-up) / throughput)``, at most one consumer a partition.

    Flink's autoscaler, with the time allowed as ``catch-up.duration`` and a utilization of
    1. It sees totals, as if every partition could be split among consumers.
    """
    rate = float(known_rates(group).sum())
    needed = rate + exact_total(group.counted_lags) / capacity.allowed_s
    return _at_most_partitions(group, needed / capacity.throughput - 1e-9)


def _at_most_partitions(group: Group, consumers: float) -> Advice:
    needed = max(whole(np.ceil(consumers)), 1)
    return Advice(min(needed, max(group.partition_count, 1)), needed)


def partitions_to_busy(strategy: Strategy, consumers: int) -> str:
    """Return what gives each of so many equally subscribed consumers a partition."""
    if Promise.BALANCED in strategy.promises:
        return f"{consumers:,} partitions in all"
    return f"a topic of {consumers:,} partitions"
