"""What is said of little that waits, of groups without members, and of rates over days."""

from dataclasses import replace

import pytest

from assignors.model import UNKNOWN, Group
from evaluation.answering.actions import Action
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from tests.advice.groups import Case, case

WEEK_S = 7 * 86_400.0


def apart(found: Case, seconds: float) -> Case:
    """Return the case whose snapshots are so many seconds apart."""
    each = enumerate(found.history.moments)
    moments = tuple(moment._replace(at_s=seconds * k) for k, moment in each)
    return replace(found, history=OffsetHistory(moments))


def test_rates_of_snapshots_a_week_apart_are_averages_and_said_so() -> None:
    # 2/s arrive in each of two, and 1/s is read.
    found = apart(case([0, 1], ([10, 10], [0, 0]), ([1_209_610] * 2, [604_800] * 2)), WEEK_S)
    minute = case([0, 1], ([900, 900], [0, 0]), ([12_000] * 2, [60] * 2))

    assert found.answer.verdict.kind is minute.answer.verdict.kind is VerdictKind.FULL
    assert "averages over 7 d" in found.said
    assert "over 7 d: the backlog grew" in found.said
    assert "averages" not in minute.said


@pytest.mark.parametrize(
    ("ends", "seconds", "is_told"),
    [
        ([(102, 102), (102, 102)], 180, False),  # nothing arrives: two markers
        ([(101, 101), (103, 103)], 180, False),  # one a minute, as between two commits
        ([(103, 103), (105, 105)], 1_800, True),  # for half an hour, nobody has read what came
        ([(104, 104), (104, 104)], 180, True),  # too many for markers, and older than is known
        ([(102, 102), (112, 112)], 180, True),
    ],
)
def test_a_handful_of_records_is_told_once_it_waits_for_long(
    ends: list[tuple[int, int]], seconds: float, *, is_told: bool
) -> None:
    found = apart(case([0, 1], *((each, [100, 100]) for each in ends)), seconds)

    expected = VerdictKind.STOPPED if is_told else VerdictKind.HEALTHY
    assert found.answer.verdict.kind is expected


@pytest.mark.parametrize(("lag", "kind"), [(UNKNOWN, "lag-unknown"), (500, "no-consumers")])
def test_a_group_without_members_whose_lag_is_unknown_is_no_alarm(lag: int, kind: str) -> None:
    group = Group.of(["t"], [2], [], lags=[lag] * 2)

    found = Case(group, OffsetHistory()).answer

    assert found.verdict.kind.value == kind
    assert (found.verdict.severity is Severity.ALARM) == (lag != UNKNOWN)
    if lag == UNKNOWN:
        assert found.proposal is not None
        assert found.proposal.action is Action.ADD_SNAPSHOT


def test_who_never_catches_up_among_too_few_is_told_how_many_clear_the_backlog() -> None:
    # c0 reads 300/s of 500/s in five, c1 100/s of one: 300/s each would keep pace, three clear it.
    ends, now = [12_600] * 5 + [1_010], [12_600 + 6_000] * 5 + [7_010]
    read = [3_600] * 5 + [1_000]
    found = case([0] * 5 + [1], (ends, read), (now, [7_200] * 5 + [7_000])).answer

    assert found.verdict.kind is VerdictKind.NEVER_CATCHES_UP
    assert found.proposal is not None
    assert (found.proposal.action, found.proposal.consumers) == (Action.ADD_CONSUMERS, 3)
    assert found.proposal.least is None
    # 57,000 and 10 wait; 900/s less 600/s.
    assert found.proposal.ends_s == pytest.approx(57_010 / 300)


def test_consumers_of_a_topic_that_nobody_else_reads_are_counted_there() -> None:
    # y reads all of b, 80/s of 320/s; x0 and x1 keep up with a.
    def at(k: int) -> Group:
        ends = [1_010 + 6_000 * k] * 2 + [11_000 + 4_800 * k] * 4
        read = [1_000 + 6_000 * k] * 2 + [1_000 + 1_200 * k] * 4
        return Group.of(
            ["a", "b"], [2, 4], ["x0", "x1", "y"], owners=[0, 1, 2, 2, 2, 2],
            lags=[end - done for end, done in zip(ends, read, strict=True)],
        ).with_offsets(end=ends, committed=read)  # fmt: skip

    history = OffsetHistory((Moment.of(at(0), 0.0), Moment.of(at(1), 60.0)))
    found = Case(at(1), history).answer

    assert found.verdict.kind is VerdictKind.NEVER_CATCHES_UP
    assert found.verdict.figures.needed_there_consumers == 4
    assert found.proposal is not None
    assert (found.proposal.action, found.proposal.consumers) == (Action.ADD_CONSUMERS, 2 + 4)
