"""Six things that planning and presenting once said wrongly, a test each."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from assignors.model import Group
from assignors.registry import STRATEGIES
from charts.deck.model import Slide
from evaluation.answering.planning import Choice, plan_words, taken
from evaluation.capacity.draining import Capacity, Drained
from evaluation.capacity.planning import PlanKind, PlanQuestion, plan_of, plan_search
from evaluation.capacity.search import SearchRange
from evaluation.capacity.trials import Trials
from evaluation.measuring.facts import Source
from evaluation.what_if import Asked, Weather, WhatIf
from schemas.tables import AS_IT_WAS
from sources.fleet.ranking import ranking
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.standing import Standing
from tests.doors.test_plan_figures import answered, found_by_capacity
from tests.doors.texts import hot_partition, snapshots, three_stopped
from tests.fleets import small, summaries, write
from tests.pasted import the_group
from tests.patience import PATIENCE_S
from ui.answers import answer_as_read
from ui.fleet.ranking import shown_table
from ui.slides.deck import deck_of
from ui.slides.story import Story
from ui.what_ifs import figures

RETURNS = """
import streamlit as st
from evaluation.reading import Reading
from assignors.model import Group
from ui import scenario, share, told

if "a" not in st.session_state:
    for name in "abc":
        group = Group.fresh({name: 2}, ["c0"])
        st.session_state[name] = Reading(group=group, format="JSON", rows=2)
a, b, c = (st.session_state[name] for name in "abc")
scenario.show("first on screen", a)
told.TOTAL.state(700.0)
told.ALLOWED.state(15.0)
scenario.show("second", b)
away = told.TOTAL.number()
scenario.show("third", c)
scenario.show("first on screen", a)
link = dict(share.parameters(scenario.shown()))
st.write(str([away, told.TOTAL.number(), told.ALLOWED.number(), link["name"]]))
"""
"""Three groups of a session, of which the first returns."""


def test_wrong_1_arrivals_are_weather_and_what_is_late_is_never_taken() -> None:
    # The cheapest misses the 10 s; 1.5 times the arrivals happen to all of them.
    choices = [
        Choice(title="today", consumers=12, ends=(15.0,), is_today=True),
        Choice(title="+3 consumers", consumers=15, ends=(11.0,)),
        Choice(title="+20 consumers", consumers=32, ends=(9.0,)),
    ]

    best = taken(choices, 10.0)
    said = plan_words(choices, [Weather(arrivals=1.5)], 10.0).text

    assert best is not None
    assert best.title == "+20 consumers"
    assert "with 1.5 times the arrivals" in said
    assert "1.5" not in best.title


@pytest.mark.parametrize(
    ("seconds", "kind"), [(10.2, PlanKind.AS_TODAY), (15.0, PlanKind.CONSUMERS)]
)
def test_wrong_2_a_near_miss_of_a_guess_is_no_plan_and_no_cliff_is_one(
    seconds: float, kind: PlanKind
) -> None:
    # In turn, 2 consumers get 120 each, 3 get 200, 20 and 20, and 4 at most 110; 13/s and 10 s.
    lags = [100, 10, 10, 100, 10, 10]
    group = Group.of(["t"], [6], ["c0"], lags=lags, rates=[0.0] * 6)
    strategy, capacity = STRATEGIES["roundrobin"], Capacity(throughput=13, allowed_s=10)
    scope = SearchRange(fewest=2, most=6, exhaustive=99)
    trials = Trials(group, capacity, 6)
    list(plan_search(trials, [strategy], scope))
    now = Drained(seconds, seconds / 10, 0)
    asked = PlanQuestion(today=1, now=now, rests_on=Source.GUESS, is_deadline_stated=False)

    plan = plan_of(strategy, trials, scope, asked)
    stated = plan_of(strategy, trials, scope, replace(asked, is_deadline_stated=True))

    assert plan.kind is kind
    assert (stated.least, stated.consumers, stated.late_between) == (2, 4, (3,))


def test_wrong_3_a_time_has_no_pause_on_one_page_and_none_on_another() -> None:
    answer = answered(0)

    found = found_by_capacity(answer)
    (today,) = figures.cells(Asked((WhatIf(),)), answer)

    assert found.capacity.pause_s == 0
    assert found.now is not None
    assert answer.keep is not None
    assert found.now.seconds == today.seconds == answer.keep.ends_s


def _slides(text: str) -> Sequence[Slide]:
    return deck_of(Story(title="t", answer=answer_as_read(the_group(text))), "").slides


def test_wrong_4_slides_begin_with_the_cause_and_colour_all_whom_it_names() -> None:
    stopped = _slides(snapshots(three_stopped(), dated=True))
    hot = _slides(snapshots(hot_partition(), dated=True))

    first = stopped[0].chart
    assert first is not None
    assert {first.names[k] for k in first.states[0].marked} == {"worker-2", "worker-5", "worker-6"}
    assert "clickstream-7" in f"{hot[0].title} {hot[0].subtitle}"
    for slides in (stopped, hot):
        drawn = [each.chart.states for each in slides if each.chart is not None]
        assert len(drawn) == len({repr(states) for states in drawn})  # no picture twice
        assert "shrinks" not in " ".join(each.title for each in slides)
        assert all(each.chart or each.steps or each.asides for each in slides)


def test_wrong_5_what_is_stated_of_a_group_returns_with_it_and_a_link_keeps_its_name() -> None:
    page = AppTest.from_string(RETURNS, default_timeout=PATIENCE_S).run()

    assert page.markdown[0].value == "[None, 700.0, 15.0, 'first on screen']"


def test_wrong_6_the_fleet_ranks_by_what_a_setting_brings_and_shows_that(tmp_path: Path) -> None:
    loads = {AS_IT_WAS: 1_000, "roundrobin": 600, "load-sticky": 1_000}
    rows = [
        *summaries("c", "by-setting", loads),
        *summaries("c", "by-jar", {**loads, "roundrobin": 1_000, "load-sticky": 400}),
    ]
    folder = write(tmp_path / "fleet", {**small(), "group_summary": rows})
    table = ranking(open_fleet(edition_of(folder)), Scope())
    found = Standing(ranked=table, states={}, others=table[:0], has_settings=True)

    shown = shown_table(found.ranked, found)

    assert shown["Group"].tolist() == ["by-setting", "by-jar"]
    assert np.allclose(shown["Less by"], [40.0, 0.0])
