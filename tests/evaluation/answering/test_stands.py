"""How long nothing must have been committed, by kind of group."""

import pytest

from assignors.kinds import GroupKind
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.engine import Glance
from evaluation.measuring.facts import stands_s
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.doors.texts import Flow, describe
from tests.pasted import the_group


def apart(seconds: int, member: str, *, dated: bool = True) -> Answer:
    """Return the answer on two members of one partition each that commit nothing for so long."""
    flows = [Flow(k, 5_000, 2_000, 100.0) for k in range(2)]
    dates = [f"2026-11-27T10:{at // 60:02d}:{at % 60:02d}Z" for at in (0, seconds)]
    found = the_group(
        "\n".join(
            describe(
                [flow.after(at) for flow in flows],
                member=member.format,
                date=date if dated else "",
            ).replace("worker-", "connector-consumer-s3-" if "connector" in member else "worker-")
            for at, date in zip((0, seconds), dates, strict=True)
        )
    )
    return answer_of(given_of(found), Glance())


_SINK = "connector-consumer-s3-{}-bffa199f-769f-59ad-b14c-e8af7b0dca8f"


def test_a_sink_that_commits_once_a_minute_has_not_stopped_after_45_s() -> None:
    found = apart(45, _SINK)

    assert found.kind is GroupKind.CONNECT_SINK
    assert found.verdict.kind is VerdictKind.BEHIND
    assert found.proposal is not None
    assert found.proposal.action is Action.ADD_SNAPSHOT


@pytest.mark.parametrize(("seconds", "has_stopped"), [(149, False), (150, True)])
def test_a_sink_has_stopped_after_two_commits_and_a_half(
    seconds: int, *, has_stopped: bool
) -> None:
    assert (apart(seconds, _SINK).verdict.kind is VerdictKind.STOPPED) == has_stopped


def test_a_sink_without_times_may_be_between_two_commits() -> None:
    assert apart(600, _SINK, dated=False).verdict.kind is VerdictKind.BEHIND


def test_a_consumer_group_commits_every_few_seconds() -> None:
    assert apart(45, "worker-{}").verdict.kind is VerdictKind.STOPPED
    assert [stands_s(kind) for kind in (GroupKind.CONSUMER, GroupKind.STREAMS)] == [30, 90]
