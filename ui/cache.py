"""What pages ask about a group, computed once for all visitors."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from assignors.model import FloatArray, Group
from assignors.strategy import Strategy
from evaluation.assuming.running import Running
from evaluation.assuming.running import running as running_of
from evaluation.bounds import optimality
from evaluation.bounds.frontier import Frontier
from evaluation.bounds.frontier import frontier as frontier_of
from evaluation.comparing.outcomes import (
    Outcome,
    after_switch,
    as_it_is_now,
    at_next_rebalance,
    drawn_on,
)
from evaluation.comparing.outlook import Depth
from evaluation.explain.explainer import Explainer, Explanation
from evaluation.explain.matching import Agreement, which_explains
from evaluation.rebalance.events import Event, after
from evaluation.rebalance.lag_over_time import LagTimeline, lag_timeline, load_of
from evaluation.rebalance.lost import Lost, lost_on_the_way
from evaluation.rebalance.ownership import ownership_of
from evaluation.rebalance.schedule import Planned
from evaluation.rebalance.simulation import HistoryStep, simulate_history
from evaluation.rebalance.switching import is_switch
from evaluation.rebalance.timing import Timing
from evaluation.rebalance.way import WayStep, played
from processes.calls import call
from ui.caching import SHELF, cached, digest, waiting
from ui.workers import aside, computed, run_or_stop


@cached(256, "Assigning partitions…")
def _answer(group: Group, strategy: Strategy) -> Outcome:
    return computed(group, at_next_rebalance, (strategy,))[0]


@cached(32, "Playing the restarts…")
def way(
    group: Group, before: Strategy, after: Strategy, *, is_noticed: bool
) -> tuple[WayStep, ...]:
    """Return one play of a switch."""
    return computed(group, partial(played, is_noticed=is_noticed), before, after)


@cached(32, "Playing the restarts…")
def lost(
    group: Group,
    before: Strategy,
    after: Strategy,
    arriving: FloatArray | None,
    *,
    is_noticed: bool,
) -> Lost:
    """Return what the way of a switch loses; ``arriving`` (P,) in records/s."""
    played = partial(lost_on_the_way, is_noticed=is_noticed)
    return computed(group, played, before, after, arriving)


def answers(group: Group, strategies: tuple[Strategy, ...]) -> tuple[Outcome, ...]:
    """Return what the next rebalance brings under each strategy."""
    return tuple(_answer(group, strategy) for strategy in strategies)


def solved(
    group: Group, strategies: Sequence[Strategy], runs: Strategy | None, is_noticed: bool
) -> tuple[Outcome, ...]:
    """Return what ``comparing.outcomes.solved`` does, with as many draws as there are by now.

    Of switches that nobody has asked for, all are drawn in one call of a worker: the first draws,
    to which ``refined`` adds. Where that takes too long, the page reports it and ends there.
    """
    switches = [each for each in strategies if is_switch(group, runs, each)]
    keys = {each: _switch_key(group, each, runs, is_noticed) for each in switches}
    known: dict[Strategy, Outcome] = {}
    with SHELF.turn(("switches", digest(group), runs and runs.name, is_noticed)):
        for each, key in keys.items():
            with suppress(KeyError):
                known[each] = cast("Outcome", SHELF.find(key))
        if missing := [each for each in keys if each not in known]:
            with waiting("Simulating the switch…"):
                drawn = partial(after_switch, is_noticed=is_noticed, depth=Depth.FIRST)
                outcomes = run_or_stop(drawn, group, missing, runs)
            for each, outcome in zip(missing, outcomes, strict=True):
                known[each] = outcome
                SHELF.keep(keys[each], outcome)
    return tuple(known[each] if each in known else _answer(group, each) for each in strategies)


def are_simulated(
    group: Group, strategies: Sequence[Strategy], runs: Strategy | None, is_noticed: bool
) -> bool:
    """Return whether ``solved`` has the first draws of all these switches."""
    switches = (each for each in strategies if is_switch(group, runs, each))
    return all(_switch_key(group, each, runs, is_noticed) in SHELF for each in switches)


def refined(group: Group, strategy: Strategy, runs: Strategy | None, is_noticed: bool) -> Outcome:
    """Return the outcome of a switch with some more draws; from then on it counts.

    They are drawn aside from what pages wait for, and by one of those who refine one outcome: the
    others get what came of it. Raises StoppedError, and nothing has changed.
    """
    (known,) = solved(group, (strategy,), runs, is_noticed)
    if known.outlook is None or not known.outlook.is_rough:
        return known

    def drawn() -> Outcome:
        key = _switch_key(group, strategy, runs, is_noticed)
        with suppress(KeyError):
            if (newer := cast("Outcome", SHELF.find(key))) is not known:
                return newer
        draw_on = partial(drawn_on, is_noticed=is_noticed)
        outcome = call(draw_on, group, known, runs)
        SHELF.keep(key, outcome)
        return outcome

    return aside(drawn)


def _switch_key(
    group: Group, strategy: Strategy, runs: Strategy | None, is_noticed: bool
) -> tuple[Hashable, ...]:
    return "switch", digest(group), strategy.name, runs and runs.name, is_noticed


def refinable(
    group: Group, strategies: Sequence[Strategy], runs: Strategy | None, is_noticed: bool
) -> tuple[Strategy, ...]:
    """Return the strategies of which more draws may change what is said."""
    outcomes = solved(group, strategies, runs, is_noticed)
    return tuple(
        strategy
        for strategy, outcome in zip(strategies, outcomes, strict=True)
        if outcome.outlook is not None and outcome.outlook.is_rough
    )


@cached(64)
def running(
    group: Group,
    candidates: tuple[Strategy, ...],
    stated: Strategy | None,
    read: Strategy | None,
) -> Running:
    """Return the strategy that a group runs, as far as anything tells."""
    return running_of(group, candidates, stated=stated, read=read)


@cached(64)
def present_owners(group: Group) -> Outcome | None:
    """Return the present owners as an outcome; None without any."""
    return as_it_is_now(group)


@cached(16, "Asking every strategy…")
def finding(group: Group) -> Agreement | None:
    """Return the strategy that explains the present owners; None without any."""
    return computed(group, which_explains)


@cached(16, "Explaining…")
def explainer(group: Group, strategy: Strategy) -> Explainer:
    """Return the explainer of one strategy's decisions about this group."""
    return Explainer(group, strategy)


