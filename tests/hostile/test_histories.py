"""However times are written around two tables, what lies between them is right or unknown."""

import math

import pytest

from sources.text import read_text
from tests.hostile.histories import history

EVERY_DAY = 1_000
DEEP = 1_000_000
_PART = 50_000


def _elapsed(seed: int) -> float:
    """Check the history of a seed; return the seconds between its snapshots, NaN if unknown."""
    text, gap_s, newest_end, unit_s, rest_s = history(seed)
    (reading,) = read_text(text)
    assert reading.history is not None
    first, second = (moment.at_s for moment in reading.history.moments)
    assert reading.group.offsets.end is not None
    assert reading.group.offsets.end[0] == newest_end, f"seed {seed}: {text}"
    if math.isnan(first):
        return math.nan
    left = second - first - gap_s
    left = left if not unit_s else math.remainder(left, unit_s)
    assert abs(left) <= rest_s + 0.001, f"seed {seed}: {second - first} for {gap_s} in {text}"
    return second - first


def test_times_are_right_or_unknown_in_every_locale_zone_and_order() -> None:
    found = [_elapsed(seed) for seed in range(EVERY_DAY)]

    known = sum(not math.isnan(each) for each in found)
    assert known > 0.4 * len(found)  # the rest in other languages, orders or zones


@pytest.mark.deep
@pytest.mark.parametrize("start", range(EVERY_DAY, DEEP, _PART))
def test_very_many_times_are_right_or_unknown(start: int) -> None:
    for seed in range(start, min(start + _PART, DEEP)):
        _elapsed(seed)
