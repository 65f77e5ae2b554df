"""The kinds of groups, and what runs none of our strategies."""

from dataclasses import replace

import pytest

from assignors import Group, GroupKind, UnsupportedKind, compare
from assignors.kinds import refusal


def test_only_groups_of_consumers_run_strategies_of_consumer_groups() -> None:
    running = {kind for kind in GroupKind if kind.runs_consumer_strategies}

    assert running == {GroupKind.CONSUMER, GroupKind.CONNECT_SINK}


@pytest.mark.parametrize("kind", [k for k in GroupKind if not k.runs_consumer_strategies])
def test_a_comparison_of_another_kind_is_refused_with_the_kind_and_what_to_do(
    kind: GroupKind,
) -> None:
    group = replace(Group.fresh({"orders": 3}, ["a", "b"]), id="orders-app")

    with pytest.raises(UnsupportedKind) as refused:
        compare(group, ["range"], kind=kind)

    assert refused.value.kind is kind
    assert str(refused.value) == refusal(kind, "orders-app")
    assert kind.noun in str(refused.value)
    assert kind.advice[1:-1] in str(refused.value)


def test_a_sink_connectors_advice_names_the_override_its_policy_and_the_number_of_tasks() -> None:
    advice = GroupKind.CONNECT_SINK.advice

    assert "consumer.override.partition.assignment.strategy" in advice
    assert "connector.client.config.override.policy" in advice
    assert "tasks.max" in advice
