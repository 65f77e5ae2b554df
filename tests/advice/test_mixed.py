"""Incidents with two causes at once, and those that a single snapshot or nobody shows."""

import numpy as np
import pytest

from assignors.model import Group
from evaluation.answering.actions import Action
from evaluation.answering.why_not import WhyNot
from evaluation.answering.words import words_of
from evaluation.diagnosis.concentration import concentrated
from evaluation.diagnosis.findings import (
    CatchingUp,
    Full,
    KeepsRebalancing,
    LagConcentrated,
    LagSpread,
    NobodyReads,
    RecordsLost,
    Slower,
    Stopped,
    StuckRecord,
    TooHot,
)
from evaluation.measuring.facts import facts_of
from evaluation.measuring.offset_history import Moment, OffsetHistory, ownership
from evaluation.verdict_kinds import VerdictKind
from tests.advice.groups import Case, case, figures
from tests.said import figures_in, lacks

RATES = ("arriving_per_s", "usual_per_s", "reading_per_s")


def test_a_record_that_fails_beside_a_hot_partition() -> None:
    # t-1 stands at 500 while c0 reads t-0; t-2 gets 900/s where c1 reads 600/s.
    found = case(
        [0, 0, 1, 2, 2],
        ([6_000, 9_000, 100_000, 0, 0], [6_000, 500, 40_000, 0, 0]),
        ([12_000, 15_000, 154_000, 600, 600], [12_000, 500, 76_000, 600, 600]),
    )

    assert found.causes == (StuckRecord, TooHot)
    stuck, hot = found.answer.causes
    assert (stuck.partitions, stuck.since_s, stuck.is_older) == ((1,), 60.0, True)
    assert figures(stuck, "offset", "lag_records") == [500, 14_500]
    assert (hot.partitions, hot.members) == ((2,), (1,))
    assert figures(hot, *RATES) == [900, 55, 600]


def test_a_consumer_that_stands_beside_others_that_are_full() -> None:
    # c2 commits nothing; c0 and c1 read 200/s each where 300/s arrive for each.
    found = case(
        [0, 1, 2],
        ([90_000, 90_000, 9_000], [0, 0, 0]),
        ([108_000, 108_000, 12_000], [12_000, 12_000, 0]),
    )

    assert found.causes == (Stopped, Full)
    stopped, _ = found.answer.causes
    assert stopped.members == (2,)
    full = found.findings[1]
    assert isinstance(full, Full)
    assert (full.arriving, full.reading) == (600, 400)
    # t-0 and t-1 get 300/s each, and one consumer reads 200/s.
    assert full.needed is None


def test_one_consumer_that_stops_does_not_make_the_others_slow() -> None:
    # All read 200/s in the first minute; then c0 stops and c1 to c3 read on at 200/s of 300/s.
    ends = [[90_000 + 18_000 * k] * 4 for k in range(3)]
    read = [[0] * 4, [12_000] * 4, [12_000, 24_000, 24_000, 24_000]]
    found = case([0, 1, 2, 3], *zip(ends, read, strict=True))

    assert found.causes == (Stopped, Full)
    assert (found.answer.verdict.members, found.answer.verdict.since_s) == ((0,), 60.0)


def test_slow_consumers_and_more_arriving_are_told_by_the_slower_reading() -> None:
    # 200/s each in two minutes, then 100/s each; 200/s arrive for each, then 400/s.
    ends = [[90_000] * 2, [102_000] * 2, [114_000] * 2, [138_000] * 2, [162_000] * 2]
    read = [[0] * 2, [12_000] * 2, [24_000] * 2, [30_000] * 2, [36_000] * 2]
    found = case([0, 1], *zip(ends, read, strict=True))

    assert found.causes == (Slower,)
    assert found.answer.verdict.since_s == 120
    names = ("before_per_s", "reading_per_s", "arriving_per_s")
    assert figures(found.answer.verdict, *names) == [400, 200, 800]


def test_what_nobody_owns_is_named_beside_a_hot_partition() -> None:
    # t-3 has no owner: 5,000 wait. t-0 gets 900/s where 600/s are read.
    found = case(
        [0, 1, 1, -1],
        ([100_000, 0, 0, 4_400], [40_000, 0, 0, 0]),
        ([154_000, 600, 600, 5_000], [76_000, 600, 600, 0]),
    )

    assert found.causes == (NobodyReads, TooHot)
    verdict = found.answer.verdict
    assert (verdict.kind, verdict.partitions) == (VerdictKind.NOBODY_READS, (3,))
    assert figures(verdict, "lag_records") == [5_000]
    assert (verdict.since_s, verdict.is_older) == (60.0, True)


def test_a_rebalancing_group_in_which_a_consumer_stands() -> None:
    # Owners change at each of three snapshots; c1 commits nothing all along.
    groups = [
        Group.of(["t"], [2], ["c0", "c1"], owners=[0, 1], lags=[0, 9_000 + k]).with_offsets(
            end=[6_000 * k, 9_000 + k], committed=[6_000 * k, 0]
        )
        for k in range(4)
    ]
    moments = tuple(
        Moment.of(group, 60.0 * k)._replace(ownership=ownership([("t", 0, f"c{k}")]))
        for k, group in enumerate(groups)
    )
    found = Case(groups[-1], OffsetHistory(moments))

    assert found.causes == (KeepsRebalancing, Stopped)
    assert found.hindrance is KeepsRebalancing


