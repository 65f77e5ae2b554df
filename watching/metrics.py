"""What the last poll found, as metric families of the Prometheus client library.

What is unknown has no sample. Partitions have series until the limit is reached, those of small
groups first; how many were left out is a metric.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from assignors.model import FloatArray
from evaluation.measuring.partition_times import Basis
from watching.states import CAP_S, WatchedState
from watching.webhook import Webhook

_LONGEST_LABEL: Final = 300
"""Characters of a name; Kafka's own limit for topics is 249, and groups have none."""
_PER_PARTITION: Final = 4
_PER_CONSUMER: Final = 2
_PER_GROUP: Final = 11


@dataclass(kw_only=True)
class LastPoll:
    """The outcome of the last poll, and what the watcher did."""

    cluster: str | None = None
    """A label of every series, if given."""
    is_up: bool = False
    succeeded_at_s: float | None = None
    """Seconds since the epoch."""
    took_s: float | None = None
    states: Sequence[WatchedState] = ()
    unread: int = 0
    waiting_answers: int = 0
    active_alerts: int = 0
    late_polls: int = 0
    """Polls that took longer than the interval."""


class _Figure(NamedTuple):
    """A figure of each group."""

    name: str
    help: str
    of: Callable[[WatchedState], float]


def _largest(values: FloatArray) -> float:
    return float(np.fmax.reduce(values, initial=np.nan))


def _least(values: FloatArray) -> float:
    return float(np.fmin.reduce(values, initial=np.nan))


_GAUGES: Final = (
    _Figure("kafka_group_lag_records", "Known lag of all partitions.", lambda s: s.lag),
    _Figure(
        "kafka_group_catch_up_seconds",
        "Until the last partition has caught up at the present rates; +Inf for never.",
        lambda s: _largest(s.partitions.catch_up_s),
    ),
    _Figure(
        "kafka_group_loss_seconds",
        "Until retention deletes the first unread record at the present rates; +Inf for never.",
        lambda s: _least(s.partitions.loss_s),
    ),
    _Figure(
        "kafka_group_busiest_over_bound",
        "Load of the busiest consumer over the lower bound that no assignment can beat.",
        lambda s: s.over_bound,
    ),
    _Figure("kafka_group_consumers", "Consumers in the group.", lambda s: s.consumers),
    _Figure("kafka_group_idle_consumers", "Consumers that own nothing.", lambda s: s.idle),
)
_COUNTERS: Final = (
    _Figure(
        "kafka_group_rebalances_seen",
        "Polls between which owners or members changed.",
        lambda s: s.rebalances,
    ),
    _Figure("kafka_group_moved_partitions", "Partitions that changed owners.", lambda s: s.moved),
    _Figure(
        "kafka_group_needless_moves",
        "Of them, those beyond the fewest that make counts even.",
        lambda s: s.needless,
    ),
)


class GroupCollector(Collector):
    """Yields the families of what was found, at most about ``most_series`` series."""

    def __init__(
        self, found: Callable[[], LastPoll], webhook: Webhook | None, most_series: int
    ) -> None:
        self._found = found
        self._webhook = webhook
        self._most_series = most_series

    def left_out(self) -> str:
        """Return what has no series because of the limit; "" if nothing."""
        states = self._found().states
        counts = _left_out(states, *_shares(states, self._most_series))
        told = ", ".join(f"{n:,} without series of a {scope}" for scope, n in counts.items() if n)
        return told and f"--max-series {self._most_series:,} leaves out groups: {told}."

    def collect(self) -> Iterable[Metric]:
        """Yield the families, each with all its samples."""
        found = self._found()
        groups, partitions, consumers = _shares(found.states, self._most_series)
        label, value = ((), ()) if found.cluster is None else (("cluster",), (found.cluster,))
        sheet = _Sheet(label, value)
        yield from _own(sheet, found, _left_out(found.states, groups, partitions, consumers))
        if self._webhook is not None:
            yield from _of_webhook(sheet, self._webhook)
        yield from sheet.of_groups(groups)
        yield from sheet.of_partitions(partitions)
        if any(state.per_consumer for state in found.states):
            yield from sheet.of_consumers(consumers)


