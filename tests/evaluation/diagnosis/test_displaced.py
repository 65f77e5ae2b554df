"""Committed offsets that fell, and those beyond the end of the log; snapshots a minute apart."""

import numpy as np
import pytest

from assignors.model import Group
from evaluation.diagnosis.findings import (
    AheadOfLog,
    CatchingUp,
    Full,
    LogTruncated,
    OffsetsReset,
    OffsetsSkipped,
    ReadOutside,
    Slower,
)
from evaluation.measuring.facts import Source
from evaluation.measuring.offset_history import Moment, OffsetHistory
from tests.advice.groups import Case, case
from tests.evaluation.diagnosis.flows import undated


def kinds(found: Case) -> list[str]:
    return [type(finding).__name__ for finding in found.findings]


def test_offsets_that_fell_are_told_with_how_far_and_whose_dated_or_not() -> None:
    # All six fall from 100,000 to 5,000 while 600 arrive in each.
    found = case([0, 1, 2, 0, 1, 2], ([100_100] * 6, [100_000] * 6), ([100_700] * 6, [5_000] * 6))

    for each in (found, undated(found)):
        (fell,) = each.findings
        assert isinstance(fell, OffsetsReset)
        assert (fell.members, fell.partitions) == ((0, 1, 2), (0, 1, 2, 3, 4, 5))
        assert (fell.by, fell.lag) == (6 * 95_000, 6 * 95_700)
        assert np.isnan(fell.reading)
        assert np.isnan(fell.over_s)


def test_how_a_backlog_is_read_since_the_offsets_fell_is_told_beside_them() -> None:
    # Back to 5,000, then 6,000 read in a minute: 100/s of 10/s, so 90,300 end in 1,003 s.
    moments = ([100_100], [100_000]), ([100_700], [5_000]), ([101_300], [11_000])

    fell, over = sorted(case([0], *moments).findings, key=lambda each: type(each).__name__)[::-1]

    assert isinstance(fell, OffsetsReset)
    assert isinstance(over, CatchingUp)
    assert (fell.by, fell.arriving, fell.reading) == (95_000, 10, 100)
    assert fell.over_s == over.over_s == pytest.approx(90_300 / 90)


def test_who_reads_nothing_after_the_offsets_fell_has_stopped() -> None:
    found = case([0], ([100_100], [100_000]), ([100_700], [5_000]), ([101_300], [5_000]))

    assert kinds(found) == ["Stopped", "OffsetsReset"]


def test_offsets_that_are_where_they_were_before_they_fell_are_no_cause() -> None:
    # 100,000, then 99,000, then 100,050 with 20,000 behind.
    moments = (100_100, 100_000), (110_000, 99_000), (120_050, 100_050)
    found = case([0], *(([end], [read]) for end, read in moments))

    assert "OffsetsReset" not in kinds(found)


def test_a_log_that_fell_with_its_offsets_was_recreated_and_nobody_reset_it() -> None:
    found = case([0], ([100_100], [100_000]), ([9_000], [100]))

    assert "OffsetsReset" not in kinds(found)


def test_an_empty_group_whose_offsets_fell_is_read_by_nobody_until_they_advance() -> None:
    reset = ([100_100], [100_000]), ([100_700], [5_000])

    nobody = case([], *reset, members=0)
    outside = case([], *reset, ([101_300], [11_000]), members=0)

    assert kinds(nobody) == ["NobodyReads", "OffsetsReset"]
    assert kinds(outside) == ["ReadOutside", "OffsetsReset"]
    assert isinstance(outside.findings[0], ReadOutside)
    assert outside.findings[0].reading == 100


def test_what_is_read_of_a_group_without_members_is_unknown_while_it_is_of_one_partition() -> None:
    found = case([], ([100_100] * 2, [100_000] * 2), ([100_700] * 2, [5_000, 100_600]), members=0)

    outside = found.findings[0]
    assert isinstance(outside, ReadOutside)
    assert np.isnan(outside.reading)
    assert np.isnan(outside.over_s)


