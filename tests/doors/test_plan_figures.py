"""One time, one number: Consumers, Scenarios, slides, report and the answer, on twenty groups."""

import random
from dataclasses import replace
from functools import cache
from typing import Final

import numpy as np
import pytest
import streamlit as st

from assistant.tools import plan_capacity
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.what_if import Asked, WhatIf
from evaluation.wording import duration
from sources.asking import given_of
from tests.doors.texts import Flow, snapshots
from tests.pasted import the_group
from ui.answers import answer_as_read
from ui.capacity import inputs
from ui.capacity.findings import Findings
from ui.capacity.work import CapacityTrials, switch_start
from ui.slides.story import Story, cost_tiles
from ui.what_ifs import figures

_GROUPS: Final = 20
_AT_ONCE: Final = 4
_SMALL: Final = 2
"""Of two consumers, whose restarts take a second to simulate."""
_SEEDS: Final = [
    *range(_AT_ONCE),
    *(pytest.param(seed, marks=pytest.mark.proof) for seed in range(_AT_ONCE, _GROUPS)),
]
_QUICK: Final = [
    seed if seed == _SMALL else pytest.param(seed, marks=pytest.mark.proof)
    for seed in range(_GROUPS)
]
_SPEED: Final = 200.0
"""Records/s that a consumer with a backlog reads in all."""


def flows_of(seed: int) -> list[Flow]:
    """Return up to five consumers with a backlog each, of up to four partitions that are uneven."""
    draw = random.Random(seed)  # noqa: S311 -- groups for a test
    flows = []
    for consumer in range(1, draw.randint(2, 5) + 1):
        partitions = draw.randint(2, 4)
        for _ in range(partitions):
            arriving = draw.choice([5.0, 10.0, 20.0, 45.0, 70.0])
            behind = draw.choice([6_000, 15_000, 40_000])
            read = _SPEED / partitions
            flows.append(Flow(consumer, draw.randint(0, 10**6), behind, arriving, read))
    return flows


@cache
def answered(seed: int) -> Answer:
    return answer_as_read(the_group(snapshots(flows_of(seed), dated=True)))


def found_by_capacity(answer: Answer) -> Findings:
    """Return what Consumers finds for a group, with the strategies that its answer compares."""
    asked = inputs.question_of(answer.given.group, answer.known.facts)
    asked = replace(asked, measure=answer.known.measure)
    runs, proposal = answer.running.strategy, answer.proposal
    chosen = tuple(o.strategy for o in answer.strategies if o.strategy is not None)
    work = CapacityTrials(
        asked,
        chosen,
        switch_start(answer.group, runs, chosen),
        None if proposal is None else proposal.strategy,
    )
    work.search(st.empty())
    return work.findings()


@pytest.mark.parametrize("seed", _SEEDS)
def test_the_time_to_clear_is_one_number_at_every_door(seed: int) -> None:
    answer = answered(seed)
    found, keep, proposal = found_by_capacity(answer), answer.keep, answer.proposal
    switch = WhatIf(strategy=None if proposal is None else proposal.strategy)
    today, then = figures.cells(Asked((WhatIf(), switch)), answer)

    assert keep is not None
    assert found.now is not None
    assert found.now.seconds == keep.ends_s == today.seconds
    if proposal is None or proposal.strategy is None:
        return
    at = found.curve(proposal.strategy).at(found.today)
    tiles = {each.label: each.value for each in cost_tiles(Story(title="t", answer=answer))}
    assert proposal.ends_s is not None
    assert at is not None
    assert at.seconds == proposal.ends_s == then.seconds
    assert tiles["Time to clear the backlog"] == duration(proposal.ends_s)


@pytest.mark.parametrize("seed", _SEEDS)
def test_a_planned_number_of_consumers_is_the_same_group_on_scenarios(seed: int) -> None:
    answer = answered(seed)
    plan = found_by_capacity(answer).plan
    assert plan is not None
    if plan.consumers is None:
        return
    planned = WhatIf(strategy=plan.strategy, consumers=plan.consumers - plan.today)

    (cell,) = figures.cells(Asked((planned,)), answer)

    assert cell.seconds == pytest.approx(plan.ends_s)
    assert np.isfinite(plan.ends_s)


@pytest.mark.parametrize("seed", _QUICK)
def test_an_assistant_plans_with_what_the_answer_proposes_as_the_page_does(seed: int) -> None:
    text = snapshots(flows_of(seed), dated=True)
    proposal = answer_of(given_of(the_group(text))).proposal

    plan = plan_capacity(text).plan

    assert plan is not None
    if proposal is not None and proposal.strategy is not None:
        assert plan.strategy == proposal.strategy.name
