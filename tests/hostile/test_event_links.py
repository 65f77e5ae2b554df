"""Links with events: however they are made, the steps that are replayed stay within a limit."""

from contextlib import nullcontext
from random import Random
from typing import Final

import pytest

from assignors.model import Group
from evaluation.reading import Reading
from evaluation.rebalance.events import (
    AddPartitions,
    AddTopic,
    Event,
    Join,
    Leave,
    Rejoin,
    Subscribe,
    after,
)
from sources import histories
from sources.errors import SourceError
from ui.rebalance.history import MOST_KEPT, History, keep_in_link, reached

GROUP: Final = Group.fresh({"t": 6, "u": 2}, ["a", "b"])
EVERY_DAY: Final = 60
_DEEP: Final = 1_000_000
_PART: Final = 50_000


def _history(events: tuple[Event, ...]) -> History:
    return History(
        Reading(group=GROUP, format="test", rows=8), histories.decode(histories.encode(events)), ()
    )


@pytest.mark.parametrize(("further", "fits"), [(0, True), (1, False)])
def test_events_are_kept_in_a_link_up_to_the_length_that_is_read(further: int, fits: bool) -> None:
    room = histories.MOST_CHARACTERS - len(histories.encode((Leave(("",)),)))
    events = (Leave(("a" * (room + further),)),)
    reading = Reading(group=GROUP, format="test", rows=8)

    assert keep_in_link(History(reading, events, ())) is fits
    with nullcontext() if fits else pytest.raises(SourceError):
        histories.decode(histories.encode(events))


def _steps(events: tuple[Event, ...]) -> list[int]:
    """Return how many partitions the group has after each event."""
    group, sizes = GROUP, []
    for event in events:
        group = after(group, event)
        sizes.append(group.partition_count)
    return sizes


def test_a_short_link_with_twenty_large_events_stops_before_memory_does() -> None:
    history = _history((AddPartitions("t", 100_000),) * 20)
    assert len(histories.encode(history.events)) < 1_200

    at = reached(GROUP, history)

    assert 0 < len(at.events) < 20
    assert sum(_steps(at.events)) <= MOST_KEPT
    assert at.broken.startswith(f"Event {len(at.events) + 1}, “t gets 100,000 more partitions”")
    assert f"at most {MOST_KEPT:,} are kept; take some events back" in at.broken


def test_many_events_on_a_large_group_stop_too() -> None:
    history = _history((AddPartitions("t", 100_000), *(Rejoin(),) * 80))

    assert sum(_steps(reached(GROUP, history).events)) <= MOST_KEPT


def test_the_first_event_of_the_largest_group_that_is_read_can_happen() -> None:
    group = Group.fresh({"t": MOST_KEPT}, ["a"])

    at = reached(group, History(Reading(group=group, format="test", rows=1), (Join(("b",)),), ()))

    assert len(at.events) == 1


def _event(drawn: Random) -> Event:
    name = drawn.choice(["a", "b", "c1", "c2", "nobody"])
    topic = drawn.choice(["t", "u", "new", "gone"])
    size = drawn.choice([1, 99, 50_000, 100_000])
    kinds: tuple[Event, ...] = (
        *(AddPartitions(topic, size), AddTopic(topic, size), Rejoin(), Leave((name,))),
        *(Join((name,)), Subscribe((name,), (topic,))),
    )
    return drawn.choice(kinds)


def _is_held(number: int) -> None:
    drawn = Random(number)  # noqa: S311 -- the same link for the same number
    at = reached(GROUP, _history(tuple(_event(drawn) for _ in range(drawn.randint(1, 40)))))
    sizes = _steps(at.events)
    assert sum(sizes[1:]) <= MOST_KEPT, number
    assert not at.broken or at.broken.startswith(f"Event {len(at.events) + 1}, ")


def test_no_drawn_link_replays_more_than_the_limit() -> None:
    for number in range(EVERY_DAY):
        _is_held(number)


@pytest.mark.deep
@pytest.mark.parametrize("start", range(EVERY_DAY, _DEEP, _PART))
def test_none_of_very_many_links_replays_more_than_the_limit(start: int) -> None:
    for number in range(start, min(start + _PART, _DEEP)):
        _is_held(number)
