"""Fixtures that make hundreds of pages open quickly."""

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from processes.limits import REFINING_LIMIT


@pytest.fixture(autouse=True)
def first_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the first figures: refining them is most of a page's processor time."""
    monkeypatch.setenv(REFINING_LIMIT, "0")


@pytest.fixture
def refined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages refine their figures to the end, however busy the machine is."""
    monkeypatch.setenv(REFINING_LIMIT, "3600")


@pytest.fixture(scope="session", autouse=True)
def what_never_changes_is_found_once() -> Iterator[None]:
    """Let Streamlit cache component packages and compiled scripts, as a server does.

    Otherwise AppTest looks for them before every page, which takes longer than most pages.
    """
    with pytest.MonkeyPatch.context() as patch:
        search = cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", search)
        patch.setattr("streamlit.testing.v1.app_test.ScriptCache", cache(ScriptCache))
        yield


@pytest.fixture(scope="session", autouse=True)
def a_page_is_waited_for_by_its_thread() -> Iterator[None]:
    """Let AppTest sleep until the script's thread ends; it looks a thousand times a second."""
    look = local_script_runner.require_widgets_deltas

    def wait(runner: LocalScriptRunner, timeout: float) -> None:
        thread = runner._script_thread
        if thread is not None:
            thread.join(timeout)
        look(runner, timeout if runner.script_stopped() else 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait)
        yield
