"""The times of events, and the events of a slow restart."""

import re

import pytest

from assignors.layout import Layout
from assignors.model import Group
from evaluation.rebalance.events import AddPartitions, ComeBack, Event, Join, Leave
from evaluation.rebalance.schedule import Planned, dynamic, planned, rolling_restart
from evaluation.rebalance.timing import Timing
from evaluation.stated import InvalidNumberError

UUID = "9a908325-4c8a-45d9-bc52-afc12f787f20"
TWO = Group.with_layout(
    Layout.of(["t", "u"], [4, 2], ["a", "b"], instance_ids=["i", None]), owners=[0, 0, 1, 1, 0, 1]
)

_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"


def test_events_are_so_many_seconds_apart() -> None:
    events: list[Event] = [AddPartitions("t", 1), Leave(("b",))]

    plan = planned(TWO, events, Timing(), apart_s=60)

    assert plan == [Planned(events[0], 60), Planned(events[1], 60)]


def test_a_dynamic_restart_of_longer_than_a_round_is_a_leave_and_a_join() -> None:
    plan = planned(
        TWO,
        [ComeBack("b", "z"), Leave(("z",))],
        Timing(pause_s=3, restart_s=20),
        apart_s=60,
    )

    assert plan == [
        Planned(Leave(("b",)), 60),
        Planned(Join(("z",), topics=("t", "u")), 20),
        Planned(Leave(("z",)), 40),
    ]


@pytest.mark.parametrize(("member", "restart_s"), [("b", 3), ("a", 44)])
def test_a_short_restart_is_left_as_it_is(member: str, restart_s: float) -> None:
    event = ComeBack(member, "z")

    plan = planned(TWO, [event], Timing(pause_s=3, restart_s=restart_s), apart_s=1)

    assert plan == [Planned(event, 1)]


def test_a_static_restart_of_longer_than_the_session_leaves_unnoticed_and_joins() -> None:
    plan = planned(TWO, [ComeBack("a", "z")], Timing(restart_s=60), apart_s=1)

    assert plan == [
        Planned(Leave(("a",)), 1, unnoticed_s=45),
        Planned(Join(("z",), topics=("t", "u"), instance_ids=("i",)), 60),
    ]


def test_only_a_dynamic_consumer_that_does_not_crash_leaves_the_group() -> None:
    unnoticed = [
        planned(TWO, [Leave((name,))], Timing(), apart_s=1, is_crash=is_crash)[0].unnoticed_s
        for name, is_crash in (("b", False), ("b", True), ("a", False))
    ]

    assert unnoticed == [0, 45, 45]


def test_a_restart_leaves_the_group_even_where_departures_are_crashes() -> None:
    plan = planned(TWO, [ComeBack("b", "z")], Timing(), apart_s=1, is_crash=True)

    assert plan[0].unnoticed_s == 0


def test_a_rolling_restart_restarts_each_consumer_once_under_another_uuid() -> None:
    group = Group.of(["t"], [2], [f"app-{UUID}", "b"])

    events = rolling_restart(group, is_static=False)

    first, second = (event for event in events if isinstance(event, ComeBack))
    assert (first.old_id, second.old_id) == (f"app-{UUID}", "b")
    assert re.fullmatch(rf"app-{_UUID}", first.new_id)
    assert re.fullmatch(rf"b-{_UUID}", second.new_id)
    assert first.new_id[-36:] != second.new_id[-36:]
    assert rolling_restart(group, is_static=False) == events


def test_a_rolling_restart_with_static_ids_keeps_those_there_are() -> None:
    events = rolling_restart(TWO, is_static=True)

    assert [event.instance_id for event in events if isinstance(event, ComeBack)] == [
        "i",
        "static b",
    ]


def test_without_its_static_ids_a_group_leaves_and_joins() -> None:
    events = rolling_restart(dynamic(TWO), is_static=False)

    plan = planned(dynamic(TWO), events[:1], Timing(pause_s=3, restart_s=20), apart_s=0)

    assert [(type(entry.event), entry.unnoticed_s) for entry in plan] == [(Leave, 0), (Join, 0)]


def test_a_time_between_events_that_cannot_be_is_refused() -> None:
    with pytest.raises(InvalidNumberError, match="time between events must be 0 s or more"):
        planned(TWO, [], Timing(), apart_s=-1)
