"""Each rule on figures small enough to check by hand; snapshots are a minute apart."""

from dataclasses import replace

import numpy as np
import pytest

from assignors.model import UNKNOWN, Group
from evaluation.diagnosis.diagnose import diagnose
from evaluation.diagnosis.findings import (
    CatchingUp,
    CrashLoop,
    Finding,
    Full,
    IdleConsumers,
    LagConcentrated,
    LagSpread,
    LeftUnread,
    NobodyReads,
    NoLogEnd,
    OffByOne,
    OwnersUnknown,
    ReadOutside,
    RebalanceUnderWay,
    Stopped,
    StuckRecord,
    TopicLeft,
)
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.rebalancing import Rebalancing
from evaluation.verdict_kinds import VerdictKind
from tests.advice.groups import Case, case
from tests.evaluation.diagnosis.flows import undated
from tests.findings import EVERY
from tests.pasted import the_group

_HEADER = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


def kinds(found: Case) -> list[str]:
    return [type(finding).__name__ for finding in found.findings]


def apart(seconds: float, owners: list[int], *moments: tuple[list[int], list[int]]) -> Case:
    """Return the case whose snapshots are so many seconds apart."""
    return case(owners, *moments, apart_s=seconds)


def pasted(*rows: str) -> Case:
    """Return what one table tells."""
    reading = the_group(_HEADER + "\n".join(rows) + "\n")
    return Case(reading.group, reading.history or OffsetHistory())


def test_what_stands_beside_a_partition_with_a_backlog_of_its_own_is_waiting() -> None:
    # t-1 goes from 500 to 6,500 of 13,000: c0 is busy with it, and t-0 waits.
    found = case([0, 0], ([90_000, 7_000], [81_220, 500]), ([93_000, 13_000], [81_220, 6_500]))

    (full,) = found.findings
    assert isinstance(full, Full)
    assert full.partitions == (0, 1)
    assert full.lag == 93_000 - 81_220 + 13_000 - 6_500


def test_what_stands_beside_a_backlog_that_has_just_been_read_may_have_waited_for_it() -> None:
    # t-1 had 9,000 behind a minute ago and has none now: c0 may have read only that.
    found = case([0, 0], ([9_000, 9_000], [0, 0]), ([9_000, 9_000], [0, 9_000]))

    assert kinds(found) == ["CatchingUp"]


def test_a_stuck_partition_is_one_whose_consumer_has_caught_up_elsewhere() -> None:
    # t-1 gets 100/s and is 1 s behind, at both ends.
    found = case([0, 0], ([90_000, 6_100], [81_220, 6_000]), ([93_000, 12_100], [81_220, 12_000]))

    (stuck,) = found.findings
    assert isinstance(stuck, StuckRecord)
    assert (stuck.members, stuck.partitions, stuck.offset) == ((0,), (0,), 81_220)
    assert (stuck.lag, stuck.arriving) == (11_780, 50)
    assert [look.name for look in stuck.look_at] == ["RECORD", "LOG", "DEAD_LETTER"]


def test_a_consumer_that_holds_a_stuck_partition_is_no_measure_of_speed() -> None:
    # c0 would be busy by its lag, at 100/s; c1 reads 400/s of 500/s under a backlog.
    found = case(
        [0, 0, 1],
        ([90_000, 6_100, 60_000], [81_220, 6_000, 0]),
        ([93_000, 12_100, 90_000], [81_220, 12_000, 24_000]),
    )

    assert found.facts.speed.records_s == 400
    assert not found.facts.speed.is_least


def test_two_that_stand_on_one_consumer_are_left_unread() -> None:
    # scan-1 reads pages-0 and is 1 s behind there; the other two stand.
    found = case([0, 0, 0], ([110, 2_100, 3_100], [100, 2_000, 3_000]),
                 ([3_110, 5_100, 6_100], [3_100, 2_000, 3_000]))  # fmt: skip

    (left,) = found.findings
    assert isinstance(left, LeftUnread)
    assert (left.partitions, left.lag, left.arriving) == ((1, 2), 6_200, 100)
    assert not left.helped_by_assignment


def test_all_new_ids_and_nothing_read_are_a_crash_loop() -> None:
    read = [0, 100]
    groups = [
        Group.of(
            ["t"], [2], [f"c0-{k}", f"c1-{k}"], owners=[0, 1], lags=np.subtract([ends] * 2, read)
        ).with_offsets(end=[ends] * 2, committed=read)
        for k, ends in enumerate((100, 3_000, 6_000))
    ]
    moments = tuple(Moment.of(group, 60.0 * k) for k, group in enumerate(groups))
    history = OffsetHistory(moments)

    (loop,) = Case(groups[-1], history).findings
    (without_times,) = undated(Case(groups[-1], history)).findings

    assert isinstance(loop, CrashLoop)
    assert (loop.members, loop.partitions, loop.lag, loop.since_s) == ((0, 1), (0, 1), 11_900, 120)
    assert isinstance(without_times, CrashLoop)


