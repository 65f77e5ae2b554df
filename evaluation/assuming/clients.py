"""Kafka clients, their strategies, and how to configure each.

Clients also differ in their support for the broker-side protocol (KIP-848), for custom
assignors and for static ids.
"""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from assignors.catalogue import strategies
from assignors.clients.registry import DEFAULTS, OTHER_CLIENTS
from assignors.model import Group
from assignors.strategy import Strategy, StrategyKind
from assignors.suggestions import nearest
from evaluation.wording import listed

_MOST_NAMED: Final = 30
"""The most strategies that a refusal lists."""
_TYPES: Final = {
    "range": "Range",
    "roundrobin": "RoundRobin",
    "sticky": "Sticky",
    "cooperative-sticky": "CooperativeSticky",
}
"""What clients' names for a strategy's type begin or end with."""


class UnknownClientError(ValueError):
    """No client library has this name; the message suggests one."""


class ForeignStrategyError(ValueError):
    """A group is said to run a strategy that its client does not have."""

    def __init__(self, name: str, client: "Client") -> None:
        own = listed([each.name for each in client.strategies], most=_MOST_NAMED)
        super().__init__(f"there is no strategy {name!r} in {client.short}, which has {own}")


class Client(NamedTuple):
    """A Kafka client library."""

    name: str
    """As the command line, links and strategy names write it."""
    label: str
    setting: str
    """Sets a strategy; ``NAME``, ``TYPE`` and ``MODULE`` are placeholders."""
    language: str = "properties"
    """The language of the setting."""
    static_id: str = ""
    """Sets a static id; empty if the client has none."""
    interface: str = ""
    """What an assignor of your own implements; empty if the client supports none."""
    broker_side: str = ""
    """The first release with the broker-side protocol; empty if there is none."""
    broker_side_setting: str = "group.protocol=consumer\ngroup.remote.assignor=NAME"
    is_always_eager: bool = False
    """Whether its rebalances stop all consumers whatever the strategy."""
    mixes_protocols: bool = True
    """Whether its consumers may list a cooperative and an eager strategy together."""

    @property
    def short(self) -> str:
        """The label without its explanation."""
        return self.label.partition(" (")[0]

    @property
    def default(self) -> Strategy:
        """What its consumers run unless a setting says otherwise."""
        return DEFAULTS[self.name]

    @property
    def settable(self) -> tuple[Strategy, ...]:
        """The strategies that a setting selects, the client's own before those of brokers."""
        shipped = [s for s in strategies().values() if is_settable(s)]
        own = (s for s in shipped if s.client == self.name)
        brokers = (s for s in shipped if s.remote_assignor and self.broker_side)
        return (*own, *brokers)

    @property
    def custom(self) -> tuple[Strategy, ...]:
        """The assignors of ours that could be implemented for it, in display order."""
        custom = (s for s in strategies().values() if s.kind is StrategyKind.CUSTOM)
        return tuple(custom) if self.interface else ()

    @property
    def strategies(self) -> tuple[Strategy, ...]:
        """Every strategy relevant to its users, in display order."""
        if self is JAVA:
            return tuple(s for s in strategies().values() if s.client in (None, self.name))
        return (*self.settable, *self.custom)

    def settings_for(self, runs: Strategy | None) -> tuple[Strategy, ...]:
        """Return what may be set in a group that ``runs`` a strategy, if that is known.

        Not brokers' assignors of old releases, unless one runs: of two with one name the later
        release comes last. A group whose assignor is the broker's obeys no setting of its clients.
        """
        is_of_brokers = runs is not None and bool(runs.remote_assignor)
        last = {each.remote_assignor: each for each in self.settable}
        return tuple(
            each
            for each in self.settable
            if (
                each in {last[each.remote_assignor], runs}
                if each.remote_assignor
                else not is_of_brokers
            )
        )

    def strategy_called(self, name: str) -> Strategy | None:
        """Return the strategy of this name, as a group reports it or as we do; None for others'."""
        found = (s for s in self.strategies if name in {s.name, s.name_in_client, *s.other_names})
        return next(found, None)

    def has(self, strategy: Strategy) -> bool:
        """Return whether its consumers may run a strategy, if only one of your own."""
        if strategy.client is not None:
            return strategy.client == self.name
        return bool(self.broker_side if strategy.remote_assignor else self.interface)

    def set_to(self, strategy: Strategy) -> str:
        """Return the setting that selects a strategy."""
        if strategy.remote_assignor:
            own = "sticky" if strategy.remote_assignor == "uniform" else "range"
            setting, name = self.broker_side_setting, strategy.remote_assignor
        else:
            setting = self.setting
            own = name = strategy.name_in_client
        kind = _TYPES.get(own, own.title())
        if self.language == "python" and own != "cooperative-sticky":
            kind += "Partition"
        module = "sticky.sticky_assignor" if own == "sticky" else own.replace("-", "_")
        named = setting.replace("NAME", strategy.client_class or name)
        return named.replace("TYPE", kind).replace("MODULE", module)


