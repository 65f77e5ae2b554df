"""Who is behind, why, what to do and when it is over: each case worked out by hand.

Snapshots are a minute apart; ``case(owners, (ends, committed), (ends, committed), ...)``.
"""

from dataclasses import replace

import numpy as np
import pytest

from assignors.model import Group
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.options import Option
from evaluation.diagnosis.findings import (
    CatchingUp,
    Full,
    Hot,
    KeepsRebalancing,
    LagSpread,
    MoreArrives,
    NobodyReads,
    Slower,
    Stopped,
    StuckRecord,
    TooHot,
    Uneven,
)
from evaluation.measuring.offset_history import Moment, OffsetHistory, ownership
from evaluation.verdict_kinds import VerdictKind
from tests.advice.groups import Case, case, figures
from tests.said import lacks
from ui.facts import rests_on, speed_words

HOSTS = {"c1": "/10.0.0.2"}


def proposed(answer: Answer, action: Action) -> Option:
    """Return what is proposed, which is this."""
    assert answer.proposal is not None
    assert answer.proposal.action is action
    return answer.proposal


def test_a_group_that_keeps_up_has_no_incident() -> None:
    found = case([0, 1], ([600, 600], [600, 600]), ([1_200, 900], [1_200, 900]))

    assert found.findings == ()
    assert found.answer.verdict.kind is VerdictKind.HEALTHY


def test_one_snapshot_tells_no_cause_but_where_the_lag_is() -> None:
    found = case([0, 1], ([600, 600], [0, 0]))

    assert found.findings == (LagSpread(members=(0, 1), partitions=(0, 1), lag=1_200, active=2),)
    assert found.answer.verdict.kind is VerdictKind.BEHIND


def test_nobody_reads_a_group_without_consumers() -> None:
    # 6,000 + 4,000 records wait; no second snapshot is needed to say so.
    found = case([], ([9_000, 4_000], [3_000, 0]), members=0)

    assert found.causes == (NobodyReads,)
    assert found.answer.verdict.kind is VerdictKind.NO_CONSUMERS
    assert figures(found.answer.verdict, "lag_records") == [10_000]
    proposed(found.answer, Action.START)
    assert found.hindrance is None


def test_a_consumer_that_commits_nothing_stands_still() -> None:
    # c1 holds t-1, committed 100 twice, while 6,000 arrive in 60 s: 100/s; 12,000 - 100 wait.
    moments = ([6_000, 6_000], [6_000, 100]), ([9_000, 12_000], [9_000, 100])
    found = case([0, 1], *moments, hosts=HOSTS)
    verdict = found.answer.verdict

    assert found.causes == (Stopped,)
    assert (verdict.kind, verdict.members, verdict.partitions) == (VerdictKind.STOPPED, (1,), (1,))
    assert figures(verdict, "arriving_per_s", "lag_records") == [100, 11_900]
    assert (verdict.since_s, verdict.is_older) == (60.0, True)
    assert "c1 (10.0.0.2)" in found.said
    assert proposed(found.answer, Action.RESTART).members == (1,)
    assert found.hindrance is Stopped


def test_a_consumer_of_a_broker_side_group_goes_by_its_client_id_and_host() -> None:
    # As above, but the ids are a broker's, 16 random bytes; both clients are called "billing".
    found = case([0, 1], ([6_000, 6_000], [6_000, 100]), ([9_000, 12_000], [9_000, 100]))
    ids = ("2kzJX4zKR8uIyDgSLzmQyA", "9PqAbcTtR1mXyDgSLzmQyA")
    layout = replace(found.group.layout, members=ids, client_ids=dict.fromkeys(ids, "billing"))
    group = replace(found.group, layout=layout)

    named = replace(found, group=group, hosts={ids[1]: "/10.0.0.2"})

    assert "billing 9PqA (10.0.0.2)" in named.said
    assert not lacks(named.said, "9PqA")


def test_a_client_id_that_the_consumers_name_does_not_tell_stands_beside_its_host() -> None:
    found = case([0, 1], ([6_000, 6_000], [6_000, 100]), ([9_000, 12_000], [9_000, 100]))
    layout = replace(found.group.layout, client_ids={"c0": "billing", "c1": "billing"})
    named = replace(found, group=replace(found.group, layout=layout))

    assert not lacks(named.said, "c1")
    assert not lacks(replace(named, hosts=HOSTS).said, "c1", "10.0.0.2")