def test_all_new_ids_in_less_than_half_a_minute_are_a_deployment() -> None:
    groups = [
        Group.of(["t"], [1], [name], owners=[0], lags=[600]).with_offsets(end=[600], committed=[0])
        for name in ("old", "new")
    ]
    moments = tuple(Moment.of(group, 20.0 * k) for k, group in enumerate(groups))

    assert kinds(Case(groups[-1], OffsetHistory(moments))) == ["TakenOver"]


def test_new_ids_that_have_read_something_are_a_deployment() -> None:
    first = Group.of(["t"], [2], ["a", "b"], owners=[0, 1], lags=[600, 600]).with_offsets(
        end=[600, 600], committed=[0, 0]
    )
    last = Group.of(["t"], [2], ["c", "d"], owners=[0, 1], lags=[600, 300]).with_offsets(
        end=[600, 600], committed=[0, 300]
    )

    found = Case(last, OffsetHistory((Moment.of(first, 0), Moment.of(last, 60))))

    assert "CrashLoop" not in kinds(found)


@pytest.mark.parametrize(
    ("wait", "dated", "without"),
    [(1, ["OffByOne"], ["OffByOne"]), (2, [], []), (3, ["Stopped"], ["LagSpread"])],
)
def test_a_lag_of_one_or_two_where_nothing_arrives_is_no_backlog(
    wait: int, dated: list[str], without: list[str]
) -> None:
    # 499 of 500 on each partition in both snapshots, nothing arriving; 497 is a backlog.
    moment = [500] * 3, [500 - wait] * 3
    found = case([0, 0, 1], moment, moment)

    assert kinds(found) == dated
    assert kinds(undated(found)) == without


@pytest.mark.parametrize("seconds", [29, 30])
def test_consumers_have_stopped_once_half_a_minute_has_passed(seconds: int) -> None:
    # 600 wait for each, 100 more arrive, and neither commits: every 5 s is Kafka's default.
    found = apart(seconds, [0, 1], ([1_600] * 2, [1_000] * 2), ([1_700] * 2, [1_000] * 2))

    assert kinds(found) == (["Stopped"] if seconds == 30 else ["LagSpread"])
    assert found.facts.is_still.all() == (seconds == 30)


@pytest.mark.parametrize(
    ("seconds", "waited", "later_s", "has_stopped"),
    [
        (45, 200, 0, False),  # all was read 2 s before: commits may come once a minute
        (45, 1_000, 0, False),
        (45, 1_001, 0, True),  # more than 10 s: it stood before
        (59, 200, 0, False),
        (60, 200, 0, True),
        (45, 200, 5, True),  # another consumer commits in that time
    ],
)
def test_a_group_that_may_commit_once_a_minute_stands_for_longer_than_that(
    seconds: int, waited: int, later_s: int, *, has_stopped: bool
) -> None:
    ends = [9_000, 9_000 + 100 * seconds]  # 100/s for each of two consumers
    read = 9_000 - waited

    moments = [([end] * 2, [read, read + 100 * later_s * k]) for k, end in enumerate(ends)]
    found = apart(seconds, [0, 1], *moments)

    assert (Stopped in found.causes) == has_stopped
    assert found.facts.is_unsure.all() == (not has_stopped)


@pytest.mark.parametrize("seconds", [29, 30])
def test_a_partition_is_stuck_once_half_a_minute_has_passed(seconds: int) -> None:
    # c0 reads 1,000 of t-1 and is at its end; nothing of the 5,000 in t-0.
    found = apart(seconds, [0, 0], ([5_000, 1_000], [0, 1_000]), ([5_000, 2_000], [0, 2_000]))

    assert kinds(found) == (["StuckRecord"] if seconds == 30 else ["LagConcentrated"])
    assert found.facts.is_stuck.tolist() == [seconds == 30, False]


@pytest.mark.parametrize("arrived", [15, 16])
def test_without_times_what_arrived_for_a_consumer_tells_that_it_stopped(arrived: int) -> None:
    # In each of its two partitions: 30 records may all have come just now, 32 have not.
    found = undated(case([0, 0], ([1_600] * 2, [1_000] * 2), ([1_600 + arrived] * 2, [1_000] * 2)))

    assert kinds(found) == (["Stopped"] if arrived == 16 else ["LagSpread"])


