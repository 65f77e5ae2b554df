import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.capacity.draining import Capacity
from evaluation.capacity.trials import Curve, Trials
from tests.named import named


def hot_first_partitions(members: int = 10) -> Group:
    """Return six topics of 20 partitions, the first of each with lag 1,000, the others 10."""
    names = [f"t{k}" for k in range(6)]
    return Group.fresh(
        dict.fromkeys(names, 20),
        [f"c{m:02d}" for m in range(members)],
        dict.fromkeys(names, [1000] + [10] * 19),
    )


def curve_of(group: Group, name: str, capacity: Capacity, most: int) -> Curve:
    trials, (strategy,) = Trials(group, capacity, most), named(name)
    for consumers in range(1, most + 1):
        trials.attempt(strategy, consumers)
    return trials.curve(strategy)


def test_round_robin_is_not_monotone_and_has_gaps() -> None:
    capacity = Capacity(throughput=1000, allowed_s=1.17)

    found = curve_of(hot_first_partitions(), "roundrobin", capacity, 21)

    busiest = dict(zip(found.consumers.tolist(), found.columns["seconds"] * 1000, strict=True))
    assert [round(busiest[m]) for m in (7, 10, 11, 20)] == [1170, 6060, 1100, 6000]
    assert found.first == 7
    assert found.always_from == 21


def test_a_strategy_that_fails_at_the_last_number_never_works_always() -> None:
    found = curve_of(
        hot_first_partitions(), "roundrobin", Capacity(throughput=1000, allowed_s=1.17), 20
    )

    assert found.first == 7
    assert found.always_from is None


def test_a_strategy_that_never_works_has_neither_figure() -> None:
    found = curve_of(hot_first_partitions(), "range", Capacity(throughput=1000, allowed_s=1.17), 30)

    assert (found.first, found.always_from) == (None, None)
    assert not found.works.any()


def test_consumers_beyond_a_topic_stay_idle_under_range() -> None:
    group = Group.fresh({"t": 5, "u": 3}, ["c0"], {"t": [1] * 5, "u": [1] * 3})
    capacity = Capacity(throughput=1, allowed_s=10)

    assert curve_of(group, "range", capacity, 10).columns["idle"][-1] == 5
    assert curve_of(group, "roundrobin", capacity, 10).columns["idle"][-1] == 2


def test_the_curve_contains_exactly_the_tried_assignments() -> None:
    trials = Trials(hot_first_partitions(), Capacity(throughput=1, allowed_s=1), 9)
    range_, fair = named("range", "fair")

    for consumers in (7, 3, 7):
        trials.attempt(range_, consumers)

    assert trials.curve(range_).consumers.tolist() == [3, 7]
    assert trials.curve(range_).at(4) is None
    assert trials.curve(range_).at(9) is None
    assert trials.is_tried(range_, 7)
    assert not trials.is_tried(range_, 4)
    assert not trials.curve(fair).consumers.size


def test_a_group_without_consumers_is_tried_with_some() -> None:
    group = Group.fresh({"t": 3}, [], {"t": [30, 20, 10]})

    curve = curve_of(group, "lag-capped", Capacity(throughput=10, allowed_s=3), 3)

    assert curve.columns["seconds"].tolist() == [6, 3, 3]
    assert curve.first == 2


@pytest.mark.parametrize("name", STRATEGIES)
def test_with_a_consumer_a_partition_a_balanced_strategy_is_as_slow_as_the_slowest(
    name: str,
) -> None:
    group = Group.fresh({"t": 4}, ["c0"], {"t": [40, 10, 20, 30]})

    found = curve_of(group, name, Capacity(throughput=10, allowed_s=4), 4)

    assert found.columns["seconds"][-1] == 4
    assert found.columns["load"][-1] == 1
