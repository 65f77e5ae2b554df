"""What is said and drawn of groups of other kinds: figures worked out by hand."""

import json
from dataclasses import replace
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from pptx import Presentation

from assignors.connect.cluster import ConnectCluster
from assignors.streams.application import StreamsApplication
from charts.deck.powerpoint import deck_pptx
from evaluation.kinds.board import Role
from evaluation.kinds.choices import choices_of
from evaluation.kinds.forecast import OtherMembers, RoundCause
from evaluation.kinds.size_words import size_words
from evaluation.kinds.stated import (
    BrokerStated,
    ClassicStated,
    ConnectStated,
    KindStated,
    stated_for,
)
from evaluation.kinds.streams_course import balanced_s, probing_of, without_copy
from evaluation.kinds.view import KindView, view_of
from evaluation.kinds.words import size_said
from evaluation.severity import Severity
from evaluation.stated import InvalidNumberError
from sources.text import read_text
from tests.kinds.answered import said_in
from tests.kinds.texts import CLASSIC, SHARE, STREAMS, TOPOLOGY, A, B, P, Q, rest
from tests.said import figures_in, lacks
from ui.kinds.drawn import picture_of
from ui.kinds.page import leavers_of
from ui.kinds.report import kind_report
from ui.kinds.slides import deck_of
from ui.picture.model import BlockChart, FactTable

OFFSETS = """
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET OFFSET-LAG
shop orders 0 5 12 7
shop orders 1 5 5 0
shop orders 2 5 5 0
shop orders 3 5 5 0
shop orders 4 5 5 0
shop orders 5 5 5 0
shop shop-by-letter-repartition 0 5 8 3
shop shop-by-letter-repartition 1 5 5 0
shop shop-by-letter-repartition 2 5 5 0
shop shop-by-letter-repartition 3 5 5 0
"""


def _view(text: str, what: OtherMembers | None = None, said: KindStated | None = None) -> KindView:
    (reading,) = read_text(text)
    assert reading.as_kind is not None
    return view_of(reading.as_kind, reading.group, said, what or OtherMembers())


def test_threads_stand_by_instance_with_tasks_copies_and_lag() -> None:
    view = _view(STREAMS + OFFSETS + TOPOLOGY)

    first = view.now.holders[0]
    assert (first.home, first.label) == (P[:8], "thread-1")
    assert [(each.name, each.role) for each in first.blocks] == [
        ("0_1", Role.STATELESS),
        ("0_5", Role.STATELESS),
        ("1_3", Role.STATEFUL),
        ("2_3", Role.STATEFUL),
        ("1_0", Role.STANDBY),
        ("2_0", Role.STANDBY),
    ]
    assert view.now.counts() == {P[:8]: 7, Q[:8]: 7}
    assert {each.name: each.behind for each in view.now.parts} == {"0": 7, "1": 3, "2": None}
    blocks = [block for each in view.now.holders for block in each.blocks]
    assert sum(each.behind or 0 for each in blocks if each.part == "0") == 7
    assert {each.behind for each in blocks if each.is_copy or each.part == "2"} == {None}
    assert size_said(view) == ["2 instances", "4 threads", "3 sub-topologies", "14 tasks"]


def test_copies_that_stand_on_the_other_instance_take_over_when_one_is_lost() -> None:
    view = _view(STREAMS, OtherMembers(without=(Q,)))

    words = said_in(view)
    assert len(view.moved) == 7
    assert without_copy(view) == []
    assert view.then.counts() == {P[:8]: 14}
    assert words.severity is Severity.FINE
    assert not lacks(words.finding, f"{Q[:8]}", "7 tasks")


def test_without_copies_what_has_state_stands_still_as_long_as_it_restores() -> None:
    bare = "\n".join(line.partition("STANDBY")[0] for line in STREAMS.splitlines())
    stated = BrokerStated(changelog=600_000, restore_per_s=1_000.0)
    view = _view(bare + "\n" + TOPOLOGY, OtherMembers(without=(Q,)), stated)

    words = said_in(view)
    assert {"1_0", "1_2"} <= set(without_copy(view))
    assert view.restore_s == 600
    assert "10 min" in words.evidence
    assert words.severity is Severity.WARNING
    assert words.advice[0].setting == "streams.num.standby.replicas"
    assert said_in(_view(bare + "\n" + TOPOLOGY)).advice[0].is_for_now


