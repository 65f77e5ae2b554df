"""Time lag, catch-up time and retention loss per consumer."""

import math
from dataclasses import dataclass

import numpy as np

from assignors.model import UNOWNED, FloatArray, Owners
from assignors.sums import float_sums
from evaluation.fluid import Flow, fair_shares, seconds_to_catch_up_each
from evaluation.measuring.partition_times import PartitionTimes


@dataclass(frozen=True, eq=False, kw_only=True)
class ConsumerTimes:
    """Times of each consumer; (M,) each, 0 or infinite without partitions."""

    age_s: FloatArray
    """The largest known time lag of its partitions."""
    catch_up_s: FloatArray
    loss_s: FloatArray
    """Until the first of its partitions loses a record."""


def consumers_now(times: PartitionTimes, owners: Owners, members: int) -> ConsumerTimes:
    """Return the times of the present owners at the rates of their partitions."""
    return ConsumerTimes(
        age_s=_largest(times.age_s, owners, members, 0.0),
        catch_up_s=_largest(times.catch_up_s, owners, members, 0.0),
        loss_s=-_largest(-times.loss_s, owners, members, -np.inf),
    )


def consumers_at(
    times: PartitionTimes,
    owners: Owners,
    speed_of_member: FloatArray,
    partition_cap: float | None = None,
) -> ConsumerTimes:
    """Return the times of these owners (P,) if each consumer reads at its own speed, records/s.

    ``partition_cap`` is the most that can be read of one partition.

    The partitions of a consumer share its speed max-min fairly, which decides what is lost and, if
    there is a cap, when all have caught up; without one that takes its lag / (speed - produced).
    Unknown lags and rates count as 0, so catch-up times are lower bounds.
    """
    members = speed_of_member.size
    held = np.flatnonzero(owners != UNOWNED)
    held = held[np.argsort(owners[held], kind="stable")]
    who, waiting, arriving = (
        owners[held],
        np.nan_to_num(np.maximum(times.lag[held], 0.0)),
        np.nan_to_num(times.produced[held]),
    )
    most = math.inf if partition_cap is None else partition_cap
    flow = Flow(waiting, arriving, who, speed_of_member, most)
    consumed = np.zeros(owners.size)
    if held.size:
        consumed[held] = fair_shares(flow)
    catch_up_s = seconds_to_catch_up_each(flow)
    catch_up_s[float_sums(who, waiting, members) <= 0] = 0.0
    loss = np.fmin(times.loss_by_age(consumed), times.to_loss_by_size)
    return ConsumerTimes(
        age_s=_largest(times.age_s, owners, members, 0.0),
        catch_up_s=catch_up_s,
        loss_s=-_largest(-loss, owners, members, -np.inf),
    )


def _largest(values: FloatArray, owners: Owners, members: int, idle: float) -> FloatArray:
    """Return the largest known value of each member's partitions; NaN if none is known."""
    largest = np.full(members, np.nan)
    held = np.flatnonzero(owners != UNOWNED)
    np.fmax.at(largest, owners[held], values[held])
    largest[np.bincount(owners[held], minlength=members) == 0] = idle
    return largest