def test_who_has_not_committed_yet_is_told_apart_from_who_reads() -> None:
    # 2 s: c1 and c2 committed 400 on each of two partitions and c0 nothing. 50/s arrive in each.
    ends, now = [1_600] * 6, [1_700] * 6
    found = apart(2, [0, 1, 2] * 2, (ends, [1_000] * 6), (now, [1_000, 1_400, 1_400] * 2))

    (open_,) = found.findings
    assert isinstance(open_, LagConcentrated)
    assert (open_.members, open_.partitions, open_.lag) == ((0,), (0, 3), 1_400)


def test_one_record_in_one_of_many_partitions_is_just_traffic() -> None:
    assert case([0, 0, 1], ([500] * 3, [500, 499, 500])).findings == ()


def test_offsets_that_advance_without_members_are_read_outside() -> None:
    # 12 partitions go from 1,000 to 13,000 in a minute, 500 behind throughout: 200/s each.
    found = case([], ([1_500] * 12, [1_000] * 12), ([13_500] * 12, [13_000] * 12), members=0)

    (outside,) = found.findings
    assert isinstance(outside, ReadOutside)
    assert (outside.arriving, outside.reading, outside.lag) == (2_400, 2_400, 6_000)
    assert (outside.behind_s, outside.over_s) == (2.5, 0)


def test_a_backlog_that_is_read_outside_clears_as_a_whole() -> None:
    # 60,000 wait; 100/s arrive and 300/s are read: 300 s.
    found = case([], ([60_000, 12_000], [0, 0]), ([63_000, 15_000], [18_000, 0]), members=0)

    (outside,) = found.findings
    assert isinstance(outside, ReadOutside)
    assert outside.over_s == (45_000 + 15_000) / (300 - 100)


def test_offsets_that_stand_without_members_are_read_by_nobody() -> None:
    found = case([], ([1_500] * 2, [1_000] * 2), ([3_500] * 2, [1_000] * 2), members=0)

    (nobody,) = found.findings
    assert isinstance(nobody, NobodyReads)
    assert (nobody.since_s, nobody.is_older, nobody.is_of_group) == (60, True, True)
    assert (nobody.lag, round(nobody.arriving)) == (5_000, 67)


def test_owners_that_the_text_does_not_tell_are_not_nobody() -> None:
    # 18,000 wait, 100/s arrive and 200/s are read: 180 s.
    found = case([], ([21_000], [0]), ([27_000], [12_000]), members=0)
    group = replace(
        found.group, claims=replace(found.group.claims, is_owner_unknown=np.ones(1, np.bool_))
    )

    (finding,) = Case(group, found.history).findings

    assert isinstance(finding, OwnersUnknown)
    assert (finding.reading, finding.behind_s, finding.over_s) == (200, 150, 150)


def test_a_topic_that_nobody_owns_and_whose_commits_stand_was_left() -> None:
    # Both own all of invoices; invoices-v1 was read once, and stands.
    groups = [
        Group.of(
            ["invoices", "invoices-v1"],
            [2, 2],
            ["a", "b"],
            owners=[0, 1, -1, -1],
            lags=np.subtract(ends, read),
        ).with_offsets(end=ends, committed=read)
        for ends, read in (
            ([510, 720, 6_040, 4_070], [500, 700, 40, 70]),
            ([3_510, 3_720, 9_040, 7_070], [3_500, 3_700, 40, 70]),
        )
    ]
    moments = tuple(Moment.of(group, 300.0 * k) for k, group in enumerate(groups))

    (left,) = Case(groups[-1], OffsetHistory(moments)).findings

    assert isinstance(left, TopicLeft)
    assert (left.topics, left.partitions, left.lag) == (("invoices-v1",), (2, 3), 16_000)
    never = replace(
        groups[-1].offsets, committed=np.array([3_500, 3_700, UNKNOWN, UNKNOWN], np.int64)
    )
    (nobody,) = Case(replace(groups[-1], offsets=never), OffsetHistory(moments)).findings
    assert isinstance(nobody, NobodyReads)


def test_members_that_own_nothing_at_all_wait_to_start_for_no_cause() -> None:
    group = Group.of(["t"], [4], ["a", "b", "c"], lags=[8_000, 7_000, 10_000, 10_000])

    assert Case(group, OffsetHistory()).findings == ()