def test_an_instance_more_warms_up_by_rounds_and_settings_shorten_it() -> None:
    more = OtherMembers(more=1)
    usual = _view(CLASSIC + TOPOLOGY, more)
    wide = _view(CLASSIC + TOPOLOGY, more, ClassicStated(warmups=3))
    quick = _view(CLASSIC + TOPOLOGY, more, ClassicStated(probing_min=1))
    slow = _view(CLASSIC + TOPOLOGY, more, ClassicStated(changelog=900_000, restore_per_s=1_000.0))
    small = _view(CLASSIC + TOPOLOGY, more, ClassicStated(changelog=10_000))

    assert [stage.cause for stage in usual.found.stages].count(RoundCause.PROBING) == 2
    assert (probing_of(usual), balanced_s(usual)) == (2, 1200)
    assert (probing_of(wide), balanced_s(wide)) == (1, 600)
    assert balanced_s(quick) == 120
    assert balanced_s(slow) == (3 + 2) * 600  # two copies take 30 min, then one 15 min
    assert probing_of(small) == 0  # behind by no more than acceptable.recovery.lag
    advice = {each.setting: each for each in said_in(usual).advice}
    assert advice["max.warmup.replicas"].value == "3"
    assert advice["probing.rebalance.interval.ms"].value == "60000"


def test_threads_more_in_every_instance_are_named_as_streams_names_them() -> None:
    view = _view(CLASSIC + TOPOLOGY, OtherMembers(threads=2))

    group = view.group
    assert isinstance(group, StreamsApplication)
    assert [each.label for each in view.then.holders] == [f"thread-{n}" for n in (1, 2, 3, 4)]
    assert sorted(len(each.runs) for each in view.then.holders) == [3, 3, 3, 3]


def test_new_threads_of_a_broker_side_application_are_called_by_their_instance() -> None:
    threads, instances = (
        _view(STREAMS + OFFSETS + TOPOLOGY, what)
        for what in (OtherMembers(threads=1), OtherMembers(more=1))
    )

    there = {each.label for each in threads.now.holders}
    new = {each.label for each in threads.then.holders} - there
    assert new == {"new thread 1"}
    by_home = {(each.home, each.label) for each in instances.then.holders}
    assert ("new-1", "thread-1") in by_home


def test_threads_beyond_the_tasks_run_nothing_and_are_said_to() -> None:
    view = _view(STREAMS, OtherMembers(threads=6))

    assert sum(not each.runs for each in view.then.holders) == 2
    words = said_in(view)
    assert words.severity is Severity.WARNING
    assert not lacks(words.evidence, "2 threads")


def test_a_lost_worker_is_noticed_waited_for_and_replaced_and_a_leader_is_not_waited_for() -> None:
    text = rest(sink=[A, A, B], source=[B, A])
    lost = _view(text, OtherMembers(without=(B,)), ConnectStated(max_delay_s=20))
    leader = _view(text, OtherMembers(without=(B,), is_leader=True))

    assert [(stage.cause, stage.at_s) for stage in lost.found.stages] == [
        (RoundCause.CHANGE, 0),
        (RoundCause.DELAY, 20),
    ]
    assert "30 s" in said_in(lost).finding  # 10 s until its session ends
    assert [stage.at_s for stage in leader.found.stages] == [0]
    assert "10 s" in said_in(leader).finding
    gone = next(each for each in lost.at_once.holders if each.is_gone)
    assert [each.name for each in gone.runs] == ["source", "sink-1"]


@pytest.mark.parametrize(
    ("text", "who", "still"),
    [
        (CLASSIC + TOPOLOGY, P, "12 tasks"),
        (rest(sink=[A, A]), A, "1 task"),
        (SHARE, "every consumer", "11 partitions"),
    ],
)
def test_where_the_only_one_leaves_nobody_is_left(text: str, who: str, still: str) -> None:
    everybody = tuple(each.id for each in _view(SHARE).now.holders)

    gone = _view(text, OtherMembers(without=everybody if who == "every consumer" else (who,)))

    words = said_in(gone)
    assert words.severity is Severity.ALARM
    assert still in words.finding
    assert picture_of(gone, gone.then).chart is not None


def test_tasks_that_nobody_runs_are_an_alarm() -> None:
    words = said_in(_view(rest(sink=[A, A, B, ""])))

    assert words.severity is Severity.ALARM
    assert "1 of 3 tasks" in words.finding
    assert "sink-2" in words.finding


