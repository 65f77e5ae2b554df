"""The first groups of a fleet, opened: their own page never denies what their row proposes."""

from collections.abc import Mapping
from functools import cache
from math import isinf

import pytest

from evaluation.answering.answer import Answer
from evaluation.answering.as_data import as_data
from evaluation.answering.compose import answer_of
from evaluation.answering.options import WhyNot
from schemas.tables import AS_IT_WAS
from sources.asking import given_of
from sources.fleet.location import SAMPLE
from sources.fleet.ranking import ranking, without_refused
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.snapshot import last_snapshots
from sources.fleet.states import refusals, states
from sources.fleet.totals import as_it_was, latest
from tests.answers import NextRebalance

pytestmark = pytest.mark.slow
_FIRST = 8


@cache
def rows() -> Mapping[tuple[str, str], str]:
    """Return the strategy that each of the first rows proposes."""
    fleet = open_fleet(edition_of(str(SAMPLE)))
    told = states(fleet, as_it_was(fleet, Scope()), fleet.run["strategies"])
    held = without_refused(fleet, Scope(), ranking(fleet, Scope()), refusals(told))
    first = held.sort_values("rank").head(_FIRST)
    return {
        (cluster, group): strategy
        for cluster, group, strategy in first[["cluster", "group_id", "strategy"]].itertuples(
            index=False
        )
    }


@cache
def opened() -> Mapping[tuple[str, str], Answer]:
    """Return the answer on each of those groups at its last snapshot."""
    fleet = open_fleet(edition_of(str(SAMPLE)))
    last = latest(as_it_was(fleet, Scope()))
    wanted = last[[key in rows() for key in zip(last["cluster"], last["group_id"], strict=True)]]
    return {
        key: answer_of(given_of(reading), NextRebalance())
        for key, reading in last_snapshots(fleet, wanted)
    }


def test_a_row_proposes_no_strategy_that_its_group_s_page_calls_endless() -> None:
    proposed = {key: strategy for key, strategy in rows().items() if strategy != AS_IT_WAS}

    endless = {
        key: {
            o.strategy.name for o in a.strategies if o.strategy and o.why_not is WhyNot.NEVER_ENDS
        }
        for key, a in opened().items()
    }

    assert proposed
    assert any(endless.values())
    assert not [key for key, strategy in proposed.items() if strategy in endless[key]]


def test_no_proposal_leaves_a_backlog_that_never_ends() -> None:
    switches = [a for a in opened().values() if a.proposal and a.proposal.strategy]

    assert switches
    for answer in switches:
        assert answer.proposal is not None
        assert answer.proposal.ends_s is None or not isinf(answer.proposal.ends_s)


@pytest.mark.parametrize("place", range(_FIRST))
def test_what_arrives_is_one_figure(place: int) -> None:
    answer = [*opened().values()][place]

    told = as_data(answer)["facts"]

    assert isinstance(told, dict)
    assert told["arriving_per_s"] == pytest.approx(answer.known.facts.total_arriving, abs=1e-3)
    assert answer.known.times.produced is not None
    assert answer.known.facts.total_arriving == pytest.approx(answer.known.times.produced.sum())
