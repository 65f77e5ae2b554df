"""Hypothesis strategies for series of events that can happen to a group."""

from typing import Final

from hypothesis import strategies as st

from assignors.model import Group
from evaluation.rebalance.events import (
    AddPartitions,
    AddTopic,
    ComeBack,
    Event,
    Join,
    Leave,
    Rejoin,
    Subscribe,
    after,
)

_NEW_IDS: Final = ("consumer00", "consumer5b", "new", "zz", "\U0001f4ed")
_NEW_TOPICS: Final = ("a-new-topic", "t11", "~")
_RACKS: Final = ("a", "between a and b", "c")


@st.composite
def histories(draw: st.DrawFn, group: Group, longest: int = 4) -> list[Event]:
    """Draw a series of events that can happen to the group."""
    found: list[Event] = []
    for _ in range(draw(st.integers(1, longest))):
        event = draw(events(group))
        found.append(event)
        group = after(group, event)
    return found


def events(group: Group) -> st.SearchStrategy[Event]:
    """Draw one event that can happen to the group."""
    kinds: list[st.SearchStrategy[Event]] = [st.just(Rejoin()), _new_topics(group), _joins(group)]
    if group.members:
        kinds += [_some(group.members).map(Leave), _restarts(group), _subscriptions(group)]
    if group.topics:
        kinds.append(st.builds(AddPartitions, st.sampled_from(group.topics), st.integers(1, 3)))
    return st.one_of(kinds)


def _joins(group: Group) -> st.SearchStrategy[Event]:
    free = [name for name in _NEW_IDS if name not in group.members]
    if not free:
        return st.just(Rejoin())
    topics = st.none() | _some(group.topics, least=0)
    ids = _some(free)
    racks = st.lists(st.sampled_from(_RACKS), max_size=2).map(tuple)
    dynamic = st.builds(Join, ids, topics, racks)
    # A member may have restarted under another name while its static id is still registered.
    unused = [name for name in free if f"static {name}" not in group.layout.instance_ids]
    if not unused:
        return dynamic
    return dynamic | _some(unused).map(
        lambda names: Join(names, instance_ids=tuple(f"static {name}" for name in names))
    )


def _restarts(group: Group) -> st.SearchStrategy[Event]:
    free = [name for name in _NEW_IDS if name not in group.members]
    if not free:
        return st.just(Rejoin())
    static = st.none() | st.just("static all along")
    if "static all along" in group.layout.instance_ids:
        static = st.none()
    return st.builds(ComeBack, st.sampled_from(group.members), st.sampled_from(free), static)


def _subscriptions(group: Group) -> st.SearchStrategy[Event]:
    return st.builds(Subscribe, _some(group.members), _some(group.topics, least=0))


def _new_topics(group: Group) -> st.SearchStrategy[Event]:
    free = [name for name in _NEW_TOPICS if name not in group.topics]
    if not free:
        return st.just(Rejoin())
    return st.builds(AddTopic, st.sampled_from(free), st.integers(1, 4))


def _some(names: tuple[str, ...] | list[str], least: int = 1) -> st.SearchStrategy[tuple[str, ...]]:
    if not names:
        return st.just(())
    drawn = st.lists(st.sampled_from(names), min_size=least, max_size=3, unique=True)
    return drawn.map(tuple)