def test_rest_that_lists_a_dead_worker_s_tasks_as_running_is_the_source_of_that() -> None:
    text = rest(sink=[A, A, B])
    listed = _view(text)
    assert isinstance(listed.group, ConnectCluster)

    assert not lacks(said_in(listed).finding, "REST")
    known = view_of(replace(listed.group, is_as_reported=True), listed.read)
    assert not lacks(said_in(known).finding, "2", "2 workers")


def test_a_connector_whose_tasks_clump_is_named() -> None:
    even = said_in(_view(rest(a=[A, A, B], b=[B, A, B])))
    clumped = said_in(_view(rest(a=[A, A, A], b=[B, B, B])))

    assert "even" in even.evidence
    assert not lacks(clumped.evidence, "2", "2 tasks")


def test_a_share_group_answers_whether_a_queue_beats_more_partitions() -> None:
    now, many = said_in(_view(SHARE)), said_in(_view(SHARE, OtherMembers(more=20)))

    assert figures_in(now.finding) == ["2", "11", "6", "5"]
    assert not lacks(now.evidence, "11 consumers")
    assert figures_in(many.finding) == ["20", "2"]
    assert "11 of 22 idle" in many.evidence


@pytest.mark.parametrize("text", [STREAMS, CLASSIC + TOPOLOGY, SHARE, rest(sink=[A, A])])
def test_what_is_out_of_bounds_is_refused(text: str) -> None:
    (reading,) = read_text(text)
    assert reading.as_kind is not None

    with pytest.raises(InvalidNumberError, match="that join"):
        stated_for(reading.as_kind)(more=1_001)


def test_sizes_stand_side_by_side() -> None:
    view = _view(rest(sink=[A, A, B], source=[B, A]))

    rows = {each.label: each for each in choices_of(view, [(B, B)])}

    assert rows["As it is"].moved == 0
    assert rows[f"Without {B}"].still == 1  # sink-1; source-0 runs on the other
    assert rows[f"Without {B}"].rest_s == 300
    assert rows["One more worker"].spread == "1 on each"
    assert rows["2 more workers"].idle == 1  # three tasks, four workers; connectors stay


@pytest.mark.parametrize(
    ("text", "said", "severity"),
    [
        (CLASSIC + TOPOLOGY, "12 tasks keep at most 12 threads busy; 2 of 2", Severity.FINE),
        (STREAMS, "After the loss of any one, every task runs again at once.", Severity.FINE),
        (SHARE, "any more read, beyond 11 several to a partition", Severity.FINE),
        (
            rest(sink=[A, A, B], source=[B, A]),
            f"Without {A}, 2 tasks stand still for 5 min 10 s.",
            Severity.WARNING,
        ),
    ],
)
def test_sizes_tell_the_bound_and_the_worst_loss(text: str, said: str, severity: Severity) -> None:
    view = _view(text)

    words = size_words(view, choices_of(view, leavers_of(view)))

    assert said in f"{words.finding} {words.evidence}"
    assert words.severity is severity


def test_a_loss_that_stops_tasks_is_answered_by_a_copy() -> None:
    bare = "\n".join(line.partition("STANDBY")[0] for line in STREAMS.splitlines())
    view = _view(bare + "\n" + TOPOLOGY)

    words = size_words(view, choices_of(view, leavers_of(view)))

    assert words.severity is Severity.WARNING
    assert "streams.num.standby.replicas" in words.action


def test_the_report_has_the_answer_the_rounds_and_the_settings() -> None:
    page = kind_report(
        view := _view(CLASSIC + TOPOLOGY, OtherMembers(more=1)),
        said_in(view),
        "shop",
        date(2026, 1, 2),
    )

    assert "With one more instance" in page
    assert "20 min" in page
    assert "max.warmup.replicas" in page
    assert "Round by round" in page
    assert "02 January 2026" in page


def test_failed_tasks_are_the_verdict_with_their_error_and_what_restarts_them() -> None:
    found = json.loads(rest(sink=[A, A, B, A], source=[B, A]))
    trace = (
        "org.apache.kafka.connect.errors.ConnectException: disk full\n\tat Sink.put(Sink.java:9)"
    )
    for number in (0, 2):
        found["sink"]["status"]["tasks"][number] |= {"state": "FAILED", "trace": trace}

    words = said_in(_view(json.dumps(found)))

    assert words.severity is Severity.ALARM
    assert figures_in(words.finding) == ["2", "4", "sink-0", "sink-2"]
    assert not lacks(words.evidence, "ConnectException")
    assert "/connectors/sink/restart?includeTasks=true&onlyFailed=true" in words.action
    view = _view(json.dumps(found))
    chart = picture_of(view, view.now).chart
    assert isinstance(chart, BlockChart)
    blocks = [block for row in chart.rows for block in row.blocks]
    lost = [block.label for block in blocks if block.kind == "lost"]
    assert lost == ["sink-0 failed", "sink-2 failed"]


