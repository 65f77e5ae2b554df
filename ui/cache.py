"""Cached calls: outcomes by what was asked, shared by all viewers, bounded."""

import hashlib
from dataclasses import dataclass, fields

import numpy as np
import streamlit as st

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import Group
from evaluation.advice import Advice, advise
from evaluation.bounds import optimality
from evaluation.bounds.frontier import Frontier
from evaluation.bounds.frontier import frontier as frontier_of
from evaluation.bounds.lag import best_possible_max_lag
from evaluation.clients import CLIENTS
from evaluation.compare import Outcome, as_it_is_now, compare
from evaluation.explain.explainer import Explainer, Explanation
from evaluation.explain.matching import Finding, which_explains
from evaluation.rebalance.events import Event
from evaluation.rebalance.lag_over_time import LagTimeline, lag_timeline, load_of
from evaluation.rebalance.ownership import ownership_of
from evaluation.rebalance.schedule import Planned
from evaluation.rebalance.simulation import Step, replay
from evaluation.rebalance.timing import Timing
from ui.workers import computed


def digest(group: Group) -> str:
    """Return a fingerprint of everything the group says."""
    found = hashlib.blake2b(digest_size=16)
    for field in fields(group):
        value = getattr(group, field.name)
        found.update(field.name.encode())
        found.update(
            np.ascontiguousarray(value).tobytes()
            if isinstance(value, np.ndarray)
            else repr(value).encode()
        )
    return found.hexdigest()


@st.cache_resource(max_entries=256, show_spinner="Assigning partitions…")
def _answer(_group: Group, fingerprint: str, name: str) -> Outcome:  # noqa: ARG001 -- the fingerprint is the cache's key
    return computed(_group, compare, (name,))[0]


def answers(group: Group, names: tuple[str, ...]) -> tuple[Outcome, ...]:
    """Return where each named strategy ends up."""
    fingerprint = digest(group)
    return tuple(_answer(group, fingerprint, name) for name in names)


@st.cache_resource(max_entries=64, show_spinner=False)
def _present(_group: Group, fingerprint: str) -> Outcome | None:  # noqa: ARG001 -- likewise
    return as_it_is_now(_group)


def present(group: Group) -> Outcome | None:
    """Return the present owners as an outcome; None if nobody owns anything."""
    return _present(group, digest(group))


def outcomes(group: Group, names: tuple[str, ...]) -> tuple[Outcome, ...]:
    """Return the present owners, if any, and where each named strategy ends up."""
    now = present(group)
    return (*([now] if now else []), *answers(group, names))


@st.cache_resource(max_entries=64, show_spinner=False)
def _advice(_group: Group, fingerprint: str, client: str) -> Advice:  # noqa: ARG001 -- likewise
    return advise(
        _group,
        present(_group),
        answers(_group, CLIENTS[client].settable),
        answers(_group, CLIENTS[client].custom),
    )


def advice(group: Group, client: str) -> Advice:
    """Return what to set today on this client, and what a custom assignor would add."""
    return _advice(group, digest(group), client)


@st.cache_resource(max_entries=16, show_spinner="Asking every strategy…")
def _finding(_group: Group, fingerprint: str) -> Finding | None:  # noqa: ARG001 -- the cache's key
    return computed(_group, which_explains)


def finding(group: Group) -> Finding | None:
    """Return which strategy explains the present owners; None if nobody owns anything."""
    return _finding(group, digest(group))


@st.cache_resource(max_entries=16, show_spinner="Explaining…")
def _explainer(_group: Group, fingerprint: str, name: str) -> Explainer:  # noqa: ARG001 -- likewise
    return Explainer(_group, name)


def explainer(group: Group, name: str) -> Explainer:
    """Return what explains one strategy's decisions about this group."""
    return _explainer(group, digest(group), name)


@st.cache_resource(max_entries=16, show_spinner="Explaining…")
def _walked(_group: Group, fingerprint: str, name: str) -> tuple[Explanation, ...]:
    return tuple(_explainer(_group, fingerprint, name).walk())


def walked(group: Group, name: str) -> tuple[Explanation, ...]:
    """Return the explanation of every partition, in the order of the decisions."""
    return _walked(group, digest(group), name)


@st.cache_resource(max_entries=16, show_spinner="Working out the limits…")
def _best_possible(_group: Group, fingerprint: str) -> optimality.Limits:  # noqa: ARG001 -- the cache's key
    return computed(_group, optimality.limits)


def best_possible(group: Group) -> optimality.Limits:
    """Return what no assignment of the group can beat."""
    return _best_possible(group, digest(group))


@st.cache_resource(max_entries=16, show_spinner="Trying moves…")
def _frontier(_group: Group, fingerprint: str) -> Frontier | None:  # noqa: ARG001 -- likewise
    return computed(_group, frontier_of)


def frontier(group: Group) -> Frontier | None:
    """Return what moves buy; None if nobody owns anything or no lag is known."""
    return _frontier(group, digest(group))


def bound(group: Group) -> int | None:
    """Return the best possible maximum lag."""
    return best_possible_max_lag(group)


@st.cache_resource(max_entries=128, show_spinner="Replaying…")
def _replay(
    _group: Group,
    _events: tuple[Event, ...],
    fingerprint: str,  # noqa: ARG001 -- with what the events say, the cache's key
    said: str,  # noqa: ARG001 -- likewise
    name: str,
) -> list[Step]:
    return computed(_group, replay, _events, ALL_STRATEGIES[name])


def replays(
    group: Group, events: tuple[Event, ...], names: tuple[str, ...]
) -> dict[str, list[Step]]:
    """Return the history's steps under each named strategy."""
    fingerprint, said = digest(group), repr(events)
    return {name: _replay(group, events, fingerprint, said, name) for name in names}


@dataclass(frozen=True, kw_only=True)
class Pace:
    """What a timeline needs to know beside the group and what happens to it."""

    timing: Timing
    throughput_per_consumer: float
    rate_per_partition: float | None
    """None: not known."""
    calm_s: float
    """How long to look on after the last rebalance."""


@st.cache_resource(max_entries=64, show_spinner="Letting time pass…")
def _timeline(
    _group: Group,
    _plan: tuple[Planned, ...],
    _pace: Pace,
    asked: str,  # noqa: ARG001 -- the group's fingerprint, the plan and the pace: the cache's key
    name: str,
) -> LagTimeline:
    strategy = ALL_STRATEGIES[name]
    steps = computed(_group, replay, [entry.event for entry in _plan], strategy)
    ownership = ownership_of(steps, _plan, strategy.protocol, _pace.timing, calm_s=_pace.calm_s)
    load = load_of(
        _group,
        steps[-1].settled,
        ownership.consumers,
        throughput_per_consumer=_pace.throughput_per_consumer,
        rate_per_partition=_pace.rate_per_partition,
    )
    return lag_timeline(ownership, load)


def timelines(
    group: Group, plan: tuple[Planned, ...], pace: Pace, names: tuple[str, ...]
) -> dict[str, LagTimeline]:
    """Return how lag goes under each named strategy; raises InvalidTimingError."""
    asked = f"{digest(group)} {plan!r} {pace!r}"
    return {name: _timeline(group, plan, pace, asked, name) for name in names}
