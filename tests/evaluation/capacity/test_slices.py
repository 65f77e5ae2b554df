"""A search in slices comes to what it comes to at once, and who shows it computes nothing."""

from functools import partial

import pytest

from evaluation.capacity.draining import Capacity
from evaluation.capacity.planning import plan_search
from evaluation.capacity.search import SearchRange
from evaluation.capacity.slices import TrialSetup, UntriedError, known_alone, tried_on
from tests.evaluation.capacity.test_trials import hot_first_partitions
from tests.named import named

SETUP = TrialSetup(
    group=hot_first_partitions(),
    capacity=Capacity(throughput=1000, allowed_s=1.17),
    most=30,
    key="hot",
)
SCOPE = SearchRange(fewest=7, most=30, exhaustive=0)
SEARCH = partial(plan_search, strategies=named("roundrobin", "load-sticky"), scope=SCOPE)


def test_a_search_in_slices_tries_the_same_as_at_once() -> None:
    at_once = SETUP.trials()
    list(SEARCH(at_once))

    sliced, slices = SETUP.trials(known_alone), 0
    while new := tried_on(SETUP, sliced.tried, SEARCH, seconds=0):
        sliced.add(new)
        slices += 1

    assert sliced.tried == at_once.tried
    assert slices == sum(map(len, at_once.tried.values()))  # each went on where the last ended


def test_who_knows_alone_what_was_tried_computes_nothing() -> None:
    trials = SETUP.trials(known_alone)

    with pytest.raises(UntriedError):
        list(SEARCH(trials))
    trials.add(tried_on(SETUP, {}, SEARCH, seconds=60))

    assert list(SEARCH(trials)) == []