def test_three_of_four_consumers_stand_still_since_the_second_snapshot() -> None:
    # c1 to c3 read 600 in the first minute and nothing in the next two: since 2 minutes.
    ends = [[6_000 + 600 * k] * 4 for k in range(4)]
    read = [[6_000, 0, 0, 0], [6_600, 600, 600, 600], [7_200, 600, 600, 600]]
    read.append([7_800, 600, 600, 600])
    found = case([0, 1, 2, 3], *zip(ends, read, strict=True))
    verdict = found.answer.verdict

    assert found.causes == (Stopped,)
    assert (verdict.kind, verdict.members) == (VerdictKind.STOPPED, (1, 2, 3))
    assert (verdict.since_s, verdict.is_older) == (120.0, False)


def test_an_offset_that_stands_while_its_consumer_reads_on_is_a_record_that_fails() -> None:
    # c0 holds t-0 and t-1: t-0 stands at 81,220, t-1 goes from 500 to 6,500 of 6,900.
    found = case([0, 0], ([90_000, 900], [81_220, 500]), ([93_000, 6_900], [81_220, 6_500]))
    verdict = found.answer.verdict

    assert found.causes[0] is StuckRecord
    assert (verdict.kind, verdict.partitions) == (VerdictKind.STUCK_RECORD, (0,))
    assert figures(verdict, "offset") == [81_220]
    assert (verdict.since_s, verdict.is_older) == (60.0, True)
    assert proposed(found.answer, Action.FIX_RECORD).partitions == (0,)
    assert found.hindrance is StuckRecord


def test_a_partition_that_gets_more_than_a_consumer_reads_needs_a_faster_one() -> None:
    # t-0: 54,000 arrive and 36,000 are read in 60 s: 900/s and 600/s. The others get 10/s.
    found = case(
        [0, 1, 1, 1],
        ([100_000, 0, 0, 0], [40_000, 0, 0, 0]),
        ([154_000, 600, 600, 600], [76_000, 600, 600, 600]),
    )
    verdict = found.answer.verdict

    assert found.causes == (TooHot,)
    assert (verdict.kind, verdict.members, verdict.partitions) == (VerdictKind.TOO_HOT, (0,), (0,))
    names = ("arriving_per_s", "usual_per_s", "reading_per_s", "alone_per_s")
    assert figures(verdict, *names) == [900, 10, 600, 600]
    assert proposed(found.answer, Action.SPLIT_KEYS).partitions == (0,)
    assert found.hindrance is TooHot


def test_what_a_hot_partition_would_still_grow_by_alone_on_a_consumer_is_said() -> None:
    # t-0 gets 900/s; c0 reads 860/s of it and 20/s of t-1, 880/s in all: 900 - 880 = 20/s.
    found = case(
        [0, 0, 1, 1],
        ([100_000, 60_000, 0, 0], [40_000, 20_000, 0, 0]),
        ([154_000, 61_200, 600, 600], [91_600, 21_200, 600, 600]),
    )

    names = ("arriving_per_s", "usual_per_s", "reading_per_s", "alone_per_s")
    assert figures(found.cause(VerdictKind.TOO_HOT), *names) == [900, 10, 860, 880]


@pytest.mark.parametrize(("arriving", "cause"), [(1_000, TooHot), (940, Hot)])
def test_a_hot_partition_is_held_against_its_own_consumer_where_that_is_the_fastest(
    arriving: int, cause: type[TooHot | Hot]
) -> None:
    # c0 reads 900/s of t-0 and 50/s of t-1; c1 to c3 have a backlog and read 100/s of 110/s.
    ends = [200_000 + 60 * arriving, 93_000, *[96_600] * 3]
    found = case(
        [0, 0, 1, 2, 3],
        ([200_000, 90_000, 90_000, 90_000, 90_000], [0] * 5),
        (ends, [54_000, 3_000, *[6_000] * 3]),
    )

    hot = next(each for each in found.findings if isinstance(each, cause))

    if isinstance(hot, TooHot):
        assert hot.alone == 950  # it would still grow by 50/s, under every strategy
    else:
        assert np.isfinite(hot.over_alone_s)
    assert "the fastest 950" in speed_words(found.facts.speed)
    assert any(not lacks(each, "950") for each in rests_on(found.facts))