def test_consumers_of_a_share_group_s_partitions_are_told_as_a_number_or_a_range() -> None:
    view = _view(SHARE.replace("events:1,2,4,6", "events:0,1,2,4,6"))

    table = picture_of(view, view.now).beside

    assert isinstance(table, FactTable)
    assert [row[2] for row in table.rows] == ["1–2", "1"]


def test_a_connector_that_failed_itself_is_no_task() -> None:
    found = json.loads(rest(sink=[A, A, B]))
    found["sink"]["status"]["connector"]["state"] = "FAILED"

    words = said_in(_view(json.dumps(found)))

    assert (words.severity, words.finding) == (Severity.ALARM, "A connector failed: sink.")


def test_what_failed_is_told_before_what_waits_and_that_before_what_is_paused() -> None:
    found = json.loads(rest(sink=[A, A, B, ""], source=[B, A]))
    found["source"]["status"]["tasks"][0]["state"] = "PAUSED"
    paused_and_waiting = json.dumps(found)
    found["sink"]["status"]["tasks"][1]["state"] = "FAILED"

    all_three, two = (said_in(_view(each)) for each in (json.dumps(found), paused_and_waiting))

    assert (all_three.severity, two.severity) == (Severity.ALARM, Severity.ALARM)
    assert figures_in(all_three.finding) == ["1", "4", "sink-1"]
    assert not lacks(all_three.evidence, "sink-2", "source-0")
    assert "onlyFailed=true" in all_three.action
    assert figures_in(two.finding) == ["1", "4", "sink-2"]
    assert not lacks(two.evidence, "source-0")


def test_paused_tasks_are_not_said_to_run() -> None:
    found = json.loads(rest(sink=[A, A, B]))
    for task in found["sink"]["status"]["tasks"]:
        task["state"] = "PAUSED"
    view = _view(json.dumps(found))

    words = said_in(view)

    assert words.severity is Severity.ADVICE
    assert figures_in(words.finding) == ["2", "2", "sink-0", "sink-1"]
    assert "/connectors/sink/resume" in words.action
    chart = picture_of(view, view.now).chart
    assert isinstance(chart, BlockChart)
    labels = [block.label for row in chart.rows for block in row.blocks]
    assert [label for label in labels if "paused" in label] == ["sink-0 paused", "sink-1 paused"]


CONNECTORS = rest(sink=[A, A, B], source=[B, A])


@pytest.mark.parametrize(
    ("text", "has_advice"), [(STREAMS, False), (SHARE, True), (CONNECTORS, True)]
)
def test_slides_tell_finding_loss_sizes_and_settings(text: str, *, has_advice: bool) -> None:
    view = _view(text)

    deck = deck_of(view, said_in(view), leavers_of(view), "shop", "26 November 2026")

    names = ["Finding", "A loss", "Sizes", *["Settings"] * has_advice]
    assert [slide.name for slide in deck.slides] == names
    now, lost = deck.slides[0], deck.slides[1]
    assert now.title == said_in(view).finding
    assert now.chart is not None
    assert now.chart.states[0].heights == tuple(view.now.counts().values())
    assert lost.chart is not None
    assert [state.label for state in lost.chart.states] == ["Now", "At rest again"]
    assert sum(lost.chart.states[1].heights) == sum(lost.chart.states[0].heights)
    assert 0 in lost.chart.states[1].heights


@pytest.mark.parametrize("text", [STREAMS, SHARE, CONNECTORS])
def test_powerpoint_has_the_same_slides_with_native_charts(text: str) -> None:
    view = _view(text)
    deck = deck_of(view, said_in(view), leavers_of(view), "shop", "26 November 2026")

    shown = list(Presentation(BytesIO(deck_pptx(deck))).slides)

    titles: list[Any] = [each.shapes.title for each in shown]
    assert [title.text for title in titles] == [slide.title for slide in deck.slides]
    drawn: list[Any] = [shape for shape in shown[0].shapes if shape.has_chart]
    (series,) = drawn[0].chart.plots[0].series
    assert tuple(series.values) == tuple(view.now.counts().values())
