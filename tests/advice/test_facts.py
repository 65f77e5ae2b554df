"""What arrives, what a consumer reads, and where both are known from: worked out by hand.

``case(owners, (ends, committed), ...)``, a minute apart; 6,000 records a minute are 100/s.
"""

from dataclasses import replace

import numpy as np
import pytest

from assignors.model import Group
from evaluation.answering.ending import seconds_to_end, speeds_in
from evaluation.answering.given import Statements
from evaluation.measuring.facts import Source, Speed, facts_of
from tests.advice.groups import case
from tests.said import figures_in, lacks
from ui.facts import arrival_words, speed_words


def test_a_consumer_with_a_backlog_throughout_shows_its_speed() -> None:
    # 60,000 wait at first and more later; 12,000 are read in 60 s: 200/s.
    found = case([0], ([60_000], [0]), ([84_000], [12_000]))

    assert found.facts.speed == Speed(200.0, Source.MEASURED)
    assert found.facts.total_arriving == 400.0
    assert figures_in(speed_words(found.facts.speed)) == ["200"]


def test_a_consumer_that_keeps_up_shows_only_what_it_reads_at_least() -> None:
    # 6,000 arrive and 6,000 are read in 60 s: at least 100/s.
    found = case([0], ([6_000], [6_000]), ([12_000], [12_000]))

    assert found.facts.speed == Speed(100.0, Source.MEASURED, is_least=True)
    assert not lacks(speed_words(found.facts.speed), "100 records/s")


def test_busy_consumers_count_and_those_that_keep_up_do_not() -> None:
    # c0 keeps up with 50/s, c1 has a backlog and reads 300/s: one reads 300/s, not 175.
    found = case([0, 1], ([3_000, 90_000], [3_000, 0]), ([6_000, 120_000], [6_000, 18_000]))

    assert found.facts.speed == Speed(300.0, Source.MEASURED)
    assert found.facts.is_busy.tolist() == [False, True]


def test_of_several_busy_consumers_the_middle_one_counts() -> None:
    # They read 100/s, 200/s and 600/s: the median is 200/s, the mean would be 300/s.
    found = case([0, 1, 2], ([90_000] * 3, [0] * 3), ([90_000] * 3, [6_000, 12_000, 36_000]))

    assert found.facts.speed.records_s == 200.0


def test_a_consumer_that_reads_just_what_arrives_tells_less_than_one_that_is_outrun() -> None:
    # All have 90,000 waiting. c0 to c2 get and read 100/s; c3 gets 1,000/s and reads 800/s.
    found = case(
        [0, 1, 2, 3],
        ([90_000] * 4, [0] * 4),
        ([96_000] * 3 + [150_000], [6_000] * 3 + [48_000]),
    )

    assert found.facts.speed == Speed(800.0, Source.MEASURED)


def test_a_consumer_that_reads_more_shows_that_pace_is_no_limit() -> None:
    # c0 has 90,000 waiting, gets 100/s and reads 100/s; c1 gets 800/s, reads all: 800/s at least.
    found = case([0, 1], ([90_000, 48_000], [0, 48_000]), ([96_000, 96_000], [6_000, 96_000]))

    assert found.facts.speed == Speed(800.0, Source.MEASURED, is_least=True)


def test_where_all_read_just_what_arrives_over_a_backlog_that_is_their_speed() -> None:
    # Each has 90,000 waiting, gets 100/s and reads 100/s.
    found = case([0, 1], ([90_000] * 2, [0] * 2), ([96_000] * 2, [6_000] * 2))

    assert found.facts.speed == Speed(100.0, Source.MEASURED)


def test_a_consumer_that_stands_still_does_not_count_as_slow() -> None:
    # c1 commits nothing in 60 s; c0 reads 200/s under backlog.
    found = case([0, 1], ([90_000] * 2, [0] * 2), ([96_000] * 2, [12_000, 0]))

    assert found.facts.speed == Speed(200.0, Source.MEASURED)
    assert found.facts.is_still.tolist() == [False, True]


def test_a_speed_that_is_stated_overrules_a_measured_one() -> None:
    found = case([0], ([60_000], [0]), ([84_000], [12_000]))

    facts = facts_of(found.group, found.history, found.times, 750.0)

    assert facts.speed == Speed(750.0, Source.STATED)
    assert facts.total_arriving == 400.0  # what arrives stays as measured


def test_what_snapshots_measure_at_stated_seconds_is_no_stated_speed() -> None:
    found = case([0], ([60_000], [0]), ([84_000], [12_000]))
    undated = tuple(moment._replace(at_s=np.nan) for moment in found.history.moments)
    timed = replace(
        found, history=replace(found.history, moments=undated), stated=Statements(interval_s=60.0)
    )

    assert timed.facts.speed == Speed(200.0, Source.TIMED)
    assert timed.facts.arriving_source is Source.TIMED
    assert "(stated)" not in speed_words(timed.facts.speed)
    assert "as stated" not in arrival_words(timed.group, timed.facts)


