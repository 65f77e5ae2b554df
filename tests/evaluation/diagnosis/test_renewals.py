"""What stands under several owners, on every consumer, or of one that restarts; a minute apart."""

from collections.abc import Sequence

import numpy as np
import pytest

from assignors.model import Group
from evaluation.answering.actions import Action
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


def seen(
    topics: dict[str, int],
    owners: Sequence[Sequence[str]],
    reads: Sequence[bool],
    step_s: float = 60.0,
    stands_from: int = 0,
) -> Case:
    """Return partitions that get 6,000 records from one snapshot to the next, by their owners.

    What is read is 10 records behind throughout; the rest stands at 1,000, or later where it was.
    """
    groups = []
    for k, ids in enumerate(owners):
        members = sorted(set(ids))
        ends = np.full(len(ids), 1_010 + 6_000 * k)
        committed = np.where(reads, ends - 10, 1_000 + 6_000 * min(k, stands_from))
        groups.append(
            Group.of(
                list(topics), list(topics.values()), members,
                owners=[members.index(each) for each in ids], lags=ends - committed,
            ).with_offsets(end=ends, committed=committed)
        )  # fmt: skip
    moments = (Moment.of(group, step_s * k) for k, group in enumerate(groups))
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


@pytest.mark.parametrize(
    ("owners", "killed"),
    [
        (["aab", "aac", "dac", "dae"], None),  # a and d read on
        (["abb", "aab", "aba"], None),  # others take turns, and nobody goes
        (["aab", "aac", "aad", "aae"], None),  # it restarts, and owns nothing else
        (["abb", "acc", "add", "aee"], 3),
        (["abb", "cca", "bdd"], 2),  # one owner after another goes
    ],
)
def test_a_record_whose_every_owner_goes_may_be_what_kills_them(
    owners: Sequence[str], killed: int | None
) -> None:
    found = seen({"t": 3}, [[*each] for each in owners], [True, True, False])

    told = [each.killed for each in found.findings if isinstance(each, StuckRecord)]
    assert [each for each in told if each is not None] == ([] if killed is None else [killed])
    if killed is not None:
        assert KeepsRebalancing not in found.causes
        assert found.answer.verdict.kind is VerdictKind.STUCK_RECORD
        assert found.answer.verdict.figures.owners == killed + 1


@pytest.mark.parametrize(
    ("owners", "reads", "killed"),
    [
        (["aabb", "aacc", "aadd"], "yyyn", 2),  # as on a real broker: b read up to there, and went
        (["aabb", "aacc", "aadd"], "yynn", None),  # another of its consumer stands: a deploy
        (["aabb", "aacc", "aadd"], "nyyn", None),  # so does one of another
        (["aabb", "aacc", "aacc"], "yyyn", None),  # c is there
        (["aabb", "aabb", "aacc"], "yyyn", None),  # b was there when it stood
    ],
)
def test_who_read_up_to_a_record_and_went_may_be_its_first_victim(
    owners: Sequence[str], reads: str, killed: int | None
) -> None:
    is_read = [each == "y" for each in reads]

    found = seen({"t": 4}, [[*each] for each in owners], is_read, stands_from=1)

    told = [each for each in found.findings if isinstance(each, StuckRecord) and each.killed]
    assert [(each.killed, each.owners) for each in told] == ([(killed, 3)] if killed else [])
    assert [each.offset for each in told] == [7_000] * len(told)


def test_who_read_up_to_a_record_is_no_victim_of_it_where_another_partition_stands() -> None:
    is_read = [False, True, True, False]  # t-0 of a stands as well

    found = seen({"t": 4}, [[*each] for each in ("aabb", "aacc", "aadd", "aaee")], is_read,
                 stands_from=1)  # fmt: skip

    told = [each for each in found.findings if isinstance(each, StuckRecord) and each.killed]
    assert [(each.killed, each.owners) for each in told] == [(2, 3)]


def test_who_is_deployed_each_day_and_reads_nothing_does_not_keep_restarting() -> None:
    owners = [[f"a-{day}", f"a-{day}", f"b-{day}", f"b-{day}"] for day in range(4)]

    found = seen({"t": 4}, owners, [False, False, True, True], 86_400.0)

    stopped = found.findings[0]
    assert isinstance(stopped, Stopped)
    assert (stopped.members, stopped.partitions, stopped.restarts) == ((0,), (0, 1), 3)
    assert found.answer.proposal is not None
    assert found.answer.proposal.action is Action.LOOK  # a restart has not helped


def test_who_is_stuck_is_told_with_how_many_have_owned_it() -> None:
    taken = seen({"t": 3}, [["a", "b", "b"]] + [["b", "a", "a"]] * 3, [False, True, True])
    never = seen({"t": 3}, [["b", "a", "b"]] * 4, [False, True, True])

    told = [
        (each.owners, each.killed)
        for found in (taken, never)
        for each in found.findings
        if isinstance(each, StuckRecord)
    ]
    assert told == [(2, None), (1, None)]


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