JAVA: Final = Client(
    name="java",
    label="Java",
    setting="partition.assignment.strategy=NAME",
    static_id="group.instance.id",
    interface="a class that implements ConsumerPartitionAssignor",
    broker_side="Kafka 4.0",
)
_PYTHON: Final = (
    "from {0}.coordinator.assignors.MODULE import TYPEAssignor\n\n"
    "{1}(..., partition_assignment_strategy=[TYPEAssignor])"
)
_KNOWN: Final = (
    JAVA,
    Client(
        name="librdkafka",
        label="librdkafka (confluent-kafka: Python, .NET, Go, JavaScript)",
        setting="partition.assignment.strategy=NAME",
        static_id="group.instance.id",
        broker_side="librdkafka 2.12",
        mixes_protocols=False,
    ),
    Client(
        name="kafka-go",
        label="kafka-go (segmentio)",
        setting="kafka.ReaderConfig{\n"
        "\tGroupBalancers: []kafka.GroupBalancer{kafka.TYPEGroupBalancer{}},\n}",
        language="go",
        interface="a type that implements kafka.GroupBalancer",
    ),
    Client(
        name="kafkajs",
        label="KafkaJS",
        setting="kafka.consumer({\n"
        "  groupId: 'GROUP',\n  partitionAssigners: [PartitionAssigners.roundRobin],\n})",
        language="javascript",
        interface="a PartitionAssigner for partitionAssigners",
    ),
    Client(
        name="sarama",
        label="Sarama (IBM)",
        setting="config.Consumer.Group.Rebalance.GroupStrategies = []sarama.BalanceStrategy{\n"
        "\tsarama.NewBalanceStrategyTYPE(),\n}",
        language="go",
        static_id="config.Consumer.Group.InstanceId",
        interface="a type that implements sarama.BalanceStrategy",
    ),
    Client(
        name="franz-go",
        label="franz-go",
        setting="kgo.Balancers(kgo.TYPEBalancer())",
        language="go",
        static_id="kgo.InstanceID",
        interface="a type that implements kgo.GroupBalancer",
        broker_side="franz-go 1.22",
        broker_side_setting="kgo.Balancers(kgo.TYPEBalancer()), kgo.ServerSideBalancer()",
    ),
    Client(
        name="aiokafka",
        label="aiokafka",
        setting=_PYTHON.format("aiokafka", "AIOKafkaConsumer"),
        language="python",
        static_id="group_instance_id",
        interface="a class that extends AbstractPartitionAssignor",
        is_always_eager=True,
    ),
    Client(
        name="kafka-python",
        label="kafka-python",
        setting=_PYTHON.format("kafka", "KafkaConsumer"),
        language="python",
        static_id="group_instance_id",
        interface="a class that extends AbstractPartitionAssignor",
        mixes_protocols=False,
    ),
)


_KAFKA_GO: Final = "(github.com/segmentio/kafka-go)"
_BEGINNINGS: Final = {
    "rdkafka": "librdkafka",
    "kgo": "franz-go",
    "sarama": "sarama",
    "aiokafka": "aiokafka",
    "kafka-python": "kafka-python",
    "kafkajs": "kafkajs",
    "consumer": "java",
}
"""What the client ids begin with that a client gives unless the application does, before a dash."""
_OF_JAVA: Final = re.compile(r"consumer-.*\d")
"""``consumer-GROUP-1``, ``consumer-1``: of the names above the only one that anybody may choose."""


class Recognised(NamedTuple):
    """The client of a group's consumers, and what gives it away."""

    client: Client
    why: str
    """To stand in brackets."""


def recognised(group: Group, strategy: str | None = None) -> Recognised | None:
    """Return the client of a group from its strategy's name or its ids; None if neither tells.

    Ids tell only if all are of one client: applications name their consumers as they like.
    """
    named = strategies().get(strategy or "")
    if named is not None and (client := client_of(named)) is not None and client is not JAVA:
        return Recognised(client, f"its strategy is {named.name}")
    found = _called_in(group)
    if len(found) != 1 or (of_all := found.pop()) is None:
        return None
    beginning, name = of_all
    return Recognised(CLIENTS[name], f"its ids have {beginning} in them")


def several_clients(group: Group) -> tuple[Client, ...]:
    """Return the clients that ids give away, in the order of ``CLIENTS``; () of fewer than two.

    They agree on a strategy by its name, and each leader assigns in its own way.
    """
    names = {each[1] for each in _called_in(group) if each is not None}
    found = tuple(client for client in CLIENTS.values() if client.name in names)
    return found if len(found) > 1 else ()


def _called_in(group: Group) -> set[tuple[str, str] | None]:
    ids = group.layout.client_ids
    return {_client_called(ids.get(member, member)) for member in group.members}


def _client_called(name: str) -> tuple[str, str] | None:
    """Return what an id begins with, and the client that gives such ids."""
    if _KAFKA_GO in name:
        return _KAFKA_GO, "kafka-go"
    for beginning, client in _BEGINNINGS.items():
        is_own = name == beginning or name.startswith(f"{beginning}-")
        if is_own and (client != JAVA.name or _OF_JAVA.match(name)):
            return beginning, client
    return None


def is_settable(strategy: Strategy) -> bool:
    """Return whether a release ships the strategy, so that a setting selects it."""
    is_shipped = strategy.client_class or strategy.remote_assignor
    return bool(is_shipped) or strategy.kind is StrategyKind.OTHER_CLIENT


def client_of(strategy: Strategy) -> Client | None:
    """Return the client that a strategy belongs to; None for brokers' and custom ones."""
    return next((client for client in _KNOWN if client.name == strategy.client), None)


CLIENTS: Final[Mapping[str, Client]] = {
    c.name: c
    for c in _KNOWN
    if c is JAVA or any(s.client == c.name for s in OTHER_CLIENTS.values())
}
"""The clients with known strategies, by name, Java first."""


def client_called(name: str) -> Client:
    """Return the client of this name. Raises UnknownClientError."""
    if name not in CLIENTS:
        message = f"there is no client {name!r}; {nearest(name, CLIENTS)}"
        raise UnknownClientError(message)
    return CLIENTS[name]