def test_one_snapshot_measures_nothing_and_the_speed_is_a_guess() -> None:
    found = case([0], ([60_000], [0]))

    assert (found.facts.arriving_source, found.facts.speed.source) == (None, Source.GUESS)
    assert not lacks(speed_words(found.facts.speed), "guess")


def test_a_guess_has_todays_consumers_80_percent_busy() -> None:
    # 320/s in four partitions for two consumers: 320 / 2 / 0.8 = 200/s.
    group = Group.of(["t"], [4], ["c0", "c1"], rates=[80.0] * 4)

    assert facts_of(group, None, None).speed == Speed(200.0, Source.GUESS)


def test_a_guess_leaves_half_a_consumer_beside_the_heaviest_partition() -> None:
    # 10 + 10 + 10 + 500 = 530/s for four: 166/s each at 80 %, but 500/s take half of 1,000/s.
    group = Group.of(["t"], [4], ["c0", "c1", "c2", "c3"], rates=[10.0, 10.0, 10.0, 500.0])

    assert facts_of(group, None, None).speed == Speed(1_000.0, Source.GUESS)


def test_snapshots_without_known_times_make_a_guess_of_what_they_measure() -> None:
    found = case([0], ([60_000], [0]), ([84_000], [12_000]))

    facts = facts_of(found.group, found.history, found.times, dated=Source.GUESS)

    assert (facts.arriving_source, facts.speed) == (Source.GUESS, Speed(200.0, Source.GUESS))


def test_the_members_own_throughput_is_stated() -> None:
    group = Group.of(["t"], [2], ["c0", "c1"]).with_throughput([100.0, 300.0])

    assert facts_of(group, None, None).speed == Speed(200.0, Source.STATED)


def test_a_partition_whose_offsets_are_unknown_stays_unknown() -> None:
    group = Group.of(["t"], [2], ["c0"], lags=[5, 5], owners=[0, 0])

    facts = facts_of(group, None, None)

    assert np.isnan(facts.arriving).all()
    assert np.isnan(facts.reading).all()


@pytest.mark.parametrize(("begin", "lost"), [(0, 0), (400, 0), (1_500, 1_000)])
def test_what_was_deleted_before_it_was_read_is_counted(begin: int, lost: int) -> None:
    # Committed is 500: of a log that starts at 1,500, 1,000 records are gone.
    group = Group.of(["t"], [1], ["c0"], owners=[0]).with_offsets(
        begin=[begin], end=[9_000], committed=[500]
    )

    assert facts_of(group, None, None).lost.tolist() == [lost]


def test_a_consumer_that_keeps_pace_reads_no_less_than_it_was_seen_to() -> None:
    # c1 and c2 read 400/s of a backlog, the speed of a consumer; c0 reads all of its 1,000/s.
    found = case(
        [0, 1, 2],
        ([100_000] * 3, [100_000, 60_000, 60_000]),
        ([160_000, 110_000, 110_000], [160_000, 84_000, 84_000]),
    )
    group = found.known.group.with_rates(found.facts.arriving)

    assert found.facts.speed.records_s == pytest.approx(400)
    assert speeds_in(group, found.facts).tolist() == pytest.approx([1_000, 400, 400])
    ends = seconds_to_end(group, group.present_owners, found.facts)
    # 26,000 records wait, and 400 - 10,000 / 60 of them are read a second.
    assert ends.tolist() == pytest.approx([0, 26_000 * 60 / 14_000, 26_000 * 60 / 14_000])


@pytest.mark.parametrize(
    ("late", "is_end_known"),
    [(0, True), (5_000, True), (300, True), (130_000, False)],
)
def test_what_waits_for_a_late_commit_is_no_backlog(late: int, *, is_end_known: bool) -> None:
    found = case([0, 1], ([200_000] * 2, [200_000 - late, 60_000]),
                 ([260_000, 210_000], [260_000 - late, 84_000]))  # fmt: skip
    group = found.known.group.with_rates(found.facts.arriving)

    ends = seconds_to_end(group, group.present_owners, found.facts)

    assert bool(np.isfinite(ends[0])) is is_end_known


def test_a_stated_speed_counts_for_consumers_that_were_seen_to_read_more() -> None:
    found = case([0, 1], ([100_000] * 2, [100_000] * 2), ([160_000] * 2, [160_000] * 2))
    group = found.known.group.with_rates(found.facts.arriving)

    stated = found.at_speed(500.0).facts

    assert speeds_in(group, stated).tolist() == [500, 500]
