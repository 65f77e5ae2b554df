"""The settings that bring a group to a strategy.

Facts from Kafka's documentation of consumer settings, KIP-345, KIP-429, KIP-848, KIP-881, and
the sources of the other clients.
"""

from typing import Final

from assignors.kinds import GroupKind
from assignors.strategy import Protocol, Sees, Strategy, StrategyKind
from evaluation.assuming.clients import JAVA, Client, client_of, is_settable
from evaluation.settings_steps import Configuration, SettingsStep, in_connector

_EAGER_DEFAULT: Final = "org.apache.kafka.clients.consumer.RangeAssignor"


_RUNS_ALREADY: Final = (
    "It runs already, so nothing is to be set: the next rebalance, as when a consumer restarts, "
    "brings what is shown."
)


def configuration(
    strategy: Strategy,
    client: Client,
    before: Strategy | None = None,
    kind: GroupKind = GroupKind.CONSUMER,
) -> Configuration:
    """Return the settings for one strategy, safe for a running group.

    ``before`` is what the group runs, if known. A strategy of another client than the one given is
    set on its own client. The consumers of a sink connector are set in the connector.
    """
    found = _of_consumers(strategy, client, before)
    return in_connector(found) if kind is GroupKind.CONNECT_SINK else found


def _of_consumers(strategy: Strategy, client: Client, before: Strategy | None) -> Configuration:
    client = client_of(strategy) or client
    if before == strategy:
        return Configuration((), (_RUNS_ALREADY,))
    assignor = strategy.remote_assignor
    if assignor and before is not None and before.remote_assignor == assignor:
        return Configuration((_UPGRADE,), ())
    if not is_settable(strategy):
        if before is None or not before.remote_assignor:
            plugin = _plugin(strategy, client, before)
            if plugin is not None:
                return plugin
        return Configuration((), (_not_shipped(strategy, client, before),))
    if assignor and not client.broker_side:
        return Configuration((), (f"{client.label} does not speak the broker-side protocol.",))
    steps = _steps(strategy, client, before, client.set_to(strategy))
    return Configuration(tuple(steps), tuple(_notes(strategy, client)))


def _plugin(strategy: Strategy, client: Client, before: Strategy | None) -> Configuration | None:
    """Return how to run a strategy of this project; None if the client has no plug-in for it."""
    if client is JAVA and strategy.plugin_class:
        get, only = _JAR, f"partition.assignment.strategy={strategy.plugin_class}"
    elif client.name in _IN_PYTHON and strategy.name == "load-sticky":
        get, only = _packages(client.name), _IN_PYTHON[client.name]
    else:
        return None
    steps = _steps(strategy, client, before, only)
    if client is JAVA and Sees.OWNERS in strategy.sees:
        logged = "\nassignor.load.log.inputs=true"
        steps = [step._replace(settings=step.settings + logged) for step in steps]
    note = (
        "The owners shown are exact for the lags shown. Lag goes on moving until the group "
        "rebalances: expect loads as even and moves as few as shown, not these very owners. With "
        "the inputs logged, paste the leader's line here for the owners to the last partition."
    )
    notes = [note, *_notes(strategy, client)] if Sees.LAG in strategy.sees else []
    return Configuration((get, *steps), tuple(notes or _notes(strategy, client)))


_JAR: Final = SettingsStep(
    "In this project's folder, build the jar, and put it on the class path of every consumer; it "
    "needs kafka-clients 3.4 or later and nothing else. plugins/java/README.md has every setting.",
    "make plugins   # plugins/java/target/kafka-assignments-java.jar",
    "bash",
)
_IN_PYTHON: Final = {
    "kafka-python": "from kafka_assignments_plugins.for_kafka_python import LoadStickyAssignor\n\n"
    "assignor = LoadStickyAssignor(GROUP, {'bootstrap_servers': HOST}, log_inputs=True)\n"
    "KafkaConsumer(..., group_id=GROUP, partition_assignment_strategy=[assignor])",
    "aiokafka": "from kafka_assignments_plugins.for_aiokafka import LoadStickyAssignor\n\n"
    "assignor = LoadStickyAssignor(GROUP, {'bootstrap_servers': HOST}, log_inputs=True)\n"
    "AIOKafkaConsumer(..., group_id=GROUP, partition_assignment_strategy=[assignor])",
}
"""How consumers of each client run load-sticky; one assignor for each consumer."""


def _packages(client: str) -> SettingsStep:
    return SettingsStep(
        "Install this project with the extra of the client, beside every consumer. "
        "plugins/python/README.md has every setting.",
        f"pip install '.[{client}]'   # in this project's folder",
        "bash",
    )


