"""Whatever a ScaledObject states is replayed, or named as not used."""

import numpy as np
import pytest

from evaluation.autoscaling.comparison import run_candidate
from evaluation.autoscaling.replay import Conditions
from evaluation.autoscaling.workloads import Profile, day
from sources.scaled_object import read_scaled_object
from tests.hostile.scaled_objects import GROUP, scaled_object

EVERY_DAY = 500
DEEP = 1_000_000
_PART = 50_000
_WORKLOAD = day(np.full(10, 20.0), np.full(10, 900), Profile.BURST, hours=0.25)
_CONDITIONS = Conditions(speed=100.0, allowed_s=300.0)
_MOST_NAMED = 8


def _holds(seed: int, *, is_replayed: bool) -> None:
    text, unused, is_paused = scaled_object(seed)
    found = read_scaled_object(text, GROUP)
    said = " ".join(found.notes)
    assert len(unused) <= _MOST_NAMED
    assert all(what in said for what in unused), f"seed {seed}: {unused} in {said}"
    assert ("Not used" in said) == bool(unused), f"seed {seed}: {said}"
    assert ("It is paused" in said) == is_paused, f"seed {seed}: {said}"
    if is_replayed:
        pods = run_candidate(GROUP, _WORKLOAD, found, _CONDITIONS).pods
        assert found.scaling is not None
        assert pods.min() >= 0
        assert pods.max() <= max(found.scaling.max_replicas, GROUP.member_count, 3), f"seed {seed}"


def test_a_scaled_object_is_replayed_and_what_is_not_used_is_named() -> None:
    for seed in range(EVERY_DAY):
        _holds(seed, is_replayed=seed % 10 == 0)


@pytest.mark.deep
@pytest.mark.parametrize("start", range(EVERY_DAY, DEEP, _PART))
def test_very_many_scaled_objects_are_replayed_or_named(start: int) -> None:
    for seed in range(start, min(start + _PART, DEEP)):
        _holds(seed, is_replayed=seed % 100 == 0)
