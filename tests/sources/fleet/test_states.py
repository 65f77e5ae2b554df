"""What groups are at their last snapshots: kinds, verdicts, ends, and what the rule refuses."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from assignors.kinds import GroupKind
from evaluation.answering.compose import answer_of
from evaluation.answering.options import WhyNot
from evaluation.answering.verdicts import VerdictKind
from schemas.tables import AS_IT_WAS
from sources.asking import given_of
from sources.fleet.kinds import other_kinds, without
from sources.fleet.location import SAMPLE
from sources.fleet.ranking import ranking, settings_first, without_refused
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.snapshot import snapshot
from sources.fleet.states import State, refusals, states
from sources.fleet.tables import Fleet
from sources.fleet.totals import as_it_was, latest
from tests.fleets import TIMES, recommendation, small, write


@pytest.fixture(scope="module")
def sample() -> Fleet:
    return open_fleet(edition_of(str(SAMPLE)))


@pytest.fixture(scope="module")
def told(sample: Fleet) -> dict[tuple[str, str], State]:
    return states(sample, as_it_was(sample, Scope()), sample.run["strategies"])


def test_streams_applications_and_groups_that_never_had_a_member_are_told(tmp_path: Path) -> None:
    tables = small()
    members = [{**row} for row in tables["group_member"]]
    for row in members:  # at the last snapshot, a Streams application
        if row["snapshot_at"] == TIMES[-1]:
            row["client_id"] = f"shop-1a-StreamThread-{row['member_id'][1]}-consumer"
    summaries = [
        {**row, "members": 0} if row["group_id"] == "audit" else row
        for row in tables["group_summary"]
    ]
    changed = {**tables, "group_member": members, "group_summary": summaries}
    fleet = open_fleet(edition_of(write(tmp_path / "fleet", changed)))
    rows = as_it_was(fleet, Scope())

    found = other_kinds(fleet, rows)
    before = other_kinds(fleet, rows[rows["snapshot_at"] < TIMES[-1]])

    assert dict(zip(found["group_id"], found["kind"], strict=True)) == {
        "orders": GroupKind.STREAMS,
        "audit": GroupKind.OFFSETS,
    }
    assert before["group_id"].tolist() == ["audit"]
    assert without(ranking(fleet, Scope()), found)["group_id"].tolist() == ["mails"]


@pytest.mark.proof
def test_a_state_is_the_verdict_of_the_groups_own_page(
    sample: Fleet, told: dict[tuple[str, str], State]
) -> None:
    last = latest(as_it_was(sample, Scope())).set_index(["cluster", "group_id"])["snapshot_at"]
    alarms = {key: state for key, state in told.items() if state.is_alarm}

    for key, state in alarms.items():
        answer = answer_of(given_of(snapshot(sample, *key, last[key].to_pydatetime())))
        assert answer.verdict.kind is state.kind
        assert answer.keep is not None
        same = np.nan if answer.keep.ends_s is None else answer.keep.ends_s
        np.testing.assert_equal(state.ends_s, same)
        never = {
            o.strategy.name
            for o in answer.strategies
            if o.strategy and o.why_not is WhyNot.NEVER_ENDS
        }
        assert never & {*sample.run["strategies"]} <= state.refused
    assert {state.kind for state in alarms.values()} == {
        VerdictKind.TOO_HOT,
        VerdictKind.STUCK_RECORD,
        VerdictKind.MORE_ARRIVES,
        VerdictKind.NEVER_CATCHES_UP,
    }


def test_what_ends_no_backlog_is_not_ranked_best(
    sample: Fleet, told: dict[tuple[str, str], State]
) -> None:
    ranked = ranking(sample, Scope())

    held = without_refused(sample, Scope(), ranked, refusals(told))

    strategy = held.set_index(["cluster", "group_id"])["strategy"]
    assert held["rank"].tolist() == [*range(1, len(ranked) + 1)]
    assert sorted(held["group_id"]) == sorted(ranked["group_id"])
    assert not [key for key, state in told.items() if strategy[key] in state.refused]
    never = told["analytics-us", "clickstream-sessions"]
    assert never.refused == {*sample.run["strategies"]}
    assert strategy["analytics-us", "clickstream-sessions"] == AS_IT_WAS
    assert strategy["payments-eu", "fraud-scorer"] == "load-sticky"
    assert held["gain_load"].is_monotonic_decreasing


def test_the_next_best_takes_the_place_of_what_is_refused(tmp_path: Path) -> None:
    fleet = open_fleet(edition_of(write(tmp_path / "fleet", small())))
    ranked = ranking(fleet, Scope())

    held = without_refused(fleet, Scope(), ranked, {("test", "mails", "range")})

    found, before = (
        {row["group_id"]: row for row in each.to_dict("records")} for each in (held, ranked)
    )
    assert found["mails"]["strategy"] == "roundrobin"
    assert found["mails"]["gain_load"] == pytest.approx(11)
    np.testing.assert_equal(found["orders"], before["orders"])


def test_what_a_setting_brings_ranks_before_what_needs_a_jar() -> None:
    best = pd.DataFrame(
        [
            recommendation(1, "c", "jar", "load-sticky", 900.0, 100.0),
            recommendation(2, "c", "both", "load-sticky", 400.0, 100.0),
            recommendation(3, "c", "none", AS_IT_WAS, 50.0, 50.0),
        ]
    )
    by_setting = pd.DataFrame(
        [
            recommendation(1, "c", "both", "range", 400.0, 300.0),
            recommendation(2, "c", "jar", AS_IT_WAS, 900.0, 900.0),
            recommendation(3, "c", "none", AS_IT_WAS, 50.0, 50.0),
        ]
    )

    found = settings_first(best, by_setting)

    assert found["group_id"].tolist() == ["both", "jar", "none"]
    assert found["rank"].tolist() == [1, 2, 3]


def test_tables_of_an_earlier_release_propose_nothing_below_five_percent(tmp_path: Path) -> None:
    rows = [
        recommendation(1, "prod", "orders", "range", 1000.0, 951.0),
        recommendation(2, "prod", "audit", "range", 100.0, 95.0),
    ]
    tables = {**small(), "recommendation": rows}
    fleet = open_fleet(edition_of(write(tmp_path / "fleet", tables)))

    found = ranking(fleet, Scope()).set_index("group_id")

    assert found["strategy"].to_dict() == {"orders": AS_IT_WAS, "audit": "range"}
    assert found["gain_load"].to_dict() == {"orders": 0, "audit": 5}


def test_kinds_that_the_tables_name_come_before_what_ids_give_away(tmp_path: Path) -> None:
    kinds = {"orders": "share", "mails": "consumer", "audit": "of-another-release"}
    summaries = [
        {**row, "kind": kinds[row["group_id"]], "members": 0} for row in small()["group_summary"]
    ]
    fleet = open_fleet(
        edition_of(write(tmp_path / "fleet", {**small(), "group_summary": summaries}))
    )

    found = other_kinds(fleet, as_it_was(fleet, Scope()))

    assert dict(zip(found["group_id"], found["kind"], strict=True)) == {
        "orders": GroupKind.SHARE,
        "audit": GroupKind.OFFSETS,
    }
    assert snapshot(fleet, "prod", "orders", TIMES[-1]).kind is GroupKind.SHARE
