import re

import pytest

from assignors.registry import STRATEGIES
from assignors.strategy import Protocol, Strategy, StrategyKind

every_strategy = pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=lambda s: s.name)


def test_names_and_labels_are_distinct() -> None:
    labels = {strategy.label for strategy in STRATEGIES.values()}

    assert len(labels) == len(STRATEGIES)
    assert all(name == strategy.name for name, strategy in STRATEGIES.items())


def test_the_strategies_of_kafka_are_named_as_its_configuration_has_them() -> None:
    shipped = [strategy for strategy in STRATEGIES.values() if strategy.client_class]

    assert shipped
    for strategy in shipped:
        bare = (strategy.client_class or "").rpartition(".")[2].removesuffix("Assignor").lower()
        assert bare == strategy.name.replace("-", "")


@every_strategy
def test_the_kind_of_a_strategy_agrees_with_how_it_is_set(strategy: Strategy) -> None:
    assert (strategy.kind is StrategyKind.KAFKA_BROKER) == (strategy.remote_assignor is not None)
    assert (strategy.kind is StrategyKind.KAFKA_BROKER) == (strategy.protocol is Protocol.BROKER)
    if strategy.client_class:
        assert strategy.kind is StrategyKind.KAFKA_CLIENT


@every_strategy
def test_a_strategy_says_what_users_need_to_know(strategy: Strategy) -> None:
    assert strategy.goals
    assert strategy.weakness.endswith(".")
    assert strategy.sources
    assert all(re.fullmatch(r"(KIP|KAFKA)-\d+", source) for source in strategy.sources)


@every_strategy
def test_without_a_target_the_group_settles_on_the_answer(strategy: Strategy) -> None:
    assert strategy.settle is (strategy.target or strategy.assign)
