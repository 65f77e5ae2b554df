"""Small groups with snapshots, to work advice out by hand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from assignors.model import Group
from evaluation.diagnosis.diagnose import diagnose
from evaluation.diagnosis.findings import (
    Finding,
)
from evaluation.facts import Facts, facts_of
from evaluation.offset_history import Moment, OffsetHistory, PartitionTimes, partition_times

MINUTE_S = 60.0


class Case(NamedTuple):
    """A group with everything that advice rests on."""

    group: Group
    history: OffsetHistory
    times: PartitionTimes
    facts: Facts

    def capped(self, records_s: float | None) -> "Case":
        """Return the case where no more than this can be read of one partition."""
        return self._replace(facts=replace(self.facts, partition_cap=records_s))

    @property
    def findings(self) -> tuple[Finding, ...]:
        return diagnose(self.group, self.history, self.times, self.facts)


def case(
    owners: Sequence[int], *moments: tuple[Sequence[int], Sequence[int]], members: int | None = None
) -> Case:
    """Return consumers with these end and committed offsets of one topic, a minute apart."""
    names = [f"c{m}" for m in range(max(owners, default=-1) + 1 if members is None else members)]
    groups = [
        Group.of(
            ["t"], [len(ends)], names, owners=owners if names else None,
            lags=np.subtract(ends, read), end_offsets=ends, committed_offsets=read,
        )
        for ends, read in moments
    ]  # fmt: skip
    each = (Moment.of(group, 1_000.0 + MINUTE_S * k) for k, group in enumerate(groups))
    history = OffsetHistory(tuple(each))
    times = partition_times(groups[-1], history)
    return Case(groups[-1], history, times, facts_of(groups[-1], history, times))
