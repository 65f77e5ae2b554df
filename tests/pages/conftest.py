"""Fixtures that make hundreds of pages open quickly."""

from collections.abc import Iterator
from functools import cache

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache


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
