"""Convert one group of a window of metrics to rows of telemetry."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from live.prometheus.spans import NOBODY, UNKNOWN, Owner, Span
from pipeline.collecting.metrics.owners import Consumer, GivenOwners
from pipeline.collecting.rows import SCHEMA
from schemas.telemetry import NOT_TOLD

_MOST_COUNTED: Final = 100_000
"""Consumers of a group; a metric may claim any number."""


def rows_of(span: Span, cluster: str, given: GivenOwners | None = None) -> pa.RecordBatch:
    """Return a row for each partition and time with a sample, by time, then partition.

    Where metrics tell no owners, those ``given`` count at the times at which as many consumers are
    counted, or nobody counts them. At others each counted consumer has a row of its own, numbered
    from ``member-1``, and every row says that who owns what is not told. Where nobody counts them
    either, there is none.
    """
    place, at = np.nonzero(span.is_told)
    is_sampled = span.is_told.any(axis=0)
    told = np.full(span.window.points, span.has_owners)
    holds = np.zeros_like(told) if given is None or told.all() else given.hold_at(span.members)
    counted = np.where(told | holds, 0, np.clip(span.members, 0, _MOST_COUNTED)) * is_sampled
    idle_at = np.repeat(np.arange(counted.size), counted)
    idle = np.arange(idle_at.size) - np.repeat(np.cumsum(counted) - counted, counted)
    owner, consumers = span.owner[place, at], [_named(each) for each in span.owners]
    if given is not None and holds.any():
        places = np.array(given.owner_of(span), np.int64)
        first, idle_given = len(consumers), np.array(given.idle(), np.int64)
        consumers += given.consumers
        theirs = np.where(places == NOBODY, NOBODY, places + first)[place]
        owner = np.where(holds[at], theirs, owner)
        held_at = np.flatnonzero(holds & is_sampled)
        idle_at = np.append(idle_at, np.repeat(held_at, idle_given.size))
        idle = np.append(idle + len(consumers), np.tile(idle_given + first, held_at.size))
    else:
        idle = idle + len(consumers)
    consumers += [Consumer(f"member-{k + 1}") for k in range(int(counted.max(initial=0)))]
    order = np.argsort(np.append(at, idle_at), kind="stable")
    columns = _of_partitions(span, place, at, idle.size)
    columns |= _of_members(consumers, np.append(owner, idle))
    count = order.size
    columns["cluster"] = pa.array([span.cluster or cluster]).take(pa.array(np.zeros(count, int)))
    columns["group_id"] = pa.array([span.group_id]).take(pa.array(np.zeros(count, int)))
    times = span.window.times_s[np.append(at, idle_at)] * 1_000_000
    columns["snapshot_at"] = pa.array(times).cast(SCHEMA.field("snapshot_at").type)
    # That a group has no consumer tells who owns what, too.
    is_told = (told | holds | (span.members == 0))[np.append(at, idle_at)]
    columns["ownership"] = pa.array(np.full(count, NOT_TOLD, dtype=object), mask=is_told)
    ordered = pa.array(order)
    arrays = [
        columns[f.name].take(ordered).cast(f.type) if f.name in columns else pa.nulls(count, f.type)
        for f in SCHEMA
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def _named(owner: Owner) -> Consumer:
    return Consumer(owner.id, owner.client_id, owner.host)


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
    consumers: Sequence[Consumer], number: np.ndarray[Any, np.dtype[np.int64]]
) -> dict[str, pa.Array]:
    numbers = pa.array(number, mask=number == NOBODY)
    columns = {
        "member_id": [each.id for each in consumers],
        "client_id": [each.client_id or None for each in consumers],
        "host": [each.host or None for each in consumers],
        "group_instance_id": [each.instance_id or None for each in consumers],
        "rack": [each.rack or None for each in consumers],
    }
    found = {name: pa.array(values, pa.string()).take(numbers) for name, values in columns.items()}
    topics = [None if each.topics is None else list(each.topics) for each in consumers]
    found["subscribed_topics"] = pa.array(topics, pa.list_(pa.string())).take(numbers)
    return found
