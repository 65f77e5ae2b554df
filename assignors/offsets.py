"""``Offsets``: how far a group has read, and what its partitions weigh; lag by KAFKA-5337."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from assignors.arrays import (
    UNKNOWN,
    BoolArray,
    FloatArray,
    LongArray,
    if_known,
    make_read_only,
    or_filled,
    read_only,
    whole_numbers,
)
from assignors.layout import Layout

RESETS: Final = ("latest", "earliest", "none")
"""Values of ``auto.offset.reset`` without a duration (KIP-1106)."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Offsets:
    """Lags and the weights that strategies balance; offsets and rates, which no strategy sees."""

    lags: LongArray
    """(P,) records behind the end, or ``UNKNOWN``; negative if a tool printed it so."""
    weights: LongArray | None = None
    """(P,) what strategies balance and figures of load sum, ``UNKNOWN`` where unknown; None: the
    lags. What they are is said by the ``Measure`` that made them."""
    begin: LongArray | None = None
    """(P,) ``UNKNOWN`` where unknown, as are the other offsets."""
    end: LongArray | None = None
    committed: LongArray | None = None
    """(P,) ``UNKNOWN`` where nothing is committed."""
    reset: str = "latest"
    """``auto.offset.reset``."""
    rates: FloatArray | None = None
    """(P,) records produced per second, NaN if unknown; for capacity planning."""
    throughput: FloatArray | None = None
    """(M,) records a member can consume per second, NaN if unknown; for capacity planning."""

    def __post_init__(self) -> None:
        """Make every array read-only."""
        make_read_only(self)

    @classmethod
    def of(  # noqa: PLR0913 -- one argument a field, each with a default
        cls,
        layout: Layout,
        *,
        lags: npt.ArrayLike | None = None,
        begin: npt.ArrayLike | None = None,
        end: npt.ArrayLike | None = None,
        committed: npt.ArrayLike | None = None,
        reset: str = "latest",
        rates: npt.ArrayLike | None = None,
        throughput: npt.ArrayLike | None = None,
    ) -> Self:
        """Copy what is known of the partitions and members of a layout; lags default to unknown.

        Raises InvalidGroupError for a lag that is no whole number.
        """
        numbers = None if lags is None else whole_numbers("lags", lags)
        return cls(
            lags=or_filled(numbers, layout.partition_count, UNKNOWN, np.int64),
            begin=if_known(begin, np.int64),
            end=if_known(end, np.int64),
            committed=if_known(committed, np.int64),
            reset=reset,
            rates=if_known(rates, np.float64),
            throughput=if_known(throughput, np.float64),
        )

    @cached_property
    def counted_lags(self) -> LongArray:
        """(P,) lags as sums count them: unknown and negative ones as 0."""
        return read_only(np.maximum(self.lags, 0))

    @cached_property
    def counted_weights(self) -> LongArray:
        """(P,) weights as strategies and sums count them: unknown and negative ones as 0."""
        if self.weights is None:
            return self.counted_lags
        return read_only(np.maximum(self.weights, 0))

    @cached_property
    def is_lag_known(self) -> BoolArray:
        """(P,) whether the lag is known."""
        return read_only(np.not_equal(self.lags, UNKNOWN))

    @cached_property
    def is_weight_known(self) -> BoolArray:
        """(P,) whether the weight is known."""
        if self.weights is None:
            return self.is_lag_known
        return read_only(np.not_equal(self.weights, UNKNOWN))


def waiting(lags: LongArray, begin: LongArray, end: LongArray) -> LongArray:
    """Return the lags (P,) without records that were deleted before they were read.

    At most what the log holds, where that is known. A leader that assigns by lag counts the
    deleted ones, too, until the group commits again (``lag_from_offsets``).

    >>> waiting(np.array([1_000_000, 5]), np.array([900_000, 0]), np.array([1_000_100, 100]))
    array([100100,      5])
    """
    is_known = (begin != UNKNOWN) & (end != UNKNOWN)
    held = np.subtract(end, begin, where=is_known, out=np.zeros_like(end))
    return np.where(is_known, np.minimum(lags, np.maximum(held, 0)), lags)


def lag_from_offsets(
    begin: LongArray, end: LongArray, committed: LongArray, auto_offset_reset: str = "latest"
) -> LongArray:
    """Return how many records each partition is behind; all arrays have one shape.

    End minus committed, at least 0. Without a committed offset: 0 if the group would start at
    the latest record, else end minus begin. ``UNKNOWN`` if an offset that the rule needs is
    unknown. Source: KAFKA-5337, LagBasedPartitionAssignor.

    >>> begin, end = np.array([0, 100]), np.array([9, 1100])
    >>> lag_from_offsets(begin, end, np.array([7, UNKNOWN]), "earliest")
    array([   2, 1000])
    """
    uncommitted = committed == UNKNOWN
    if auto_offset_reset == "latest":
        start, is_unknown = np.where(uncommitted, end, committed), end == UNKNOWN
    else:
        start = np.where(uncommitted, begin, committed)
        is_unknown = (end == UNKNOWN) | (start == UNKNOWN)
    known = np.where(
        is_unknown, 0, np.subtract(end, start, where=~is_unknown, out=np.zeros_like(end))
    )
    return np.where(is_unknown, UNKNOWN, np.maximum(known, 0))
