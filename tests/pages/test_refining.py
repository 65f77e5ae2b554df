"""Compare draws first figures at once, more in a process of its own, and stops when told to."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from assignors.registry import STRATEGIES
from evaluation.answering.action_rows.owners import SETTLING
from evaluation.comparing.outlook import MOST_DRAWS
from evaluation.what_if import Asked, WhatIf
from processes.limits import REFINING_LIMIT
from sources import samples, what_ifs
from tests.doors.fleet import written
from tests.doors.texts import one_overloaded, snapshots
from tests.pages.compare_page import button, columns, opened, picture, texts
from tests.pages.test_past import UNEVEN
from tests.pages.test_past import snapshots as undated
from tests.pasted import the_group
from tests.patience import PATIENCE_S
from ui import cache, caching

ROUGH = """
import streamlit as st
from assignors.registry import STRATEGIES
from sources import samples
from ui import cache
from ui.refining import Refining

group = samples.load("orders").group
outcomes = cache.solved(group, (STRATEGIES["range"],), None, True)
refining = Refining(group, None, outcomes, is_noticed=True)
if st.session_state.setdefault("is_first", True):
    refining.progress.stop()
    st.session_state["is_first"] = False
refining.go_on(st.empty())
"""

TOLD = """
import streamlit as st
from sources import samples
from ui import scenario
from ui.slides.files import story_of

story, refining = story_of(scenario.opened("orders", samples.load("orders")))
st.session_state.setdefault("told", []).append((story.switch is None, story.answer.is_settling))
if refining is not None:
    refining.go_on(st.empty())
"""
"""What slides, files and report tell."""

LARGE = """
import streamlit as st
from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.reading import Reading
from ui import scenario
from ui.answers import answer_so_far
from ui.refining import settled

consumers = [f"c{n:03}" for n in range(501)]
group = Group.fresh({"t": 2_004}, consumers, lags={"t": [3_000] * 2_004})
group = group.owned_by(STRATEGIES["roundrobin"].settle(group))
answer = answer_so_far(scenario.opened("g", Reading(group=group, format="", rows=2_004)))
found, refining = settled(answer)
st.session_state.setdefault("told", []).append(
    (answer.verdict.kind.name, bool(answer.unsimulated), len(answer.strategies), refining is None)
)
if refining is not None:
    refining.go_on(st.empty())
"""
"""A large group that no strategy spreads better."""

PAST = """
import streamlit as st
from tests.pasted import the_group
from ui import scenario
from ui.answers import answer_in
from ui.compare.past import tested

current = scenario.opened("g", the_group({text!r}))
said, refining = tested(current, answer_in(current))
is_due = refining is not None and refining.is_due
st.session_state.setdefault("told", []).append((said != "", is_due))
if refining is not None:
    refining.go_on(st.empty())
"""
"""What the group's own past tells."""

ONE_GROUP = """
import pandas as pd
import streamlit as st
from sources.fleet.runs import edition_of, open_fleet
from ui.fleet.group import snapshot_opener

fleet = open_fleet(edition_of({folder!r}))
at = pd.DataFrame({{"snapshot_at": [pd.Timestamp({at!r}, tz="UTC")]}})
refining = snapshot_opener(fleet, "prod", "clicks", at)
if refining is not None and st.button("Go on"):
    refining.go_on(st.empty())
"""
"""A group of a fleet at one snapshot, refined when asked."""

pytestmark = pytest.mark.usefixtures("refined")


@pytest.fixture(autouse=True)
def nothing_is_drawn_yet() -> Iterator[None]:
    caching.clear()
    yield
    caching.clear()


def draws(name: str, runs: str | None = None) -> int:
    group, running = samples.load("orders").group, STRATEGIES[runs] if runs else None
    (outcome,) = cache.solved(group, (STRATEGIES[name],), running, is_noticed=True)
    assert outcome.outlook is not None
    return outcome.outlook.draws


@pytest.mark.proof
def test_the_page_ends_once_no_draw_changes_what_is_said_and_says_how_many() -> None:
    switches = ("sticky", "cooperative-sticky", "uniform-kafka-18688", "load-sticky")
    first = max(draws(each, "range") for each in switches)

    page = opened()

    last = max(draws(each, "range") for each in switches)
    assert first < last <= MOST_DRAWS
    assert any(f"{last:,} simulated restarts" in note for note in picture(page)["notes"])
    assert not page.exception


def test_drawing_that_is_stopped_keeps_the_first_figures_until_it_is_continued() -> None:
    page = AppTest.from_string(ROUGH, default_timeout=PATIENCE_S).run()
    stopped = draws("range")

    button(page, "Continue").click().run()

    assert stopped < draws("range") == MOST_DRAWS
    assert not page.exception


@pytest.mark.proof
def test_scenarios_show_what_compare_has_drawn_meanwhile() -> None:
    asked = what_ifs.encode(Asked((WhatIf(strategy=STRATEGIES["range"]),)))
    page = opened(total_rate="1340", what_if=asked)
    shown = columns(page)["Range"]

    page.switch_page("pages/scenarios.py").run()

    table = page.dataframe[0].value
    figures = table.set_index("Choice").loc["Range"]
    assert figures["Busiest consumer"].startswith(shown["busiest"]["text"])
    assert figures["Partitions that move"] == shown["moved"]


@pytest.mark.proof
def test_slides_files_and_reports_propose_a_switch_once_no_simulation_can_change_it() -> None:
    page = AppTest.from_string(TOLD, default_timeout=PATIENCE_S).run()

    first, last = page.session_state["told"]

    assert first == (True, True)
    assert last == (False, False)
    assert not page.exception


def test_what_is_tested_on_the_past_waits_until_no_simulation_can_change_it() -> None:
    script = PAST.format(text=undated(*[UNEVEN] * 4))

    page = AppTest.from_string(script, default_timeout=PATIENCE_S).run()

    assert not page.exception
    first, *_, last = page.session_state["told"]
    assert first == (False, True)
    assert last == (True, False)


def test_one_group_of_a_fleet_proposes_a_switch_once_no_simulation_can_change_it(
    tmp_path: Path,
) -> None:
    folder = written(the_group(snapshots(one_overloaded(), dated=True)), tmp_path / "fleet")
    script = ONE_GROUP.format(folder=folder, at="2026-11-23 03:11:00")

    page = AppTest.from_string(script, default_timeout=PATIENCE_S).run()
    first = texts(page)
    button(page, "Go on").click().run()
    page.run()

    assert not page.exception
    assert SETTLING in first
    assert SETTLING not in texts(page)


def test_an_operator_can_have_the_first_figures_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(REFINING_LIMIT, "0")
    first = draws("sticky", "range")

    page = opened()

    assert draws("sticky", "range") == first
    assert not page.exception


def test_refining_ends_after_the_operators_seconds_and_can_be_continued(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(REFINING_LIMIT, "0.001")
    page = opened()

    assert draws("sticky", "range") < MOST_DRAWS
    assert button(page, "Continue")


@pytest.mark.slow
def test_a_large_group_s_verdict_comes_before_its_switches_are_simulated() -> None:
    page = AppTest.from_string(LARGE, default_timeout=PATIENCE_S).run()

    assert not page.exception
    (kind, *first), (same, *then) = page.session_state["told"]
    assert kind == same
    assert first == [True, 0, False]
    assert then[0] is False
    assert then[1] > 0
    assert then[2] is True
