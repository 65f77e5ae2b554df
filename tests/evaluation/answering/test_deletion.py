"""Whatever waits unread says when its first records are deleted."""

from dataclasses import replace

import pytest

from evaluation.diagnosis.findings import Look
from evaluation.verdict_kinds import VerdictKind
from tests.advice.groups import Case, case


def kept(found: Case, seconds: float) -> Case:
    """Return the case where the topic keeps records for so long."""
    return replace(found, stated=replace(found.stated, retention_s=seconds))


def test_a_consumer_that_stopped_loses_its_first_record_when_retention_ends() -> None:
    # 366,000 records wait, of 100/s: the first is 3,660 s old.
    found = kept(case([0], ([360_000], [0]), ([366_000], [0])), 3_700.0)

    assert found.answer.verdict.kind is VerdictKind.STOPPED
    assert found.answer.verdict.figures.deleted_in_s == pytest.approx(40)
    assert "deleted unread in 40 s" in found.said


def test_a_full_group_loses_records_as_fast_as_its_lag_ages() -> None:
    # 100/s arrive and 50/s are read, of a record 600 s old: it ages by half a second each second.
    found = kept(case([0], ([57_000], [0]), ([63_000], [3_000])), 660.0)

    assert found.answer.verdict.kind is VerdictKind.FULL
    assert found.answer.verdict.figures.deleted_in_s == pytest.approx(120)


def test_where_retention_is_unknown_no_deletion_is_announced() -> None:
    found = case([0], ([360_000], [0]), ([366_000], [0]))

    assert found.answer.verdict.figures.deleted_in_s is None
    assert "deleted" not in found.said


@pytest.mark.parametrize(("members", "looks"), [(3, True), (4, False)])
def test_consumers_that_all_stopped_may_wait_for_the_same(members: int, *, looks: bool) -> None:
    # Three stand; a fourth reads on.
    count = range(members)
    found = case(
        list(count),
        ([9_000] * members, [1_000] * members),
        ([12_000] * members, [1_000 if k < 3 else 11_950 for k in count]),
    )

    assert found.answer.verdict.kind is VerdictKind.STOPPED
    expected = (Look.DEPENDENCIES, Look.DEPLOYED, Look.LOG)
    assert found.answer.verdict.look_at == (expected if looks else ())