def test_new_ids_after_a_reset_are_no_crash_loop() -> None:
    # t-0 is reset with all stopped; nothing is read of t-1, in which 600 records arrive.
    ends, reads = ([100_100, 9_000], [100_700, 9_600]), ([100_000, 8_000], [5_000, 8_000])
    groups = [
        Group.of(
            ["t"], [2], [f"a-{k}", f"b-{k}"], owners=[0, 1], lags=np.subtract(ends[k], reads[k])
        ).with_offsets(end=ends[k], committed=reads[k])
        for k in range(2)
    ]
    history = OffsetHistory(tuple(Moment.of(each, 60.0 * k) for k, each in enumerate(groups)))

    # Who owns t-1 since less than a minute ago, and stands, has not stopped for that.
    assert kinds(Case(groups[-1], history)) == ["TakenOver", "OffsetsReset"]


def test_offsets_that_fell_do_not_make_a_consumer_slower() -> None:
    # 200/s arrive; 100/s are read, then a fall by 9,000, then 99/s.
    reads = (0, 6_000, 12_000, 3_000, 8_940, 14_880)
    found = case([0], *(([90_000 + 12_000 * k], [read]) for k, read in enumerate(reads)))

    assert kinds(found) == ["Full"]


def test_what_is_read_of_a_partition_whose_offset_fell_is_unknown_of_its_owner() -> None:
    # t-1 and t-2 get and are read 10/s.
    found = case(
        [0, 0, 1], ([100_100] * 3, [100_000] * 3), ([100_700] * 3, [5_000, 100_600, 100_600])
    )

    assert kinds(found) == ["OffsetsReset"]
    assert np.isnan(found.facts.reading[0])
    assert found.facts.reading[1] == 10


def test_a_partition_committed_for_the_first_time_leaves_open_what_its_owner_reads() -> None:
    # Nothing was committed on t-0 a minute ago: 9,000 wait there, and nothing tells how fast.
    found = case([0, 1], ([9_000, 600], [-1, 600]), ([12_000, 1_200], [3_000, 1_200]))
    unknown = found.history.moments[0].topics["t"].copy()
    unknown[2, 0] = np.iinfo(np.int64).min
    first = found.history.moments[0]._replace(topics={"t": unknown})
    history = type(found.history)((first, found.history.moments[1]))

    assert kinds(Case(found.group, history)) == ["LagConcentrated"]


def test_one_snapshot_tells_offsets_beyond_the_end_of_the_log() -> None:
    found = case([0, 0, 1, 1], ([120, 100, 90, 5_000], [50_000, 48_000, 51_000, 10]))

    ahead = found.findings[0]
    assert isinstance(ahead, AheadOfLog)
    assert (ahead.members, ahead.partitions, ahead.by) == ((0, 1), (0, 1, 2), 50_910)
    assert not ahead.helped_by_assignment


def test_offsets_beyond_the_end_that_stand_while_records_arrive_are_told_with_the_rate() -> None:
    moments = [([1_200 + k] * 4, [50_000] * 4) for k in (0, 3_000)]

    (ahead,) = case([0, 1, 0, 1], *moments).findings

    assert isinstance(ahead, AheadOfLog)
    assert (ahead.arriving, ahead.by) == (200, 45_800)


def test_a_log_that_fell_below_the_committed_offset_is_behind_it() -> None:
    (ahead,) = case([0, 1], ([100_100] * 2, [100_000] * 2), ([300] * 2, [100_000] * 2)).findings

    assert isinstance(ahead, AheadOfLog)
    assert ahead.by == 99_700


@pytest.mark.parametrize(("lag", "by"), [(-49_880, [49_880]), (-500, []), (0, [])])
def test_a_negative_lag_without_offsets_is_beyond_the_end_of_the_log(
    lag: int, by: list[int]
) -> None:
    group = Group.fresh({"t": 2}, ["a"], lags={"t": [lag, 700]})

    found = Case(group.owned_by(np.zeros(2, np.int32), 1), OffsetHistory(())).findings

    assert [(each.partitions, each.by) for each in found if isinstance(each, AheadOfLog)] == [
        ((0,), each) for each in by
    ]


@pytest.mark.parametrize(
    ("reads", "is_told"),
    [
        ([5_300], False),  # less than a poll: the end may have been asked for first
        ([5_600], True),
        ([5_020, 5_020], True),  # a minute later the same
        ([9_000, 9_900], False),  # it moves on, so the end is old
    ],
)
def test_an_offset_just_beyond_an_end_that_was_asked_for_first_is_none(
    reads: list[int], *, is_told: bool
) -> None:
    found = case([0], *(([5_000], [read]) for read in reads))

    assert ("AheadOfLog" in kinds(found)) == is_told


