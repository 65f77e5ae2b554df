"""The simulation of restarts and drifting rates, and the comparison with the optimum."""

import json
from pathlib import Path

import numpy as np
import pytest

from assignors.model import Group
from benchmarks import optimum, simulation

_ROOT = Path(__file__).parent.parent.parent


def test_the_rules_have_the_table_of_the_stored_figures() -> None:
    stored = json.loads((_ROOT / "sample_data" / "simulation.json").read_text())

    assert simulation.table(stored, 0.75) in (_ROOT / "docs" / "load-sticky.md").read_text()


@pytest.mark.slow
def test_the_first_history_is_told_as_it_was_and_load_sticky_keeps_up_best() -> None:
    by_name = {
        contestant.name: simulation.simulated(contestant, seed=0, busy=0.75)
        for contestant in simulation.CONTESTANTS
        if contestant.name in {"cooperative-sticky", "load-sticky by lag + arrivals of 5 min"}
    }

    sticky, ours = by_name.values()
    assert ours.worst_s < sticky.worst_s / 2
    assert ours.above < 0.01


def test_brute_force_finds_the_least_load_for_each_number_of_moves() -> None:
    group = Group.fresh({"t": 3}, ["c0", "c1"], {"t": [5, 3, 1]})
    group = group.owned_by(np.array([0, 0, 0], np.int32))

    assert optimum.best_by_moves(group).tolist() == [12, 6, 6, 6]
    assert optimum.ratio(group, 1, optimum.best_by_moves(group)) == 1
