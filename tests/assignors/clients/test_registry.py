import re

import pytest

from assignors.clients.registry import ALL_STRATEGIES, OTHER_CLIENTS
from assignors.registry import STRATEGIES
from assignors.strategy import Strategy, StrategyKind
from tests.golden_cases import has_answer, records, strategies_with_vectors

every_client = pytest.mark.parametrize("strategy", OTHER_CLIENTS.values(), ids=lambda s: s.name)


def test_names_and_labels_are_distinct_from_those_of_kafka() -> None:
    labels = {strategy.label for strategy in ALL_STRATEGIES.values()}

    assert len(labels) == len(ALL_STRATEGIES) == len(STRATEGIES) + len(OTHER_CLIENTS)
    assert all(name == strategy.name for name, strategy in ALL_STRATEGIES.items())


@every_client
def test_a_strategy_names_its_client_and_version(strategy: Strategy) -> None:
    client = strategy.sources[0].partition("/")[2].partition(" ")[0]

    assert strategy.kind is StrategyKind.OTHER_CLIENT
    assert strategy.name.startswith(client)
    assert client.lower() in strategy.label.lower()
    assert re.search(r" v\d+\.\d+\.\d+$", strategy.sources[0])


@pytest.mark.slow
@every_client
def test_a_strategy_has_three_hundred_vectors_of_the_real_library(strategy: Strategy) -> None:
    assert strategy.name in strategies_with_vectors()
    tried = list(records(strategy.name))
    assert sum(has_answer(record) or "counts" in record for record in tried) >= 300
