"""What ``from assignors import ...`` gives."""

import ast
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

import assignors
from assignors import (
    UNOWNED,
    CapacityKind,
    Finding,
    ForeignStrategyError,
    Group,
    GroupKind,
    InvalidArgumentError,
    InvalidAssignmentError,
    Margin,
    PlanKind,
    Protocol,
    RunConsumers,
    Severity,
    Source,
    SourceError,
    SplitKeys,
    Statements,
    Strategy,
    UnknownClientError,
    UnknownStrategyError,
    UnsupportedKind,
    VerdictKind,
    answer,
    as_data,
    compare,
    consumers_needed,
    findings,
    read,
    strategies,
)
from evaluation.answering.compose import answer_of
from evaluation.answering.given import Given
from sources.asking import given_of
from sources.text import read_text

ROOT = Path(__file__).resolve().parents[2]
GROUP = Group.fresh({"t": 4}, ["a", "b"], lags={"t": [9, 1, 1, 1]})


def test_every_public_name_has_a_row_in_the_documents_and_no_other_name_has() -> None:
    text = (ROOT / "docs" / "library.md").read_text()
    rows = [line.split("|") for line in text.splitlines() if line.startswith("| `")]

    named = re.findall(r"`(\w+)[^`]*`", " ".join(row[1] for row in rows))

    assert sorted(named) == assignors.__all__ == dir(assignors)
    assert all(getattr(assignors, name) is not None for name in assignors.__all__)


def test_type_checkers_see_the_names_where_the_program_finds_them() -> None:
    tree = ast.parse(Path(assignors.__file__).read_text())
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]

    seen = {
        node.module: {alias.name for alias in node.names if alias.asname == alias.name}
        for node in imports
    }

    homes = {home: set(names) for home, names in assignors._HOMES.items()}
    assert {home: names for home, names in seen.items() if names} == homes


def test_every_cause_can_be_matched_by_its_class() -> None:
    assert all(getattr(findings, cause.__name__) is cause for cause in get_args(Finding))


@pytest.mark.slow
def test_what_is_read_of_a_text_is_answered_as_the_command_line_does() -> None:
    text = (
        "GROUP TOPIC PARTITION LAG CONSUMER-ID\ng t 0 9000 rdkafka-1\nnonsense\ng t 1 7 rdkafka-2"
    )

    (given,) = read(text)

    assert as_data(answer(given)) == as_data(answer_of(given_of(read_text(text)[0])))
    assert answer(given, client="java").given.client.name == "java"
    assert answer(given, stated=Statements(speed=50.0)).facts.speed.source is Source.STATED
    assert given.ignored == ((3, "nonsense"),)
    with pytest.raises(SourceError):
        read("nonsense")


def test_an_answer_is_shown_in_a_line() -> None:
    shown = repr(answer(GROUP, kind=GroupKind.CONSUMER))

    assert shown.startswith("<Answer ")
    assert len(shown) < 400


def test_what_is_not_public_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'comparison'"):
        assignors.comparison  # noqa: B018 -- looked up, which fails


def test_a_module_of_the_core_loads_nothing_of_the_evaluation() -> None:
    program = "import sys, assignors.model; print([m for m in sys.modules if 'evaluation' in m])"

    shown = subprocess.check_output([sys.executable, "-c", program], cwd=ROOT, text=True)  # noqa: S603 -- our own

    assert shown == "[]\n"


def test_an_assignment_has_owners_figures_and_certainty() -> None:
    found = compare(GROUP, ["range", "lag-based"])

    assert list(found) == ["range", "lag-based"]
    assert found["range"].owners.tolist() == [0, 0, 1, 1]
    assert found["range"].figures.max_lag == 10
    assert found["range"].by_member() == {"a": ("t-0", "t-1"), "b": ("t-2", "t-3")}
    assert not found["range"].certainty.why


def test_the_next_round_of_a_cooperative_strategy_leaves_unowned_what_moves() -> None:
    owned = GROUP.owned_by(np.array([0, 0, 0, 0], np.int32))

    found = compare(owned, ["cooperative-sticky"])["cooperative-sticky"]

    assert sorted(found.owners.tolist()) == [0, 0, 1, 1]
    assert [next_ == UNOWNED for next_ in found.next_round.tolist()] == [
        owner == 1 for owner in found.owners.tolist()
    ]


def test_a_strategy_of_one_s_own_stands_beside_named_ones() -> None:
    mine = Strategy(name="mine", label="Mine", assign=lambda group: group.nobody() + 1)

    found = compare(GROUP, [mine, "fair"])

    assert found["mine"].figures.max_lag == 12
    assert found["mine"].strategy is mine


def test_without_a_choice_every_strategy_is_compared() -> None:
    assert list(compare(GROUP)) == list(strategies())


def test_a_wrong_name_suggests_the_right_one() -> None:
    with pytest.raises(UnknownStrategyError, match="no strategy 'rnage'; did you mean 'range'"):
        compare(GROUP, ["rnage"])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("range", "strategies must be a list, found the text 'range'"),
        ([Group.nobody], "found <function Group.nobody at .*; a function becomes one by Strategy"),
    ],
)
def test_what_is_no_list_of_strategies_is_told_what_to_give(
    given: Any,  # noqa: ANN401 -- wrong on purpose
    sentence: str,
) -> None:
    with pytest.raises(UnknownStrategyError, match=sentence):
        compare(GROUP, given)


def test_two_strategies_of_one_name_are_refused() -> None:
    mine = replace(strategies()["fair"], name="range")

    with pytest.raises(InvalidArgumentError, match="two strategies are called 'range'"):
        compare(GROUP, ["range", mine])


