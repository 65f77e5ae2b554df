import pytest

from assignors.kinds import GroupKind
from assignors.registry import STRATEGIES
from assignors.strategy import Protocol, Sees, Strategy
from evaluation.assuming.clients import CLIENTS, JAVA, Client
from evaluation.configuration import configuration

SHIPPED = [s for s in STRATEGIES.values() if s.client_class or s.remote_assignor]


def properties(name: str) -> list[dict[str, str]]:
    """Return the settings of each step as in a properties file."""
    return [
        dict(line.split("=", 1) for line in step.settings.splitlines())
        for step in configuration(STRATEGIES[name], JAVA).steps
    ]


def test_an_eager_strategy_is_one_class() -> None:
    assert properties("range") == [
        {"partition.assignment.strategy": "org.apache.kafka.clients.consumer.RangeAssignor"}
    ]


def test_the_way_to_cooperative_goes_over_both() -> None:
    both, only = (
        step["partition.assignment.strategy"] for step in properties("cooperative-sticky")
    )

    assert only == "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
    assert both.split(",") == [only, "org.apache.kafka.clients.consumer.RangeAssignor"]


def test_a_switch_lists_what_the_group_uses_and_not_the_default() -> None:
    found = configuration(STRATEGIES["cooperative-sticky"], JAVA, STRATEGIES["roundrobin"])

    both, only = (step.settings for step in found.steps)
    assert both == f"{only},org.apache.kafka.clients.consumer.RoundRobinAssignor"
    assert "In place of" not in found.steps[0].text


def test_what_goes_by_one_name_on_old_and_new_brokers_takes_their_upgrade_alone() -> None:
    old, new = STRATEGIES["uniform"], STRATEGIES["uniform-kafka-18688"]

    upgrade, other, same = (
        configuration(new, JAVA, before) for before in (old, STRATEGIES["server-range"], new)
    )

    assert [step.settings for step in upgrade.steps] == [
        "kafka-features.sh --bootstrap-server HOST:9092 upgrade --release-version 4.4"
    ]
    assert "group.remote.assignor=uniform" in other.steps[0].settings
    assert not same.steps
    assert same.notes[0].startswith("It runs already, so nothing is to be set")


def test_the_way_back_from_the_consumer_protocol_is_one_restart() -> None:
    found = configuration(STRATEGIES["cooperative-sticky"], JAVA, STRATEGIES["uniform"])

    (step,) = found.steps
    assert step.settings.splitlines()[0] == "group.protocol=classic"


@pytest.mark.parametrize(("name", "assignor"), [("uniform", "uniform"), ("server-range", "range")])
def test_a_broker_side_strategy_is_a_protocol_and_a_name(name: str, assignor: str) -> None:
    assert properties(name) == [{"group.protocol": "consumer", "group.remote.assignor": assignor}]


@pytest.mark.parametrize(
    "name",
    [n for n, s in STRATEGIES.items() if s not in SHIPPED and not s.plugin_class],
)
def test_a_strategy_that_kafka_does_not_ship_says_so_and_offers_no_setting(name: str) -> None:
    found = configuration(STRATEGIES[name], JAVA)

    assert found.steps == ()
    assert "no setting chooses it today" in found.notes[0]


def test_load_sticky_comes_with_the_jar_and_two_rolling_restarts() -> None:
    jar, first, second = configuration(STRATEGIES["load-sticky"], JAVA, STRATEGIES["range"]).steps

    assert jar.settings.startswith("make plugins ")
    assert first.settings.splitlines() == [
        (
            "partition.assignment.strategy=kafkaassignments.LoadStickyAssignor,"
            "org.apache.kafka.clients.consumer.RangeAssignor"
        ),
        "assignor.load.log.inputs=true",
    ]
    assert second.settings.splitlines() == [
        "partition.assignment.strategy=kafkaassignments.LoadStickyAssignor",
        "assignor.load.log.inputs=true",
    ]


def test_what_ignores_owners_comes_with_the_jar_and_is_eager() -> None:
    jar, step = configuration(STRATEGIES["fair"], JAVA).steps

    assert jar.settings.startswith("make plugins ")
    assert step.settings == "partition.assignment.strategy=kafkaassignments.FairAssignor"


@pytest.mark.parametrize("client", CLIENTS.values(), ids=lambda client: client.name)
def test_a_group_whose_brokers_assign_is_not_offered_a_setting_of_clients(client: Client) -> None:
    for strategy in STRATEGIES.values():
        found = configuration(strategy, client, STRATEGIES["uniform"])
        if not found.steps:
            assert "partition.assignment.strategy" not in " ".join(found.notes), strategy.name


@pytest.mark.parametrize("name", ["kafka-python", "aiokafka"])
def test_python_clients_get_load_sticky_as_an_extra(name: str) -> None:
    package, step = configuration(STRATEGIES["load-sticky"], CLIENTS[name]).steps

    assert f"pip install '.[{name}]'" in package.settings
    assert f"for_{name.replace('-', '_')} import LoadStickyAssignor" in step.settings
    compile(step.settings, "settings", "exec")


def test_the_owners_of_a_moving_group_are_no_promise() -> None:
    notes = configuration(STRATEGIES["load-sticky"], JAVA).notes

    assert "exact for the lags shown" in notes[0]
    assert "not these very owners" in notes[0]


@pytest.mark.parametrize("strategy", SHIPPED, ids=lambda strategy: strategy.name)
def test_the_hints_fit_the_protocol_and_what_the_strategy_sees(strategy: Strategy) -> None:
    notes = " ".join(configuration(strategy, JAVA).notes)

    is_broker_side = strategy.protocol is Protocol.BROKER
    assert "group.instance.id" in notes
    assert ("group.consumer.session.timeout.ms" in notes) == is_broker_side
    assert ("the Java client rejects them" in notes) == is_broker_side
    assert ("client.rack" in notes) == (Sees.RACKS in strategy.sees)


def test_a_sink_takes_its_consumers_settings_in_the_connector() -> None:
    found = configuration(
        STRATEGIES["cooperative-sticky"], JAVA, STRATEGIES["range"], GroupKind.CONNECT_SINK
    )

    both, only = (step.settings for step in found.steps)
    assert only == (
        "consumer.override.partition.assignment.strategy="
        "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"
    )
    assert both == f"{only},org.apache.kafka.clients.consumer.RangeAssignor"
    assert "/connectors/NAME/config" in found.steps[0].text
    assert "connector.client.config.override.policy" in found.notes[0]
    assert "tasks.max" in found.notes[1]
    assert not any("group.instance.id" in note for note in found.notes)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_every_setting_of_a_sink_is_an_override(name: str) -> None:
    found = configuration(STRATEGIES[name], JAVA, None, GroupKind.CONNECT_SINK)

    for step in found.steps:
        if step.language == "properties":
            assert all(line.startswith("consumer.override.") for line in step.settings.splitlines())


@pytest.mark.parametrize(
    ("client", "opening"),
    [
        ("aiokafka", "All consumers must have one strategy in common"),
        ("librdkafka", "Stop all consumers of the group first"),
        ("kafka-python", "Stop all consumers of the group first"),
        ("franz-go", "In a first rolling restart list it before the old one"),
    ],
)
def test_how_a_client_becomes_cooperative_depends_on_what_it_can_list(
    client: str, opening: str
) -> None:
    of = CLIENTS[client]
    settable = [s for s in of.settable if s.protocol is Protocol.COOPERATIVE]
    strategy = settable[0] if settable else STRATEGIES["load-sticky"]

    found = configuration(strategy, of)

    assert found.steps[-1].text.startswith(opening)
