"""Consumers that left between snapshots, from pasted texts: nobody reads, and no job does."""

from typing import Final

import pytest

from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.answers import NextRebalance
from tests.doors import texts
from tests.doors.texts import Flow
from tests.pasted import the_group

_NOBODY: Final = "Consumer group 'clicks' has no active members."


def described(minute: int, committed: int, end: int, *, has_members: bool) -> str:
    """Return a dated table of six partitions, of three workers or of nobody."""
    flows = [Flow(p % 3 if has_members else None, committed, end - committed) for p in range(6)]
    table = texts.describe(flows, date="")
    date = f"2026-11-27T10:{minute:02}:00Z"
    return f"{date}\n{table}" if has_members else f"{date}\n{_NOBODY}\n\n{table}"


def answer(*snapshots: str) -> Answer:
    return answer_of(given_of(the_group("\n".join(snapshots))), NextRebalance())


@pytest.mark.parametrize("stood_min", [0, 1])
def test_what_members_read_before_they_left_is_read_by_no_job(stood_min: int) -> None:
    found = answer(
        described(0, 1_000, 1_010, has_members=True),
        described(1, 2_000, 2_010, has_members=True),
        *(
            described(2 + k, 2_500, 3_010 + 1_000 * k, has_members=False)
            for k in range(1 + stood_min)
        ),
    )

    assert (found.verdict.kind, found.verdict.severity) == (
        VerdictKind.NO_CONSUMERS,
        Severity.ALARM,
    )
    assert found.verdict.figures.gone_consumers == 3
    assert stood_min == 0 or not found.known.times.consumed.any()  # a picture has what is read now
    assert found.proposal is not None
    assert found.proposal.action is Action.START


def test_offsets_that_move_after_the_members_left_have_another_reader() -> None:
    found = answer(
        described(0, 1_000, 1_010, has_members=True),
        described(1, 2_000, 2_010, has_members=False),
        described(2, 3_000, 3_010, has_members=False),
    )

    assert found.verdict.kind is VerdictKind.READ_OUTSIDE
    assert found.verdict.figures.gone_consumers is None


def test_a_group_that_came_back_has_the_members_of_its_last_table() -> None:
    nobody = described(0, 1_000, 1_010, has_members=False)
    message, table = f"{_NOBODY}\n", nobody.replace(f"{_NOBODY}\n\n", "")

    read = the_group(f"{table}\n{message}\n{described(1, 2_000, 2_010, has_members=True)}")

    assert read.group.member_count == 3
    assert not [note for note in read.notes if "last owners" in note]
    assert read.history is not None
    assert [bool(each.held) for each in read.history.moments] == [False, True]
