from importlib import import_module

import pytest

from assignors.clients.registry import ALL_STRATEGIES, OTHER_CLIENTS
from assignors.registry import STRATEGIES
from assignors.strategy import Protocol, StrategyKind
from evaluation.assuming.clients import CLIENTS, JAVA, Client, client_of
from evaluation.configuration import configuration
from evaluation.takes import takes_of

CLIENT = pytest.mark.parametrize("client", CLIENTS.values(), ids=lambda client: client.name)


def test_every_strategy_of_another_client_can_be_set_on_that_client_alone() -> None:
    for strategy in OTHER_CLIENTS.values():
        assert [c for c in CLIENTS.values() if strategy in c.settable] == [client_of(strategy)]


def test_how_one_gets_a_strategy_is_in_the_words_of_the_glossary() -> None:
    said = {name: takes_of(strategy).value for name, strategy in STRATEGIES.items()}

    assert {said[name] for name in ("range", "cooperative-sticky")} == {"setting"}
    assert (said["uniform"], said["load-sticky"]) == ("broker", "jar")
    assert set(said.values()) == {"setting", "broker", "jar", "earlier release"}


def test_java_s_users_see_all_of_kafka_s_and_the_custom_ones() -> None:
    assert JAVA.strategies == tuple(STRATEGIES.values())
    assert next(iter(CLIENTS.values())) is JAVA


@CLIENT
def test_only_clients_of_the_broker_side_protocol_are_offered_its_strategies(
    client: Client,
) -> None:
    protocols = {strategy.protocol for strategy in client.settable}

    assert (Protocol.BROKER in protocols) == (client.name in {"java", "librdkafka", "franz-go"})


@CLIENT
def test_what_can_be_set_has_a_setting_in_the_client_s_own_language(client: Client) -> None:
    for strategy in client.settable:
        found = configuration(strategy, client)

        assert found.steps
        assert {step.language for step in found.steps} == {client.language}
        assert not any("TYPE" in step.settings or "NAME" in step.settings for step in found.steps)


@CLIENT
def test_a_custom_assignor_says_what_it_requires_on_this_client(client: Client) -> None:
    for strategy in client.custom:
        found = configuration(strategy, client)

        in_python = client.name in {"aiokafka", "kafka-python"} and strategy.name == "load-sticky"
        has_plugin = strategy.plugin_class if client is JAVA else in_python
        assert bool(found.steps) == bool(has_plugin)
        assert has_plugin or client.interface.split()[-1] in found.notes[0]


@pytest.mark.parametrize(
    ("client", "strategy", "settings"),
    [
        ("librdkafka", "librdkafka-range", "partition.assignment.strategy=range"),
        ("librdkafka", "uniform", "group.protocol=consumer\ngroup.remote.assignor=uniform"),
        ("franz-go", "uniform", "kgo.Balancers(kgo.StickyBalancer()), kgo.ServerSideBalancer()"),
        ("franz-go", "franz-go-roundrobin", "kgo.Balancers(kgo.RoundRobinBalancer())"),
        ("sarama", "sarama-range", "sarama.NewBalanceStrategyRange()"),
        (
            "sarama",
            "sarama-cooperative-sticky",
            "sarama.NewBalanceStrategyCooperativeSticky()",
        ),
        ("kafka-go", "kafka-go-roundrobin", "kafka.RoundRobinGroupBalancer{}"),
        (
            "librdkafka",
            "librdkafka-cooperative-sticky",
            "partition.assignment.strategy=cooperative-sticky",
        ),
        ("kafkajs", "kafkajs-roundrobin", "partitionAssigners: [PartitionAssigners.roundRobin]"),
    ],
)
def test_the_setting_is_the_one_of_the_client_s_documentation(
    client: str, strategy: str, settings: str
) -> None:
    (step,) = configuration(ALL_STRATEGIES[strategy], CLIENTS[client]).steps

    assert settings in step.settings


@pytest.mark.parametrize("name", [n for n in OTHER_CLIENTS if "aiokafka" in n or "python" in n])
def test_the_class_that_a_python_client_is_given_can_be_imported(name: str) -> None:
    strategy = ALL_STRATEGIES[name]
    (step,) = configuration(strategy, JAVA).steps
    _, module, _, assignor = step.settings.splitlines()[0].split()

    found = getattr(import_module(module), assignor)

    assert found.name == name.removeprefix("aiokafka-").removeprefix("kafka-python-")
    assert f"[{assignor}]" in step.settings


def test_a_client_without_custom_assignors_offers_and_promises_none() -> None:
    librdkafka = CLIENTS["librdkafka"]

    assert librdkafka.custom == ()
    (note,) = configuration(STRATEGIES["fair"], librdkafka).notes
    assert "does not support assignors of your own" in note


def test_a_broker_side_strategy_is_no_setting_of_a_client_without_the_protocol() -> None:
    found = configuration(STRATEGIES["uniform"], CLIENTS["kafkajs"])

    assert found.steps == ()
    assert "does not speak the broker-side protocol" in found.notes[0]


@CLIENT
def test_custom_assignors_are_offered_where_a_client_has_an_interface_for_them(
    client: Client,
) -> None:
    assert {strategy.kind for strategy in client.custom} <= {StrategyKind.CUSTOM}
    assert bool(client.custom) == bool(client.interface)


@pytest.mark.parametrize(
    ("client", "name", "strategy"),
    [
        ("java", "range", "range"),
        ("librdkafka", "range", "librdkafka-range"),
        ("librdkafka", "sticky", None),
        ("librdkafka", "uniform-kafka-18688", "uniform-kafka-18688"),
    ],
)
def test_the_name_that_a_group_shows_means_the_strategy_of_its_client(
    client: str, name: str, strategy: str | None
) -> None:
    found = CLIENTS[client].strategy_called(name)

    assert (found and found.name) == strategy


def test_every_strategy_is_settable_or_custom_or_of_another_client_and_never_two() -> None:
    settable, custom = set(JAVA.settable), set(JAVA.custom)

    assert not settable & custom
    assert {strategy.kind for strategy in custom} == {StrategyKind.CUSTOM}
    assert all(strategy.kind is not StrategyKind.CUSTOM for strategy in settable)
