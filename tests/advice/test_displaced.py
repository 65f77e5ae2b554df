"""What is said and done where offsets were reset or the log ends before them, from pasted texts."""

from collections.abc import Sequence
from typing import Final

import pytest

from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.diagnosis.findings import Look
from evaluation.measuring.movement import moved
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.answers import NextRebalance
from tests.doors import texts
from tests.doors.texts import Flow
from tests.pasted import the_group
from ui.compare.alarm import incident_picture
from ui.compare.flows import flows_of
from ui.picture.incident import incident_data

_DATES: Final = ("2026-11-27T10:00:00Z", "2026-11-27T10:01:00Z", "2026-11-27T10:02:00Z")


def answer(
    *moments: Sequence[tuple[int, int]], dated: bool = True, has_members: bool = True
) -> Answer:
    """Return the answer on three workers, or none, of these offsets, a minute apart."""
    said = [
        texts.describe(
            [
                Flow(p % 3 if has_members else None, committed, end - committed)
                for p, (committed, end) in enumerate(offsets)
            ],
            date=date if dated else "",
        )
        for offsets, date in zip(moments, _DATES, strict=False)
    ]
    return answer_of(given_of(the_group("\n".join(said))), NextRebalance())


BEFORE: Final = [(100_000, 100_100)] * 6
ALL_RESET: Final = [(5_000, 100_700)] * 6
ONE_RESET: Final = [(5_000, 100_700), *[(100_600, 100_700)] * 5]


@pytest.mark.parametrize(
    ("after", "by", "whose"), [(ALL_RESET, 570_000, (0, 1, 2)), (ONE_RESET, 95_000, (0,))]
)
@pytest.mark.parametrize("dated", [True, False])
def test_a_reset_is_told_as_one_and_no_consumers_are_asked_for(
    after: Sequence[tuple[int, int]], by: int, whose: tuple[int, ...], *, dated: bool
) -> None:
    found = answer(BEFORE, after, dated=dated)

    assert found.verdict.kind is VerdictKind.OFFSETS_RESET
    assert found.verdict.severity is Severity.WARNING
    assert (found.verdict.members, found.verdict.figures.reset_records) == (whose, by)
    assert found.verdict.figures.reading_per_s is None
    assert found.verdict.figures.read_between_records is None
    assert found.proposal is not None
    assert found.proposal.action is Action.LOOK
    assert found.verdict.look_at == (Look.RESET_BY_HAND, Look.LAST_START)


def test_a_reset_that_is_being_read_says_when_it_is_over() -> None:
    found = answer(BEFORE, ALL_RESET, [(11_000, 101_300)] * 6)

    assert found.verdict.kind is VerdictKind.OFFSETS_RESET
    assert found.verdict.figures.reading_per_s == 600
    assert found.verdict.figures.ends_s == pytest.approx(90_300 / 90)


def test_a_reset_of_a_group_that_nobody_reads_since_is_an_outage() -> None:
    found = answer(BEFORE, ALL_RESET, [(5_000, 101_300)] * 6)

    assert found.verdict.kind is VerdictKind.STOPPED
    assert VerdictKind.OFFSETS_RESET in {each.kind for each in found.causes}


def test_offsets_beyond_the_end_of_the_log_are_an_alarm_and_never_healthy() -> None:
    end = [1_200] * 6

    once = answer([(50_000, each) for each in end])
    twice = answer([(50_000, each) for each in end], [(50_000, each + 3_000) for each in end])

    for found in (once, twice):
        assert found.verdict.kind is VerdictKind.AHEAD_OF_LOG
        assert found.verdict.severity is Severity.ALARM
        assert found.verdict.figures.lag_records is None
        assert found.verdict.look_at == (Look.RESET_POLICY, Look.RECREATED)
        assert found.proposal is not None
        assert found.proposal.action is Action.RESET_OFFSETS
    assert twice.verdict.figures.arriving_per_s == 300


@pytest.mark.parametrize(
    ("offsets", "kind"),
    [
        ([(50_000, 1_200), (100_600, 100_700)], VerdictKind.AHEAD_OF_LOG),
        ([(5_000, 100_700), (100_600, 100_700)], VerdictKind.OFFSETS_RESET),
        ([(100_600, 100_700), (100_600, 100_700)], VerdictKind.READ_OUTSIDE),
    ],
)
def test_a_job_without_members_that_reads_on_hides_neither(
    offsets: Sequence[tuple[int, int]], kind: VerdictKind
) -> None:
    before = [(min(100_000, committed), min(100_100, end)) for committed, end in offsets]
    before[0] = (100_000, 100_100) if kind is VerdictKind.OFFSETS_RESET else before[0]

    assert answer(before, offsets, has_members=False).verdict.kind is kind


def test_a_log_that_was_recreated_between_dated_snapshots_is_behind_its_offsets() -> None:
    found = answer(BEFORE, [(100_000, 300)] * 6)

    assert found.verdict.kind is VerdictKind.AHEAD_OF_LOG
    assert found.verdict.figures.ahead_records == 99_700


def test_a_rate_that_a_reset_hides_is_drawn_as_unknown_and_one_of_zero_as_zero() -> None:
    # worker-0 reads on in one of two; nothing arrives for worker-1; worker-2 stands.
    resets, reads_on, idles, stands = (
        (5_000, 100_700),
        (100_600, 100_700),
        (5_000, 100_100),
        (100_000, 100_700),
    )
    found = answer(BEFORE, [resets, idles, stands, reads_on, idles, stands])
    group, known = found.group, found.known
    flows = flows_of(known.times, moved(group, known.history))

    chart = incident_data(incident_picture(group, known.times, flows, {}, found.verdict))["chart"]

    assert [(row["lower"], row["lowerSaid"]) for row in chart["rows"]] == [
        (0, "reads 0/s"), (None, "unknown"), (None, "unknown"),
    ]  # fmt: skip
    assert ["unknown" in row["said"] for row in chart["rows"]] == [False, True, True]
