"""What to set on the consumers of a group so that they use a strategy.

Facts from Kafka's documentation of consumer settings, KIP-345, KIP-429, KIP-848, KIP-881.
"""

from typing import Final, NamedTuple

from assignors.registry import Protocol, Sees, Strategy

_CLASSIC: Final = "partition.assignment.strategy"
_EAGER_DEFAULT: Final = "org.apache.kafka.clients.consumer.RangeAssignor"


class Step(NamedTuple):
    """One change of settings, brought to every consumer before the next."""

    text: str
    """When to make it and what it does, in a sentence or two."""
    properties: str
    """Lines of a properties file."""


class Configuration(NamedTuple):
    """How a group comes to use a strategy: steps in order, and what to know besides."""

    steps: tuple[Step, ...]
    """None if no release of Kafka ships the strategy."""
    notes: tuple[str, ...]


def configuration(strategy: Strategy) -> Configuration:
    """Return what to set for one strategy, safe for a group that is running."""
    steps = _steps(strategy)
    if not steps:
        return Configuration((), (_not_shipped(strategy),))
    return Configuration(steps, tuple(_notes(strategy)))


def _steps(strategy: Strategy) -> tuple[Step, ...]:
    if strategy.remote_assignor:
        return (
            Step(
                "With brokers of 4.0 or later, one rolling restart; while it goes on, the "
                "coordinator serves old and new consumers together, unless the brokers' "
                "group.consumer.migration.policy forbids it.",
                "group.protocol=consumer\n" + _line("group.remote.assignor", strategy),
            ),
        )
    if not strategy.client_class:
        return ()
    only = _line(_CLASSIC, strategy)
    if strategy.protocol is Protocol.COOPERATIVE:
        return (
            Step(
                "First rolling restart: both, the group stays eager. In place of RangeAssignor "
                "list what the group uses now. Consumers of 3.0 or later that set nothing have "
                "these two already.",
                f"{only},{_EAGER_DEFAULT}",
            ),
            Step(
                "Second rolling restart, only when the first has reached every consumer: the old "
                "one goes, and the group turns cooperative.",
                only,
            ),
        )
    return (
        Step(
            "All consumers must have one strategy in common at every moment. In a group that is "
            "running, list the new and the old one in a first rolling restart and remove the old "
            "one in a second.",
            only,
        ),
    )


def _line(name: str, strategy: Strategy) -> str:
    return f"{name}={strategy.remote_assignor or strategy.client_class}"


def _notes(strategy: Strategy) -> list[str]:
    is_broker_side = strategy.protocol is Protocol.BROKER
    notes = []
    if is_broker_side:
        notes.append(
            "Take partition.assignment.strategy, session.timeout.ms and heartbeat.interval.ms "
            "out: under this protocol they are the broker's, and the Java client refuses them."
        )
    timeout = (
        "the broker's group.consumer.session.timeout.ms" if is_broker_side else "session.timeout.ms"
    )
    notes.append(
        "With a group.instance.id, different for each consumer and the same after a restart, a "
        f"consumer that is back within {timeout} keeps its partitions and nobody rebalances."
    )
    if Sees.RACKS in strategy.sees:
        notes.append(
            "Racks count only where client.rack is set on the consumers (3.5 or later) and "
            "broker.rack on the brokers."
        )
    return notes


def _not_shipped(strategy: Strategy) -> str:
    what = (
        "Earlier releases of Kafka used this algorithm under the name of the sticky strategies"
        if strategy.name.startswith("sticky-")
        else "Kafka does not ship this strategy"
    )
    return (
        f"{what}; no setting chooses it today. To run it, a class of your own that implements "
        "ConsumerPartitionAssignor goes on every consumer's class path, and its name into "
        "partition.assignment.strategy."
    )
