"""What the tests on a real broker share."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.broker.java_harness import Harness, running_harness


@pytest.fixture(scope="session")
def harness() -> Iterator[Harness]:
    """One process of Kafka's own Java classes."""
    with tempfile.TemporaryDirectory() as folder, running_harness(Path(folder)) as running:
        yield running
