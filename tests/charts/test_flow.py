"""The chart of flows between consumers: its data, not its pixels."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from charts.flow import flow
from charts.flow_slots import MOST_APART, picture_of
from charts.palette import BAR, KEPT, NEW
from evaluation.rebalance.events import AddPartitions, ComeBack, Event, Join, Leave
from evaluation.rebalance.simulation import Rebalance, simulate_history

SIX = Group.of(["t"], [6], ["m-a", "m-b", "m-c"], owners=[0, 0, 1, 1, 2, 2])


def _after(group: Group, event: Event) -> Rebalance:
    return simulate_history(group, [event], STRATEGIES["range"])[-1].rebalance


def _hovered(figure: go.Figure) -> list[str]:
    """Return the hover text of each ribbon that moves, at its left end."""
    (ends,) = [trace for trace in figure.data if trace.hoverinfo == "text"]
    assert list(ends.hovertext[: len(ends.hovertext) // 2]) * 2 == list(ends.hovertext)
    return list(ends.hovertext[: len(ends.hovertext) // 2])


def _texts(figure: go.Figure, side: str) -> list[str]:
    trace: Any = next(t for t in figure.data if t.textposition == f"middle {side}" and len(t.text))
    return list(trace.text)


def test_what_stays_is_grey_what_moves_and_what_is_new_are_coloured() -> None:
    figure = flow(_after(SIX, AddPartitions("t", 3)))

    drawn = [
        (ribbons.name, ribbons.fillcolor) for ribbons in figure.select_traces({"fill": "toself"})
    ]
    assert drawn == [("stays", KEPT), ("moves", BAR), ("had no owner", NEW)]
    assert _hovered(figure) == [
        "m-b → m-a: 1 partition",
        "m-c → m-b: 2 partitions",
        "nobody → m-c: 3 partitions",
    ]


def test_the_ribbons_of_one_kind_are_polygons_of_one_trace() -> None:
    figure = flow(_after(SIX, ComeBack("m-a", "m-z")))

    (moves,) = [trace for trace in figure.data if trace.name == "moves"]
    assert np.count_nonzero(np.isnan(moves.x)) == np.count_nonzero(np.isnan(moves.y)) == 2
    assert len(figure.data) == 6


def test_a_consumer_named_nobody_is_a_consumer() -> None:
    group = Group.of(["t"], [4], ["a", "nobody"], owners=[0, 1, 1, 1])

    slots, _ = picture_of(_after(group, Leave(("a",))))

    assert [slot.is_nobody for slot in slots] == [False, False]


def test_names_never_become_markup() -> None:
    group = Group.of(["t"], [4], ["<b>a</b>", "c"], owners=[0, 0, 1, 1])

    figure = flow(_after(group, Leave(("<b>a</b>",))))

    assert _hovered(figure) == ["&lt;b&gt;a&lt;/b&gt; (left) → c: 2 partitions"]
    assert _texts(figure, "left")[0] == "&lt;b&gt;a&lt;/b&gt; (left)  <b>2</b>"


def test_what_moves_is_labelled_with_its_count() -> None:
    figure = flow(_after(SIX, ComeBack("m-a", "m-z")))

    (ends,) = [trace for trace in figure.data if trace.hoverinfo == "text"]
    assert list(ends.text) == ["2", "2", "2", "", "", ""]
    assert ends.textfont.size >= 12


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
    drawn = np.concatenate([ribbons.y for ribbons in figure.select_traces({"fill": "toself"})])
    assert highest < np.nanmin(drawn)
    assert np.nanmax(drawn) < lowest


@pytest.fixture
def crowd() -> Group:
    """40 consumers with 3 partitions each; a 41st has none."""
    ids = [f"c{number:02d}" for number in range(41)]
    return Group.of(["t"], [120], ids, owners=np.arange(120) // 3)


def test_up_to_16_consumers_have_a_slot_each(crowd: Group) -> None:
    few = Group.of(["t"], [32], crowd.members[:16], owners=np.arange(32) // 2)

    slots, _ = picture_of(_after(few, AddPartitions("t", 1)))

    assert [slot.name for slot in slots] == [*few.members, "nobody"]
    assert len(few.members) == MOST_APART


def test_slots_are_in_the_order_in_which_people_count() -> None:
    group = Group.of(["t"], [3], ["c-1", "c-10", "c-2"], owners=[0, 1, 2])

    slots, _ = picture_of(_after(group, Join(("c-3",))))

    assert [slot.name for slot in slots] == ["c-1", "c-2", "c-3", "c-10"]


def test_of_more_only_the_biggest_movers_have_a_slot_of_their_own(crowd: Group) -> None:
    after = crowd.present_owners.copy()
    after[[0, 1]] = 40  # c00 gives two to c40
    found = _moved_to(crowd, after)

    slots, links = picture_of(found)

    assert [slot.name for slot in slots] == ["c00", "c40", "39 unchanged"]
    assert [(slot.before, slot.after) for slot in slots] == [(3, 1), (0, 2), (117, 117)]
    assert {(link.source, link.target, link.is_kept, link.partitions) for link in links} == {
        (0, 0, True, 1),
        (0, 1, False, 2),
        (2, 2, True, 117),
    }


def test_of_many_movers_the_lesser_ones_share_a_slot(crowd: Group) -> None:
    shifted = np.minimum(crowd.present_owners + 1, 39).astype(np.int32)
    shifted[:3] = 0  # c00 keeps its partitions, the 39 others shift

    slots, links = picture_of(_moved_to(crowd, shifted))

    assert len(slots) == 10 + 3
    assert [slot.name for slot in slots[10:]] == ["29 others", "1 unchanged", "1 idle"]
    assert sum(link.partitions for link in links) == 120


def test_a_crowd_is_drawn_smaller_than_it_is(crowd: Group) -> None:
    after = crowd.present_owners.copy()
    after[[0, 1]] = 40

    slots, _ = picture_of(_moved_to(crowd, after))

    assert slots[-1].scale < slots[0].scale
    assert slots[-1].height < 2 * slots[0].height


def _moved_to(group: Group, after: np.typing.NDArray[np.int32]) -> Rebalance:
    return Rebalance(
        group=group,
        departed=(),
        before=group.present_owners,
        after=after,
        rounds=(),
        fewest=None,
    )