def _shares(
    states: Sequence[WatchedState], most: int
) -> tuple[Sequence[WatchedState], Sequence[WatchedState], Sequence[WatchedState]]:
    """Return the groups that have series of their own, for partitions, and for consumers."""
    groups = states[: most // _PER_GROUP]
    left = most - len(groups) * _PER_GROUP
    by_size = sorted(groups, key=lambda s: (s.partitions.lag.size, s.group))
    partitions, left = _fitting(
        by_size, [_PER_PARTITION * s.partitions.lag.size for s in by_size], left
    )
    told = [state for state in by_size if state.per_consumer is not None]
    consumers, _ = _fitting(told, [_PER_CONSUMER * int(s.consumers) for s in told], left)
    return groups, partitions, consumers


def _fitting(
    states: Sequence[WatchedState], sizes: Sequence[int], most: int
) -> tuple[list[WatchedState], int]:
    """Return the first groups whose series fit, and how many more would."""
    ends = np.cumsum(np.array(sizes, np.int64))
    count = int(np.searchsorted(ends, most, side="right"))
    return list(states[:count]), most - (int(ends[count - 1]) if count else 0)


def _left_out(states: Sequence[WatchedState], *shown: Sequence[WatchedState]) -> dict[str, int]:
    """Return how many groups have no series of each scope."""
    told = sum(state.per_consumer is not None for state in states)
    of = (len(states), len(states), told)
    scopes = ("group", "partition", "consumer")
    return {scope: all_ - len(those) for scope, all_, those in zip(scopes, of, shown, strict=True)}


class _Sheet:
    """Families with the labels of the cluster before their own."""

    def __init__(self, label: tuple[str, ...], value: tuple[str, ...]) -> None:
        self._label = label
        self._value = value

    def gauge(self, name: str, text: str, *labels: str) -> GaugeMetricFamily:
        """Return an empty family."""
        return GaugeMetricFamily(name, text, labels=(*self._label, *labels))

    def counter(self, name: str, text: str, *labels: str) -> CounterMetricFamily:
        """Return an empty family, whose samples end in ``_total``."""
        return CounterMetricFamily(name, text, labels=(*self._label, *labels))

    def add(self, family: GaugeMetricFamily | CounterMetricFamily, value: float, *of: str) -> None:
        """Add a sample, unless it is unknown."""
        if not np.isnan(value):
            family.add_metric((*self._value, *map(_short, of)), value)

    def of_groups(self, states: Sequence[WatchedState]) -> Iterator[Metric]:
        """Yield what each group has."""
        verdict = self.gauge(
            "kafka_group_verdict",
            "What is the matter with a group: 1.",
            "group",
            "kind",
            "severity",
        )
        for state in states:
            severity = state.severity.name.lower()
            self.add(verdict, 1, state.group, state.kind.value, severity)
        yield verdict
        text = f"Age of the oldest record to be read, at most {CAP_S:,.0f}; basis as per partition."
        ages = self.gauge("kafka_group_time_lag_seconds", text, "group", "basis")
        for state in states:
            at = _oldest(state)
            if at is not None:
                its = state.partitions
                self.add(ages, float(its.time_lag_s[at]), state.group, _basis(int(its.basis[at])))
        yield ages
        for figure in (*_GAUGES, *_COUNTERS):
            make = self.gauge if figure in _GAUGES else self.counter
            family = make(figure.name, figure.help, "group")
            for state in states:
                self.add(family, figure.of(state), state.group)
            yield family

    def of_partitions(self, states: Sequence[WatchedState]) -> Iterator[Metric]:
        """Yield what each partition has."""
        own = ("group", "topic", "partition")
        name = "kafka_group_partition"
        text = (
            f"Age of the next record to be read, at most {CAP_S:,.0f}. basis: between polls, at "
            "the present rate, at least, or as the cluster reports."
        )
        yield self._per_partition(
            self.gauge(f"{name}_lag_records", "Records that wait.", *own), states, "lag"
        )
        yield self._per_partition(
            self.gauge(f"{name}_time_lag_seconds", text, *own, "basis"), states, "time_lag_s"
        )
        text = "Until the lag is read at the present rates; +Inf for never."
        yield self._per_partition(
            self.gauge(f"{name}_catch_up_seconds", text, *own), states, "catch_up_s"
        )
        text = "Until retention deletes an unread record at the present rates; +Inf for never."
        yield self._per_partition(self.gauge(f"{name}_loss_seconds", text, *own), states, "loss_s")

    def _per_partition(
        self, family: GaugeMetricFamily, states: Sequence[WatchedState], column: str
    ) -> GaugeMetricFamily:
        has_basis = column == "time_lag_s"
        for state in states:
            values = getattr(state.partitions, column).tolist()
            bases = state.partitions.basis.tolist()
            for at, (topic, partition) in enumerate(_places(state)):
                basis = (_basis(bases[at]),) if has_basis else ()
                self.add(family, values[at], state.group, topic, partition, *basis)
        return family

    def of_consumers(self, states: Sequence[WatchedState]) -> Iterator[Metric]:
        """Yield what each consumer has."""
        own = ("group", "consumer", "host")
        lag = self.gauge("kafka_group_consumer_lag_records", "Lag of what it owns.", *own)
        owned = self.gauge("kafka_group_consumer_partitions", "Partitions that it owns.", *own)
        for state in states:
            its = state.per_consumer
            if its is None:
                continue
            for at, (consumer, host) in enumerate(zip(its.labels, its.hosts, strict=True)):
                self.add(lag, float(its.lag[at]), state.group, consumer, host)
                self.add(owned, float(its.partitions[at]), state.group, consumer, host)
        yield lag
        yield owned


def _own(sheet: _Sheet, found: LastPoll, left_out: dict[str, int]) -> Iterator[Metric]:
    """Yield what is told of the watcher itself."""
    name = "kafka_assignments"
    nan = float("nan")
    plain = (
        ("up", "Whether the last poll read the cluster to the end.", float(found.is_up)),
        (
            "last_success_timestamp_seconds",
            "When the last such poll ended.",
            nan if found.succeeded_at_s is None else found.succeeded_at_s,
        ),
        (
            "poll_seconds",
            "How long the last poll took.",
            nan if found.took_s is None else found.took_s,
        ),
        ("answers_waiting", "Groups whose simulations are due.", found.waiting_answers),
        ("alerts_active", "Alerts that have begun and not ended.", found.active_alerts),
    )
    for what, text, value in plain:
        family = sheet.gauge(f"{name}_{what}", text)
        sheet.add(family, value)
        yield family
    groups = sheet.gauge(f"{name}_groups", "Groups of the last poll.", "outcome")
    sheet.add(groups, len(found.states), "read")
    sheet.add(groups, found.unread, "unread")
    yield groups
    text = "Groups without series of this scope, as --max-series allows no more."
    left = sheet.gauge(f"{name}_groups_left_out", text, "scope")
    for scope, count in left_out.items():
        sheet.add(left, count, scope)
    yield left
    late = sheet.counter(f"{name}_late_polls", "Polls that took longer than the interval.")
    sheet.add(late, found.late_polls)
    yield late
    cpu = sheet.counter(f"{name}_cpu_seconds", "CPU time of this process.")
    sheet.add(cpu, time.process_time())
    yield cpu


def _of_webhook(sheet: _Sheet, webhook: Webhook) -> Iterator[Metric]:
    """Yield what became of alerts."""
    alerts = sheet.counter("kafka_assignments_alerts", "What became of alerts.", "outcome")
    for outcome in ("sent", "retried", "dropped"):
        sheet.add(alerts, webhook.counts[outcome], outcome)
    yield alerts
    waiting = sheet.gauge("kafka_assignments_alerts_waiting", "Alerts not sent yet.")
    sheet.add(waiting, webhook.waiting)
    yield waiting


def _oldest(state: WatchedState) -> int | None:
    """Return the partition with the largest time lag; None if none is known."""
    ages = state.partitions.time_lag_s
    return int(np.nanargmax(ages)) if (~np.isnan(ages)).any() else None


def _places(state: WatchedState) -> Iterator[tuple[str, str]]:
    its = state.partitions
    for topic, size in zip(its.topics, its.sizes, strict=True):
        for partition in range(size):
            yield topic, str(partition)


def _basis(number: int) -> str:
    return Basis(number).name.lower().replace("_", "-")


def _short(name: str) -> str:
    """Return a label's value; a very long name without its middle."""
    if len(name) <= _LONGEST_LABEL:
        return name
    half = _LONGEST_LABEL // 2
    return f"{name[:half]}…{name[-half:]}"
