"""Failing strategies, and results shared between strategies."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from assignors.model import UNOWNED, Group, InvalidGroupError, Owners
from assignors.registry import STRATEGIES
from assignors.strategy import Strategy
from pipeline.replay.replay import replay
from tests.groups import tried
from tests.pipeline.replay.fleets import Row, at, fleets, table

ALL = tuple(STRATEGIES.values())
STICKY, RANGE, FAIR = STRATEGIES["sticky"], STRATEGIES["range"], STRATEGIES["fair"]


def _named(name: str, like: Strategy, assign: Any) -> Strategy:  # noqa: ANN401 -- any answer
    return replace(like, name=name, assign=assign)


def _forgets_the_first(group: Group) -> Owners:
    owners = STICKY.settle(group)
    owners[0] = UNOWNED
    return owners


def _refuses(group: Group) -> Owners:
    message = f"will not have {group.member_count} members"
    raise InvalidGroupError(message)


def _too_short(group: Group) -> Owners:
    return FAIR.settle(group)[:1]


def _answers_once(group: Group) -> Owners:
    return _refuses(group) if group.has_claims else STICKY.settle(group)


def _in_longs(group: Group) -> Owners:
    return FAIR.settle(group).astype(np.int64)


FORGETFUL = _named("forgetful", STICKY, _forgets_the_first)
UNWILLING = _named("unwilling", FAIR, _refuses)
SHORT = _named("short", FAIR, _too_short)
ONCE = _named("once", STICKY, _answers_once)
LONG = _named("long", FAIR, _in_longs)


def _rows(moments: int = 1) -> list[Row]:
    about = {"cluster": "eu", "group_id": "g", "topic": "t", "file": "0", "log_end_offset": 9}
    return [
        {
            **about,
            "snapshot_at": at(60 * moment),
            "partition": partition,
            "member_id": f"c{partition // 2}",
            "committed_offset": partition + moment,
        }
        for moment in range(moments)
        for partition in range(4)
    ]


def _of(found: dict[str, Any], name: str, strategy: str) -> list[Row]:
    rows: list[Row] = found[name].to_pylist()
    return [row for row in rows if row["strategy"] == strategy]


def test_each_strategy_without_an_answer_says_why_in_their_order() -> None:
    strategies = [RANGE, FORGETFUL, FAIR, UNWILLING, SHORT, STICKY]

    found = replay(table(_rows(2)), strategies)

    reasons = [(row["strategy"], row["reason"]) for row in found.failures]
    assert reasons == 2 * [
        ("forgetful", "t-0 has subscribers but no owner (1 such partitions)"),
        ("unwilling", "will not have 2 members"),
        (
            "short",
            "expected one member number for each of 4 partitions, found int32 of shape (1,)",
        ),
    ]


@pytest.mark.parametrize("beside", [FORGETFUL, UNWILLING, SHORT, LONG])
def test_a_failing_strategy_does_not_change_the_result_of_another(beside: Strategy) -> None:
    alone = replay(table(_rows(2)), [RANGE, STICKY]).tables

    found = replay(table(_rows(2)), [RANGE, beside, STICKY]).tables

    for strategy in ("range", "sticky"):
        for name in ("group_summary", "member_load"):
            assert _of(found, name, strategy) == _of(alone, name, strategy)


def test_a_result_in_wider_integers_is_the_same_result() -> None:
    replayed = replay(table(_rows(2)), [FAIR, LONG])
    found = replayed.tables

    longs = [{**row, "strategy": "fair"} for row in _of(found, "group_summary", "long")]
    assert longs == _of(found, "group_summary", "fair")
    assert not replayed.failures


def test_members_of_a_failed_strategy_keep_their_partitions() -> None:
    later = [row for row in _rows(2) if row["snapshot_at"] != at()]
    again = [{**row, "member_id": "c0"} for row in later]  # so that different owners are recorded

    found = replay(table([*_rows(), *again]), [ONCE])

    owners = [row["owners"] for row in found.checkpoint.to_pylist()]
    assert owners == [["c0"], [None], ["c0"], [None]]  # c1 has left by then
    assert [row["reason"] for row in found.failures] == ["will not have 1 members"]


def test_strategies_start_from_nothing_as_after_a_switch() -> None:
    found = replay(table(_rows()), [STICKY]).checkpoint.to_pylist()

    assert [row["member_id"] for row in found] == ["c0", "c0", "c1", "c1"]
    assert [row["owners"] for row in found] == [["c0"], ["c1"], ["c0"], ["c1"]]


def test_a_broker_takes_over_and_hands_over_what_consumers_own() -> None:
    of_broker = {"c0": "b" * 21 + "A", "c1": "a" * 21 + "A"}
    classic = [{**row, "cluster": "us"} for row in _rows()]
    broker_side = [{**row, "member_id": of_broker[row["member_id"]]} for row in _rows()]
    uniform = STRATEGIES["uniform-kafka-18688"]

    found = replay(table([*classic, *broker_side]), [uniform, STICKY]).checkpoint.to_pylist()

    keep = [[owner == row["member_id"] for owner in row["owners"]] for row in found]
    assert keep[:4] == [[True, True]] * 4
    assert keep[4:] == [[True, True], [True, False], [True, False], [True, True]]


@given(fleet=fleets())
@tried(60)
def test_strategies_run_together_return_the_same_as_each_alone(fleet: list[Row]) -> None:
    found = replay(table(fleet), ALL).tables

    for strategy in ALL:
        alone = replay(table(fleet), [strategy]).tables
        for name in ("group_summary", "member_load"):
            assert _of(found, name, strategy.name) == _of(alone, name, strategy.name)


def test_strategies_with_different_owners_run_on_their_own_owners() -> None:
    first = [{**row, "member_id": "c0"} for row in _rows()]  # every partition
    first.append({**first[0], "topic": None, "partition": None, "member_id": "c1"})
    later = [{**row, "snapshot_at": at(60)} for row in first]
    later.append({**later[0], "partition": 4})  # one more to assign
    rows = table([*first, *later])
    names = ("load-sticky", "sticky", "uniform")

    found = replay(rows, [STRATEGIES[name] for name in names]).checkpoint.to_pylist()

    alone = [replay(rows, [STRATEGIES[name]]).checkpoint.to_pylist() for name in names]
    for place, row in enumerate(found):
        assert row["owners"] == [each[place]["owners"][0] for each in alone]
    assert len({row["owners"][0] == row["owners"][1] for row in found}) > 1
