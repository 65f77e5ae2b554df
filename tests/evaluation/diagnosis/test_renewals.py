"""What stands under several owners, on every consumer, or of one that restarts; a minute apart."""

from collections.abc import Sequence

import numpy as np
import pytest

from assignors.model import Group
from evaluation.diagnosis.findings import (
    CrashLoop,
    KeepsRebalancing,
    LeftUnread,
    Stopped,
    StuckRecord,
)
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from tests.advice.groups import Case
from tests.evaluation.diagnosis.flows import undated


def seen(topics: dict[str, int], owners: Sequence[Sequence[str]], reads: Sequence[bool]) -> Case:
    """Return partitions that each get 100/s, by their owners a minute apart.

    What is read is 10 records behind throughout; the rest stands at 1,000.
    """
    groups = []
    for k, ids in enumerate(owners):
        members = sorted(set(ids))
        ends = np.full(len(ids), 1_010 + 6_000 * k)
        committed = np.where(reads, ends - 10, 1_000)
        groups.append(
            Group.of(
                list(topics), list(topics.values()), members,
                owners=[members.index(each) for each in ids], lags=ends - committed,
            ).with_offsets(end=ends, committed=committed)
        )  # fmt: skip
    moments = (Moment.of(group, 60.0 * k) for k, group in enumerate(groups))
    return Case(groups[-1], OffsetHistory(tuple(moments)))


def test_a_partition_that_stands_under_two_owners_has_a_record_that_fails() -> None:
    found = seen({"t": 3}, [["a", "b", "c"]] + [["d", "b", "c"]] * 3, [False, True, True])

    for each in (found, undated(found)):
        (stuck,) = each.findings
        assert isinstance(stuck, StuckRecord)
        assert (stuck.members, stuck.partitions) == ((2,), (0,))
        assert (stuck.offset, stuck.owners) == (1_000, 2)
    assert found.findings[0].since_s == 180


@pytest.mark.parametrize(
    ("owners", "reads"),
    [
        ([["a", "b", "c"]] * 3 + [["d", "b", "c"]], [False, True, True]),  # a spare has taken over
        ([["a", "b", "c"]] * 3 + [["b", "b", "c"]], [False, True, True]),  # one that reads
        ([["a", "b", "c"]] * 3 + [["d", "e", "f"]], [False] * 3),  # all are new
    ],
)
def test_what_a_former_owner_left_is_not_blamed_on_who_has_just_taken_over(
    owners: Sequence[Sequence[str]], reads: Sequence[bool]
) -> None:
    found = seen({"t": 3}, owners, reads)

    assert not {*found.causes} & {Stopped, StuckRecord, CrashLoop, LeftUnread}
    assert found.facts.is_unsure.tolist() == [not each for each in reads]
    assert found.answer.verdict.severity is not Severity.ALARM


@pytest.mark.parametrize(
    ("owners", "reads"),
    [
        ([["a", "b", "c"]] + [["d", "b", "c"]] * 3, [False] * 3),  # nobody reads: a common cause
        ([["a", "a", "c"]] + [["d", "d", "c"]] * 3, [False, False, True]),  # two records at once?
        ([["d", "b", "c"]] * 4, [False, True, True]),  # one owner throughout
    ],
)
def test_who_stands_with_all_that_it_owns_has_stopped(
    owners: Sequence[Sequence[str]], reads: Sequence[bool]
) -> None:
    (stopped,) = seen({"t": 3}, owners, reads).findings

    assert isinstance(stopped, Stopped)
    assert 0 in stopped.partitions


def test_one_consumer_that_comes_back_again_and_again_is_in_a_crash_loop() -> None:
    owners = [[f"a-{k}", "b", "c"] for k in range(4)]

    found = seen({"t": 3}, owners, [False, True, True])

    (loop,) = found.findings  # owners change at each snapshot, and this is why
    assert isinstance(loop, CrashLoop)
    assert (loop.members, loop.partitions, loop.lag, loop.since_s) == ((0,), (0,), 18_010, 180)


def test_all_of_a_topic_that_stands_on_every_consumer_is_no_matter_of_single_records() -> None:
    found = seen({"a": 3, "b": 3}, [["x", "y", "z"] * 2] * 3, [True] * 3 + [False] * 3)

    (left,) = found.findings
    assert isinstance(left, LeftUnread)
    assert (left.members, left.partitions) == ((0, 1, 2), (3, 4, 5))
    assert "of b moves" in found.said


def test_one_partition_that_stands_on_each_of_several_consumers_has_one_cause() -> None:
    # Of one topic, so that the other half of each consumer's is read.
    owners = [["x", "x", "y", "y", "z", "z"]] * 3

    every = seen({"t": 6}, owners, [True, False] * 3)
    two = seen({"t": 6}, owners, [True, False, True, False, True, True])

    (left,) = every.findings
    assert isinstance(left, LeftUnread)
    assert (left.members, left.partitions) == ((0, 1, 2), (1, 3, 5))
    assert two.causes == (StuckRecord, StuckRecord)


def test_owners_that_change_again_and_again_are_told_though_nothing_is_behind() -> None:
    turns = ["a", "b", "c"]
    found = seen({"t": 3}, [turns[k % 3 :] + turns[: k % 3] for k in range(4)], [True] * 3)
    once = seen({"t": 3}, [turns, turns[1:] + turns[:1], turns[1:] + turns[:1]], [True] * 3)

    (rebalances,) = found.findings
    assert isinstance(rebalances, KeepsRebalancing)
    assert (rebalances.changes, rebalances.since_s) == (3, 180)
    assert found.answer.verdict.kind is VerdictKind.REBALANCES_OFTEN
    assert found.answer.verdict.severity is Severity.ADVICE
    assert once.findings == ()
