"""The groups of a fleet, opened: their own page never denies what their row proposes."""

from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from math import isinf
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assignors.registry import STRATEGIES
from assistant import tools
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.as_data import as_data
from evaluation.answering.compose import answer_of
from evaluation.answering.fleet_words import fleet_words
from evaluation.answering.of_fleet import Urgency
from evaluation.answering.why_not import WhyNot
from evaluation.judging import JudgeBy, Measure
from evaluation.metrics import total_lag
from evaluation.wording import amount
from pipeline.encoding import decoded
from pipeline.generating.fleet import Request, generate
from pipeline.jobs.options import BY_DEFAULT
from pipeline.replay.replay import replay
from sources.asking import given_of
from sources.fleet.location import SAMPLE
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.snapshot import last_snapshots
from sources.fleet.standing import Standing, standing
from sources.fleet.tables import Fleet
from sources.fleet.totals import as_it_was, latest
from sources.fleet.urgency import ByUrgency, by_urgency_of
from tests.answers import NextRebalance
from tests.fleets import write
from ui.fleet.urgency import list_of
from ui.fleet.words import strategy_label
from ui.picture.fleet_rows import FleetRow

pytestmark = pytest.mark.slow
CLUSTER = "payments-eu"
_FIRST = 8


@cache
def sample() -> Fleet:
    return open_fleet(edition_of(str(SAMPLE)))


@cache
def stood(cluster: str | None = CLUSTER) -> Standing:
    """Return how the groups of the sample stand in one of its clusters, or in all of them."""
    scope = Scope(cluster=cluster)
    return standing(sample(), as_it_was(sample(), scope), scope)


@cache
def opened() -> Mapping[tuple[str, str], Answer]:
    """Return the answer on each of the first groups at its last snapshot."""
    first = stood().ranked.head(_FIRST)
    wanted = {*zip(first["cluster"], first["group_id"], strict=True)}
    last = latest(as_it_was(sample(), Scope()))
    last = last[[key in wanted for key in zip(last["cluster"], last["group_id"], strict=True)]]
    return {
        key: answer_of(given_of(reading), NextRebalance())
        for key, reading in last_snapshots(sample(), last)
    }


def generated(seed: int, groups: int, folder: Path) -> Fleet:
    """Return the tables of an invented fleet, as a run of the pipeline makes them."""
    request = Request(
        groups=groups, snapshots=4, interval=timedelta(minutes=5), rows=100 * groups, seed=seed
    )
    generate(request, folder / "telemetry")
    rows = pq.read_table(folder / "telemetry")
    rows = rows.append_column("file", pa.array([""] * rows.num_rows))
    rows = rows.append_column("bucket", pa.array(np.zeros(rows.num_rows, np.int32)))
    strategies = [STRATEGIES[each] for each in BY_DEFAULT]
    tables = replay(rows, strategies, measure=Measure(by=JudgeBy.WORK)).tables
    written = {name: decoded(table).to_pylist() for name, table in tables.items()}
    shown = {name: written[name] for name in ("partition_lag", "group_member", "group_summary")}
    judged = {"strategies": list(BY_DEFAULT), "judged_by": JudgeBy.WORK.value}
    return open_fleet(edition_of(write(folder / "tables", shown, **judged)))


def denied(fleet: Fleet, found: Standing) -> tuple[int, dict[tuple[str, str], WhyNot | None]]:
    """Return how many switches the rows propose, and which of them their own page refuses."""
    advice = {
        (row["cluster"], row["group_id"]): found.advice(row) for _, row in found.ranked.iterrows()
    }
    proposed = {
        key: each.strategy for key, each in advice.items() if each.is_checked and each.strategy
    }
    last = latest(as_it_was(fleet, Scope()))
    last = last[[key in proposed for key in zip(last["cluster"], last["group_id"], strict=True)]]
    refused = {}
    for key, reading in last_snapshots(fleet, last):
        options = {
            o.strategy.name: o for o in answer_of(given_of(reading)).strategies if o.strategy
        }
        option = options.get(proposed[key])
        if option is None or not option.passes:
            refused[key] = None if option is None else option.why_not
    return len(proposed), refused


_PROPOSING: Final = (1, 3, 4, 5, 6, 7)
"""Seeds of invented fleets of 24 groups in which something is proposed."""


@pytest.mark.proof
def test_no_page_of_a_group_of_the_sample_refuses_what_its_row_proposes() -> None:
    count, refused = denied(sample(), stood(None))

    assert count > 10
    assert refused == {}


@pytest.mark.parametrize(
    ("seed", "groups"),
    [(1, 8), *(pytest.param(seed, 24, marks=pytest.mark.proof) for seed in _PROPOSING)],
)
def test_no_page_of_a_generated_group_refuses_what_its_row_proposes(
    seed: int, groups: int, tmp_path: Path
) -> None:
    fleet = generated(seed, groups, tmp_path)

    count, refused = denied(fleet, standing(fleet, as_it_was(fleet, Scope()), Scope()))

    assert count
    assert refused == {}


def test_a_row_proposes_no_strategy_that_its_group_s_page_calls_endless() -> None:
    endless = {
        key: {
            o.strategy.name for o in a.strategies if o.strategy and o.why_not is WhyNot.NEVER_ENDS
        }
        for key, a in opened().items()
    }
    proposed = stood().ranked.set_index(["cluster", "group_id"])["proposed"].to_dict()

    assert any(endless.values())
    assert not [key for key in endless if proposed[key] in endless[key]]


def test_the_assistant_lists_what_the_page_does_in_its_order() -> None:
    scope = Scope(cluster=CLUSTER)
    recorded = as_it_was(sample(), scope)
    shown = by_urgency_of(stood(), recorded)
    rows = _rows(shown)

    told = tools.rank_fleet(cluster=CLUSTER, most=1_000)

    assert [(each.cluster, each.group) for each in told.ranking] == [
        (row.cluster, row.name) for row in rows
    ]
    assert told.behind == len(shown.verdict.those(Urgency.BEHIND))
    assert told.text.startswith(fleet_words(shown.verdict, sample().measure).headline)
    for each, row in zip(told.ranking, rows, strict=True):
        assert each.lag_records is not None
        assert amount(each.lag_records) == row.behind
        if each.strategy is None:
            assert (each.action is None) == (row.do == "")
        else:
            assert each.action == Action.SWITCH.value
            assert strategy_label(each.strategy) in row.do


@pytest.mark.proof
def test_the_page_of_every_group_of_the_sample_says_the_verdict_and_the_lag_of_its_row() -> None:
    recorded = as_it_was(sample(), Scope())
    found = by_urgency_of(stood(None), recorded)
    rows = {(row.cluster, row.name): row for row in _rows(found)}

    for key, reading in last_snapshots(sample(), latest(recorded)):
        answer, group = answer_of(given_of(reading)), key[1]
        standing_of = next(each for each in found.verdict.groups if each.key == key)
        assert standing_of.verdict is not None, group
        assert answer.verdict.kind is standing_of.verdict.kind, group
        known = total_lag(answer.given.group).known
        assert rows.pop(key).behind == ("unknown" if known is None else amount(known)), group
        if standing_of.urgency <= Urgency.WARNED:
            proposal = answer.proposal
            assert proposal is not None, group
            assert proposal.action is standing_of.advice.action, group
    assert rows == {}


def _rows(found: ByUrgency) -> list[FleetRow]:
    sections = list_of(found, sample().measure).sections
    return [row for section in sections for row in section.rows]


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