def test_two_hot_partitions_of_many_are_both_named() -> None:
    # t-0 and t-1 get 500/s each where 300/s each are read; 18 others get 10/s.
    ends = [[60_000] * 2 + [0] * 18, [90_000] * 2 + [600] * 18]
    read = [[0] * 20, [18_000] * 2 + [600] * 18]
    found = case([0, 1] + [2] * 18, *zip(ends, read, strict=True))

    assert found.causes == (TooHot,)
    verdict = found.answer.verdict
    assert (verdict.members, verdict.partitions) == ((0, 1), (0, 1))
    assert figures(verdict, *RATES, "alone_per_s") == [1_000, 10, 600, 300]
    assert found.hindrance is TooHot


def test_what_shrinks_beside_a_hot_partition_is_said_to_be_other_partitions() -> None:
    # t-0 gets 450/s, of which c0 reads 270; of t-1 and t-2 c1 reads 11/s each where 10/s arrive.
    found = case(
        [0, 1, 1],
        ([60_000, 1_200, 1_200], [0, 0, 0]),
        ([87_000, 1_800, 1_800], [16_200, 660, 660]),
    )

    hot, rest = found.findings
    assert isinstance(hot, TooHot)
    assert isinstance(rest, CatchingUp)
    assert hot.arriving == 450
    # 2 x 1,140 wait, and each shrinks by 1/s: 19 min
    assert (rest.partitions, rest.lag, rest.over_s) == ((1, 2), 2_280, 1_140)
    assert (rest.arriving, rest.reading) == (20, 22)
    assert found.answer.verdict.partitions == (0,)


def test_a_consumer_of_one_partition_that_is_too_much_for_it_is_not_a_matter_of_owners() -> None:
    # c0 holds t-0 alone: 300/s arrive, 200/s are read; the others get 100/s, so 3 times as much.
    found = case(
        [0, 1, 2, 3],
        ([20_000, 0, 0, 0], [0, 0, 0, 0]),
        ([38_000, 6_000, 6_000, 6_000], [12_000, 6_000, 6_000, 6_000]),
    )

    assert found.causes == (TooHot,)
    assert figures(found.answer.verdict, "arriving_per_s", "alone_per_s") == [300, 200]


def test_a_backlog_that_lasts_says_what_more_consumers_bring() -> None:
    # 4 x 100,000 wait; 50/s arrive and 55/s are read of each: 99,700 / 5 = 19,940 s = 5 h 32 min.
    # Of 4 consumers instead of 2 each reads 110/s of one partition: 99,700 / 60 = 1,662 s = 27 min.
    found = case([0, 0, 1, 1], ([100_000] * 4, [0] * 4), ([103_000] * 4, [3_300] * 4))

    assert found.causes == (CatchingUp,)
    assert figures(found.answer.verdict, "ends_s", "lag_records") == [19_940, 398_800]
    wait, more = found.answer.options[-2:]
    assert (wait.action, wait.why_not) == (Action.WAIT, None)
    assert (more.action, more.why_not) == (Action.ADD_CONSUMERS, WhyNot.ENDS_WITHOUT)
    assert more.consumers == 4
    assert more.ends_s == pytest.approx(99_700 / 60)
    assert not lacks(found.said, "4 consumers", "2 would", "27 min", "42 s")


def test_a_restart_says_when_it_is_over_if_others_show_the_speed() -> None:
    # c1 stands with 12,000 behind and 100/s arriving; c0 reads 400/s under backlog:
    # 12,000 / (400 - 100) = 40 s.
    found = case([0, 1], ([90_000, 6_000], [0, 0]), ([114_000, 12_000], [24_000, 0]))

    assert found.causes[0] is Stopped
    assert found.answer.proposal is not None
    assert found.answer.proposal.caught_up_s == pytest.approx(40)
    assert not lacks(found.said, "40 s")


def test_a_group_without_consumers_shows_its_backlog_by_topic_and_when_it_is_deleted() -> None:
    # 300 of orders and 100 of audit wait; the oldest is 30 min old of 2 h that it is kept.
    group = Group.of(["audit", "orders"], [1, 2], [], lags=[100, 200, 100]).with_offsets(
        end=[100, 200, 100], committed=[0, 0, 0]
    )
    ages = {"audit": np.array([600.0]), "orders": np.array([1_800.0, 60.0])}
    moment = Moment.of(group, 1_000.0)._replace(age_s=ages)
    found = Case(group, OffsetHistory((moment,), {"audit": np.inf, "orders": 7_200.0}))

    assert found.causes == (NobodyReads,)
    assert figures(found.answer.verdict, "lag_records", "deleted_in_s") == [400, 5_400]
    assert not lacks(found.said, "400 records", "300", "100")
    assert "describe it again in a minute: moving offsets prove a reader" in found.said