def test_a_result_that_breaks_a_rule_is_refused_by_partition() -> None:
    nobody = Strategy(name="nobody", label="Nobody", assign=Group.nobody)

    with pytest.raises(InvalidAssignmentError, match="t-0 has subscribers but no owner") as found:
        compare(GROUP, ["range", nobody])

    assert found.value.__notes__ == ["This is the answer of the strategy 'nobody'."]


def test_a_cooperative_strategy_that_only_withholds_is_told_of_its_target() -> None:
    shy = Strategy(name="shy", label="Shy", protocol=Protocol.COOPERATIVE, assign=Group.nobody)

    with pytest.raises(InvalidAssignmentError) as found:
        compare(GROUP, [shy])

    assert found.value.__notes__[1].endswith("give it a target.")


@pytest.mark.slow
def test_the_examples_of_the_document_work() -> None:
    text = (ROOT / "docs" / "library.md").read_text()
    programs = re.findall(r"```python\n(.*?)```", text, re.DOTALL)

    for program in programs:
        said: list[str] = []
        shown = {"print": lambda *values, said=said: said.append(" ".join(map(str, values)))}
        exec(program, shown)  # noqa: S102 -- our own document
        assert said == re.findall(r"print\(.*\)  # (.*)", program)
    assert len(programs) == 5


@pytest.mark.slow
def test_the_answer_of_the_library_is_that_of_the_dashboard() -> None:
    group = Group.of(
        ["t"], [4], ["consumer-g-1", "consumer-g-2"], owners=[0, 0, 1, 1], lags=[9_000, 8_000, 4, 3]
    )

    found = answer(group)

    assert as_data(found) == as_data(answer_of(Given(group=group)))
    assert [option.why_not for option in found.strategies if option.why_not is None] == []
    assert found.facts.speed.source is Source.GUESS


@pytest.mark.slow
def test_the_library_knows_the_client_by_its_ids_or_as_it_is_named() -> None:
    ids = ["rdkafka-0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be07", "rdkafka-1"]
    group = Group.of(["t"], [4], ids, owners=[0, 0, 1, 1], lags=[9, 8, 4, 3])

    assert as_data(answer(group))["facts"]["client"] == "librdkafka"  # type: ignore[index]
    assert as_data(answer(group, client="java"))["facts"]["client"] == "java"  # type: ignore[index]
    with pytest.raises(UnknownClientError, match="no client 'jaav'; did you mean 'java'"):
        answer(group, client="jaav")
    with pytest.raises(ForeignStrategyError, match="'sticky' in librdkafka"):
        answer(group, stated=Statements(runs=strategies()["sticky"]))


def test_an_answer_needs_no_consumer_group_and_a_plan_does() -> None:
    found = answer(GROUP, kind=GroupKind.SHARE)

    assert found.verdict.kind is VerdictKind.NOT_A_CONSUMER_GROUP
    with pytest.raises(UnsupportedKind):
        consumers_needed(found)


def test_a_plan_says_what_it_rests_on_and_needs_a_fact_of_the_flow() -> None:
    unknown = consumers_needed(answer(GROUP), strategies=["range"])
    stated = consumers_needed(
        answer(GROUP, stated=Statements(arriving=90.0, speed=50.0)),
        margin=Margin(headroom_percent=0.0),
        strategies=["range", "fair"],
    )

    assert (unknown.plan, unknown.rests_on) == (None, Source.GUESS)
    assert [plan.kind for plan in unknown.plans] == [PlanKind.UNKNOWN]
    # 4 partitions of 22.5/s each: two fit into 50/s, so 2 consumers do, 3 as well.
    assert [plan.consumers for plan in stated.plans] == [2, 2]
    assert unknown.advice.kind is CapacityKind.UNKNOWN
    assert unknown.advice.steps == ()
    assert stated.advice.kind is CapacityKind.KEEP
    assert stated.advice.kind.severity is Severity.FINE
    (run,) = stated.advice.steps
    assert isinstance(run, RunConsumers)
    assert (run.plan.consumers, run.is_today) == (2, True)
    assert (stated.fewest, stated.rests_on, stated.too_heavy) == (2, Source.STATED, ())


def test_a_plan_counts_what_can_be_read_of_one_partition_at_most() -> None:
    capped = Statements(arriving=90.0, speed=50.0, partition_cap=20.0)

    needed = consumers_needed(answer(GROUP, stated=capped), strategies=["range"])

    assert needed.capacity.partition_cap == 20
    # 22.5/s arrive for each of 4 partitions, and 20/s can be read of one.
    assert (needed.fewest, needed.too_heavy) == (None, (0, 1, 2, 3))
    assert [plan.kind for plan in needed.plans] == [PlanKind.PARTITION]
    assert needed.advice.kind is CapacityKind.PARTITION
    assert needed.advice.kind.severity is Severity.ALARM
    # 22.5/s with a fifth more is 27/s: over two partitions; at 20/s each, 4 of these need 6.
    (split,) = needed.advice.steps
    assert isinstance(split, SplitKeys)
    assert (split.partition, split.over, split.has) == (0, 2, 4)


def test_todays_consumers_may_miss_a_time_that_nobody_stated_by_little() -> None:
    group = Group.of(["t", "u"], [1, 1], ["a", "b"], owners=[0, 1], lags=[20_000, 20_000])
    found = answer(group, stated=Statements(arriving=2.0, speed=50.0))

    usual, stated = (
        consumers_needed(found, allowed_s=each, strategies=["range"]).plan for each in (None, 600.0)
    )

    # Range gives both topics to the first of any number; with an owner each they take 408 s.
    assert usual is not None
    assert stated is not None
    assert (usual.kind, usual.consumers) == (PlanKind.AS_TODAY, 2)
    assert (stated.kind, stated.consumers) == (PlanKind.NONE, None)
