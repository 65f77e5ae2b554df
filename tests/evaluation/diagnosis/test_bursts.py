"""More that arrives for a while, seen by its last snapshots; figures worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from assignors.model import UNKNOWN
from evaluation.answering.actions import Action
from evaluation.diagnosis.findings import CatchingUp, Full, MoreArrives
from evaluation.measuring.offset_history import COMMITTED
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from tests.advice.groups import Case, case


def test_a_burst_that_only_the_last_of_several_snapshots_has_is_more_that_arrives() -> None:
    # As on a real broker, 45 s apart: 1/s in each of four, then 3,083 within the last interval.
    ends, reads = (57, 103, 148, 3_186), (55, 102, 143, 1_078)
    moments = [([end] * 4, [read] * 4) for end, read in zip(ends, reads, strict=True)]

    (found,) = case([0, 0, 1, 1], *moments, apart_s=45).findings

    assert isinstance(found, MoreArrives)
    assert found.before == pytest.approx(4 * 91 / 90)
    assert found.arriving == pytest.approx(4 * 3_038 / 45)
    assert found.reading == pytest.approx(4 * 935 / 45)
    assert found.since_s == 45


def test_what_is_read_in_less_than_a_minute_is_no_change() -> None:
    # Commits come once a minute: within the last 45 s there is none, or there are two's worth.
    ends = [3_000 + 4_500 * k for k in range(4)]

    for reads in ([0, 6_000, 12_000, 12_000], [0, 3_000, 6_000, 18_000]):
        moments = [([end + 90_000], [read]) for end, read in zip(ends, reads, strict=True)]

        found = case([0], *moments, apart_s=45)

        assert found.history.rates_from == 0


def _batch(minutes: int) -> Case:
    """Return a topic of 900/s, all of which is read, beside one with 120,000 from minute 1 on.

    They arrive within two minutes, and 300/s of them are read from then on.
    """
    moments = []
    for k in range(minutes + 1):
        clicks, bulk = 1_000_000 + 54_000 * k, 60_000 * max(k - 1, 0)
        moments.append(([clicks, min(bulk, 120_000)], [clicks - 900, 18_000 * max(k - 1, 0)]))
    return case([0, 0], *moments)


def test_a_burst_that_is_over_is_read_at_the_rates_since() -> None:
    during, after = _batch(3), _batch(5)

    (more,) = during.findings
    assert isinstance(more, MoreArrives)
    assert more.arriving == pytest.approx(900 + 1_000)
    (over,) = after.findings
    assert isinstance(over, CatchingUp)
    assert (over.lag, over.arriving, over.reading) == (48_000, 900, 1_200)
    assert over.over_s == pytest.approx((48_000 + 900) / 300)  # of the consumer


def _each_hour(most: int, left: int = 100) -> Case:
    """Return two batches, seen every ten minutes; the second has just begun.

    400/s are read of two partitions, in one of which ``most`` wait once, and ``left`` before the
    last ten minutes, when 200,000 do.
    """
    lags = [100, most, (most + left) // 2, left, left, 200_000]
    read = [1_000 + 120_000 * k for k in range(len(lags))]
    return case([0, 0], *(([r + lag, r + 10], [r, r]) for r, lag in zip(read, lags, strict=True)),
                apart_s=600)  # fmt: skip


def test_a_burst_no_larger_than_one_that_cleared_is_no_alarm() -> None:
    found = _each_hour(most=200_000)

    (burst,) = found.findings
    assert isinstance(burst, MoreArrives)
    assert burst.cleared == 200_000 + 10
    assert found.answer.verdict.kind is VerdictKind.BURST
    assert found.answer.verdict.severity is Severity.FINE
    assert found.answer.proposal is not None
    assert found.answer.proposal.action is Action.WAIT


@pytest.mark.parametrize(
    ("most", "left"),
    [
        (199_000, 100),  # more waits than ever cleared
        (240_000, 30_000),  # it did not clear
        (100, 100),  # there was none before
    ],
)
def test_what_has_not_cleared_before_is_more_than_is_read(most: int, left: int) -> None:
    found = _each_hour(most, left)

    assert VerdictKind.BURST not in {each.kind for each in found.findings}
    assert found.answer.verdict.severity is Severity.WARNING


def test_what_cleared_after_an_outage_is_no_burst_as_before() -> None:
    # 600,000 waited, and 1,000/s were read of the 500/s that arrive; then 1,500/s arrive for good.
    lags = [600_000, 300_000, 100, 100, 100, 100, 300_100]
    read = np.cumsum([0, 600_000, 599_900, 300_000, 300_000, 300_000, 600_000])

    found = case([0], *(([r + lag], [r]) for r, lag in zip(read, lags, strict=True)), apart_s=600)

    (more,) = found.findings
    assert isinstance(more, MoreArrives)
    assert (more.before, more.arriving, more.reading) == pytest.approx((500, 1_500, 1_000))
    assert np.isnan(more.cleared)
    assert found.answer.verdict.severity is Severity.WARNING


def test_what_cleared_is_unknown_where_a_commit_was() -> None:
    known = _each_hour(most=200_000)
    first, second, *others = known.history.moments
    offsets = second.topics["t"].copy()
    offsets[COMMITTED] = UNKNOWN
    moments = (first, second._replace(topics={"t": offsets}), *others)

    found = Case(known.group, replace(known.history, moments=moments))

    (more,) = found.findings
    assert more.kind is VerdictKind.MORE_ARRIVES
    assert found.answer.verdict.severity is Severity.WARNING


def test_what_nobody_commits_in_half_a_minute_is_no_slower_reading() -> None:
    # 100/s, and 160/s for the last half minute; commits come once a minute, the last 55 s before.
    times_s = np.arange(0, 301, 30)
    ends = 9_000 + 100 * times_s + 60 * np.maximum(times_s - 270, 0)
    reads = 9_000 + 100 * ((times_s - 5) // 60 * 60 + 5)
    moments = zip(ends.tolist(), reads.tolist(), strict=True)

    found = case([0, 1], *(([end] * 2, [read] * 2) for end, read in moments), apart_s=30)

    assert found.history.rates_from == 0
    (full,) = found.findings
    assert isinstance(full, Full)
    assert full.reading == pytest.approx(2 * 100)


def test_what_a_third_of_the_consumers_commit_in_half_a_minute_is_no_slower_reading() -> None:
    # 100/s in each of three, 160/s for the last half minute, in which one of them commits.
    times_s = np.arange(0, 301, 30)
    ends = 9_000 + 100 * times_s + 60 * np.maximum(times_s - 270, 0)
    reads = [9_000 + 100 * ((times_s - s) // 60 * 60 + s) for s in (5, 5, 35)]

    found = case([0, 1, 2], *(([e] * 3, r) for e, r in zip(ends, zip(*reads, strict=True),
                                                           strict=True)), apart_s=30)  # fmt: skip

    assert [type(each) for each in found.findings] == [MoreArrives]