def test_what_was_deleted_unread_is_said() -> None:
    # t-0 starts at 1,500 and is committed at 500: 1,000 records are gone.
    group = Group.of(["t"], [1], ["c0"], owners=[0], lags=[8_500]).with_offsets(
        begin=[1_500], end=[9_000], committed=[500]
    )
    found = Case(group, OffsetHistory((Moment.of(group, 0.0),)))
    verdict = found.answer.verdict

    assert found.causes == (RecordsLost, LagSpread)
    assert (verdict.kind, verdict.partitions) == (VerdictKind.RECORDS_LOST, (0,))
    assert figures(verdict, "lost_records") == [1_000]


@pytest.mark.parametrize(
    ("owners", "lags", "members", "partitions", "share"),
    [
        # 990 of 1,000 records are in t-0.
        ([0, 1, 2], [990, 5, 5], (0,), (0,), 0.99),
        # c0 and c1 have 960 of 1,000, each of their partitions less than half; c2 to c4 have 40.
        ([0, 0, 1, 1, 2, 3, 4], [240, 240, 240, 240, 20, 10, 10], (0, 1), (0, 1, 2, 3), 0.96),
    ],
)
def test_one_snapshot_says_in_whose_hands_the_lag_is(
    owners: list[int],
    lags: list[int],
    members: tuple[int, ...],
    partitions: tuple[int, ...],
    share: float,
) -> None:
    names = [f"c{m}" for m in range(max(owners) + 1)]
    group = Group.of(["t"], [len(lags)], names, owners=owners, lags=lags)
    found = Case(group, OffsetHistory(), hosts={"c0": "/10.0.0.1"})
    verdict = found.answer.verdict

    assert found.causes == (LagConcentrated,)
    assert (verdict.kind, verdict.members) == (VerdictKind.TOO_LITTLE_KNOWN, members)
    assert verdict.partitions == partitions
    assert verdict.figures.share == pytest.approx(share)
    assert "10.0.0.1" in found.said


def test_one_snapshot_says_that_the_lag_is_everywhere() -> None:
    # All three have their share, and a fourth would find no partition.
    group = Group.of(["t"], [3], ["c0", "c1", "c2"], owners=[0, 1, 2], lags=[300, 350, 350])

    (seen,) = concentrated(group, facts_of(group, None, None), group.counted_lags > 0)

    assert isinstance(seen, LagSpread)
    assert (len(seen.members), seen.active) == (3, 3)


def test_a_group_without_lag_has_nothing_to_see() -> None:
    group = Group.of(["t"], [2], ["c0"], owners=[0, 0], lags=[0, 0])

    assert concentrated(group, facts_of(group, None, None), group.counted_lags > 0) == []


def test_more_consumers_say_when_the_backlog_ends_at_best() -> None:
    # 2 consumers read 100/s each of 6 partitions that get 45/s each: 270/s need 3 of them, two
    # each. 6 x (12,700 - 2,000) wait, 17.8/s of each for ten minutes, so that in time nobody reads
    # two: 6 leave 330/s, 64,200 / 330 = 195 s.
    found = case([0, 0, 0, 1, 1, 1], ([10_000] * 6, [0] * 6), ([12_700] * 6, [2_000] * 6))

    more = found.answer.proposal
    assert more is not None
    assert (more.action, more.consumers) == (Action.ADD_CONSUMERS, 6)
    assert more.ends_s == pytest.approx(64_200 / 330)
    assert figures_in(words_of(found.answer).action) == ["3", "2", "6", "3", "15"]


def test_waiting_and_looking_move_and_pause_nothing_and_a_restart_is_unknown_to_do_so() -> None:
    wait = case([0, 0, 1, 1], ([100_000] * 4, [0] * 4), ([103_000] * 4, [3_300] * 4)).answer
    restart = case([0, 1], ([6_000, 6_000], [6_000, 100]), ([9_000, 12_000], [9_000, 100])).answer

    assert wait.proposal is not None
    assert (wait.proposal.moves, wait.proposal.restarts, wait.proposal.pauses) == (0, 0, 0)
    assert restart.proposal is not None
    assert restart.proposal.action is Action.RESTART
    assert restart.proposal.pauses is None


def test_a_fixed_record_says_when_its_consumer_has_caught_up() -> None:
    # c0 to c2 read 100/s each all the time. t-1 of c1 stands at 500 while 20/s arrive there, 30/s
    # in t-4, which c1 reads: 4,700 wait, and 100 - 20 - 30 = 50/s are left: 94 s.
    found = case(
        [0, 1, 2, 2, 1],
        ([90_000, 4_000, 90_000, 0, 1_800], [0, 500, 0, 0, 1_800]),
        ([93_000, 5_200, 93_000, 0, 3_600], [6_000, 500, 6_000, 0, 3_600]),
    )

    fix = next(o for o in found.answer.options if o.action is Action.FIX_RECORD)
    assert fix.partitions == (1,)
    assert fix.caught_up_s == pytest.approx(4_700 / 50)
    assert fix.ends_s == pytest.approx(87_000 / 50)  # c0: the whole group's
