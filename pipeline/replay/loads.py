"""What every member carries under one strategy, for all snapshots of a batch at once."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assignors import ragged
from assignors.model import UNKNOWN, UNOWNED, FloatArray, LongArray, Owners
from evaluation.sums import counts, float_sums, sums
from pipeline.replay.layout import Layout
from pipeline.replay.membership import Membership
from pipeline.replay.offsets import Offsets

_MOST_CELLS = 8
"""A table of members and topics may have so many cells a partition; beyond, pairs are sorted."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Loads:
    """Figures of each of the M members."""

    partitions: LongArray
    lag: LongArray
    """Known lag, unknown and negative counted as 0."""
    unknown_lags: LongArray
    topics: LongArray
    rate: FloatArray
    unknown_rates: LongArray


class Weights:
    """What the partitions of a batch weigh, whoever owns them."""

    def __init__(self, layout: Layout, membership: Membership, offsets: Offsets) -> None:
        self.layout, self.membership = layout, membership
        self.lag = np.maximum(offsets.lag, 0)
        self.is_lag_known = offsets.lag != UNKNOWN
        self.is_rate_known = ~np.isnan(offsets.produce_rate)
        self.rate = np.where(self.is_rate_known, offsets.produce_rate, 0.0)
        self.first_member = membership.starts[layout.unit_of_partition]

    @cached_property
    def member_count(self) -> int:
        """M."""
        return int(self.membership.name.size)

    def loads(self, owners: Owners) -> Loads:
        """Add up what each member owns."""
        held = np.flatnonzero(owners != UNOWNED)
        is_all = held.size == owners.size
        members = self.first_member + owners if is_all else (self.first_member + owners)[held]
        unknown_lag, unknown_rate = ~self.is_lag_known[held], ~self.is_rate_known[held]
        size = self.member_count
        return Loads(
            partitions=counts(members, size),
            lag=sums(members, self.lag[held], size),
            unknown_lags=counts(members[unknown_lag], size),
            topics=self._topics(members, held),
            rate=float_sums(members, self.rate[held], size),
            unknown_rates=counts(members[unknown_rate], size),
        )

    @cached_property
    def _cells(self) -> tuple[LongArray, LongArray]:
        """Return where the cells of each member start, one a topic of its snapshot."""
        topics = np.diff(self.layout.segments_of_unit)
        first_segment = self.layout.segments_of_unit[self.layout.unit_of_partition]
        place = self.layout.segment_of_partition - first_segment
        return ragged.starts_of(topics[self.membership.unit]), place

    def _topics(self, members: LongArray, held: LongArray) -> LongArray:
        """Return in how many topics each member owns a partition."""
        starts, place = self._cells
        if starts[-1] > _MOST_CELLS * max(held.size, 1):
            segment = self.layout.segment_of_partition[held]
            pairs = np.unique(members * (self.layout.segment_topic.size + 1) + segment)
            return counts(pairs // (self.layout.segment_topic.size + 1), self.member_count)
        is_owned = np.zeros(int(starts[-1]), np.bool_)
        is_owned[starts[members] + place[held]] = True
        return counts(ragged.row_of_each(starts)[is_owned], self.member_count)
