"""What "exact" holds for: a client's release, beside its known defects."""

import pytest

from assignors.catalogue import strategies, strategy_called
from assignors.strategy import StrategyKind
from evaluation.releases import holds_for, release_of


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("sticky", ["3.7.1 to 4.4.0", "KAFKA-16277"]),
        ("range", ["3.7.1 to 4.4.0"]),
        ("uniform-kafka-18688", ["brokers 4.0.1 to 4.4.0"]),
        ("aiokafka-sticky", ["aiokafka v0.14.0", "aiokafka#1176"]),
        ("librdkafka-cooperative-sticky", ["librdkafka v2.16.0"]),
    ],
)
def test_exact_names_the_release_and_the_defects_of_its_client(name: str, named: list[str]) -> None:
    said = holds_for([strategy_called(name)])

    assert [each for each in named if each not in said] == []
    assert ("KAFKA-16277" in said) == (name == "sticky")


def test_every_strategy_of_a_client_has_a_release_and_no_custom_one() -> None:
    for each in strategies().values():
        is_of_a_client = each.kind is not StrategyKind.CUSTOM and bool(
            each.client or each.client_class or each.remote_assignor
        )
        if each.kind is StrategyKind.OTHER_CLIENT:
            assert release_of(each)
        if not is_of_a_client:
            assert not release_of(each), each.name
