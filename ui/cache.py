"""Cached calls: outcomes by what was asked, shared by all viewers, bounded."""

import hashlib
from dataclasses import dataclass, fields

import numpy as np
import streamlit as st

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.bounds import best_possible_max_lag
from evaluation.compare import Outcome, as_it_is_now, compare
from evaluation.course import course_of
from evaluation.events import Event
from evaluation.plan import Planned
from evaluation.rebalance import Step, replay
from evaluation.timeline import Timeline, load_of, timeline
from evaluation.timing import Timing


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


@st.cache_resource(max_entries=64, show_spinner="Assigning partitions…")
def _outcomes(_group: Group, fingerprint: str, names: tuple[str, ...]) -> tuple[Outcome, ...]:  # noqa: ARG001 -- the fingerprint is the cache's key
    present = as_it_is_now(_group)
    return (*([present] if present else []), *compare(_group, names))


def outcomes(group: Group, names: tuple[str, ...]) -> tuple[Outcome, ...]:
    """Return the present owners, if any, and where each named strategy ends up."""
    return _outcomes(group, digest(group), names)


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
    return replay(_group, _events, STRATEGIES[name])


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
) -> Timeline:
    strategy = STRATEGIES[name]
    steps = replay(_group, [entry.event for entry in _plan], strategy)
    course = course_of(steps, _plan, strategy.protocol, _pace.timing, calm_s=_pace.calm_s)
    load = load_of(
        _group,
        steps[-1].settled,
        course.consumers,
        throughput_per_consumer=_pace.throughput_per_consumer,
        rate_per_partition=_pace.rate_per_partition,
    )
    return timeline(course, load)


def timelines(
    group: Group, plan: tuple[Planned, ...], pace: Pace, names: tuple[str, ...]
) -> dict[str, Timeline]:
    """Return how lag goes under each named strategy; raises InvalidTimingError."""
    asked = f"{digest(group)} {plan!r} {pace!r}"
    return {name: _timeline(group, plan, pace, asked, name) for name in names}