@pytest.mark.parametrize(
    ("later", "lost", "causes"),
    [
        # t-1 ends 210 earlier. c1 had read to 300 beyond where it ended: 500 are gone.
        ([[90_300, 89_800]], 500, ["LogTruncated", "AheadOfLog"]),
        ([[89_900, 89_800]], 210, ["LogTruncated", "AheadOfLog"]),
        ([[90_010, 89_800], [90_400, 90_400]], 210, ["LogTruncated"]),  # it has grown since
        ([[90_000, 89_000], [90_000, 89_010]], 1_010, ["LogTruncated", "AheadOfLog"]),
        ([[90_000, 90_009]], 0, []),  # one record less is none
        ([[90_000, 90_002]], 0, []),  # nor are a few: two tools, or a replica that lags
    ],
)
def test_a_log_whose_end_fell_while_another_grew_has_lost_records(
    later: list[list[int]], lost: int, causes: list[str]
) -> None:
    moments = [([90_010 + 600 * k, at[1]], [90_000 + 600 * k, at[0]]) for k, at in
               enumerate([[90_000, 90_010], *later])]  # fmt: skip

    found = case([0, 1], *moments).findings

    told = [each for each in found if isinstance(each, LogTruncated | AheadOfLog)]
    assert [type(each).__name__ for each in told] == causes
    assert [each.lost for each in told if isinstance(each, LogTruncated)] == [lost] * (lost > 0)
    assert {(each.members, each.partitions) for each in told} <= {((1,), (1,))}


def test_a_topic_that_starts_anew_has_lost_no_end() -> None:
    # t-0 has at most three quarters of its offsets again, t-1 two thirds: another topic of that
    # name, which fills, as seen beside t-2 of one that goes on.
    recreated, cut = (
        Case(groups[-1], OffsetHistory(tuple(Moment.of(g, 60.0 * k) for k, g in enumerate(groups))))
        for groups in (
            [
                Group.of(["t", "u"], [2, 1], ["a"], owners=[0] * 3, lags=[0] * 3).with_offsets(
                    end=ends, committed=ends
                )
                for ends in ([9_000, 9_000, 500], later)
            ]
            for later in ([6_750, 6_000, 600], [9_600, 900, 600])
        )
    )

    assert "LogTruncated" not in kinds(recreated)
    assert [each.lost for each in cut.findings if isinstance(each, LogTruncated)] == [8_100]


def test_snapshots_in_the_wrong_order_show_no_log_that_lost_its_end() -> None:
    later, earlier = ([90_610] * 2, [90_600] * 2), ([90_010] * 2, [90_000] * 2)
    cut = ([90_010] * 2, [90_600] * 2)  # both logs, and the commits stand

    assert "LogTruncated" not in kinds(case([0, 1], later, earlier))
    assert "LogTruncated" not in kinds(undated(case([0, 1], later, cut)))
    assert "LogTruncated" in kinds(case([0, 1], later, cut))


def test_offsets_that_jump_to_the_end_are_no_reading_and_no_speed() -> None:
    # 10/s of each while 499,000 wait; then 499,400 in a minute, to 200 before the end.
    moments = [([500_000 + 600 * k] * 2, [read] * 2) for k, read in
               enumerate((1_000, 1_600, 501_000))]  # fmt: skip

    found = case([0, 1], *moments)
    later = case([0, 1], *moments, ([501_800] * 2, [501_600] * 2))

    (jumped,) = found.findings
    assert isinstance(jumped, OffsetsSkipped)
    assert (jumped.partitions, jumped.by, jumped.before) == ((0, 1), 2 * 499_400, 20)
    assert np.isnan(found.facts.reading).all()
    assert found.facts.speed.source is Source.GUESS
    assert later.facts.reading.tolist() == [10, 10]  # since the jump
    assert [each.since_s for each in later.findings if isinstance(each, OffsetsSkipped)] == [60]


