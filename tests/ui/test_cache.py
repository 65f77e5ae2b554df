"""What caches keep for all visitors: by equal arguments, computed once, and never changed."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from typing import Final

import numpy as np
import psutil
import pytest

from assignors.model import Group, InvalidGroupError
from assignors.registry import STRATEGIES
from evaluation.assuming.clients import JAVA
from evaluation.comparing.outcomes import Outcome, solved
from evaluation.rebalance.events import ComeBack
from evaluation.rebalance.simulation import simulate_history
from sources import samples
from tests.patience import slowdown
from ui import cache, caching
from ui.rebalance import pictures

RANGE: Final = STRATEGIES["range"]
SETTINGS: Final = JAVA.settings_for(RANGE)
_fresh: Final = count(1_003)


@dataclass(frozen=True, eq=False)
class Part:
    """A value that is compared by what it holds."""

    numbers: np.ndarray[tuple[int], np.dtype[np.int64]]


@pytest.fixture(autouse=True)
def nothing_is_known() -> Iterator[None]:
    caching.clear()
    yield
    caching.clear()


def with_fresh_lag() -> Group:
    """Return the first example with a lag that no cache has."""
    group = samples.load("orders").group
    lags = group.lags.copy()
    lags[0] = next(_fresh)
    return group.with_lags(lags)


def test_equal_arguments_are_one_question_and_others_are_another() -> None:
    asked: list[object] = []

    @caching.cached(8)
    def answer(*question: object, **more: object) -> int:
        asked.append((question, more))
        return len(asked)

    group = samples.load("orders").group
    questions: list[tuple[object, ...]] = [
        (group, RANGE),
        (group, STRATEGIES["sticky"]),
        (with_fresh_lag(), RANGE),
        (Part(np.array([1, 2])), ("a", 1.5)),
        (Part(np.array([1, 3])), ("a", 1.5)),
    ]
    first = [answer(*question) for question in questions]
    again = [answer(*question) for question in questions]
    equal = answer(Part(np.array([1, 2])), ("a", 1.5))

    assert first == again == [1, 2, 3, 4, 5]
    assert equal == 4
    assert answer(group, RANGE, more=True) == 6


def test_of_visitors_who_ask_at_once_one_computes() -> None:
    computed: list[int] = []

    @caching.cached(8)
    def slow(number: int) -> int:
        time.sleep(0.05)
        computed.append(number)
        return number

    with ThreadPoolExecutor(4) as visitors:
        seen = list(visitors.map(slow, [7] * 4))

    assert (seen, computed) == ([7] * 4, [7])


def test_an_error_is_not_kept() -> None:
    tries: list[int] = []

    @caching.cached(8)
    def fails_once() -> int:
        tries.append(1)
        if len(tries) == 1:
            raise InvalidGroupError
        return 5

    with pytest.raises(InvalidGroupError):
        fails_once()

    assert fails_once() == 5


def test_switches_are_solved_as_elsewhere_up_to_the_draws() -> None:
    group = samples.load("orders").group
    strategies = STRATEGIES["roundrobin"], RANGE, STRATEGIES["lag-capped"]

    ours = cache.solved(group, strategies, RANGE, is_noticed=True)
    plain = solved(group, strategies, RANGE)

    assert [o.figures for o in ours] == [o.figures for o in plain]


def test_refining_gives_another_outcome_and_leaves_the_one_before_as_it_was() -> None:
    group, sticky = samples.load("orders").group, STRATEGIES["sticky"]
    (first,) = cache.solved(group, (sticky,), RANGE, is_noticed=True)
    before = draws(first)

    better = cache.refined(group, sticky, RANGE, is_noticed=True)
    (known,) = cache.solved(group, (sticky,), RANGE, is_noticed=True)
    (quick,) = cache.solved(group, (sticky,), RANGE, is_noticed=False)

    assert known is better is not first
    assert draws(first) == before < draws(better)
    assert quick is not better


def test_visitors_who_refine_one_outcome_draw_nothing_twice() -> None:
    group, sticky = samples.load("orders").group, STRATEGIES["sticky"]
    (first,) = cache.solved(group, (sticky,), RANGE, is_noticed=True)

    with ThreadPoolExecutor(4) as visitors:
        seen = list(
            visitors.map(lambda _: cache.refined(group, sticky, RANGE, is_noticed=True), range(4))
        )

    (known,) = cache.solved(group, (sticky,), RANGE, is_noticed=True)
    steps = len({draws(each) for each in seen} - {draws(first)})
    assert draws(known) == max(map(draws, seen))
    assert draws(known) - draws(first) == 7 * steps  # a step is a fifth of 37


@pytest.mark.slow
def test_what_is_simulated_costs_the_servers_process_next_to_nothing() -> None:
    wanted = (*SETTINGS, *JAVA.custom)
    cache.solved(with_fresh_lag(), wanted, RANGE, is_noticed=True)  # the worker starts
    here, workers = [], []

    for _ in range(8):
        group, slower = with_fresh_lag(), slowdown()
        began, there = time.process_time(), children_cpu_s()
        cache.solved(group, wanted, RANGE, is_noticed=True)
        here.append((time.process_time() - began) / slower)
        workers.append((children_cpu_s() - there) / slower)

    assert min(here) < 0.02
    assert min(workers) < 0.2


def draws(outcome: Outcome) -> int:
    assert outcome.outlook is not None
    return outcome.outlook.draws


def children_cpu_s() -> float:
    children = psutil.Process(os.getpid()).children(recursive=True)
    return sum(sum(each.cpu_times()[:2]) for each in children)


def test_a_rebalance_is_drawn_once_and_another_anew() -> None:
    group = Group.of(["t"], [4], ["a", "b"], owners=[0, 0, 1, 1])

    first, again, another = (
        pictures._flow(simulate_history(group, [ComeBack("a", name)], RANGE)[-1].rebalance)
        for name in ("z", "z", "c")
    )

    assert again is first
    assert another is not first
