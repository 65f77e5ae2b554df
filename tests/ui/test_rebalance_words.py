from collections.abc import Sequence

import pytest

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from evaluation.rebalance.events import AddPartitions, ComeBack, Event, Join, Rejoin
from evaluation.rebalance.simulation import simulate_history
from tests.said import figures_in, lacks
from ui.rebalance.events import joining, leaving
from ui.rebalance.words import Result, best_first, conclusion, named_event, remarks

SIX = group_of(
    {"t": Topic(6)},
    [
        Member("m-a", ["t"], owned=[("t", 0), ("t", 1)]),
        Member("m-b", ["t"], owned=[("t", 2), ("t", 3)]),
        Member("m-c", ["t"], owned=[("t", 4), ("t", 5)]),
    ],
)


def results_of(group: Group, events: Sequence[Event], *names: str) -> list[Result]:
    return best_first(
        [
            Result(
                STRATEGIES[name], simulate_history(group, events, STRATEGIES[name])[-1].rebalance
            )
            for name in names
        ]
    )


def said_of(group: Group, events: Sequence[Event], *names: str) -> str:
    results = results_of(group, events, *names)
    return " ".join(conclusion(events[-1] if events else None, results)).strip()


def remarks_of(group: Group, events: Sequence[Event], *names: str) -> list[str]:
    return remarks(events[-1] if events else None, results_of(group, events, *names))


def test_the_start_says_whose_owners_they_are() -> None:
    fresh = Group.fresh({"t": 4}, ["c0", "c1"])

    assert lacks(said_of(SIX, [], "range"), "6 partitions", "every strategy") == []
    assert "its own assignment" in said_of(fresh, [], "range")
    assert remarks_of(SIX, [], "range") == []


def test_a_static_restart_needs_no_strategy() -> None:
    said = said_of(SIX, [ComeBack("m-a", "m-z", "a")], "range", "sticky")

    assert lacks(said, "Nothing moves", "nothing pauses", "whatever") == []


def test_the_first_consumers_of_a_group_move_nothing() -> None:
    said = said_of(Group.fresh({"t": 4}, []), [Join(("c0",))], "range", "sticky")

    assert figures_in(said) == ["4"]


def test_a_dynamic_restart_names_the_best_and_the_worst_and_the_way_out() -> None:
    events = [ComeBack("m-a", "m-z")]

    assert figures_in(said_of(SIX, events, "range", "sticky")) == ["2", "6", "6", "6", "4"]
    (remark,) = remarks_of(SIX, events, "range", "sticky")
    assert lacks(remark, "group.instance.id", "nothing would move") == []


def test_of_equal_disturbance_the_least_load_comes_first() -> None:
    # range: 9 + 5 and 4; round robin: 9 + 4 and 5; by lag: 9, and 5 + 4
    group = Group.fresh({"t": 3, "u": 1}, ["a", "b"], lags={"t": [9, 5, 4], "u": [0]})

    results = results_of(group, [], "range", "roundrobin", "lag-capped")

    assert len({result.cost for result in results}) == 1
    loads = [result.load for result in results]
    assert loads == sorted(loads)
    assert loads[0] == 9
    assert loads[-1] > 9


def test_strategies_that_stop_the_world_are_named() -> None:
    group = Group.of(["t"], [6], ["a", "b"], owners=[0, 1, 0, 1, 0, 1])

    assert figures_in(said_of(group, [Join(("c",))], "range", "sticky", "cooperative-sticky")) == [
        "2",
        "6",
        "6",
        "4",
        "2",
    ]


def test_what_must_move_is_said_of_even_counts_where_a_strategy_moves_fewer() -> None:
    lags = [100, 1, 1, 1, 1, 1]
    group = Group.of(["t"], [6], ["a", "b"], owners=[0, 1, 1, 1, 0, 0], lags=lags)
    uneven = results_of(group, [Join(("c",))], "cooperative-sticky", "load-sticky")

    said = conclusion(Join(("c",)), uneven).finding

    fewest = uneven[0].rebalance.fewest
    assert fewest is not None
    assert min(result.rebalance.moved for result in uneven) < fewest
    assert said.startswith("With even counts")


def test_moves_without_a_change_are_noted() -> None:
    group = Group.of(["t"], [3], ["A", "B"], owners=[0, 1, 1])

    assert not lacks(said_of(group, [Rejoin()], "range", "sticky"), "Sticky", "0", "3 partitions")
    assert remarks_of(group, [Rejoin()], "range", "sticky") == [
        "Nothing had changed, yet **Range** moved partitions."
    ]


def test_strategies_that_are_all_alike_share_a_sentence() -> None:
    events = [AddPartitions("t", 3)]

    assert not lacks(said_of(SIX, events, "roundrobin", "fair"), "4", "6 partitions", "4", "6")
    assert remarks_of(SIX, events, "roundrobin", "fair") == [
        "**Round robin** and **Fair** ignore who owns what now."
    ]


def test_few_moves_that_leave_counts_uneven_are_no_merit() -> None:
    lags = [90, 80, 1, 1, 1, 1]
    group = Group.of(["t"], [6], ["a", "b"], owners=[0, 1, 0, 1, 0, 1], lags=lags)
    asked = (group, [Join(("c",))], "load-sticky", "sticky")

    found = results_of(*asked)
    assert [result.strategy.name for result in found] == ["sticky", "load-sticky"]
    assert found[0].cost > found[1].cost
    assert said_of(*asked) != said_of(*asked[:2], "sticky")
    assert " ." not in said_of(*asked)
    assert not lacks(said_of(*asked), "even", "Sticky", "least", "2", "6")
    (remark,) = remarks_of(*asked)
    assert lacks(remark, "Uneven", "Load-sticky", "1 to 3") == []


def test_partitions_read_across_racks_are_compared() -> None:
    group = group_of(
        {"t": Topic(6, racks=[["a"]] * 6)},
        [Member(f"C{k}", ["t"], rack=rack) for k, rack in enumerate("abc", 1)],
    )

    assert figures_in(remarks_of(group, [Join(("C0",), racks=("a",))], "range", "sticky")[-1]) == [
        "3",
        "2",
    ]


def test_events_are_named_without_uuids_where_that_is_clear() -> None:
    uuids = [f"{k}a908325-4c8a-45d9-bc52-afc12f787f20" for k in range(2)]

    assert named_event(Join((f"app-7-{uuids[0]}",))) == "app-7 joins"
    restart = ComeBack(f"app-{uuids[0]}", f"app-{uuids[1]}")
    assert named_event(restart) == str(restart)


@pytest.mark.parametrize(
    ("written", "members", "expected"),
    [
        ("", ["c0", "c9"], ("c10",)),
        ("", [], ("consumer-1",)),
        ("2", ["c01", "c02"], ("c03", "c04")),
        ("1", ["a1", "b7"], ("b8",)),
        ("x", ["c0"], ("x",)),
        ("7, 8", ["c0"], ("7", "8")),
        (" , ", ["c0"], ("c1",)),
    ],
)
def test_who_joins_is_read_from_names_or_a_number(
    written: str, members: list[str], expected: tuple[str, ...]
) -> None:
    assert joining(written, members) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ((1, ["b"]), ("b",)),
        ((2, []), ("b", "7")),
        ((2, ["7"]), ("7",)),
        ((9, []), ("a", "b", "7")),
        ((1, []), ("7",)),
    ],
)
def test_those_named_leave_or_else_as_many_as_asked(
    asked: tuple[int, list[str]], expected: tuple[str, ...]
) -> None:
    assert leaving(*asked, ["a", "b", "7"]) == expected