_UPGRADE: Final = SettingsStep(
    "Upgrade the brokers one by one, and finalize the release when all run it; nothing changes on "
    "the consumers. The group gets its new owners at the first rebalance that an upgraded "
    "coordinator computes.",
    "kafka-features.sh --bootstrap-server HOST:9092 upgrade --release-version 4.4",
    "bash",
)


def _steps(
    strategy: Strategy, client: Client, before: Strategy | None, only: str
) -> list[SettingsStep]:
    """Return the rolling restarts to a strategy, which the setting ``only`` selects alone."""
    if strategy.remote_assignor:
        clients = "" if client is JAVA else f" and {client.broker_side} or later"
        text = (
            f"With brokers of 4.0 or later{clients}, and the feature group.version at 1, as new "
            "clusters have it: one rolling restart. While it goes on, the coordinator serves old "
            "and new consumers together, unless the brokers' group.consumer.migration.policy "
            "forbids it."
        )
    elif before is not None and before.remote_assignor and client is JAVA:
        text = "One rolling restart; while it goes on, the coordinator serves both."
        only = f"group.protocol=classic\n{only}"
    elif strategy.protocol is not Protocol.COOPERATIVE or client.is_always_eager:
        text = (
            "All consumers must have one strategy in common at every moment. In a group that is "
            "running, list the new and the old one in a first rolling restart and remove the old "
            "one in a second."
        )
    elif client is JAVA:
        return _to_cooperative(before, only, client.language)
    elif not client.mixes_protocols:
        text = (
            f"Stop all consumers of the group first: {client.short} lists no cooperative and eager "
            "strategy together."
        )
    else:
        text = (
            "In a first rolling restart list it before the old one: the group stays eager. In a "
            "second, when the first has reached every consumer, remove the old one, and the group "
            "turns cooperative."
        )
    return [SettingsStep(text, only, client.language)]


def _to_cooperative(before: Strategy | None, only: str, language: str) -> list[SettingsStep]:
    """Return Java's two rolling restarts, which list the old strategy, too, in the first."""
    old = before.client_class or before.plugin_class if before is not None else None
    if old and before is not None and before.protocol is Protocol.COOPERATIVE:
        stays, turns = "the group stays cooperative.", ""
    else:
        unless = "" if old else " In place of RangeAssignor list what the group uses now."
        stays = (
            f"the group stays eager.{unless} Consumers of 3.0 or later that set nothing have "
            "RangeAssignor and CooperativeStickyAssignor already."
        )
        turns = ", and the group turns cooperative"
    first = f"First rolling restart: list both; {stays}"
    second = (
        "Second rolling restart, only when the first has reached every consumer: remove the old "
        f"one{turns}."
    )
    return [
        SettingsStep(first, f"{only},{old or _EAGER_DEFAULT}", language),
        SettingsStep(second, only, language),
    ]


def _notes(strategy: Strategy, client: Client) -> list[str]:
    is_broker_side, notes = strategy.protocol is Protocol.BROKER, []
    if is_broker_side and client.language == "properties":
        notes.append(
            "Remove partition.assignment.strategy, session.timeout.ms and heartbeat.interval.ms: "
            f"under this protocol the broker sets them, and the {client.short} client rejects "
            "them."
        )
    timeout = (
        "the broker's group.consumer.session.timeout.ms" if is_broker_side else "session.timeout.ms"
    )
    if client.static_id:
        notes.append(
            f"With a {client.static_id}, different for each consumer and the same after a restart, "
            f"a consumer that is back within {timeout} keeps its partitions and nobody rebalances."
        )
    if Sees.RACKS in strategy.sees:
        since = " (3.5 or later)" if client is JAVA else ""
        notes.append(
            f"Racks count only where client.rack is set on the consumers{since} and "
            "broker.rack on the brokers."
        )
    return notes


def _not_shipped(strategy: Strategy, client: Client, before: Strategy | None) -> str:
    what = f"{'Kafka' if client is JAVA else client.short} does not ship this strategy"
    if strategy.kind is not StrategyKind.CUSTOM:
        what = "Earlier releases of Kafka used this algorithm as their sticky strategies"
    text = f"{what}; no setting chooses it today. "
    if before is not None and before.remote_assignor:
        own = (
            " plugins/broker/README.md has one for brokers of your own, with weights from a file."
            if strategy.name == "load-sticky"
            else ""
        )
        return text + (
            "This group's brokers assign: it would take a ConsumerGroupPartitionAssignor on every "
            "broker's class path, named in group.consumer.assignors, or a return to "
            f"group.protocol=classic first.{own}"
        )
    if client is JAVA:
        return text + (
            "To run it, put a class of your own that implements ConsumerPartitionAssignor on every "
            "consumer's class path and its name into partition.assignment.strategy."
        )
    if not client.interface:
        return text + f"{client.short} does not support assignors of your own."
    return text + (
        f"To run it, write {client.interface}, with the algorithm in it, and give it to every "
        "consumer of the group."
    )
