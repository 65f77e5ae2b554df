"""Fixtures of the tests that start commands."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def every_java_is_quick(quick_java: None) -> None:
    """Make every Java of these commands start quickly."""
    del quick_java
