"""Consumers that left, and whether the others lack them; snapshots a minute apart."""

from collections.abc import Sequence

import numpy as np
import pytest

from assignors.model import Group
from evaluation.answering.actions import Action
from evaluation.diagnosis.findings import FewerConsumers, Finding, Full, MoreArrives, Slower
from evaluation.measuring.offset_history import Moment, OffsetHistory
from tests.advice.groups import Case


def seen(
    consumers: Sequence[int], read: Sequence[int], arriving: Sequence[int] = (6_000,) * 4
) -> Case:
    """Return four partitions, of which as many consumers as given read so much each in a minute.

    The first snapshot shows 10 records behind in each; ``arriving`` is for each partition.
    """
    groups, ends, committed = [], np.full(4, 1_010), np.full(4, 1_000)
    for k, count in enumerate(consumers):
        if k:
            ends = ends + arriving[k - 1]
            committed = committed + read[k - 1]
        groups.append(
            Group.of(
                ["t"], [4], [f"c{m}" for m in range(count)],
                owners=np.arange(4) * count // 4, lags=ends - committed,
            ).with_offsets(end=ends, committed=committed)
        )  # fmt: skip
    moments = (Moment.of(group, 60.0 * k) for k, group in enumerate(groups))
    return Case(groups[-1], OffsetHistory(tuple(moments)))


def test_consumers_that_left_are_needed_again_where_the_others_read_as_much_as_before() -> None:
    # 4 x 100/s; from the third snapshot on two are there, and read 100/s each while 400/s arrive.
    found = seen([4, 4, 2, 2, 2], [6_000, 6_000, 3_000, 3_000])

    (fewer,) = found.findings

    assert isinstance(fewer, FewerConsumers)
    assert (fewer.members, fewer.partitions, fewer.lag) == ((0, 1), (0, 1, 2, 3), 4 * 6_010)
    assert (fewer.gone, fewer.needed, fewer.since_s) == (2, 4, 120)
    assert (fewer.before, fewer.arriving, fewer.reading) == (400, 400, 200)
    proposal = found.answer.proposal
    assert proposal is not None
    assert (proposal.action, proposal.least) == (Action.ADD_CONSUMERS, 4)


def test_as_many_as_before_are_not_enough_where_those_fell_behind() -> None:
    # Four read 4 x 75/s of 400/s, two 2 x 75/s: how many are needed follows from their speed.
    (fewer,) = seen([4, 4, 2, 2, 2], [4_500, 3_500, 2_250, 2_250]).findings

    assert isinstance(fewer, FewerConsumers)
    assert fewer.needed is None


def test_who_left_between_the_last_two_snapshots_is_told_not_who_took_over() -> None:
    (fewer,) = seen([4, 4, 2, 2], [6_000, 6_000, 3_000]).findings

    assert isinstance(fewer, FewerConsumers)
    assert (fewer.gone, fewer.since_s, fewer.reading) == (2, 60, 200)


@pytest.mark.parametrize(
    ("consumers", "read", "arriving", "cause"),
    [
        ([4, 4, 2, 2, 2], [6_000, 6_000, 1_500, 1_500], [6_000] * 4, Slower),  # 50/s each
        ([4, 4, 2, 2, 2], [3_000, 3_000, 3_000, 3_000], [3_000] * 2 + [6_000] * 2, MoreArrives),
        ([2, 2, 4, 4, 4], [3_000] * 4, [6_000] * 4, Full),  # they came
        ([4, 4, 4], [3_000] * 2, [6_000] * 2, Full),
        ([4, 4, 2, 2, 2], [3_000] * 4, [6_000] * 4, Full),  # as much is read without them
    ],
)
def test_who_left_is_not_to_blame_where_the_others_are_slower_or_more_arrives(
    consumers: Sequence[int], read: Sequence[int], arriving: Sequence[int], cause: type[Finding]
) -> None:
    found = seen(consumers, read, arriving)

    assert found.causes == (cause,)


def test_consumers_that_left_are_not_missed_where_the_others_keep_up() -> None:
    assert seen([4, 4, 2, 2, 2], [6_000] * 4).findings == ()
