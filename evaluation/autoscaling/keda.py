"""KEDA's Apache Kafka scaler: the metric that it passes to the Horizontal Pod Autoscaler.

After ``pkg/scalers/kafka_scaler.go`` of KEDA 2.21. P partitions, in the order of their topics.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNKNOWN, LongArray
from evaluation.stated import InvalidNumberError

NOT_COMMITTED: Final = -1
"""The committed offset of a partition without one."""


@dataclass(frozen=True, kw_only=True)
class KedaTrigger:
    """The trigger's metadata, with KEDA's defaults.

    Raises InvalidNumberError for what KEDA rejects.
    """

    lag_threshold: int = 10
    activation_lag_threshold: int = 0
    resets_to_latest: bool = True
    """``offsetResetPolicy``."""
    allow_idle_consumers: bool = False
    exclude_persistent_lag: bool = False
    scale_to_zero_on_invalid_offset: bool = False
    limit_to_partitions_with_lag: bool = False
    ensure_even_distribution_of_partitions: bool = False
    has_topic: bool = True
    """Without ``topic``, every topic with a committed offset counts."""
    is_average: bool = True
    """``metricType``: AverageValue, not Value."""
    is_cached: bool = False
    """``useCachedMetrics``: the HPA sees what the last poll gave."""

    def __post_init__(self) -> None:
        # As ``kafkaMetadata.Validate``.
        even = self.ensure_even_distribution_of_partitions
        limited = self.limit_to_partitions_with_lag
        refused = (
            (self.lag_threshold <= 0, "lagThreshold must be more than 0"),
            (self.activation_lag_threshold < 0, "activationLagThreshold must be 0 or more"),
            (limited and self.allow_idle_consumers, _BOTH.format("allowIdleConsumers")),
            (limited and even, _BOTH.format("ensureEvenDistributionOfPartitions")),
            (not self.has_topic and (limited or even), "the trigger must name a topic"),
        )
        for is_refused, message in refused:
            if is_refused:
                raise InvalidNumberError(message)


_BOTH: Final = "limitToPartitionsWithLag and {} exclude each other"


class Metric(NamedTuple):
    """The result of one poll."""

    lag: int
    """The metric: the HPA divides it by ``lagThreshold``."""
    is_active: bool
    """Whether there may be pods at all."""
    committed: LongArray
    """(P,) to pass to the next poll, for ``excludePersistentLag``."""
    lags: LongArray
    """(P,) how much each partition counts, before the cap."""
    most: int | None
    """How many pods the cap leaves work for, in multiples of ``lagThreshold``; None without one."""


def metric(
    options: KedaTrigger,
    committed: LongArray,
    ends: LongArray,
    starts: LongArray,
    before: LongArray | None = None,
) -> Metric:
    """Return the result of ``GetMetricsAndActivity`` for the offsets of one poll, (P,) each.

    ``before`` is ``Metric.committed`` of the last poll. A partition that is ``NOT_COMMITTED``
    counts as 1 record, or as all retained ones if ``offsetResetPolicy`` is earliest. Callers
    leave out the partitions that ``partitionLimitation`` excludes.
    """
    last = np.full(ends.size, UNKNOWN) if before is None else before.copy()
    is_new = committed == NOT_COMMITTED
    lags = np.where(is_new, _uncommitted(options, ends, starts), ends - committed)
    counted = lags.copy()
    if options.exclude_persistent_lag:
        counted[~is_new & (last == committed)] = 0
        last[~is_new] = committed[~is_new]
    is_active = int(lags.sum()) > options.activation_lag_threshold
    most = _most(options, counted)
    return Metric(max(_bounded(options, counted, most), 0), is_active, last, counted, most)


def even_number(lag: int, partitions: int, threshold: int) -> int:
    """Return the smallest divisor of the partitions whose multiple of the threshold covers the lag.

    >>> even_number(41, 12, 10)
    6
    """
    divisors = (n for n in range(1, partitions + 1) if partitions % n == 0)
    return next((n for n in divisors if n * threshold >= lag), partitions)


def _uncommitted(options: KedaTrigger, ends: LongArray, starts: LongArray) -> LongArray:
    if options.scale_to_zero_on_invalid_offset:
        return np.zeros_like(ends)
    return np.ones_like(ends) if options.resets_to_latest else np.maximum(ends - starts, 0)


def _most(options: KedaTrigger, lags: LongArray) -> int | None:
    if options.allow_idle_consumers and not options.ensure_even_distribution_of_partitions:
        return None
    return int(np.count_nonzero(lags > 0)) if options.limit_to_partitions_with_lag else lags.size


def _bounded(options: KedaTrigger, lags: LongArray, most: int | None) -> int:
    """Return the total lag, capped so that every consumer is busy unless idle ones are allowed.

    The division is of integers, as KEDA's: up to a threshold less one above the cap stays.
    """
    total, threshold = int(lags.sum()), options.lag_threshold
    if options.ensure_even_distribution_of_partitions:
        total = even_number(total, lags.size, threshold) * threshold
    return total if most is None or total // threshold <= most else most * threshold
