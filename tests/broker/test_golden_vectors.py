"""The committed vectors, asked anew of the classes of the newest release."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

import pytest

from assignors.rules import check
from assignors.uniform.kafka_18688 import uniform_kafka_18688
from assignors.uniform.uniform import has_quotas
from tests.broker.java_harness import Harness, HarnessError
from tests.golden_cases import Case, cases

pytestmark = pytest.mark.needs("broker")

_UNCHANGED: Final = ("range", "roundrobin", "sticky", "cooperative-sticky", "server-range")
_ANSWERS: Final = ("expected", "canonical", "target")


def asked(harness: Harness, case: Case, *, hashed: bool = False) -> Case | None:
    """Return the case with what the class of this release answers; None if it throws."""
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
    answered = [now for case in cases("uniform") if (now := asked(harness, case, hashed=True))]

    different = [case.group.id for case in answered if not _agrees(case)]

    assert len(answered) == 494
    assert not different


def _agrees(case: Case) -> bool:
    return case.agrees(check(case.group, uniform_kafka_18688(case.group)))


def _held(case: Case) -> dict[str, set[tuple[str, int]]]:
    return dict(_members_with_partitions(case))


def _members_with_partitions(case: Case) -> Iterator[tuple[str, set[tuple[str, int]]]]:
    for member, held in case.record["expected"].items():
        if held:
            yield member, {(topic, partition) for topic, partition in held}
