"""What pauses and goes on is not stopped; what nobody of the group owns may be read by others."""

from collections.abc import Sequence
from typing import Final

import pytest

from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.words import words_of
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.answers import NextRebalance
from tests.doors import texts
from tests.doors.texts import Flow
from tests.pasted import the_group

_HALF_MINUTE_S: Final = 30
_ARRIVING: Final = 100
_UNTIL: Final = 9
"""The half minute in which the third worker commits for the last time."""


def _date(half_minute: int) -> str:
    minute, second = divmod(half_minute * _HALF_MINUTE_S, 60)
    return f"2026-11-27T10:{minute:02}:{second:02}Z"


def _answer(said: Sequence[str]) -> Answer:
    return answer_of(given_of(the_group("\n".join(said))), NextRebalance())


def _commits(worker: int, half_minute: int, *, every: int) -> int:
    """Return what a worker has committed, which it does at every so many half minutes."""
    at = min(half_minute, _UNTIL) if worker == 2 else half_minute
    return 1_000 + at // every * every * _HALF_MINUTE_S * _ARRIVING


def _worker(worker: int) -> str:
    return f"worker-{worker}-0d3c1f0e-6a41-4a52-9a0b-51f1c2a4be{worker:02x}"


def _snapshots(count: int, *, every: int, backlog: int = 0) -> list[str]:
    """Return outputs half a minute apart of three workers, a partition each."""
    found = []
    for at in range(count):
        end = 1_010 + backlog + at * _HALF_MINUTE_S * _ARRIVING
        offsets = [_commits(k, at, every=every) for k in range(3)]
        flows = [Flow(k, done, end - done) for k, done in enumerate(offsets)]
        found.append(texts.describe(flows, date=_date(at), member=_worker))
    return found


@pytest.mark.parametrize("every", [2, 4])
@pytest.mark.parametrize("count", [5, 6, 7, 8, 9])
def test_who_commits_rarely_has_not_stopped_between_two_commits(count: int, every: int) -> None:
    found = _answer(_snapshots(max(count, 2 * every + 1), every=every))

    assert found.verdict.severity is Severity.FINE
    apart = {2: "30 s", 4: "1 min 30 s"}[every]
    assert f"at least {apart} apart" in words_of(found).evidence


@pytest.mark.parametrize("count", [6, 8])
def test_who_reads_a_backlog_in_batches_has_not_stopped_between_two(count: int) -> None:
    found = _answer(_snapshots(count, every=2, backlog=50_000))

    assert found.verdict.kind is not VerdictKind.STOPPED
    assert not found.known.facts.is_still.any()


def test_who_stands_clearly_longer_than_ever_before_has_stopped() -> None:
    found = _answer(_snapshots(_UNTIL + 5, every=2))

    assert found.verdict.kind is VerdictKind.STOPPED
    assert found.verdict.members == (2,)


def test_a_restart_is_no_pause_of_the_consumer_that_follows() -> None:
    """The pause of a minute and a half ended when another worker came."""

    stood = [1_000, 1_000, 1_000, 1_000, 13_000, 16_000, 16_000, 16_000]
    said = []
    for at, done in enumerate(stood):
        end = 1_010 + at * _HALF_MINUTE_S * _ARRIVING
        third = 3 if at >= 4 else 2  # a restart brings a new id
        flows = [Flow(k, end - 10, 10) for k in range(2)] + [Flow(third, done, end - done)]
        said.append(texts.describe(flows, date=_date(at), member=_worker))
    found = _answer(said)

    assert found.verdict.kind is VerdictKind.STOPPED
    assert found.verdict.members == (2,)


@pytest.mark.parametrize(
    ("owned_before", "kind"), [(None, VerdictKind.HEALTHY), (2, VerdictKind.NOBODY_READS)]
)
def test_what_a_job_reads_beside_the_group_is_not_read_by_nobody(
    owned_before: int | None, kind: VerdictKind
) -> None:
    said = []
    for at in range(3):
        end = 2_000 + at * _HALF_MINUTE_S * _ARRIVING
        owner = None if at == 2 else owned_before
        flows = [Flow(k, end - 5, 5) for k in range(2)] + [Flow(owner, end - 40, 40)]
        said.append(texts.describe(flows, date=_date(at)))

    assert _answer(said).verdict.kind is kind


def test_a_backlog_of_weeks_is_no_reason_to_wait() -> None:
    flows = [Flow(k, 100_000, 2_000_000, 100.0, 101.0) for k in range(4)]

    found = _answer([texts.snapshots(flows, dated=True, count=4)])

    assert found.verdict.kind is VerdictKind.CLEARS_SLOWLY
    assert found.verdict.severity is Severity.WARNING
    assert found.verdict.figures.ends_s == pytest.approx(2_000_000, rel=0.02)
    assert found.proposal is not None
    assert found.proposal.action is Action.ADD_CONSUMERS


def test_only_those_that_are_full_are_called_so() -> None:
    """Two of six workers own nothing."""
    flows = [Flow(k, 100_000, 5_000, 80.0, 50.0) for k in range(4)]
    members = "\n".join(
        f"clicks - - - - - {_worker(k)} /10.0.3.{20 + k} worker-{k}" for k in (4, 5)
    )
    said = [texts.describe([f.after(60 * k) for f in flows], date=_date(2 * k)) for k in range(2)]
    found = _answer([f"{each}{members}\n" for each in said])

    assert found.verdict.kind is VerdictKind.FULL
    assert found.group.member_count == 6
    assert found.verdict.members == (0, 1, 2, 3)
