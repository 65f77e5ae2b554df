"""What is said of causes where there is little room."""

import pytest

from assignors.model import Group
from evaluation.incident import STRATEGY_HELPS, Cause, Finding
from ui.incident.brief import brief_of, first_aid, hindrance

GROUP = Group.of(["t"], [2], ["c0", "c1"], owners=[0, 1], lags=[5, 5])


@pytest.mark.parametrize("cause", Cause)
def test_a_cause_that_no_strategy_helps_says_so_and_what_to_do_instead(cause: Cause) -> None:
    brief = brief_of(Finding(cause=cause, members=(0,), partitions=(0,), lag=5), GROUP)

    is_helped = cause in STRATEGY_HELPS
    assert brief.title
    assert (not brief.hindrance, not brief.first_aid) == (is_helped, is_helped)


def test_the_first_cause_that_no_strategy_helps_decides() -> None:
    hot = Finding(cause=Cause.HOT, members=(0,), partitions=(0,), lag=5)
    still = Finding(cause=Cause.STILL, members=(1,), partitions=(1,), lag=5)

    assert first_aid([hot, still], GROUP) == "restart c1"
    assert hindrance([hot], GROUP) == ""
