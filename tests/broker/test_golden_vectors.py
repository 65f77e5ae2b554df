"""The committed vectors, checked again with the classes of the newest release."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from assignors.registry import STRATEGIES
from assignors.rules import check
from assignors.uniform.uniform import has_quotas
from plugins.kafka_jars import coordinator, java
from tests.broker.java_harness import Harness, HarnessError, running_harness
from tests.golden_cases import Case, cases

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof]

_UNCHANGED: Final = ("range", "roundrobin", "sticky", "cooperative-sticky", "server-range")
_ANSWERS: Final = ("expected", "canonical", "target")


def asked(harness: Harness, case: Case, *, hashed: bool = False) -> Case | None:
    """Return the case with the result of this release's class; None if it throws."""
    question = {key: value for key, value in case.record.items() if key not in _ANSWERS}
    try:
        answer = harness.ask("assign", case={**question, "hashed": hashed})
    except HarnessError:
        return None
    return Case(case.group, {"expected": answer})


def is_as_recorded(harness: Harness, case: Case) -> bool:
    now = asked(harness, case)
    if now is None or case.record.get("expected_error"):
        return now is None and bool(case.record.get("expected_error"))
    return _held(now) == _held(case)


@pytest.mark.parametrize("strategy", _UNCHANGED)
def test_the_vectors_still_hold(harness: Harness, strategy: str) -> None:
    tried = list(cases(strategy))

    different = [case.record["id"] for case in tried if not is_as_recorded(harness, case)]

    assert len(tried) > 300
    assert not different


def test_uniform_has_changed_only_where_subscriptions_are_equal(harness: Harness) -> None:
    tried = list(cases("uniform"))

    different = [case for case in tried if not is_as_recorded(harness, case)]

    assert Counter(has_quotas(case.group) for case in different) == {True: 105}
    assert len(tried) == 496


def test_uniform_as_of_kafka_18688_is_that_of_this_release(harness: Harness) -> None:
    _answers_alike(harness, "uniform-kafka-18688")


@pytest.mark.parametrize(
    ("release", "strategy"),
    [
        ("4.0.0", "uniform"),
        ("4.0.1", "uniform-kafka-18688"),
        ("4.1.0", "uniform-kafka-18688"),
        ("4.1.1", "uniform-kafka-18688"),
    ],
)
def test_uniform_is_named_after_the_releases_that_answer_so(
    release: str, strategy: str, kafkas_classes: str, tmp_path: Path
) -> None:
    own, _, newest = kafkas_classes.partition(":")
    paths = f"{own}:{coordinator(release)}:{newest}"

    with running_harness(paths, tmp_path / "harness.log", java()) as harness:
        _answers_alike(harness, strategy)


def _answers_alike(harness: Harness, strategy: str) -> None:
    """Compare a strategy with a release's UniformAssignor on the vectors of uniform."""
    is_hashed = strategy != "uniform"  # uniform visits members by id, where Kafka 4.0.0 hashes them
    answered = [now for c in cases("uniform") if (now := asked(harness, c, hashed=is_hashed))]

    assign = STRATEGIES[strategy].assign
    different = [c.record for c in answered if not c.agrees(check(c.group, assign(c.group)))]

    assert len(answered) == 494
    assert not different


def _held(case: Case) -> dict[str, set[tuple[str, int]]]:
    return dict(_members_with_partitions(case))


def _members_with_partitions(case: Case) -> Iterator[tuple[str, set[tuple[str, int]]]]:
    for member, held in case.record["expected"].items():
        if held:
            yield member, {(topic, partition) for topic, partition in held}
