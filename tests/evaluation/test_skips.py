"""Committed offsets that jump ahead, and what a later outage makes of them."""

import numpy as np

from evaluation.measuring.skips import Skips


def test_a_backlog_that_is_read_after_an_outage_leaves_an_earlier_jump_as_it_was() -> None:
    # 100/s are read; a jump of a million; two hours later 300,000 of an outage at 5,000/s, twice.
    times_s = np.array([0.0, 60.0, 120.0, 180.0, 240.0, 300.0, 360.0])
    read = np.array([0, 6_000, 6_000, 1_000_000, 6_000, 300_000, 290_000])
    committed = np.cumsum(read)[:, None]
    end = committed + 2_000_000

    skips = Skips.of(times_s, end, committed)

    assert (skips.at[0], skips.by[0], skips.is_told[0]) == (3, 1_000_000, True)
    assert skips.beyond[-1, 0] == 1_000_000 - 6_000
