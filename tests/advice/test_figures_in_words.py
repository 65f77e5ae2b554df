"""A figure that a sentence, a table and a panel name is one figure, whatever the group."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import Group
from assignors.registry import STRATEGIES
from assignors.strategy import Protocol
from evaluation.assuming.clients import JAVA
from evaluation.bounds.optimality import bounds_of
from evaluation.comparing.load import Load, load_in
from evaluation.comparing.outcomes import Outcome, as_it_is_now, at_next_rebalance, solved
from evaluation.configuration import configuration
from evaluation.judging import LAG, JudgeBy, Measure
from tests.named import named
from tests.said import lacks
from ui.compare.figures import figures_frame, why
from ui.compare.optimum import verdict_table

SETTABLE = tuple(STRATEGIES[name] for name in ("range", "roundrobin", "sticky", "uniform"))
UUIDS = [f"c-{m}-0000000{m}-0000-4000-8000-000000000000" for m in range(4)]
_KEEPS = re.compile(r"Keeps ([\d,]+) of ([\d,]+) owned")


@st.composite
def groups(draw: st.DrawFn) -> Group:
    """Draw up to four consumers with ids of clients and up to eight partitions, all owned."""
    members = draw(st.integers(2, 4))
    counts = draw(st.lists(st.integers(1, 4), min_size=1, max_size=2))
    size = sum(counts)
    owners = draw(st.lists(st.integers(0, members - 1), min_size=size, max_size=size))
    lags = draw(st.lists(st.integers(0, 900), min_size=size, max_size=size))
    topics = [f"t{k}" for k in range(len(counts))]
    return Group.of(topics, counts, UUIDS[:members], owners=owners, lags=lags)


def outcomes_of(group: Group, runs: str) -> list[Outcome]:
    """Return what each strategy brings to a group that runs one of them."""
    return [*solved(group, SETTABLE, STRATEGIES[runs])]


@pytest.mark.slow
@given(groups(), st.sampled_from(["range", "sticky", "cooperative-sticky", "uniform"]))
def test_figures_optimum_and_reasons_name_one_number_of_moves(group: Group, runs: str) -> None:
    outcomes = outcomes_of(group, runs)

    figures = figures_frame(outcomes, Load(), None).set_index("Strategy")
    verdicts = verdict_table(group, outcomes, bounds_of(group), Load()).set_index("Strategy")

    for outcome in outcomes:
        moved = outcome.figures.moved
        assert int(figures["Moved"].to_dict()[outcome.label]) == moved
        assert str(verdicts["Moves"].to_dict()[outcome.label]).startswith(f"{moved}:")
        lag = str(verdicts["Busiest"].to_dict()[outcome.label])
        assert lag.startswith(f"{outcome.figures.max_lag:,}:")
        said = why(group, STRATEGIES[runs], outcome, LAG)
        if found := _KEEPS.search(said):
            assert int(found[2]) - int(found[1]) == moved, said
        if outcome.strategy and outcome.strategy.protocol is Protocol.BROKER:
            assert "no present owners" not in said, said


def test_reasons_name_what_is_judged() -> None:
    group = Group.of(["t"], [4], ["a", "b"], owners=[0, 0, 1, 1], lags=[400, 50, 10, 20])
    now = as_it_is_now(group)
    own = at_next_rebalance(group, named("load-sticky"))[0]
    assert now is not None

    work = Measure(by=JudgeBy.WORK)

    assert not lacks(why(group, None, now, LAG), "450 records")
    assert not lacks(why(group, None, now, work), "450 records", "5 min")
    assert not lacks(why(group, None, own, work), "450")
    verdicts = verdict_table(group, [own], bounds_of(group), load_in(group, work))
    assert "of the load" in str(verdicts["Busiest"][0])


def test_an_assignor_of_an_old_broker_is_never_recommended_unless_it_runs() -> None:
    old, new = named("uniform", "uniform-kafka-18688")

    assert {old, new} <= set(JAVA.settable)
    assert old not in JAVA.settings_for(None)
    assert old not in JAVA.settings_for(new)
    assert {old, new} <= set(JAVA.settings_for(old))
    assert all(each.remote_assignor for each in JAVA.settings_for(new))
    assert STRATEGIES["sticky"] in JAVA.settings_for(None)


@pytest.mark.parametrize(
    ("before", "stays"), [("range", "stays eager"), ("cooperative-sticky", "stays cooperative")]
)
def test_a_group_stays_what_all_its_consumers_list(before: str, stays: str) -> None:
    guide = configuration(STRATEGIES["load-sticky"], JAVA, STRATEGIES[before])
    said = " ".join(step.text for step in guide.steps)

    assert stays in said
    assert ("turns cooperative" in said) == (before == "range")