def test_a_rebalance_that_the_source_tells_of_explains_what_nobody_owns() -> None:
    # t-2 has no owner; c1 is to own t-1 and does not hold it yet, so it has not stopped.
    found = case([0, 1, -1], ([600, 600, 900], [600, 0, 0]), ([1_200, 1_200, 1_800], [1_200, 0, 0]))
    holding = Rebalancing(now=np.array([0, 0, -1]), target=np.array([0, 1, -1]))

    (under_way,) = diagnose(found.group, found.history, found.times, found.facts, holding)

    assert isinstance(under_way, RebalanceUnderWay)
    assert (under_way.partitions, under_way.lag) == ((1, 2), 3_000)
    assert kinds(found) == ["NobodyReads", "Stopped"]


def test_more_consumers_than_partitions_are_idle_whatever_is_done() -> None:
    found = case([0, 1, 2], ([5_000] * 3, [1_000] * 3), members=6)

    spread, idle = found.findings

    assert isinstance(spread, LagSpread)
    assert (spread.members, spread.active) == ((0, 1, 2), 3)
    assert isinstance(idle, IdleConsumers)
    assert (idle.members, idle.surplus) == ((3, 4, 5), 3)


def test_two_snapshots_without_times_never_tell_less_than_one() -> None:
    # 98 % of the lag is in t-0, and one more snapshot without times does not take that away.
    once = case([0, 1, 2], ([9_800, 100, 100], [0, 0, 0]))
    twice = undated(
        case([0, 1, 2], ([9_700, 100, 100], [0, 0, 0]), ([10_800, 200, 200], [1_000, 100, 100]))
    )

    for found in (once, twice):
        (where,) = found.findings
        assert isinstance(where, LagConcentrated)
        assert (where.partition, where.members) == (0, (0,))
        assert where.share == pytest.approx(0.98)


def test_what_stands_without_times_is_told_before_where_the_rest_of_the_lag_is() -> None:
    # c0 reads nothing while 6,000 arrive; that is all of the lag but 200.
    found = undated(case([0, 1], ([6_000, 600], [0, 500]), ([12_000, 1_200], [0, 1_000])))

    (stopped,) = found.findings
    assert isinstance(stopped, Stopped)
    assert (stopped.members, stopped.partitions) == ((0,), (0,))
    assert (stopped.lag, stopped.arrived) == (12_000, 6_000)
    assert np.isnan(stopped.since_s)
    assert np.isnan(stopped.arriving)


def test_a_backlog_whose_first_half_hour_is_unknown_is_still_a_backlog() -> None:
    # Ten seconds apart, nothing arrives: the record is at least ten seconds old, and 13.5 M wait.
    groups = [
        Group.of(["t"], [2], ["c"], owners=[0, 0], lags=[14_000_000 - read, 0]).with_offsets(
            end=[14_000_000, 400], committed=[read, 400]
        )
        for read in (484_506, 503_506)
    ]
    moments = tuple(Moment.of(group, 10.0 * k) for k, group in enumerate(groups))

    (over,) = Case(groups[-1], OffsetHistory(moments)).findings

    assert isinstance(over, CatchingUp)
    assert (over.reading, over.arriving) == (1_900, 0)
    assert over.over_s == pytest.approx(13_496_494 / 1_900)


def test_a_paste_of_one_record_on_each_partition_is_off_by_one() -> None:
    found = pasted("t 0 3 4 1 c-1 /10.0.0.1 c", "t 1 - 0 - c-1 /10.0.0.1 c")

    (finding,) = found.findings
    assert isinstance(finding, OffByOne)
    assert finding.partitions == (0,)


@pytest.mark.parametrize("finding", EVERY, ids=lambda each: type(each).__name__)
def test_every_finding_says_whether_an_assignment_helps(finding: Finding) -> None:
    assert isinstance(finding.helped_by_assignment, bool)
    assert set(finding.partitions) <= {0, 1}


@pytest.mark.parametrize(("ends", "bare"), [([90, UNKNOWN, 40], (1,)), ([UNKNOWN] * 3, ())])
def test_a_partition_without_a_log_end_beside_others_is_named(
    ends: list[int], bare: tuple[int, ...]
) -> None:
    lags = [UNKNOWN if end == UNKNOWN else end - 30 for end in ends]
    group = Group.of(["t"], [3], ["a", "b"], owners=[0, 0, 1], lags=lags)
    group = group.with_offsets(end=ends, committed=[30] * 3)

    found = Case(group, OffsetHistory())

    told = [each.partitions for each in found.findings if isinstance(each, NoLogEnd)]
    assert told == ([bare] if bare else [])
    assert (found.answer.verdict.kind is VerdictKind.NO_LOG_END) == bool(bare)