@cached(16, "Explaining…")
def walked(group: Group, strategy: Strategy) -> tuple[Explanation, ...]:
    """Return the explanation of every partition, in the order of the decisions."""
    return tuple(explainer(group, strategy).walk())


@cached(16, "Working out the limits…")
def bounds(group: Group) -> optimality.GroupBounds:
    """Return the bounds that no assignment of the group can beat."""
    return computed(group, optimality.bounds_of)


@cached(16, "Trying moves…")
def frontier(group: Group) -> Frontier | None:
    """Return the trade-off between moves and lag; None without owners or known lag."""
    return computed(group, frontier_of)


@cached(128, "Replaying…")
def _replay(group: Group, events: tuple[Event, ...], strategy: Strategy) -> list[HistoryStep]:
    return computed(group, simulate_history, events, strategy, largest=_largest(group, events))


def _largest(group: Group, events: Iterable[Event]) -> int:
    """Return partitions times consumers of the largest group that these events lead to.

    Raises InvalidEventError for an impossible event.
    """
    most = 0
    for event in events:
        group = after(group, event)
        most = max(most, group.partition_count * group.member_count)
    return most


def replays(
    starts: Mapping[Strategy, Group], events: tuple[Event, ...]
) -> dict[Strategy, list[HistoryStep]]:
    """Return the history's steps under each strategy, from its own start."""
    return {strategy: _replay(start, events, strategy) for strategy, start in starts.items()}


@dataclass(frozen=True, kw_only=True)
class Pace:
    """The parameters of a timeline besides the group and its events."""

    timing: Timing
    throughput_per_consumer: float
    partition_cap: float
    """Infinite if there is no limit."""
    rate_per_partition: float | None
    """None if unknown."""
    calm_s: float
    """Seconds to simulate after the last rebalance."""


@cached(64, "Letting time pass…")
def _timeline(
    group: Group, plan: tuple[Planned, ...], pace: Pace, strategy: Strategy
) -> LagTimeline:
    events = [entry.event for entry in plan]
    steps = computed(group, simulate_history, events, strategy, largest=_largest(group, events))
    ownership = ownership_of(steps, plan, strategy.protocol, pace.timing, calm_s=pace.calm_s)
    load = load_of(
        group,
        steps[-1].group,
        ownership.consumers,
        throughput_per_consumer=pace.throughput_per_consumer,
        rate_per_partition=pace.rate_per_partition,
    )
    return lag_timeline(ownership, replace(load, partition_cap=pace.partition_cap))


def timelines(
    starts: Mapping[Strategy, Group], plan: tuple[Planned, ...], pace: Pace
) -> dict[Strategy, LagTimeline]:
    """Return lag over time under each strategy, from its own start; raises InvalidNumberError."""
    return {strategy: _timeline(start, plan, pace, strategy) for strategy, start in starts.items()}
