"""Advice given after half of a group's snapshots, judged on the others."""

from dataclasses import replace

import numpy as np
import pytest

from assignors.model import Group
from evaluation.comparing.past import Past, past_of
from evaluation.judging import LAG, JudgeBy, Measure
from evaluation.measuring.offset_history import Moment, OffsetHistory

GROUP = Group.fresh({"t": 4}, ["a", "b"]).owned_by(np.array([0, 0, 1, 1], np.int32))
SWAPPED = np.array([0, 1, 0, 1], np.int32)
"""Owners that part the two partitions of each consumer."""


def moment(at_s: float, *lags: int, written: int = 1_000) -> Moment:
    ends = np.full(4, written)
    return Moment(at_s, {"t": np.array([np.zeros(4, np.int64), ends, ends - np.array(lags)])})


def past(*moments: Moment, measure: Measure = LAG) -> Past:
    found = past_of(GROUP, OffsetHistory(moments), measure)
    assert found is not None
    return found


def test_owners_are_compared_with_those_of_the_time_in_either_half() -> None:
    kept = past(moment(0, 9, 9, 9, 9), moment(60, 40, 40, 0, 0), moment(120, 60, 20, 20, 20))

    promised, later = kept.test(SWAPPED)

    assert (len(kept.history.moments), len(kept.later)) == (2, 1)
    assert promised == pytest.approx(1 - 40 / 80)
    assert later == pytest.approx(1 - 80 / 80)


def test_the_later_snapshots_count_by_their_mean_and_may_be_worse() -> None:
    found = past(
        moment(0, 40, 40, 0, 0),
        moment(60, 40, 40, 0, 0),
        moment(120, 5, 0, 5, 0),
        moment(180, 1, 0, 0, 2),
    )

    assert found.test(SWAPPED).kept == pytest.approx(1 - (10 + 2) / (5 + 2))


def test_nothing_is_tested_on_one_snapshot_or_while_owners_change_or_without_owners() -> None:
    first, second = moment(0, 1, 2, 3, 4), moment(60, 1, 2, 3, 4)
    changed = [first._replace(ownership=1), second._replace(ownership=2)]

    assert past_of(GROUP, OffsetHistory((first,)), LAG) is None
    assert past_of(GROUP, OffsetHistory(tuple(changed)), LAG) is None
    unowned = GROUP.owned_by(GROUP.nobody())
    assert past_of(unowned, OffsetHistory((first, second)), LAG) is None


def test_work_due_takes_the_rates_of_each_half_and_is_lag_where_one_has_none() -> None:
    measure = Measure(by=JudgeBy.WORK, horizon_min=1)
    moments = [moment(60 * k, 7, 7, 7, 7, written=1_000 + 60 * k * k) for k in range(4)]

    four = past(*moments, measure=measure)
    two = past(*moments[:2], measure=measure)

    assert four.measure is measure
    assert four.earlier.weights.tolist() == [7 + 60] * 4
    assert four.earlier.lags.tolist() == [7] * 4
    assert four.later.tolist() == [[7 + 300] * 4] * 2
    assert two.measure is LAG
    assert two.earlier.weights.tolist() == [7] * 4


def test_what_is_unknown_weighs_nothing_and_no_lag_promises_nothing() -> None:
    nothing = replace(GROUP).with_lags(np.zeros(4, np.int64))

    found = past_of(nothing, OffsetHistory((moment(0, 0, 0, 0, 0), moment(60, 0, 0, 0, 0))), LAG)

    assert found is not None
    assert np.isnan(found.test(SWAPPED)).all()
