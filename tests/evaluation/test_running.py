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
LIBRDKAFKAS = ("54mSg+QISB66ovCIVGXEcg", "8cmjKqeKT/Cr5WLLKoR6qQ", "ZnoVk2mgTCCT0jnDzQhUfg")
"""Likewise, in the alphabet that is not for URLs."""


@pytest.mark.parametrize("name", ["uniform-kafka-18688", "server-range"])
def test_ids_of_a_broker_and_owners_of_a_brokers_strategy_tell_that_strategy(name: str) -> None:
    fresh = Group.fresh({"t": 7, "u": 5}, IDS, lags={"t": [9] * 7, "u": [5] * 5})
    group = fresh.owned_by(STRATEGIES[name].settle(fresh))

    found = running(group, JAVA.settable)

    assert found.strategy is not None
    assert name in {each.name for each in (found.strategy, *found.rivals)}
    assert found.origin is Origin.INFERRED
    assert {each.protocol for each in (found.strategy, *found.rivals)} == {Protocol.BROKER}


@pytest.mark.parametrize("ids", [IDS, LIBRDKAFKAS])
def test_ids_of_a_broker_are_never_taken_for_range_of_a_client_whatever_the_owners(
    ids: tuple[str, ...],
) -> None:
    fresh = Group.fresh({"t": 7}, ids)

    found = running(fresh.owned_by(np.array([0, 0, 0, 0, 0, 1, 2], np.int32)), JAVA.settable)

    assert found.strategy is not None
    assert (found.origin, found.strategy.remote_assignor) == (Origin.PROTOCOL, "uniform")


_END = "-4c2e8c1a-2c1f-4f6e-9a0e-0a1b2c3d4e5"
"""All of a UUID but its last digit."""


@pytest.mark.parametrize(
    ("ids", "is_brokers"),
    [
        ([f"billing-{k}{_END}{k}" for k in range(3)], False),
        ([f"consumer-orders-1{_END}{k}" for k in range(3)], False),
        (["billing-0", "billing-1", "billing-2"], True),
        ([f"billing-0{_END}0", "billing-1", "billing-2"], True),
        ([f"billing-0{_END}0", *IDS[1:]], True),
    ],
)
def test_no_broker_assigns_in_a_group_whose_ids_all_have_the_uuid_of_a_classic_one(
    ids: list[str], *, is_brokers: bool
) -> None:
    fresh = Group.fresh({"t": 6, "u": 5}, ids)
    uniform = STRATEGIES["uniform"]
    group = fresh.owned_by(uniform.settle(fresh))

    found = running(group, JAVA.settable)

    is_named = found.strategy is not None and bool(found.strategy.remote_assignor)
    assert is_named == is_brokers
