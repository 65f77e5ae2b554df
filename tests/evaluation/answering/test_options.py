"""What an option costs: how many partitions pause on the way to it."""

import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.answering.given import Given, known_of
from evaluation.answering.options import option_of
from evaluation.assuming.running import Origin, Running
from evaluation.comparing.load import load_in
from evaluation.comparing.outcomes import as_it_is_now
from tests.charts.outcomes import outcome


@pytest.mark.parametrize(
    ("runs", "strategy", "expected"),
    [
        ("range", "sticky", 3),  # all that are owned; t-3 has no owner
        ("range", "cooperative-sticky", 3),  # an eager member in the group keeps it eager
        ("cooperative-sticky", "roundrobin", 3),
        (None, "sticky", 3),
        (None, "cooperative-sticky", None),
        ("cooperative-sticky", "uniform", None),  # what each restart moves is not told
        ("cooperative-sticky", "cooperative-sticky", 1),  # its next rebalance moves t-0 alone
        ("sticky", "sticky", 3),
    ],
)
def test_an_eager_rebalance_pauses_what_is_owned_and_another_what_moves(
    runs: str | None, strategy: str, expected: int | None
) -> None:
    group = Group.of(["t"], [4], ["c0", "c1"], owners=[0, 0, 1, -1], lags=[9, 9, 9, 9])
    before = None if runs is None else STRATEGIES[runs]
    running = Running(before, Origin.UNKNOWN if before is None else Origin.STATED)
    known = known_of(Given(group=group))

    option = option_of(
        outcome(group, [1, 0, 1, 1], strategy),
        as_it_is_now(group),
        load_in(known.group),
        known,
        running,
    )

    assert option.pauses == expected


def test_the_present_owners_pause_nothing_and_neither_does_a_first_start() -> None:
    group = Group.of(["t"], [2], ["c0", "c1"], owners=[0, 0], lags=[9, 9])
    fresh = Group.fresh({"t": 2}, ["c0", "c1"])
    unknown = Running(None, Origin.UNKNOWN)
    now = as_it_is_now(group)
    known, of_fresh = known_of(Given(group=group)), known_of(Given(group=fresh))

    assert now is not None
    assert option_of(now, now, load_in(group), known, unknown).pauses == 0
    first = outcome(fresh, [0, 1], "sticky")
    assert option_of(first, None, load_in(fresh), of_fresh, unknown).pauses == 0