def test_a_hot_partition_that_fits_on_a_consumer_of_its_own_is_isolated() -> None:
    # c0 reads 300/s of t-0 and 300/s of t-1: 600/s. t-0 gets 500/s and has 78,000 behind it; alone
    # it is read at 600/s: 78,000 / 100 = 780 s.
    found = case(
        [0, 0, 1, 1],
        ([100_000, 60_000, 0, 0], [34_000, 0, 0, 0]),
        ([130_000, 60_600, 600, 600], [52_000, 18_000, 600, 600]),
    )

    assert Hot in found.causes
    (hot,) = (each for each in found.answer.causes if each.partitions == (0,))
    assert figures(hot, "ends_alone_s") == [780]
    assert not lacks(found.said, "t-0 would", "13 min")
    assert found.hindrance is None


def test_only_the_hot_partition_that_gets_more_than_one_consumer_reads_is_beyond_help() -> None:
    # c0 reads 600/s of t-0, which gets 900/s; c1 330/s of t-1, which gets 300/s.
    # 10,800 are left: at the median, 465/s, over in 10,800 / (465 - 300) = 65 s. Others get 10/s.
    found = case(
        [0, 1] + [2] * 18,
        ([100_000, 12_600] + [0] * 18, [40_000, 0] + [0] * 18),
        ([154_000, 30_600] + [600] * 18, [76_000, 19_800] + [600] * 18),
    )

    too_hot, hot = found.findings
    assert isinstance(too_hot, TooHot)
    assert isinstance(hot, Hot)
    assert (too_hot.partitions, too_hot.arriving, too_hot.alone) == ((0,), 900, 600)
    assert (hot.partitions, hot.arriving) == ((1,), 300)
    assert hot.over_alone_s == pytest.approx(10_800 / 165)
    assert found.answer.verdict.partitions == (0,)
    assert found.hindrance is TooHot


def test_all_consumers_busy_and_more_arriving_takes_more_consumers() -> None:
    # Each of two consumers reads 12,000 / 60 = 200/s from its two partitions, 300/s arrive for
    # each: 600/s in all. Three consumers of 200/s would be enough for that, but no two partitions
    # of 150/s fit on one: four.
    found = case(
        [0, 0, 1, 1],
        ([50_000] * 4, [0] * 4),
        ([59_000] * 4, [6_000] * 4),
    )

    assert found.causes == (Full,)
    names = ("arriving_per_s", "reading_per_s", "needed_consumers")
    assert figures(found.answer.verdict, *names) == [600, 400, 4]
    assert proposed(found.answer, Action.ADD_CONSUMERS).consumers == 4
    assert found.hindrance is Full


def test_where_one_partition_gets_more_than_a_consumer_reads_no_number_is_enough() -> None:
    # One partition gets 900/s where its consumer reads 200/s: five consumers, one partition.
    found = case([0], ([100_000], [0]), ([154_000], [12_000]))

    (full,) = found.findings
    assert isinstance(full, Full)
    assert full.needed is None
    more = proposed(found.answer, Action.ADD_CONSUMERS)
    assert (more.consumers, more.ends_s) == (None, None)
    assert "more partitions" in found.said
    assert found.hindrance is Full


def test_consumers_that_all_read_half_as_fast_wait_for_something_else() -> None:
    # 200/s each in the first two minutes, 100/s in the last; 200/s arrive for each throughout.
    ends = [[50_000 + 12_000 * k] * 2 for k in range(3)]
    read = [[0, 0], [12_000, 12_000], [18_000, 18_000]]
    found = case([0, 1], *zip(ends, read, strict=True))
    verdict = found.answer.verdict

    assert found.causes == (Slower,)
    assert (verdict.kind, verdict.since_s) == (VerdictKind.SLOWER, 60.0)
    names = ("before_per_s", "reading_per_s", "arriving_per_s")
    assert figures(verdict, *names) == [400, 200, 400]
    proposed(found.answer, Action.LOOK)
    assert found.hindrance is Slower


def test_twice_as_much_arriving_is_told_from_slow_consumers() -> None:
    # 200/s each are read throughout; 200/s arrive for each in the first minute, then 600/s.
    ends = [[50_000] * 2, [62_000] * 2, [98_000] * 2]
    read = [[0, 0], [12_000, 12_000], [24_000, 24_000]]
    found = case([0, 1], *zip(ends, read, strict=True))
    verdict = found.answer.verdict

    assert found.causes == (MoreArrives,)
    assert (verdict.kind, verdict.since_s) == (VerdictKind.MORE_ARRIVES, 60.0)
    names = ("before_per_s", "arriving_per_s", "reading_per_s")
    assert figures(verdict, *names) == [400, 1_200, 400]
    # 600/s arrive in each, and one consumer reads 200/s: no number of consumers is enough.
    assert proposed(found.answer, Action.ADD_CONSUMERS).consumers is None


