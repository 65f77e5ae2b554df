"""The flow picture and the chart of the rounds: their data, never their pixels."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from charts.flow import flow
from charts.flow_slots import MOST_APART, picture_of
from charts.palette import KEPT, MOVED, NEW
from charts.rounds import Standing, rounds_chart
from evaluation.events import AddPartitions, ComeBack, Event, Join, Leave
from evaluation.rebalance import Moment, Rebalance, replay

SIX = Group.of(["t"], [6], ["m-a", "m-b", "m-c"], owners=[0, 0, 1, 1, 2, 2])


def _after(group: Group, event: Event) -> Rebalance:
    return replay(group, [event], STRATEGIES["range"])[-1].rebalance


def _ribbons(figure: go.Figure) -> list[tuple[str, str, int, str]]:
    return [
        (
            trace.meta["source"],
            trace.meta["target"],
            trace.meta["partitions"],
            trace.fillcolor,
        )
        for trace in figure.data
        if trace.meta
    ]


def _texts(figure: go.Figure, side: str) -> list[str]:
    trace: Any = next(t for t in figure.data if t.textposition == f"middle {side}" and len(t.text))
    return list(trace.text)


def test_what_stays_is_grey_what_moves_and_what_is_new_are_coloured() -> None:
    figure = flow(_after(SIX, AddPartitions("t", 3)))

    assert _ribbons(figure) == [
        ("m-a", "m-a", 2, KEPT),
        ("m-b", "m-b", 1, KEPT),
        ("m-b", "m-a", 1, MOVED),
        ("m-c", "m-b", 2, MOVED),
        ("nobody", "m-c", 3, NEW),
    ]
    entries = [trace.name for trace in figure.data if trace.showlegend is None and trace.name]
    assert entries == ["stays", "moves", "had no owner"]


def test_what_moves_is_labelled_with_its_count() -> None:
    figure = flow(_after(SIX, ComeBack("m-a", "m-z")))

    counts = next(
        trace for trace in figure.data if trace.mode == "text" and set(trace.text) == {"2"}
    )
    assert len(counts.text) == 3


def test_every_consumer_is_named_with_its_partitions_on_its_side() -> None:
    figure = flow(_after(SIX, ComeBack("m-a", "m-z")))

    assert _texts(figure, "left") == [
        "m-a (left)  <b>2</b>",
        "m-b  <b>2</b>",
        "m-c  <b>2</b>",
    ]
    after = [t for t in figure.data if t.textposition == "middle right"][-1]
    assert list(after.text) == ["m-b  <b>2</b>", "m-c  <b>2</b>", "m-z  <b>2</b>"]


def test_an_idle_consumer_is_named_after_the_event_too() -> None:
    group = Group.of(["t"], [2], ["c0", "c1"], owners=[0, 1])

    figure = flow(_after(group, Join(("c2",))))

    after = [t for t in figure.data if t.textposition == "middle right"][-1]
    assert list(after.text) == ["c0  <b>1</b>", "c1  <b>1</b>", "c2  <b>0</b>"]


def test_the_axes_are_set_and_hold_all_that_is_drawn() -> None:
    figure = flow(_after(SIX, Leave(("m-b",))))

    lowest, highest = figure.layout.yaxis.range
    drawn = np.concatenate([np.asarray(trace.y, float) for trace in figure.data if trace.meta])
    assert highest < drawn.min()
    assert drawn.max() < lowest


@pytest.fixture
def crowd() -> Group:
    """40 consumers with 3 partitions each; the last one of 41 has none."""
    ids = [f"c{number:02d}" for number in range(41)]
    return Group.of(["t"], [120], ids, owners=np.arange(120) // 3)


def test_up_to_25_consumers_stand_apart(crowd: Group) -> None:
    few = Group.of(["t"], [50], crowd.members[:25], owners=np.arange(50) // 2)

    slots, _ = picture_of(_after(few, AddPartitions("t", 1)))

    assert [slot.name for slot in slots] == [*few.members, "nobody"]
    assert len(few.members) == MOST_APART


def test_of_more_the_biggest_movers_stand_apart_and_keepers_share_a_slot(crowd: Group) -> None:
    after = crowd.present_owners.copy()
    after[[0, 1]] = 40  # c00 gives two to c40
    found = _moved_to(crowd, after)

    slots, links = picture_of(found)

    assert [slot.name for slot in slots] == ["c00", "c40", "39 that only keep"]
    assert [(slot.before, slot.after) for slot in slots] == [(3, 1), (0, 2), (117, 117)]
    assert {(link.source, link.target, link.is_kept, link.partitions) for link in links} == {
        (0, 0, True, 1),
        (0, 1, False, 2),
        (2, 2, True, 117),
    }


def test_of_many_movers_the_lesser_ones_share_a_slot(crowd: Group) -> None:
    shifted = np.minimum(crowd.present_owners + 1, 39).astype(np.int32)
    shifted[:3] = 0  # c00 keeps what it has, 39 others shift

    slots, links = picture_of(_moved_to(crowd, shifted))

    assert len(slots) == 14 + 3
    assert [slot.name for slot in slots[14:]] == [
        "25 others that give or take",
        "1 that only keep",
        "1 idle",
    ]
    assert sum(link.partitions for link in links) == 120


def test_a_crowd_is_drawn_smaller_than_it_is(crowd: Group) -> None:
    after = crowd.present_owners.copy()
    after[[0, 1]] = 40

    slots, _ = picture_of(_moved_to(crowd, after))

    assert slots[-1].scale < slots[0].scale
    assert slots[-1].height < 2 * slots[0].height


def test_rounds_show_owned_and_unowned_partitions_on_the_same_axes() -> None:
    standings = [
        Standing(
            "Eager", [Moment("before", 6, 0), Moment("all stop", 0, 6), Moment("after", 6, 0)]
        ),
        Standing("None", [Moment("before", 6, 0), Moment("after", 6, 0)]),
    ]

    figure = rounds_chart(standings)

    assert [(trace.name, tuple(trace.y)) for trace in figure.data] == [
        ("owned", (6, 0, 6)),
        ("in nobody's hands", (0, 6, 0)),
        ("owned", (6, 6)),
        ("in nobody's hands", (0, 0)),
    ]
    assert list(figure.data[1].text) == ["", "6", ""]
    assert figure.layout.yaxis.range == figure.layout.yaxis2.range == (0, 7.5)
    assert figure.layout.xaxis.range == figure.layout.xaxis2.range == (-0.6, 2.6)
    assert list(figure.layout.xaxis.ticktext) == ["before", "all<br>stop", "after"]


def _moved_to(group: Group, after: np.typing.NDArray[np.int32]) -> Rebalance:
    return Rebalance(
        group=group,
        departed=(),
        before=group.present_owners,
        after=after,
        rounds=(),
        fewest=None,
    )
