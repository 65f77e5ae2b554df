"""Which strategy a group runs, where nobody states it."""

import numpy as np
import pytest

from assignors.model import Group
from assignors.registry import STRATEGIES
from assignors.strategy import Protocol
from evaluation.assuming.clients import JAVA
from evaluation.assuming.running import Origin, running

IDS = ("2kzJX4zKR8uIyDgSLzmQyA", "9PqAbcTtR1mXyDgSLzmQyA", "Zk1bbcTtR1mXyDgSLzmQyA")
"""Of brokers: 16 random bytes in base64, 22 characters."""


@pytest.mark.parametrize("name", ["uniform-kafka-18688", "server-range"])
def test_ids_of_a_broker_and_owners_of_a_brokers_strategy_tell_that_strategy(name: str) -> None:
    fresh = Group.fresh({"t": 7, "u": 5}, IDS, lags={"t": [9] * 7, "u": [5] * 5})
    group = fresh.owned_by(STRATEGIES[name].settle(fresh))

    found = running(group, JAVA.settable)

    assert found.strategy is not None
    assert name in {each.name for each in (found.strategy, *found.rivals)}
    assert found.origin is Origin.INFERRED
    assert {each.protocol for each in (found.strategy, *found.rivals)} == {Protocol.BROKER}


def test_ids_of_a_broker_are_never_taken_for_range_of_a_client_whatever_the_owners() -> None:
    fresh = Group.fresh({"t": 7}, IDS)

    found = running(fresh.owned_by(np.array([0, 0, 0, 0, 0, 1, 2], np.int32)), JAVA.settable)

    assert found.strategy is not None
    assert (found.origin, found.strategy.remote_assignor) == (Origin.PROTOCOL, "uniform")
