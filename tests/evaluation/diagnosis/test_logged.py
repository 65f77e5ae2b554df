"""What the logs of a group's consumers say, as causes beside those that snapshots show."""

import pytest

from evaluation.answering.compose import answer_of
from evaluation.answering.words import words_of
from evaluation.diagnosis.findings import InstanceFenced, PollTimeout
from evaluation.diagnosis.logged import told_by_logs
from evaluation.rebalance.member_log import LoggedRebalance, LogTrigger
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.pasted import the_group

TABLE = """\
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
till  sales 0 100 {end} {lag} a-d9cbf96f-ffff-567a-8d98-365f8946c854 /10.1.0.1 a
till  sales 1 100 {end} {lag} a-d9cbf96f-ffff-567a-8d98-365f8946c854 /10.1.0.1 a
"""
LATE = (
    "10:01:02 WARN [Consumer clientId={}, groupId=till] consumer poll timeout has expired. This "
    "means the time between subsequent calls to poll() was longer than max.poll.interval.ms\n"
)
FENCED = (
    "10:01:02 ERROR [Consumer instanceId=pod-1, clientId={}, groupId=till] Received fatal "
    "exception: group.instance.id gets fenced\n"
)


def _logged(consumer: str, trigger: LogTrigger) -> LoggedRebalance:
    return LoggedRebalance(consumer=consumer, at="", trigger=trigger)


def test_a_log_names_each_consumer_once_that_left_by_itself() -> None:
    triggers = [*LogTrigger]

    found = told_by_logs([_logged(name, each) for name in ("b", "a", "b") for each in triggers])

    assert found == (InstanceFenced(consumers=("b", "a")), PollTimeout(consumers=("b", "a")))
    others = [each for each in triggers if each not in {LogTrigger.FENCED, LogTrigger.POLL_TIMEOUT}]
    assert told_by_logs([_logged("a", each) for each in others]) == ()


@pytest.mark.parametrize("lag", [0, 50_000])
@pytest.mark.parametrize(
    ("log", "kind", "look_at"),
    [
        (LATE, VerdictKind.POLL_TIMEOUT, "max.poll.records"),
        (FENCED, VerdictKind.INSTANCE_FENCED, "group.instance.id"),
    ],
)
def test_why_a_consumer_left_is_the_verdict_where_nothing_is_more_urgent(
    log: str, kind: VerdictKind, look_at: str, lag: int
) -> None:
    table = TABLE.format(end=100 + lag, lag=lag)

    answer = answer_of(given_of(the_group(f"{log.format('b')}{log.format('c')}\n{table}")))

    words = words_of(answer)
    assert (answer.verdict.kind, answer.verdict.severity) == (kind, Severity.WARNING)
    assert answer.verdict.figures.lag_records == 2 * lag
    assert words.headline.startswith("b and c ")
    assert look_at in words.action


def test_what_stops_is_more_urgent_than_a_log_and_both_are_causes() -> None:
    snapshots = "\n".join(
        f"Fri Nov 27 10:0{n}:00 UTC 2026\n\n{TABLE.format(end=900 + 600 * n, lag=800 + 600 * n)}"
        for n in range(3)
    )

    answer = answer_of(given_of(the_group(f"{snapshots}\n{LATE.format('a')}")))

    kinds = [each.kind for each in answer.causes]
    assert answer.verdict.kind is VerdictKind.STOPPED
    assert kinds == [VerdictKind.STOPPED, VerdictKind.POLL_TIMEOUT]
