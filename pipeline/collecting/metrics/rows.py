"""Convert one group of a window of metrics to rows of telemetry."""

from typing import Any, Final

import numpy as np
import pyarrow as pa

from live.prometheus.spans import NOBODY, UNKNOWN, Span
from pipeline.collecting.rows import SCHEMA
from schemas.telemetry import NOT_TOLD

_MOST_COUNTED: Final = 100_000
"""Consumers of a group; a metric may claim any number."""


def rows_of(span: Span, cluster: str) -> pa.RecordBatch:
    """Return a row for each partition and time with a sample, by time, then partition.

    Without owners, each counted consumer has a row of its own, numbered from ``member-1``, and
    every row says that who owns what is not told. Where nobody counts them either, there is none.
    """
    place, at = np.nonzero(span.is_told)
    counted = np.zeros(span.window.points, np.int64)
    if not span.has_owners:
        counted = np.minimum(np.maximum(span.members, 0), _MOST_COUNTED)
        counted[~span.is_told.any(axis=0)] = 0
    idle_at = np.repeat(np.arange(counted.size), counted)
    idle = np.arange(idle_at.size) - np.repeat(np.cumsum(counted) - counted, counted)
    order = np.argsort(np.append(at, idle_at), kind="stable")
    columns = _of_partitions(span, place, at, idle.size) | _of_members(span, place, at, idle)
    count = order.size
    columns["cluster"] = pa.array([span.cluster or cluster]).take(pa.array(np.zeros(count, int)))
    columns["group_id"] = pa.array([span.group_id]).take(pa.array(np.zeros(count, int)))
    times = span.window.times_s[np.append(at, idle_at)] * 1_000_000
    columns["snapshot_at"] = pa.array(times).cast(SCHEMA.field("snapshot_at").type)
    told = _is_told(span)[np.append(at, idle_at)]
    columns["ownership"] = pa.array(np.full(count, NOT_TOLD, dtype=object), mask=told)
    ordered = pa.array(order)
    arrays = [
        columns[f.name].take(ordered).cast(f.type) if f.name in columns else pa.nulls(count, f.type)
        for f in SCHEMA
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def _is_told(span: Span) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Return at which times owners are told; that a group has no consumer tells them, too."""
    is_told: np.ndarray[Any, np.dtype[np.bool_]] = (span.members == 0) | span.has_owners
    return is_told


def _of_partitions(
    span: Span,
    place: np.ndarray[Any, np.dtype[np.int64]],
    at: np.ndarray[Any, np.dtype[np.int64]],
    idle: int,
) -> dict[str, pa.Array]:
    topics = pa.array([topic for topic, _ in span.partitions], pa.string())
    numbers = pa.array([number for _, number in span.partitions], pa.int32())
    nothing = np.full(idle, UNKNOWN)
    columns: dict[str, pa.Array] = {}
    places = pa.array(np.append(place, nothing), mask=np.append(place, nothing) < 0)
    columns["topic"], columns["partition"] = topics.take(places), numbers.take(places)
    begin, end = span.begin[place, at], span.end[place, at]
    begin = np.where((begin > end) & (end != UNKNOWN), UNKNOWN, begin)  # of two scrapes
    for name, values in (
        ("log_start_offset", begin),
        ("log_end_offset", end),
        ("committed_offset", span.committed[place, at]),
    ):
        whole = np.append(values, nothing)
        columns[name] = pa.array(whole, mask=whole == UNKNOWN)
    return columns


def _of_members(
    span: Span,
    place: np.ndarray[Any, np.dtype[np.int64]],
    at: np.ndarray[Any, np.dtype[np.int64]],
    idle: np.ndarray[Any, np.dtype[np.int64]],
) -> dict[str, pa.Array]:
    counted = int(idle.max(initial=-1)) + 1
    owner = span.owner[place, at]
    number = np.append(owner, idle + len(span.owners))
    numbers = pa.array(number, mask=number == NOBODY)
    names = [*(each.id for each in span.owners), *(f"member-{k + 1}" for k in range(counted))]
    clients = [*((each.client_id or None) for each in span.owners), *([None] * counted)]
    hosts = [*((each.host or None) for each in span.owners), *([None] * counted)]
    return {
        "member_id": pa.array(names, pa.string()).take(numbers),
        "client_id": pa.array(clients, pa.string()).take(numbers),
        "host": pa.array(hosts, pa.string()).take(numbers),
    }
