"""What is wrong in a group that is no consumer group comes before what kind it is."""

import pytest

from assignors.kinds import GroupKind
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.engine import Glance
from evaluation.answering.given import Given
from evaluation.answering.words import words_of
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.advice.groups import Case, case
from tests.doors.texts import Flow, snapshots
from tests.pasted import the_group


def threads(*flows: Flow, apart_s: float) -> Answer:
    """Return the answer on an application of Kafka Streams, of two snapshots."""
    text = snapshots(flows, dated=True, apart_s=apart_s)
    ids = "wc-3c3d0289-6798-5dbe-981d-006ac798c055-StreamThread-{}-consumer"
    for k in range(4):
        text = text.replace(f"worker-{k} ", f"{ids.format(k)} ").replace(
            f"worker-{k}-", f"{ids.format(k)}-"
        )
        text = text.replace(f"worker-{k}\n", f"{ids.format(k)}\n")
    return answer_of(given_of(the_group(text)), Glance())


def of_kind(found: Case, kind: GroupKind) -> Answer:
    given = found.given
    return answer_of(Given(group=given.group, history=given.history, kind=kind), Glance())


def test_an_application_of_streams_that_commits_nothing_for_ten_minutes_has_stopped() -> None:
    found = threads(*(Flow(k // 2, 1_000, 500, 100.0) for k in range(4)), apart_s=600.0)

    assert found.kind is GroupKind.STREAMS
    assert found.verdict.kind is VerdictKind.STOPPED
    assert found.verdict.severity is Severity.ALARM
    assert found.verdict.figures.arriving_per_s == 400
    assert found.proposal is not None
    assert found.proposal.action is Action.RESTART


def test_a_minute_between_two_commits_of_streams_is_no_alarm() -> None:
    found = threads(*(Flow(k // 2, 1_000, 500, 100.0) for k in range(4)), apart_s=60.0)

    assert found.verdict.kind is VerdictKind.NOT_A_CONSUMER_GROUP


def test_streams_that_keeps_up_is_what_it_is() -> None:
    found = threads(*(Flow(k // 2, 1_000, 0, 100.0, 100.0) for k in range(4)), apart_s=60.0)

    assert found.verdict.kind is VerdictKind.NOT_A_CONSUMER_GROUP
    assert found.causes == ()


def test_streams_that_falls_behind_says_how_more_of_it_reads() -> None:
    # Two threads read 100/s each of 150/s.
    found = threads(*(Flow(k, 1_000, 20_000, 150.0, 100.0) for k in range(2)), apart_s=60.0)

    assert found.verdict.kind is VerdictKind.FULL
    assert found.proposal is None
    assert words_of(found).action == GroupKind.STREAMS.advice


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (GroupKind.STREAMS, VerdictKind.STUCK_RECORD),
        (GroupKind.SHARE, VerdictKind.NOT_A_CONSUMER_GROUP),
        (GroupKind.CONSUMER, VerdictKind.STUCK_RECORD),
    ],
)
def test_a_record_holds_up_no_partition_of_a_share_group(
    kind: GroupKind, expected: VerdictKind
) -> None:
    # c0 reads t-1 to its end, and nothing of t-0.
    found = case(
        [0, 0],
        ([90_000, 6_100], [81_220, 6_000]),
        ([91_500, 9_100], [81_220, 9_000]),
        ([93_000, 12_100], [81_220, 12_000]),
    )

    assert of_kind(found, kind).verdict.kind is expected
