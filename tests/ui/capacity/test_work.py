"""The search of the Consumers page: a first plan early, then all of it, in processes."""

import os
from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st

from evaluation.capacity.draining import Capacity
from evaluation.capacity.planning import Margin
from evaluation.measuring.facts import Source, Speed
from tests.evaluation.capacity.test_trials import hot_first_partitions
from tests.named import named
from ui import workers
from ui.capacity import work
from ui.capacity.inputs import CapacityInputs
from ui.capacity.work import CapacityTrials

LABELS = [strategy.label for strategy in named("roundrobin", "sticky")]
ASKED = CapacityInputs(
    group=hot_first_partitions(12),
    capacity=Capacity(throughput=1000, allowed_s=1.17),
    margin=Margin(headroom_percent=0),
    most=120,
    speed=Speed(1000, Source.STATED),
    assumed="",
)


def trials() -> CapacityTrials:
    roundrobin, sticky = named("roundrobin", "sticky")
    return CapacityTrials(ASKED, (roundrobin, sticky), proposed=sticky)


def planned(search: CapacityTrials) -> dict[str, tuple[int | None, int]]:
    """Return what is planned by strategy, and how many larger numbers were not tried."""
    return {p.strategy.label: (p.consumers, p.untried) for p in search.findings().plans}


def test_the_first_plan_is_that_of_the_proposal_and_the_rest_follows() -> None:
    search = trials()

    search.search(st.empty(), until=0)
    first = planned(search)
    assert not search.is_complete
    search.search(st.empty())

    assert list(first) == LABELS[1:]
    assert first[LABELS[1]][1] > 0
    assert search.is_complete
    assert [untried for _, untried in planned(search).values()] == [0, 0]
    assert trials().is_complete  # for every visitor


def test_numbers_are_tried_outside_the_servers_process(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    run_or_stop: Callable[..., Any] = workers.run_or_stop

    def counted(*arguments: object) -> object:
        asked.append(run_or_stop(os.getpid))
        return run_or_stop(*arguments)

    monkeypatch.setattr(work, "run_or_stop", counted)
    CapacityTrials(ASKED, named("lag-capped", "range")).search(st.empty())

    assert asked
    assert os.getpid() not in asked
