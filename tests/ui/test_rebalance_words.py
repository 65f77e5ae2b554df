from collections.abc import Sequence

import pytest

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from evaluation.events import AddPartitions, ComeBack, Event, Join, Rejoin
from evaluation.rebalance import replay
from ui.rebalance_events import joining, leaving
from ui.rebalance_words import Result, conclusion

SIX = group_of(
    {"t": Topic(6)},
    [
        Member("m-a", ["t"], owned=[("t", 0), ("t", 1)]),
        Member("m-b", ["t"], owned=[("t", 2), ("t", 3)]),
        Member("m-c", ["t"], owned=[("t", 4), ("t", 5)]),
    ],
)


def _said(group: Group, events: Sequence[Event], *names: str) -> str:
    results = [
        Result(STRATEGIES[name], replay(group, events, STRATEGIES[name])[-1].rebalance)
        for name in names
    ]
    return conclusion(events[-1] if events else None, results)


def test_the_start_says_whose_owners_they_are() -> None:
    fresh = Group.fresh({"t": 4}, ["c0", "c1"])

    assert _said(SIX, [], "range") == (
        "The start: 6 partitions with their present owners, the same for every strategy."
    )
    assert "each strategy's own assignment" in _said(fresh, [], "range")


def test_a_static_restart_needs_no_strategy() -> None:
    said = _said(SIX, [ComeBack("m-a", "m-z", "a")], "range", "sticky")

    assert said.startswith("**Nothing moves and nobody rebalances**, whatever the strategy")


def test_a_dynamic_restart_names_who_moves_least_and_most_and_the_way_out() -> None:
    said = _said(SIX, [ComeBack("m-a", "m-z")], "range", "sticky")

    assert said == (
        "**Sticky** moves **2** of 6 partitions, the fewest possible; **Range** moves **6**. "
        "A dynamic consumer sorts elsewhere under its new id; a static id (group.instance.id) "
        "would keep everything where it is. Meanwhile 6 partitions stood still."
    )


def test_moves_for_nothing_are_called_so() -> None:
    group = Group.of(["t"], [3], ["A", "B"], owners=[0, 1, 1])

    said = _said(group, [Rejoin()], "range", "sticky")

    assert "**Sticky** moves **0** of 3 partitions, the fewest possible" in said
    assert "Nothing had changed: **Range** moved more than balance asked for." in said


def test_all_alike_is_said_once() -> None:
    said = _said(SIX, [AddPartitions("t", 3)], "range", "server-range")

    assert said.startswith("All strategies chosen move **3** of 6 partitions, 3 more than")


def test_few_moves_that_leave_counts_uneven_are_no_merit() -> None:
    topics = {f"t{number}": 1 for number in range(4)}
    group = Group.fresh(topics, ["c0", "c1"])

    said = _said(group, [Join(("c2",))], "range")

    assert "**Range** moves 0, but leaves counts uneven, from 0 to 4 a consumer." in said


def test_who_leaves_a_newcomer_idle_is_not_the_one_that_moves_least() -> None:
    group = Group.of(["t"], [6], ["a", "b"], owners=[0, 1, 0, 1, 0, 1])

    said = _said(group, [Join(("c",))], "range", "sticky", "lag-sticky")

    assert said.startswith("**Sticky** moves **2** of 6 partitions, the fewest possible; **Range**")
    assert "**Lag-sticky (a tenth)** moves 0, but leaves counts uneven, from 0 to 3" in said


def test_partitions_read_from_another_rack_are_compared() -> None:
    group = group_of(
        {"t": Topic(6, racks=[["a"]] * 6)},
        [Member(f"C{k}", ["t"], rack=rack) for k, rack in enumerate("abc", 1)],
    )

    said = _said(group, [Join(("C0",), racks=("a",))], "range", "sticky")

    assert (
        "Afterwards 3 partitions are read from another rack under **Sticky**, 2 under **Range**."
    ) in said


def test_what_stands_still_is_compared() -> None:
    group = Group.of(["t"], [6], ["a", "b"], owners=[0, 1, 0, 1, 0, 1])

    said = _said(group, [Join(("c",))], "sticky", "cooperative-sticky")

    assert said.endswith(
        "Meanwhile 6 partitions stood still under **Sticky**, 2 under **Cooperative sticky**."
    )


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
    ("chosen", "expected"),
    [(["b"], ("b",)), (["2"], ("b", "7")), (["7"], ("7",)), (["9"], ("a", "b", "7")), ([], ())],
)
def test_who_leaves_is_read_from_names_or_a_number(
    chosen: list[str], expected: tuple[str, ...]
) -> None:
    assert leaving(chosen, ["a", "b", "7"]) == expected
