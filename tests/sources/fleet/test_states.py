"""What groups are at their last snapshots: kinds, verdicts, ends, and what the rule refuses."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from assignors.kinds import GroupKind
from evaluation.answering.actions import Action
from evaluation.answering.compose import answer_of
from evaluation.answering.of_fleet import Advice
from evaluation.answering.verdicts import Verdict
from evaluation.answering.why_not import WhyNot
from evaluation.verdict_kinds import VerdictKind
from schemas.tables import AS_IT_WAS
from sources.asking import given_of
from sources.fleet.kinds import other_kinds, without
from sources.fleet.location import SAMPLE
from sources.fleet.ranking import ranking
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.snapshot import snapshot
from sources.fleet.standing import Standing, own_advice, standing
from sources.fleet.states import LOOKED_AT, MOST_PARTITIONS, State, looked_at
from sources.fleet.tables import Fleet
from sources.fleet.totals import as_it_was, latest
from tests.evaluation.test_running import IDS
from tests.fleets import TIMES, quiet, small, summaries, write


@pytest.fixture(scope="module")
def sample() -> Fleet:
    return open_fleet(edition_of(str(SAMPLE)))


def stood(fleet: Fleet, scope: Scope) -> Standing:
    return standing(fleet, as_it_was(fleet, scope), scope)


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


def test_a_group_that_spark_named_is_told_by_its_name(tmp_path: Path) -> None:
    tables = {
        name: [
            {**row, "group_id": "spark-executor-mails"} if row.get("group_id") == "mails" else row
            for row in rows
        ]
        for name, rows in small().items()
    }
    fleet = open_fleet(edition_of(write(tmp_path / "fleet", tables)))

    found = other_kinds(fleet, as_it_was(fleet, Scope()))

    assert dict(zip(found["group_id"], found["kind"], strict=True)) == {
        "spark-executor-mails": GroupKind.SPARK
    }


@pytest.mark.proof
def test_a_state_is_the_verdict_of_the_groups_own_page(sample: Fleet) -> None:
    last = latest(as_it_was(sample, Scope())).set_index(["cluster", "group_id"])["snapshot_at"]
    states = stood(sample, Scope()).states
    alarms = {key: state for key, state in states.items() if state.is_alarm}

    for key, state in alarms.items():
        answer = answer_of(given_of(snapshot(sample, *key, last[key].to_pydatetime())))
        assert answer.verdict.kind is state.verdict.kind
        assert answer.keep is not None
        same = np.nan if answer.keep.ends_s is None else answer.keep.ends_s
        np.testing.assert_equal(state.ends_s, same)
        assert answer.proposal is not None
        assert answer.proposal.action is state.action
    assert {state.verdict.kind for state in alarms.values()} == {
        VerdictKind.TOO_HOT,
        VerdictKind.STUCK_RECORD,
        VerdictKind.MORE_ARRIVES,
        VerdictKind.NEVER_CATCHES_UP,
        VerdictKind.CLEARS_SLOWLY,
    }


def test_what_is_refused_is_neither_best_nor_proposed(sample: Fleet) -> None:
    found = stood(sample, Scope(cluster="analytics-us"))

    rows = found.ranked.set_index(["cluster", "group_id"])

    assert rows["rank"].tolist() == [*range(1, len(rows) + 1)]
    assert sorted(rows.index) == sorted(found.states)
    for key, state in found.states.items():
        assert state.refused.keys().isdisjoint([rows["strategy"][key], rows["proposed"][key]])
    hopeless = found.states["analytics-us", "clickstream-sessions"]
    assert {*hopeless.refused.values()} == {WhyNot.CAUSE_STANDS}
    assert hopeless.refused.keys() == {*sample.run["strategies"]}
    assert rows["reason"]["analytics-us", "clickstream-sessions"] == "refused"
    assert rows["setting_gain_load"].is_monotonic_decreasing


def test_a_group_of_brokers_obeys_no_setting_of_its_clients(tmp_path: Path) -> None:
    ids = dict(zip(("c0", "c1", "c2"), IDS, strict=True))
    loads = {AS_IT_WAS: 900, "range": 900, "server-range": 300}
    tables = {
        **{
            table: [{**row, "member_id": ids.get(row["member_id"])} for row in rows]
            for table, rows in quiet().items()
            if table in {"partition_lag", "group_member"}
        },
        "group_summary": [*summaries("prod", "orders", loads)],
    }
    fleet = open_fleet(edition_of(write(tmp_path / "fleet", {**quiet(), **tables})))

    state = stood(fleet, Scope()).states["prod", "orders"]

    assert state.runs == "uniform-kafka-18688"
    assert state.refused["range"] is WhyNot.UNFOUNDED
    assert "server-range" not in state.refused


def test_the_next_best_takes_the_place_of_what_is_refused(tmp_path: Path) -> None:
    fleet = open_fleet(edition_of(write(tmp_path / "fleet", small())))
    before = ranking(fleet, Scope()).set_index("group_id")

    found = ranking(fleet, Scope(), {("test", "mails", "range"), ("test", "gone", "range")})
    none = ranking(fleet, Scope(), {("test", "mails", n) for n in ("range", "roundrobin")})

    mails = found.set_index("group_id").loc["mails"]
    assert (mails["strategy"], mails["proposed"], mails["reason"]) == ("roundrobin",) * 2 + (
        "gains",
    )
    assert mails["gain_load"] == pytest.approx(11)
    assert none.set_index("group_id")["reason"]["mails"] == "refused"
    for name in ("strategy", "gain_load", "setting", "setting_gain_share", "moves"):
        for each in (found, none):
            assert each.set_index("group_id")[name]["orders"] == before[name]["orders"]


def test_what_a_setting_brings_ranks_before_what_needs_a_jar(tmp_path: Path) -> None:
    even = {AS_IT_WAS: 900, "range": 900, "load-sticky": 900}
    rows = [
        *summaries("c", "jar", {**even, "load-sticky": 100}),
        *summaries("c", "both", {AS_IT_WAS: 400, "range": 300, "load-sticky": 100}),
        *summaries("c", "none", even),
    ]
    fleet = open_fleet(edition_of(write(tmp_path / "fleet", {**small(), "group_summary": rows})))

    found = ranking(fleet, Scope())

    assert found["group_id"].tolist() == ["both", "jar", "none"]
    assert found["rank"].tolist() == [1, 2, 3]
    assert found["strategy"].tolist() == ["load-sticky", "load-sticky", AS_IT_WAS]
    assert found["proposed"].tolist() == ["range", "load-sticky", AS_IT_WAS]
    assert found["setting"].tolist() == ["range", AS_IT_WAS, AS_IT_WAS]
    np.testing.assert_allclose(found["setting_gain_share"], [0.25, 0, 0])


def test_less_than_five_percent_off_the_busiest_is_no_gain(tmp_path: Path) -> None:
    rows = [
        *summaries("prod", "orders", {AS_IT_WAS: 1_000, "range": 951}),
        *summaries("prod", "audit", {AS_IT_WAS: 1_000, "range": 950}),
    ]
    fleet = open_fleet(edition_of(write(tmp_path / "fleet", {**small(), "group_summary": rows})))

    found = ranking(fleet, Scope()).set_index("group_id")

    assert found["strategy"].to_dict() == {"orders": AS_IT_WAS, "audit": "range"}


def test_beyond_the_groups_looked_at_a_gain_is_open_to_check_and_no_proposal(
    tmp_path: Path,
) -> None:
    loads = {AS_IT_WAS: 900, "range": 900, "roundrobin": 300}
    more = [row for k in range(LOOKED_AT) for row in summaries("prod", f"g{k}", loads)]
    tables = small()
    folder = write(
        tmp_path / "fleet",
        {
            **quiet(),
            "group_summary": [
                *({**row, "total_load": 10**6} for row in more),
                *tables["group_summary"],
            ],
        },
    )
    fleet = open_fleet(edition_of(folder))

    found = stood(fleet, Scope())
    advice = {row["group_id"]: found.advice(row) for _, row in found.ranked.iterrows()}

    assert found.states == {}  # of those with most load the tables have no partitions
    assert advice["orders"] == Advice(action=Action.SWITCH, strategy="roundrobin", is_checked=False)
    assert advice["audit"] == Advice(is_checked=False)


def test_groups_are_looked_at_by_load_as_far_as_their_partitions_allow() -> None:
    half = MOST_PARTITIONS // 2
    partitions = {"third": half, "second": half + 1, "first": half, "fourth": 1}
    loads = {"first": 9, "second": 8, "third": 7, "fourth": 6}
    rows = pd.DataFrame(
        [
            {"cluster": "prod", "group_id": name, "total_load": loads[name], "partitions": count}
            for name, count in partitions.items()
        ]
    )

    found = looked_at(rows)

    assert found["group_id"].tolist() == ["first", "third"]


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


def test_what_tells_more_of_a_group_is_proposed_where_too_little_is_known() -> None:
    def seen(kind: VerdictKind, action: Action) -> State:
        return State(
            verdict=Verdict(kind=kind),
            action=action,
            strategy=None,
            runs=None,
            ends_s=math.nan,
            refused={},
            figures={},
        )

    unknown = seen(VerdictKind.TOO_LITTLE_KNOWN, Action.ADD_SNAPSHOT)
    fine = seen(VerdictKind.CATCHING_UP, Action.WAIT)

    assert own_advice(unknown) == Advice(action=Action.ADD_SNAPSHOT)
    assert own_advice(fine) == Advice()
    assert own_advice(None) == Advice(is_checked=False)
