"""What is published of a calm group is what a new answer would say."""

import threading
from dataclasses import dataclass, field

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.verdict_kinds import VerdictKind
from tests.watching.simulated import SimulatedCluster, SimulatedGroup
from watching.answers import at_a_glance
from watching.calm import is_due
from watching.states import WatchedState, state_of
from watching.watch import Watch, WatchSettings

_RATES = st.sampled_from([0, 1, 3, 60, 600, 6_000])
_BEHIND_S = st.sampled_from([0, 0, 1, 3, 9, 30])


@dataclass
class Drawn(SimulatedGroup):
    """A group whose rates and lags are given for each poll."""

    steps: list[tuple[list[int], list[int]]] = field(default_factory=list)

    def pass_(self, seconds: float) -> None:
        """Let records arrive, and all but the last seconds of them be read."""
        arrived, behind_s = self.steps.pop(0)
        for p, (more, late_s) in enumerate(zip(arrived, behind_s, strict=True)):
            self.ends[p] += more
            until = self.ends[p] - int(more * late_s / seconds)
            self.committed[p] = max(self.committed[p], until)


@st.composite
def _groups(draw: st.DrawFn) -> Drawn:
    partitions = draw(st.integers(1, 6))
    consumers = tuple("abcd"[: draw(st.integers(1, 4))])
    usual = [draw(_RATES) for _ in range(partitions)]
    steps = []
    for _ in range(9):
        arrived = [draw(st.sampled_from([rate, rate, rate, 2 * rate, 0])) for rate in usual]
        steps.append((arrived, [draw(_BEHIND_S) if late else 1 for late in usual]))
    return Drawn("g", partitions=partitions, consumers=consumers, steps=steps)


@given(group=_groups())
@settings(max_examples=20, deadline=None)
def test_a_calm_group_is_as_a_new_answer_says(group: Drawn) -> None:
    watch = _watch(group)
    watch.poll()
    watch.poll()  # which asks for the retention

    for number in range(2, 9):
        watch.poll()
        (state,) = watch.found().states
        answer = at_a_glance(watch.tracks.given("g"))
        anew = state_of(watch.tracks.track("g"), answer, answer.verdict.kind, per_consumer=True)
        assert (state.kind, state.severity) == (anew.kind, anew.severity), number
        assert _figures(state) == _figures(anew)


def _watch(group: SimulatedGroup) -> Watch:
    return Watch(
        SimulatedCluster([group]),
        WatchSettings(per_consumer=True),
        lambda _alert: None,
        threading.Event(),
        lambda _line: None,
    )


def _figures(state: WatchedState) -> list[object]:
    its, consumers = state.partitions, state.per_consumer
    assert consumers is not None
    arrays = (its.lag, its.time_lag_s.round(6), its.basis, its.catch_up_s, its.loss_s)
    plain = (state.lag, state.consumers, state.idle, state.rebalances, consumers.lag.tolist())
    return [*plain, *(np.nan_to_num(array, nan=-1.0).tolist() for array in arrays)]


def test_one_snapshot_shows_that_a_calm_group_is_no_longer_calm() -> None:
    group = SimulatedGroup("g")
    watch = _watch(group)
    for _ in range(8):
        watch.poll()
    assert watch.found().states[0].kind is VerdictKind.HEALTHY

    group.stopped.add("a")
    watch.poll()

    assert watch.found().states[0].kind is VerdictKind.STOPPED


def test_a_calm_group_is_answered_anew_every_fifth_poll() -> None:
    due = [[is_due(f"group-{number}", poll) for poll in range(10)] for number in range(200)]

    assert {sum(polls) for polls in due} == {2}
    assert all(20 <= count <= 60 for count in map(sum, zip(*due, strict=True)))
