"""The benchmark runs at small sizes and compares like with like; times are not checked."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from itertools import chain

import numpy as np
import pytest

from assignors.registry import STRATEGIES
from assignors.rules import check
from assignors.strategy import Protocol
from benchmarks.__main__ import main
from benchmarks.competitors import Competitor, UnavailableError, ours
from benchmarks.kafka_java import kafka_java
from benchmarks.librdkafka import librdkafka
from benchmarks.measuring import Repeats
from benchmarks.report import compared, memory_mb, report
from benchmarks.workloads import (
    JAVA,
    LIBRDKAFKA,
    Case,
    ChangeBefore,
    Shape,
    Sizes,
    Subscriptions,
    growth,
    sections,
)

ONCE = Repeats(runs=1, budget_s=0)
TOY = Sizes(
    large=Shape(6, 10, 5),
    quarter=Shape(4, 6, 8, Subscriptions.QUARTER),
    middle=Shape(3, 8, 4),
    small=Shape(2, 7, 3),
    growth=(Shape(1, 10, 2), Shape(2, 10, 4)),
)


@pytest.fixture(scope="module")
def those_here() -> Iterator[list[Competitor]]:
    """The competitors that can be measured without downloads; librdkafka always can on Linux."""
    with ExitStack() as stack:
        here = [librdkafka] if sys.platform == "linux" else []
        with suppress(UnavailableError):
            here.append(stack.enter_context(kafka_java(offline=True)))
        yield here


def verdict_on(competitor: Competitor, case: Case) -> str:
    """Run both implementations, check the result against the rules, and compare."""
    group = case.group()
    theirs = competitor.measure(case.strategy, group, ONCE).owners
    cooperative = STRATEGIES[case.strategy].protocol is Protocol.COOPERATIVE
    check(group, theirs, complete=not cooperative)
    return compared(ours(case.strategy, group, ONCE).owners, theirs)


def test_the_report_has_one_row_for_every_workload_of_every_table() -> None:
    tables = sections(TOY)

    text = "\n".join(report(TOY, [librdkafka], ONCE))

    parts = text.split("## ")[1:]
    for cases, shown in zip(tables.values(), parts, strict=False):
        names = [line.split("|")[1].strip() for line in shown.splitlines() if "|" in line]
        assert names[2:] == [case.workload for case in cases]
    growing = next(part for part in parts if part.startswith("Growth"))
    assert growing.count(" ours |") == len(growth(TOY))


def test_every_strategy_is_measured_and_those_of_kafkas_clients_against_java() -> None:
    cases = list(chain.from_iterable(sections(TOY).values()))

    measured = {case.strategy for case in cases}
    against_java = {case.strategy for case in cases if JAVA in case.against}

    assert measured == {row[0].strategy for row in growth(TOY)} == set(STRATEGIES)
    assert against_java == {"range", "roundrobin", "sticky", "cooperative-sticky"}


@pytest.mark.proof
def test_whoever_is_here_gives_every_member_as_many_partitions_as_we_do(
    those_here: list[Competitor],
) -> None:
    cases = set(chain.from_iterable(sections(TOY).values()))
    pairs = [
        (competitor, case)
        for competitor in those_here
        for case in cases
        if competitor.name in case.against and case.strategy in competitor.strategies
    ]

    verdicts = {(c.name, case.workload, verdict_on(c, case)) for c, case in pairs}

    assert {name for name, _, _ in verdicts} >= {LIBRDKAFKA}
    assert {verdict for _, _, verdict in verdicts} <= {"same owners", "same counts"}, verdicts


@pytest.mark.parametrize("strategy", ["range", "roundrobin"])
def test_every_available_competitor_returns_our_range_and_round_robin(
    strategy: str, those_here: list[Competitor]
) -> None:
    case = Case(strategy, Shape(3, 7, 4))

    verdicts = {competitor.name: verdict_on(competitor, case) for competitor in those_here}

    assert set(verdicts.values()) == {"same owners"}, verdicts


def test_an_unavailable_competitor_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(UnavailableError, match="no java on the PATH"), kafka_java():
        pass


def test_a_member_added_owns_nothing_and_takes_nothing_from_the_others() -> None:
    shape = Shape(3, 7, 4)

    before = Case("sticky", shape, ChangeBefore.AGAIN).group()
    after = Case("sticky", shape, ChangeBefore.ADDED).group()

    assert after.members == (*before.members, "consumer-000004")
    assert np.array_equal(after.present_owners, before.present_owners)


def test_a_removed_members_partitions_are_unowned_and_the_others_keep_theirs() -> None:
    shape = Shape(3, 7, 4)

    before = Case("sticky", shape, ChangeBefore.AGAIN).group()
    after = Case("sticky", shape, ChangeBefore.REMOVED).group()

    owned_before, owned_after = (group.named(group.present_owners) for group in (before, after))
    assert after.members == tuple(m for m in before.members if m != "consumer-000002")
    assert owned_after == {member: owned_before[member] for member in after.members}


def test_unequal_shapes_subscribe_as_kafkas_tests_do() -> None:
    one, quarter = (
        Shape(4, 1, 8, kind).group() for kind in (Subscriptions.ONE_UNEQUAL, Subscriptions.QUARTER)
    )

    wanted = [
        group.subscribes[group.layout.class_of_member].sum(axis=1).tolist()
        for group in (one, quarter)
    ]

    assert wanted == [[4] * 7 + [1], [2] * 8]
    assert (
        quarter.subscribes[quarter.layout.class_of_member][:, 0].tolist()
        == [True, False, False, False] * 2
    )


def test_answers_are_compared_by_owner_then_by_count_then_by_spread() -> None:
    here = np.array([0, 0, 1, 1, 2], np.int32)

    verdicts = [
        compared(here, np.array(theirs, np.int32))
        for theirs in ([0, 0, 1, 1, 2], [2, 2, 1, 1, 0], [0, 0, 0, 0, 1])
    ]

    assert verdicts == ["same owners", "same counts", "differ by 3, here by 1"]


def test_memory_counts_the_group_and_its_owners() -> None:
    case = Case("range", Shape(100, 2_000, 100))

    memory = memory_mb(case)

    lags_and_owners_mb = 200_000 * (8 + 4) / 1e6
    assert lags_and_owners_mb < memory < 100 * lags_and_owners_mb


def test_the_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])

    assert "--quick" in capsys.readouterr().out
