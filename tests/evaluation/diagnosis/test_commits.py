"""A consumer that never commits is told from one whose lag is not in the text."""

import pytest

from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.engine import Glance
from evaluation.answering.words import words_of
from evaluation.diagnosis.findings import NeverCommits
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.pasted import the_group

_HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"


def answered(*ends: int, apart_s: int = 60, others: bool = True) -> Answer:
    """Return the answer on c0, which commits nothing on a partition, and on c1, which does."""
    texts = []
    for k, end in enumerate(ends):
        minute, second = divmod(k * apart_s, 60)
        rows = [_HEADER, f"pay orders 0 - {end} - c0-1 /10.0.0.1 c0"]
        if others:
            read = 1_000 + 10 * k * apart_s
            rows += [f"pay orders 1 {read} {read + 10} 10 c1-1 /10.0.0.2 c1"]
        texts += [f"Fri Nov 27 10:{minute:02d}:{second:02d} UTC 2026", *rows, ""]
    return answer_of(given_of(the_group("\n".join(texts))), Glance())


@pytest.mark.parametrize("others", [True, False])
def test_a_consumer_that_commits_nothing_while_records_arrive_is_a_warning(*, others: bool) -> None:
    found = answered(5_000, 11_000, 17_000, others=others)

    (finding,) = found.findings
    assert isinstance(finding, NeverCommits)
    assert (finding.members, finding.partitions, finding.arriving) == ((0,), (0,), 100)
    assert (finding.since_s, finding.is_older) == (120, True)
    assert (found.verdict.kind, found.verdict.severity) == (
        VerdictKind.NEVER_COMMITS,
        Severity.WARNING,
    )
    assert found.proposal is not None
    assert found.proposal.action is Action.LOOK


def test_twenty_seconds_without_a_first_commit_tell_nothing() -> None:
    assert answered(5_000, 7_000, apart_s=20).findings == ()


def test_where_nothing_arrives_there_is_nothing_to_commit() -> None:
    assert answered(5_000, 5_000, 5_000).findings == ()


def test_one_text_without_a_commit_says_so_once_and_asks_for_the_same_command() -> None:
    words = words_of(answered(5_000))

    assert "5,000 records" not in words.headline
    assert "5,000 records" in words.evidence
    assert answered(5_000, others=False).proposal is not None
    assert "has lags" not in words_of(answered(5_000, others=False)).action
