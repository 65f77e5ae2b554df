"""The picture's rows and columns, from groups small enough to check by eye."""

from collections.abc import Sequence

import numpy as np
import pytest

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from evaluation.comparing.load import load_in
from evaluation.comparing.outcomes import Outcome, after_switch, as_it_is_now, at_next_rebalance
from evaluation.comparing.outlook import Depth
from evaluation.takes import Takes, takes_of
from tests.charts.outcomes import outcome
from tests.hostile.names import NAMES
from ui.picture.columns import ROWS_OF_MANY, Focus, side_by_side
from ui.picture.model import SideBySide


def owned(
    lags: Sequence[int | None], owners: Sequence[Sequence[int]], names: Sequence[str] = ()
) -> Group:
    """Return a group of one topic; ``owners`` lists the partitions of each consumer."""
    members = [
        Member(names[m] if names else f"c{m}", ["t"], owned=[("t", p) for p in held], generation=1)
        for m, held in enumerate(owners)
    ]
    return group_of({"t": Topic(len(lags), lags=lags)}, members)


def drawn(
    group: Group, *names: str, focus: Focus | None = None, named: Sequence[str] = ()
) -> SideBySide:
    """Return the picture of a group now and under these strategies, run at once."""
    outcomes = at_next_rebalance(group, [STRATEGIES[name] for name in names])
    load, now = load_in(group), as_it_is_now(group)
    shown: list[Outcome] = outcomes if now is None else [*outcomes, now]
    return side_by_side(group, shown, load, load.bound(group), focus=focus, named=named)


def test_a_row_is_a_consumer_in_the_order_people_count() -> None:
    names = ["app-10", "app-9", "app-1"]

    picture = drawn(owned([3, 2, 1], [[0], [1], [2]], names))

    assert [row.full_id for row in picture.rows] == ["app-1", "app-9", "app-10"]
    assert picture.columns[0].loads == (1, 2, 3)


def test_columns_stand_by_what_they_take_and_then_by_the_busiest_consumer() -> None:
    group = owned([100, 1, 90, 1, 7], [[0, 1, 2, 3, 4], [], []])
    load, now = load_in(group), as_it_is_now(group)
    outcomes = [
        outcome(group, [0, 0, 1, 1, 2], "load-sticky"),
        outcome(group, [0, 1, 0, 1, 2], "uniform"),
        outcome(group, [0, 0, 0, 1, 2], "range"),
        outcome(group, [0, 1, 2, 0, 1], "roundrobin"),
        *([now] if now else []),
    ]

    columns = side_by_side(group, outcomes, load, load.bound(group)).columns

    assert [(column.key, column.takes, column.busiest) for column in columns] == [
        ("now", Takes.NOTHING, 199),
        ("roundrobin", Takes.SETTING, 101),
        ("range", Takes.SETTING, 191),
        ("uniform", Takes.BROKER, 190),
        ("load-sticky", Takes.JAR, 101),
    ]


def test_a_change_is_told_against_the_present_owners() -> None:
    picture = drawn(owned([100, 100], [[0, 1], []]), "range")

    now, range_ = picture.columns
    assert now.change is None
    assert (range_.change, range_.moves) == (-0.5, 1)


def test_the_busiest_consumer_stands_out_and_nobody_where_all_have_the_same() -> None:
    uneven, even = owned([7, 100], [[0], [1]]), owned([5, 5], [[0], [1]])
    alike = owned([45_031, 45_039], [[0], [1]])  # both read 45.0 k

    assert drawn(uneven).columns[0].peak == 1
    assert drawn(even).columns[0].peak is None
    assert drawn(alike).columns[0].peak is None


def test_unknown_lag_and_idle_consumers_are_told_apart() -> None:
    column = drawn(owned([None, 5], [[0], [1], []])).columns[0]

    assert column.loads == (0, 5, 0)
    assert column.counts == (1, 1, 0)
    assert column.unknown == (1, 0, 0)
    assert column.idle == 1


def test_strategies_that_give_the_same_are_one_column_that_names_them() -> None:
    group = owned([100, 1, 90, 1], [[0, 1, 2, 3], []])

    picture = drawn(group, "sticky", "cooperative-sticky")

    assert [column.key for column in picture.columns] == ["now", "sticky"]
    assert picture.columns[1].same == ("Cooperative sticky",)


def test_of_those_the_one_that_the_verdict_names_is_drawn() -> None:
    group = owned([100, 1, 90, 1], [[0, 1, 2, 3], []])

    picture = drawn(group, "sticky", "cooperative-sticky", named=["cooperative-sticky"])

    assert picture.columns[1].key == "cooperative-sticky"
    assert picture.columns[1].same == ("Sticky",)


def test_what_changes_nothing_stands_with_the_present_owners() -> None:
    picture = drawn(owned([1, 2], [[0], [1]]), "range", "sticky")

    assert [column.key for column in picture.columns] == ["now"]
    assert set(picture.columns[0].same) == {"Range", "Sticky"}


def test_a_range_is_that_of_the_busiest_consumer_after_a_switch() -> None:
    group = owned([50, 40, 30, 20, 10, 5], [[0, 1, 2, 3, 4, 5], [], []])
    outcomes = after_switch(group, [STRATEGIES["range"]], depth=Depth.FIRST)
    load = load_in(group)

    (column,) = side_by_side(group, outcomes, load, load.bound(group)).columns

    assert (column.low, column.high) == load.ends(outcomes[0]) or column.low is None


@pytest.mark.parametrize("members", [25, 500])
def test_of_many_consumers_the_busiest_have_rows_and_the_others_an_outline(members: int) -> None:
    rng = np.random.default_rng(4)
    lags = rng.integers(1, 1000, 3 * members).tolist()
    held = [[3 * m, 3 * m + 1, 3 * m + 2] for m in range(members)]
    group = owned(lags, held)
    loads = sorted((sum(lags[p] for p in each) for each in held), reverse=True)

    picture = drawn(group, "roundrobin", "lag-based")

    assert len(picture.rows) == ROWS_OF_MANY
    assert picture.hidden == members - ROWS_OF_MANY
    assert all(column.peak is not None for column in picture.columns)
    now = picture.columns[0]
    assert now.others is not None
    assert max(now.loads) == loads[0] == now.busiest
    assert now.others.loads[-1] == loads[-1]
    assert list(now.others.loads) == sorted(now.others.loads, reverse=True)
    assert (now.others.fewest, now.others.most) == (3, 3)


def test_whoever_the_verdict_names_comes_first_and_has_a_row() -> None:
    group = owned([1] * 30, [[m] for m in range(30)])
    members = {group.members.index(name) for name in ("c7", "c2")}

    picture = drawn(group, focus=Focus(members=members, word="stopped"))

    assert [row.full_id for row in picture.rows[:2]] == ["c2", "c7"]
    assert [row.is_focus for row in picture.rows] == [True, True] + [False] * 10
    assert picture.focus_word == "stopped"


def test_names_from_outside_stay_as_they_are() -> None:
    picture = drawn(owned([1] * len(NAMES), [[m] for m in range(len(NAMES))], NAMES))

    assert {row.full_id for row in picture.rows} <= set(NAMES)


def test_every_strategy_says_what_it_takes() -> None:
    found = {name: takes_of(strategy) for name, strategy in STRATEGIES.items()}

    assert found["range"] is found["cooperative-sticky"] is Takes.SETTING
    assert found["uniform"] is found["server-range"] is Takes.BROKER
    assert found["load-sticky"] is Takes.JAR
    assert found["sticky-kafka-9987"] is Takes.EARLIER_RELEASE
    assert takes_of(None) is Takes.NOTHING
