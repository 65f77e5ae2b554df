"""Committed offsets that jump ahead, and what a later outage makes of them."""

import numpy as np
import pytest

from evaluation.measuring.skips import Skips


def test_a_backlog_that_is_read_after_an_outage_leaves_an_earlier_jump_as_it_was() -> None:
    # 100/s are read; a jump of a million; two hours later 300,000 of an outage at 5,000/s, twice.
    times_s = np.array([0.0, 60.0, 120.0, 180.0, 240.0, 300.0, 360.0])
    read = np.array([0, 6_000, 6_000, 1_000_000, 6_000, 300_000, 290_000])
    committed = np.cumsum(read)[:, None]
    end = committed + 2_000_000

    skips = Skips.of(times_s, end, committed, np.zeros(7, np.bool_))

    assert (skips.at[0], skips.by[0], skips.is_told[0]) == (3, 1_000_000, True)
    assert skips.beyond[-1, 0] == 1_000_000 - 6_000


def _of_all(*read: list[int], renewed: int = 3, ahead: int = 20_000) -> Skips:
    """Return the jumps of partitions that are read by so much in each 45 s, while more waits."""
    committed = np.cumsum([[0] * len(read[0]), *read], axis=0)
    times_s = np.array([45.0 * k for k in range(len(committed))])
    end = committed[-1] + ahead + (900 * np.arange(len(committed)))[:, None]
    return Skips.of(times_s, end, committed, np.arange(len(committed)) == renewed)


def test_offsets_set_ahead_while_the_group_was_down_are_no_reading() -> None:
    # 51/s until then and since; t-0, of which nothing was read, goes to 12,000, and 8,400 of t-1.
    usual, jump = [0, 2_295], [12_000, 8_400]

    last = _of_all(usual, usual, jump)
    skips = _of_all(usual, usual, jump, usual)

    assert (last.at.tolist(), last.is_told.tolist()) == ([3, 3], [False, False])
    assert (skips.at.tolist(), skips.is_told.tolist()) == ([3, 3], [True, True])
    assert (skips.by.tolist(), skips.before.tolist()) == ([12_000, 8_400], [0, 51])
    assert skips.beyond[-1].tolist() == [12_000, 8_400 - 2_295]


@pytest.mark.parametrize(
    ("read", "renewed", "ahead"),
    [
        ([2_000, 2_000, 18_000, 2_000], 2, 20_000),  # consumers stayed, which no reset allows
        ([2_000, 2_000, 18_000, 18_000], 3, 20_000),  # it goes on as fast: it was read
        ([2_000, 2_000, 18_000, 900], 3, -3_600),  # until nothing waited
        ([2_000, 2_000, 18_000], 3, -2_700),  # likewise, at the last moment
        ([2_000, 2_000, 7_900, 2_000], 3, 20_000),  # less than four times as fast
        ([0, 0, 18_000, 0], 3, 20_000),  # how fast it is read is unknown
        ([200, 200, 4_900, 200], 3, 20_000),  # few records
    ],
)
def test_what_consumers_may_have_read_is_no_jump(read: list[int], renewed: int, ahead: int) -> None:
    skips = _of_all(*([each] for each in read), renewed=renewed, ahead=ahead)

    assert skips.at.tolist() == [0]


def test_what_an_outage_ended_with_leaves_an_earlier_jump_untold_with_all_others() -> None:
    # t-0, most of what is read, is set ahead at the sixth moment; t-1, read at 1/s, has jumped by
    # 6,000 at the third, and reads on as fast as it does at the sixth.
    big = [45_000, 45_000, 45_000, 45_000, 45_000, 400_000, 45_000, 45_000]
    small = [45, 45, 6_000, 45, 45, 5_900, 5_900, 45]

    skips = _of_all(*map(list, zip(big, small, strict=True)), renewed=6, ahead=900_000)

    assert (skips.at.tolist(), skips.is_told.tolist()) == ([6, 3], [True, False])
