"""Capacity and Time from measured facts, worked out by hand: one speed, one rate, no guess."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from assignors.model import UNOWNED
from evaluation.capacity.planning import PlanKind
from evaluation.comparing.outcomes import as_it_is_now
from evaluation.measuring.consumer_times import consumers_at
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import duration
from tests.advice.groups import case, figures
from tests.advice.plans import (
    autoscaler_lags,
    capacity_says,
    plan_says,
    rebalance_says,
    time_says,
    timeline,
)
from tests.said import figures_in, lacks
from ui.facts import reading_words
from ui.lag_in_time.view import strategies_frame


def test_a_group_that_never_catches_up_is_not_cleared_by_any_number() -> None:
    # One partition gets 900/s and its consumer reads 600/s: no number of consumers helps.
    said = capacity_says(case([0], ([100_000], [40_000]), ([154_000], [76_000])))

    assert lacks(said, "No number", "t-0 alone", "never", "900 records/s", "600") == []
    assert not lacks(said, "1 consumer", "never")


def test_more_consumers_than_today_are_counted_at_the_measured_speed() -> None:
    # Two consumers read 200/s each of two partitions; 150/s arrive in each of four, 600/s in all.
    # Within 600 s each partition needs 150 + 9,000 / 600 = 165/s: two need 330/s, so one consumer
    # of 200/s carries one: four.
    found = case([0, 0, 1, 1], ([6_000] * 4, [0] * 4), ([15_000] * 4, [6_000] * 4))
    plan, said = plan_says(found), capacity_says(found)

    assert plan.consumers == 4
    assert plan.ends_s == pytest.approx(180)  # 9,000 / 50
    assert not lacks(said, "2 consumers", "never")


def test_fewer_consumers_suffice_where_the_measured_speed_allows_it() -> None:
    # c0 has a backlog and reads 500/s; the others keep up with 50/s. 4 x 50/s arrive, 30,000 wait
    # in t-0. One consumer has 500 - 200 = 300/s to spare: 30,000 / 300 = 100 s.
    found = case(
        [0, 1, 2, 3],
        ([57_000, 0, 0, 0], [0, 0, 0, 0]),
        ([60_000, 3_000, 3_000, 3_000], [30_000, 3_000, 3_000, 3_000]),
    )

    assert plan_says(found).consumers == 1
    assert plan_says(found).ends_s == pytest.approx(100)
    # c0 alone as assigned now: 30,000 / (500 - 50) = 66.7 s.
    assert not lacks(capacity_says(found), "4 consumers", "1 min", "7 s")


def test_a_lower_bound_proves_nothing_late() -> None:
    # Both kept up, with 100/s and 50/s: at least 100/s. A partition of 100/s with nothing waiting
    # is within that; c1 stands with 60,000 behind, which would take 50 + 60,000 / 600 = 150/s.
    found = case([0, 1], ([6_000, 57_000], [6_000, 0]), ([12_000, 60_000], [12_000, 0]))

    said = capacity_says(found)

    assert plan_says(found).kind is PlanKind.UNPROVEN
    parts = ("not known", "t-1 alone needs 150/s", "10 min", "100/s at most")
    assert lacks(said, *parts) == []
    assert "never" not in said


def test_a_lower_bound_asks_for_no_consumer_more() -> None:
    # c0 keeps up with 100/s, c1 with 60/s of t-1 and 40/s of t-2; t-3, without an owner, gets 50/s.
    found = case(
        [0, 1, 1, UNOWNED],
        ([6_000, 3_600, 2_400, 3_000], [6_000, 3_600, 2_400, 3_000]),
        ([12_000, 7_200, 4_800, 6_000], [12_000, 7_200, 4_800, 3_000]),
    )

    said = capacity_says(found)

    assert (plan_says(found).kind, plan_says(found).least) == (PlanKind.UNPROVEN, 4)
    assert lacks(said, "2 consumers", "100/s at most", "4 are") == []


def test_without_any_fact_there_is_no_plan() -> None:
    # One snapshot: nothing says what arrives or what a consumer reads.
    plan = plan_says(case([0, 1], ([60_000] * 2, [0] * 2)))

    assert (plan.kind, plan.consumers) == (PlanKind.UNKNOWN, None)


def test_a_speed_measured_while_consumers_kept_up_is_a_condition() -> None:
    # 100/s each in two partitions, nothing waits: one consumer of at least 100/s reads one.
    found = case([0, 1], ([6_000] * 2, [6_000] * 2), ([12_000] * 2, [12_000] * 2))

    assert plan_says(found).consumers == 2
    assert lacks(capacity_says(found), "100/s") == []


@pytest.mark.parametrize(
    ("left", "arriving", "reading", "seconds"),
    [
        (30_000, 100, 200, 300.0),  # 30,000 / (200 - 100)
        (30_000, 0, 200, 150.0),
        (6_000, 190, 200, 600.0),
        (60_000, 200, 200, np.inf),
        (60_000, 300, 200, np.inf),
    ],
)
def test_time_and_capacity_name_the_same_time(
    left: int, arriving: int, reading: int, seconds: float
) -> None:
    # A minute earlier, left + 60 x (reading - arriving) waited.
    before = left + 60 * (reading - arriving)
    found = case([0], ([before], [0]), ([before + 60 * arriving], [60 * reading]))

    times = consumers_at(
        found.times, found.group.present_owners, np.array([found.facts.speed.records_s])
    )

    assert float(times.catch_up_s[0]) == pytest.approx(seconds)
    assert float(found.times.catch_up_s[0]) == pytest.approx(seconds)
    assert (not lacks(capacity_says(found, 1000000.0), "never")) == np.isinf(seconds)
    if np.isfinite(seconds):
        assert f"takes {duration(seconds)}" in capacity_says(found, 1e6)


def test_by_strategy_a_lower_bound_leaves_never_unknown() -> None:
    # c0 and c1 keep up with 100/s and 150/s: one reads at least 150/s. One consumer for both
    # would have to read 250/s, which may be more or less than it can.
    found = case([0, 1], ([6_000, 9_000], [6_000, 9_000]), ([12_000, 18_000], [11_000, 18_000]))
    now = as_it_is_now(found.group)
    assert now is not None
    alone = replace(now, owners=np.zeros(2, np.int32))

    frame = strategies_frame(found.group, found.times, [now, alone], found.facts)

    assert frame["Consumers that never do"].tolist() == [0, pd.NA]
    assert np.isnan(frame["Catches up"][1])


def test_consumers_that_stand_still_clear_nothing_before_they_read_again() -> None:
    # c0 reads 200/s under backlog and c1 nothing: 6,000 of t-1 take 6,000 / 200 = 30 s, and 78,000
    # of t-0 390 s, once c1 reads.
    found = case([0, 1], ([90_000, 6_000], [0, 0]), ([90_000, 6_000], [12_000, 0]))

    assert plan_says(found).consumers == 1
    assert lacks(capacity_says(found), "If the stalled consumer reads again") == []
    assert not lacks(capacity_says(found), "2 consumers", "6 min", "30 s")
    assert figures_in(reading_words(found.facts)) == ["200"]


def test_a_limit_per_partition_gives_one_time_on_every_page() -> None:
    # 42,000 and 18,000 wait, nothing arrives, 200/s are read, at most 150/s of one partition:
    # 100/s of both until t-1 is done after 180 s; 24,000 are left in t-0: 180 + 24,000 / 150 = 340.
    # Without the limit: 60,000 / 200 = 300 s.
    free = case([0, 0], ([48_000, 24_000], [0, 0]), ([48_000, 24_000], [6_000, 6_000]))
    capped = free.capped(150.0)

    assert [time_says(each) for each in (free, capped)] == [300.0, 340.0]
    assert [rebalance_says(each) for each in (free, capped)] == [300.0, 340.0]
    assert not lacks(capacity_says(free), "1 consumer", "5 min")
    assert not lacks(capacity_says(capped), "1 consumer", "5 min", "40 s")
    # After 5 min 24,000 - 120 x 150 = 6,000 are left; after 6 min nothing is.
    assert autoscaler_lags(free, minutes=6)[-2:] == [0.0, 0.0]
    assert autoscaler_lags(capped, minutes=6)[-2:] == [6_000.0, 0.0]


def test_a_partition_above_its_limit_is_too_much_on_every_page() -> None:
    # 180/s arrive in t-0 and c0 reads 150/s; 20/s arrive in t-1 and c1 reads them: the speed that
    # a user states for one consumer, 200/s, is not what can be read of one partition, 150/s.
    seen = case([0, 1], ([60_000, 600], [0, 600]), ([70_800, 1_800], [9_000, 1_800]))
    found = seen.at_speed(200.0).capped(150.0)

    assert (plan_says(found).kind, plan_says(found).decided_by) == (PlanKind.PARTITION, 0)
    assert lacks(capacity_says(found), "t-0 alone", "never", "180 records/s", "150") == []
    assert (time_says(found), rebalance_says(found)) == (np.inf, np.inf)
    verdict = found.answer.verdict
    assert (verdict.kind, verdict.members, verdict.partitions) == (VerdictKind.TOO_HOT, (0,), (0,))
    names = ("arriving_per_s", "usual_per_s", "reading_per_s", "alone_per_s")
    assert figures(verdict, *names) == [180, 20, 150, 150]  # it would still grow by 30/s
    # 61,800 wait, and 30/s more each minute.
    assert autoscaler_lags(found, minutes=2) == [63_600.0, 65_400.0]


def test_lag_over_time_bends_where_a_limit_leaves_speed_unused() -> None:
    # As above: 60,000 fall by 200/s until 180 s, then 24,000 by 150/s until 340 s.
    found = case([0, 0], ([48_000, 24_000], [0, 0]), ([48_000, 24_000], [6_000, 6_000]))

    curves = timeline(found.capped(150.0), calm_s=360.0).curves

    seconds = curves.times_s.tolist()
    by_hand = [60_000 - 200 * s if s <= 180 else max(24_000 - 150 * (s - 180), 0) for s in seconds]
    assert curves.lags[:, 0].tolist() == pytest.approx(by_hand, abs=1e-6)
    assert 340.0 in seconds


def test_time_by_strategy_heeds_what_can_be_read_of_one_partition() -> None:
    # 48,000 wait in t-0; 100/s arrive and 200/s are read: 480 s. At most 150/s of one: 960 s.
    found = case([0], ([54_000], [0]), ([60_000], [12_000]))
    now = as_it_is_now(found.group)
    assert now is not None
    capped = replace(found.facts, partition_cap=150.0)

    free, slow = (
        strategies_frame(found.group, found.times, [now], facts)["Catches up"][0]
        for facts in (found.facts, capped)
    )

    assert (free, slow) == (480.0, 960.0)
