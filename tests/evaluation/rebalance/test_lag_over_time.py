"""Lag through a series of rebalances, compared with closed forms and with small steps."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import UNOWNED, Group
from assignors.registry import STRATEGIES
from assignors.strategy import Protocol
from evaluation.fluid import Flow
from evaluation.rebalance.events import AddPartitions, ComeBack, Event, Join, Leave, Subscribe
from evaluation.rebalance.lag_over_time import LagTimeline, lag_timeline, load_of
from evaluation.rebalance.ownership import OwnershipTimeline, ownership_of
from evaluation.rebalance.schedule import Planned, planned, rolling_restart
from evaluation.rebalance.simulation import simulate_history
from evaluation.rebalance.timing import Timing, rolling_restart_losses
from evaluation.stated import InvalidNumberError
from tests.evaluation.test_fluid import small_steps
from tests.groups import groups, tried
from tests.histories import histories

EAGER, COOPERATIVE, BROKER = "sticky", "cooperative-sticky", "uniform"
TWELVE = Group.of(["t"], [120], [f"c{k:02d}" for k in range(12)], owners=np.arange(120) % 12)
SIX = Group.of(["t"], [6], ["a", "b"], lags=[10] * 6, rates=[2.0] * 6).owned_by([0, 1] * 3, 1)


def timeline_of(
    group: Group, plan: Sequence[Planned], name: str, timing: Timing
) -> OwnershipTimeline:
    steps = simulate_history(group, [entry.event for entry in plan], STRATEGIES[name])
    return ownership_of(steps, plan, STRATEGIES[name].protocol, timing, calm_s=10)


def run(
    group: Group, events: Sequence[Event], name: str, timing: Timing, **load: float
) -> LagTimeline:
    plan = planned(group, events, timing, apart_s=10)
    last = simulate_history(group, [entry.event for entry in plan], STRATEGIES[name])[-1].group
    found = timeline_of(group, plan, name, timing)
    speed, cap = load.get("speed", 20), load.get("cap", np.inf)
    usual = load_of(group, last, found.consumers, throughput_per_consumer=speed)
    return lag_timeline(found, replace(usual, partition_cap=cap))


def stops(found: OwnershipTimeline) -> list[tuple[float, float, int]]:
    return [(p.start_s, p.end_s, p.paused) for p in found.phases if p.paused]


def lost(found: OwnershipTimeline) -> float:
    return sum(phase.paused * phase.seconds for phase in found.phases)


@pytest.mark.parametrize("name", [EAGER, COOPERATIVE, BROKER])
@pytest.mark.parametrize("is_static", [False, True])
@pytest.mark.parametrize(
    "timing",
    [
        Timing(pause_s=3, restart_s=20, heartbeat_s=5),
        Timing(pause_s=2, restart_s=30, heartbeat_s=4, warm_up_s=1.5),
        Timing(pause_s=3, restart_s=50, session_timeout_s=45),
        Timing(pause_s=3, restart_s=20, heartbeat_s=5, warm_up_s=0.5, assignment_interval_s=10),
        Timing(pause_s=3, restart_s=9, session_timeout_s=6, assignment_interval_s=14),
    ],
    ids=["example", "warm-up", "expired", "interval", "interval and expired"],
)
def test_the_loss_of_a_rolling_restart_follows_the_closed_form(
    name: str, is_static: bool, timing: Timing
) -> None:
    protocol = STRATEGIES[name].protocol
    closed = {loss.protocol: loss for loss in rolling_restart_losses(12, 120, timing)}[protocol]
    restarts = rolling_restart(TWELVE, is_static=is_static)

    found = timeline_of(TWELVE, planned(TWELVE, restarts, timing, apart_s=0), name, timing)

    assert lost(found) == pytest.approx(closed.static if is_static else closed.dynamic)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (EAGER, [(10, 13, 6), (13, 14, 2)]),
        (COOPERATIVE, [(13, 16, 2), (16, 17, 2)]),
        (BROKER, [(10, 12.5, 2), (12.5, 13.5, 2)]),
    ],
)
def test_what_stops_when_one_joins(name: str, expected: list[tuple[float, float, int]]) -> None:
    timing = Timing(pause_s=3, warm_up_s=1, heartbeat_s=5)

    found = timeline_of(SIX, [Planned(Join(("c",)), 10)], name, timing)

    assert stops(found) == expected
    assert found.event_at_s == (10,)
    assert found.phases[-1].end_s == expected[-1][1] + 10


def test_a_crash_is_noticed_when_the_session_times_out() -> None:
    timing = Timing(pause_s=3, session_timeout_s=45)

    found = timeline_of(SIX, [Planned(Leave(("b",)), 10, unnoticed_s=45)], COOPERATIVE, timing)

    assert stops(found) == [(10, 55, 3), (55, 58, 3)]


def test_a_static_restart_stops_its_own_partitions_for_as_long_as_it_takes() -> None:
    plan = [Planned(ComeBack("b", "z", "static"), 10)]

    found = timeline_of(SIX, plan, EAGER, Timing(restart_s=20))

    assert stops(found) == [(10, 30, 3)]
    assert found.consumers == ("a", "b", "z")


def test_an_event_waits_until_the_group_has_settled() -> None:
    plan = [Planned(Join(("c",)), 10), Planned(Join(("d",)), 10)]

    found = timeline_of(SIX, plan, EAGER, Timing(pause_s=30))

    assert found.event_at_s == (10, 40)


def test_lag_while_stopped_grows_with_the_rate() -> None:
    found = run(SIX, [Join(("c",))], EAGER, Timing(pause_s=3), speed=6)

    times, lags, _ = found.curves
    before, after = np.flatnonzero(times == 10)[-1], np.flatnonzero(times == 13)[0]
    assert lags[before].sum() == 60
    assert lags[after].sum() == 60 + 6 * 2 * 3


def test_the_time_to_drain_is_the_closed_form() -> None:
    pause_s, speed = 3.0, 20.0
    found = run(SIX, [Join(("c",))], EAGER, Timing(pause_s=pause_s), speed=speed)

    # By 10 s all lags are 0; then each of three consumers has 2 partitions of 2 records/s.
    assert found.caught_up_at_s == pytest.approx(10 + pause_s + (2 * 2 * pause_s) / (speed - 4))


def test_a_consumer_that_cannot_keep_up_never_catches_up() -> None:
    assert run(SIX, [], EAGER, Timing(), speed=5).caught_up_at_s == np.inf


def test_a_group_with_an_unowned_partition_never_catches_up() -> None:
    group = Group.of(["t"], [2], ["a"], lags=[0, 7]).owned_by([0, UNOWNED], 1)

    found = run(group, [], EAGER, Timing())

    assert found.caught_up_at_s == np.inf
    assert found.curves.lags[-1].tolist() == [0, 7]


def test_lag_is_that_of_the_last_owner_until_another_has_the_partition() -> None:
    found = run(SIX, [Join(("c",))], EAGER, Timing(pause_s=3))

    times, lags, _ = found.curves
    meanwhile, handed_over = np.flatnonzero(times == 13)
    assert lags[meanwhile].tolist() == [18, 18, 0, 0]
    assert lags[handed_over].tolist() == [12, 12, 12, 0]


def test_the_mean_and_the_least_busy_are_of_consumers_that_own_anything() -> None:
    found = run(SIX, [Join(("c",))], EAGER, Timing(pause_s=3)).curves

    meanwhile, handed_over = np.flatnonzero(found.times_s == 13)
    assert found.mean[[meanwhile, handed_over]].tolist() == [18, 12]
    assert found.least_busy[[meanwhile, handed_over]].tolist() == [18, 12]
    assert found.busiest.max() == 30


def test_new_partitions_have_no_lag_before_they_exist_and_are_read_afterwards() -> None:
    rated = SIX.with_lags(np.zeros(6, np.int64))
    plan = planned(rated, [AddPartitions("t", 2)], Timing(pause_s=3), apart_s=10)
    steps = simulate_history(rated, [entry.event for entry in plan], STRATEGIES[COOPERATIVE])
    found = ownership_of(steps, plan, Protocol.COOPERATIVE, Timing(pause_s=3), calm_s=10)
    load = load_of(
        rated,
        steps[-1].group,
        found.consumers,
        throughput_per_consumer=1000,
        rate_per_partition=5,
    )

    line = lag_timeline(found, load)

    assert stops(found) == [(10, 13, 2)]
    times, lags, _ = line.curves
    assert lags[np.flatnonzero(times == 13)[0]].tolist() == [0, 0, 2 * 5 * 3]


def test_partitions_that_lost_their_subscribers_cause_no_loss() -> None:
    group = Group.of(["t", "u"], [2, 2], ["a"]).owned_by([0, 0, 0, 0], 1)

    plan = [Planned(Subscribe(("a",), ("t",)), 10)]

    found = timeline_of(group, plan, EAGER, Timing(pause_s=3))

    assert stops(found) == [(10, 13, 2)]


def test_known_speeds_and_rates_count_and_the_given_ones_fill_the_gaps() -> None:
    group = replace(
        SIX,
        offsets=replace(
            SIX.offsets,
            rates=np.array([1.0, np.nan, 1, 1, 1, 1]),
            throughput=np.array([7.0, np.nan]),
            lags=np.array([-5, np.iinfo(np.int64).min, 1, 1, 1, 1]),
        ),
    )

    load = load_of(group, group, group.members, throughput_per_consumer=9, rate_per_partition=4)

    assert load.speeds.tolist() == [7, 9]
    assert load.rates.tolist() == [1, 4, 1, 1, 1, 1]
    assert load.lags.tolist() == [0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("throughput", "rate", "message"),
    [
        (0.0, None, "throughput of a consumer must be more than 0"),
        (1.0, -1.0, "produce rate of a partition must be 0"),
    ],
)
def test_speeds_and_rates_that_cannot_be_are_refused(
    throughput: float, rate: float | None, message: str
) -> None:
    with pytest.raises(InvalidNumberError, match=message):
        load_of(SIX, SIX, ("a",), throughput_per_consumer=throughput, rate_per_partition=rate)


@pytest.mark.slow
@tried(25)
@given(
    st.sampled_from([EAGER, COOPERATIVE, BROKER]),
    st.sampled_from([7.0, 13.0, 30.0]),
    st.sampled_from([np.inf, 4.5]),
)
def test_the_lag_of_every_partition_is_what_small_steps_come_to(
    name: str, speed: float, cap: float
) -> None:
    group = replace(
        SIX,
        offsets=replace(
            SIX.offsets, rates=np.array([0.0, 5, 1, 2, 3, 4]), lags=np.array([9, 0, 40, 1, 0, 5])
        ),
    )
    timing = Timing(pause_s=2, warm_up_s=1, heartbeat_s=3)

    found = run(group, [Join(("c",)), Leave(("a",))], name, timing, speed=speed, cap=cap)

    lags, rates = group.lags.astype(float), np.array([0.0, 5, 1, 2, 3, 4])
    for phase in found.ownership.phases:
        readers = np.where(phase.is_read, phase.holders, UNOWNED).astype(np.int32)
        flow = Flow(lags, rates, readers, np.full(4, speed), cap)
        lags = small_steps(flow, phase.seconds)
    assert found.lags == pytest.approx(lags, abs=0.3)


@tried(60)
@given(st.data(), st.sampled_from(sorted(STRATEGIES)))
def test_whatever_happens_phases_follow_one_another_and_lag_is_accounted_for(
    data: st.DataObject, name: str
) -> None:
    group = data.draw(groups())
    events = data.draw(histories(group))

    plan = planned(group, events, Timing(warm_up_s=1), apart_s=7)
    steps = simulate_history(group, [entry.event for entry in plan], STRATEGIES[name])
    found = ownership_of(steps, plan, STRATEGIES[name].protocol, Timing(warm_up_s=1), calm_s=5)
    last = steps[-1].group
    line = lag_timeline(
        found,
        load_of(group, last, found.consumers, throughput_per_consumer=3, rate_per_partition=1),
    )

    assert [phase.start_s for phase in found.phases] == [0.0] + [
        phase.end_s for phase in found.phases[:-1]
    ]
    times, lags, _ = line.curves
    assert (np.diff(times) >= 0).all()
    final = found.phases[-1]
    assert lags[-1].sum() == pytest.approx(line.lags[final.is_wanted].sum(), rel=1e-6, abs=1e-3)
    expected = np.where(last.is_wanted, steps[-1].rebalance.after, UNOWNED)
    assert np.array_equal(final.is_read, expected != UNOWNED)