def test_some_busy_consumers_beside_idle_ones_are_a_matter_of_owners() -> None:
    # c0 holds three partitions with 100/s each and reads 200/s; c1 to c3 keep up with 100/s each.
    found = case(
        [0, 0, 0, 1, 2, 3],
        ([20_000, 20_000, 20_000, 0, 0, 0], [0, 0, 0, 0, 0, 0]),
        ([26_000, 26_000, 26_000, 6_000, 6_000, 6_000], [4_000, 4_000, 4_000, 6_000, 6_000, 6_000]),
    )
    verdict = found.answer.verdict

    assert found.causes == (Uneven,)
    assert (verdict.kind, verdict.members) == (VerdictKind.NEVER_CATCHES_UP, (0,))
    assert figures(verdict, "arriving_per_s", "reading_per_s") == [300, 200]
    assert found.hindrance is None


def test_a_backlog_that_shrinks_is_over_when_it_is_read() -> None:
    # 30,000 wait at first; 100/s arrive and 200/s are read: 24,000 / 100 = 240 s are left.
    found = case([0], ([30_000], [0]), ([36_000], [12_000]))
    verdict = found.answer.verdict

    assert found.causes == (CatchingUp,)
    assert verdict.kind is VerdictKind.CATCHING_UP
    assert figures(verdict, "ends_s", "lag_records") == [240, 24_000]
    assert proposed(found.answer, Action.WAIT).ends_s == 240
    assert found.hindrance is None


def test_a_still_consumer_and_a_hot_partition_are_both_named() -> None:
    # c1 stands; t-0 of c0 gets 900/s where 600/s are read.
    found = case(
        [0, 1, 2, 2],
        ([100_000, 5_000, 0, 0], [40_000, 0, 0, 0]),
        ([154_000, 5_600, 600, 600], [76_000, 0, 600, 600]),
    )

    assert found.causes == (Stopped, TooHot)
    assert [(each.kind, each.members) for each in found.answer.causes] == [
        (VerdictKind.STOPPED, (1,)),
        (VerdictKind.TOO_HOT, (0,)),
    ]


def changing(step_s: float, count: int = 4) -> Case:
    """Return snapshots of two stopped consumers, so far apart; each has other owners."""
    ends, read = [20_000, 20_000], [0, 0]
    group = Group.of(["t"], [2], ["c0", "c1"], owners=[0, 1], lags=[20_000] * 2).with_offsets(
        end=ends, committed=read
    )
    moments = tuple(
        Moment.of(group, step_s * k)._replace(ownership=ownership([("t", 0, f"c{k}")]))
        for k in range(count)
    )
    return Case(group, OffsetHistory(moments))


def test_owners_that_change_at_every_snapshot_are_a_group_that_never_settles() -> None:
    found = changing(60.0)
    verdict = found.answer.verdict

    assert found.causes[0] is KeepsRebalancing
    assert (verdict.kind, verdict.since_s) == (VerdictKind.KEEPS_REBALANCING, 180.0)
    assert figures(verdict, "changes") == [3]
    assert found.hindrance is KeepsRebalancing


@pytest.mark.parametrize(("step_s", "is_told"), [(15.0, False), (60.0, True)])
def test_changes_among_the_same_consumers_within_a_minute_are_rounds_of_one_rebalance(
    step_s: float, *, is_told: bool
) -> None:
    assert (KeepsRebalancing in changing(step_s).causes) == is_told


@pytest.mark.parametrize(("step_s", "is_told"), [(900.0, True), (3_600.0, False)])
def test_owners_that_change_once_an_hour_are_of_deploys_and_jobs(
    step_s: float, *, is_told: bool
) -> None:
    assert (KeepsRebalancing in changing(step_s).causes) == is_told


@pytest.mark.parametrize("members", [2, 3, 8])
def test_an_idle_consumer_is_not_one_that_stands_still(members: int) -> None:
    found = case([0], ([30_000], [0]), ([36_000], [12_000]), members=members)

    assert Stopped not in found.causes
    assert np.isnan(found.facts.reading[1:]).all()
