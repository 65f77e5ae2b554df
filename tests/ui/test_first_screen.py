"""What begins before the first visitor asks for it: imports, and the answer on the example."""

import subprocess
import sys
from collections.abc import Hashable
from importlib.util import find_spec

import pytest

from processes.limits import REFINING_LIMIT
from sources import samples
from tests.doors.test_plan_figures import flows_of
from tests.doors.texts import snapshots
from tests.pages.compare_page import ROOT, opened
from tests.pasted import the_group
from ui import cache, caching
from ui.answers import answer_before_visits, refine_before_visits
from ui.first_screen import modules_of


@pytest.mark.slow
def test_the_first_screen_waits_for_no_library_that_it_does_not_need() -> None:
    names = [*modules_of("compare"), "ui.answers", "sources.samples"]
    program = f"import importlib, sys; [importlib.import_module(n) for n in {names}]; "
    program += "print(*{name.partition('.')[0] for name in sys.modules})"

    done = subprocess.run(  # noqa: S603 -- our own words
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )

    rarely_needed = {"kafka", "confluent_kafka", "jinja2", "deltalake", "scipy", "matplotlib"}
    assert not rarely_needed & set(done.stdout.split())


def test_whoever_opens_the_first_example_finds_it_simulated(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(REFINING_LIMIT, "0")
    caching.clear()
    first = samples.SAMPLES[0]
    answer_before_visits(samples.load(first.id))
    before = _simulated()

    opened(example=first.title)

    assert before
    assert _simulated() == before


def test_what_is_prepared_is_what_no_more_simulations_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(REFINING_LIMIT, "3600")
    caching.clear()
    first = answer_before_visits(the_group(snapshots(flows_of(2), dated=True)))
    switches = tuple(each.strategy for each in first.strategies if each.strategy)
    rough = cache.refinable(first.group, switches, first.running.presumed, is_noticed=True)

    refine_before_visits(first)

    assert rough
    assert not cache.refinable(first.group, switches, first.running.presumed, is_noticed=True)


def _simulated() -> set[Hashable]:
    """Return which switches have been simulated."""
    return {key for key in caching.SHELF._kept if key[0] == "switch"}


def test_the_modules_of_a_page_are_those_that_its_script_imports() -> None:
    modules = set(modules_of("compare"))
    assert {"ui", "ui.compare.answer", "ui.strategy_choice", "ui.compare.views"} <= modules
    assert all(find_spec(name) for name in modules)