def test_offsets_that_jump_into_the_middle_of_a_log_are_no_reading_either() -> None:
    # 10/s of each, 20/s arrive; then 300,000 further within a minute, 200,000 before the end.
    reads = (1_000, 1_600, 2_200, 302_800, 303_400, 304_000)
    moments = [([500_000 + 1_200 * k] * 2, [read] * 2) for k, read in enumerate(reads)]

    just, later = case([0, 1], *moments[:4]), case([0, 1], *moments)

    # With one interval it may yet be a consumer that is back: how much is read is unknown.
    assert np.isnan(just.facts.reading).all()
    assert {type(each).__name__ for each in just.findings} == {"LagSpread"}
    (full, jumped) = later.findings
    assert isinstance(full, Full)
    assert (full.arriving, full.reading) == (40, 20)
    assert isinstance(jumped, OffsetsSkipped)
    assert (jumped.by, jumped.before, jumped.since_s) == (2 * 300_600, 20, 120)


def test_offsets_set_ahead_of_a_group_that_was_down_are_no_speed_of_a_consumer() -> None:
    # As on a real broker: each of two consumers reads 51/s before and since; --to-datetime, which
    # needs a group without consumers, led to 12,000 each of four partitions, some 9 times as far.
    reads = [
        (0, 2_800, 2_800, 0),
        (0, 5_100, 5_100, 0),
        (12_000, 13_500, 12_000, 13_500),
        (12_000, 15_800, 12_000, 15_800),
    ]
    groups = [
        Group.of(["t"], [4], [f"a-{k // 2}", f"b-{k // 2}"], owners=[0, 0, 1, 1]).with_offsets(
            end=[21_200 + 900 * k] * 4, committed=read
        )
        for k, read in enumerate(reads)
    ]
    moments = [Moment.of(group, 45.0 * k) for k, group in enumerate(groups)]
    just, later = (Case(groups[k - 1], OffsetHistory(tuple(moments[:k]))) for k in (3, 4))

    assert np.isnan(just.facts.reading).all()  # they may yet read on as fast
    assert "OffsetsSkipped" not in kinds(just)
    assert later.facts.speed.is_known
    assert later.facts.speed.records_s == pytest.approx(2_300 / 45)
    (jumped,) = (each for each in later.findings if isinstance(each, OffsetsSkipped))
    assert (jumped.by, jumped.since_s) == (40_800, 45)
    assert jumped.before == pytest.approx(4_600 / 45)


def test_an_outage_that_ends_between_two_snapshots_is_no_jump() -> None:
    # 1/s of each while 100/s arrive; then 4,000/s up to the end, and all of the 100/s since.
    moments = [([600_000 + 6_000 * k], [read]) for k, read in
               enumerate((400_000, 400_060, 611_900, 617_900))]  # fmt: skip

    assert "OffsetsSkipped" not in kinds(case([0], *moments))


def test_a_jump_is_no_change_of_speed() -> None:
    reads = (1_000, 1_600, 302_200, *(302_200 + 600 * k for k in range(1, 8)))
    found = case([0], *(([500_000 + 1_200 * k], [read]) for k, read in enumerate(reads)))

    assert found.history.rates_from == 4  # five minutes back
    assert [each.reading for each in found.findings if isinstance(each, Full)] == [10]
    assert [each for each in found.findings if isinstance(each, Slower)] == []


def test_few_records_that_jump_are_unknown_reading_and_no_reset() -> None:
    # 10/s while 30,000 wait, then all of it in a minute.
    found = case([0], ([31_000], [1_000]), ([31_600], [1_600]), ([32_200], [32_200]))

    assert found.findings == ()
    assert np.isnan(found.facts.reading).all()


@pytest.mark.parametrize(
    "reads",
    [
        (1_000, 51_000, 501_000),  # nine times as fast as before
        (1_000, 1_000, 501_000),  # nothing was read before: it had stopped
        (1_000, 1_600, 251_600, 501_600),  # and as fast again: an outage is over
    ],
)
def test_offsets_that_move_fast_are_read_where_they_may_be(reads: tuple[int, ...]) -> None:
    found = case([0], *(([500_000 + 600 * k], [read]) for k, read in enumerate(reads)))

    assert "OffsetsSkipped" not in kinds(found)
    assert found.facts.reading[0] > 3_000
