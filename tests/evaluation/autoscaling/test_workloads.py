"""Daily profiles keep the total of records, and snapshots yield the records produced."""

import numpy as np
import pytest

from evaluation.autoscaling.workloads import Profile, day, from_snapshots
from evaluation.stated import InvalidNumberError

RATES = np.array([30.0, 5.0, 10.0, 5.0])
NO_LAG = np.zeros(4)


@pytest.mark.parametrize("profile", Profile)
def test_the_arrivals_of_a_day_match_the_mean_rates(profile: Profile) -> None:
    workload = day(RATES, NO_LAG, profile)

    assert workload.steps == 1440
    assert workload.rates.mean(axis=0).sum() == pytest.approx(50.0)


def test_each_profile_has_its_shape() -> None:
    totals = {profile: day(RATES, NO_LAG, profile).rates.sum(axis=1) for profile in Profile}

    assert set(totals[Profile.STEADY]) == {50.0}
    assert totals[Profile.DIURNAL].max() == pytest.approx(90.0, rel=1e-4)
    assert int(totals[Profile.DIURNAL].argmin()) // 60 in (3, 4)
    assert np.count_nonzero(totals[Profile.BURST] == 200.0) == 6 * 20
    hot = day(RATES[1:], NO_LAG[1:], Profile.SKEWED).rates
    assert hot[12 * 60, 1] / hot[12 * 60].sum() == pytest.approx(0.5)
    assert hot[2 * 60, 1] / hot[2 * 60].sum() == pytest.approx(0.5)
    even = day(np.ones(20), np.zeros(20), Profile.SKEWED).rates
    assert even[12 * 60, 0] / even[12 * 60].sum() == pytest.approx(0.25)
    assert day(RATES, NO_LAG, Profile.STUCK).stuck.tolist() == [True, False, False, False]


def test_between_snapshots_records_arrive_evenly() -> None:
    times_s = np.array([0.0, 120.0, 180.0])
    ends = np.array([[100.0, 7.0, 50.0], [340.0, np.nan, 10.0], [340.0, 187.0, 40.0]])

    workload = from_snapshots(times_s, ends, np.array([3.0, np.nan, 1.0]))

    assert workload.rates.tolist() == [[2.0, 1.0, 0.0], [2.0, 1.0, 0.0], [0.0, 1.0, 0.5]]
    assert workload.lags.tolist() == [3.0, 0.0, 1.0]


@pytest.mark.parametrize("times_s", [[], [5.0], [0.0, 59.0]])
def test_too_short_a_history_is_refused(times_s: list[float]) -> None:
    with pytest.raises(InvalidNumberError, match="two snapshots 60 s apart"):
        from_snapshots(np.array(times_s), np.zeros((len(times_s), 1)), np.zeros(1))
