"""The contract of a strategy: the function, what it sees, what it promises, what users read."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from assignors.certainty import EXACT, Certainty
from assignors.model import Assignor, Group, Owners
from assignors.trace.events import Traced


class StrategyKind(Enum):
    """Where a strategy runs and who ships it.

    Algorithms of earlier Kafka clients count as Kafka's although no setting selects them now;
    ``client_class`` and ``remote_assignor`` tell what can be set.
    """

    KAFKA_CLIENT = "Kafka's Java client"
    KAFKA_BROKER = "Kafka's broker"
    OTHER_CLIENT = "another client"
    CUSTOM = "a jar"


class Protocol(Enum):
    """Where the assignment is computed, and what the group does meanwhile."""

    EAGER = "eager: every consumer gives up all its partitions before it gets new ones"
    COOPERATIVE = "cooperative: only the partitions that move are revoked, in two rounds (KIP-429)"
    BROKER = "broker-side: the coordinator assigns, and consumers follow one by one (KIP-848)"

    @property
    def short(self) -> str:
        """The name without the explanation."""
        return self.value.partition(":")[0]


class Sees(Enum):
    """What a strategy takes into account; its result does not depend on anything else."""

    LAG = "lag"
    RACKS = "racks"
    OWNERS = "present owners"
    STATIC_IDS = "static ids"
    ARRIVAL = "listing order"


class Promise(Enum):
    """What a strategy guarantees; conformance tests check every promise."""

    BALANCED = "With equal subscriptions, partition counts differ by at most one."
    BALANCED_PER_TOPIC = "Within each topic, its subscribers' counts differ by at most one."
    STABLE = (
        "With equal subscriptions, an even assignment stays as it is, unless racks play a part."
    )
    FEWEST_MOVES = (
        "With equal subscriptions, no more partitions move than balance and racks require."
    )
    CO_PARTITIONED = "Co-partitioned topics with the same subscribers are assigned alike."
    RESTART_SAFE = "A static consumer keeps its partitions when it restarts under a new member id."
    LEAST_MAX_COUNT = "The largest partition count is as small as the subscriptions allow."
    NEARLY_BALANCED = "With equal subscriptions, partition counts differ by at most three."
    BEATS_ROUNDROBIN = (
        "With equal subscriptions, the busiest consumer never has more lag than under round robin."
    )
    FEW_MOVES = (
        "At most a tenth of the partitions that could stay moves, rounded up, besides those that "
        "bring consumers without partitions up to an even share."
    )
    NEVER_WORSE = (
        "If every partition has a valid owner, the load of the busiest consumer, its lag plus one "
        "for each partition, never increases."
    )
    NOBODY_IDLE = (
        "With equal subscriptions, a consumer that joins gets a partition, unless there are fewer "
        "partitions than consumers."
    )
    AT_REST = (
        "Nothing moves while nothing changes, once the last rebalance was not cut short by its "
        "budget of moves."
    )
    TWO_ROUNDS = (
        "A cooperative rebalance ends as its first round plans, after at most two rounds that all "
        "consumers hear the end of."
    )


class Family(Enum):
    """The algorithm, as far as the sentences about results tell algorithms apart."""

    RANGE = "range"
    ROUND_ROBIN = "round robin"
    ROUND_ROBIN_PER_TOPIC = "round robin that starts again in each topic"
    FAIR = "fair"
    STICKY = "sticky"
    UNIFORM = "uniform"
    LAG_BASED = "lag within each topic"
    LAG_EVENED = "lag over all topics"
    LOAD_STICKY = "load with few moves"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Strategy:
    """One strategy and everything that users see about it.

    Three fields make one of your own; the others say more about it. Names are unique, so two
    strategies of one name are equal, wherever they were unpickled.

    >>> Strategy(name="first", label="First", assign=lambda group: group.nobody() * 0)
    <strategy first>
    """

    name: str
    """As the command line and ``partition.assignment.strategy`` users write it."""
    label: str
    assign: Assignor
    """Returns the owners after the next round.

    Member 0 owns both partitions, and member 1 joins: [0, 1], or [0, ``UNOWNED``] if the strategy
    is cooperative, because member 0 must give partition 1 up first.
    """
    target: Assignor | None = None
    """Returns the owners after the last round, there [0, 1]; only where ``assign`` withholds."""
    traced: Traced | None = None
    """The same as ``settle``, telling a trace its steps; without it, Why gives the facts alone."""
    keeps_promises: bool = False
    """Whether the second round completes the target of the first instead of deciding anew."""
    other_names: tuple[str, ...] = ()
    """Names that it had before, or has in a plug-in; they are still found."""
    kind: StrategyKind = StrategyKind.CUSTOM
    client: str | None = None
    """The client library that ships it; None for brokers' and custom ones."""
    protocol: Protocol = Protocol.EAGER
    sees: frozenset[Sees] = frozenset(Sees)
    """What its results depend on, at most; what it does not see may be reused without asking."""
    promises: frozenset[Promise] = frozenset()
    goals: tuple[str, ...] = ()
    """Its aims, most important first."""
    weakness: str = ""
    """One thing it does badly, in one sentence."""
    sources: tuple[str, ...] = ()
    """KIPs and JIRA tickets that define it."""
    family: Family | None = None
    """Decides how results are described; without one, by their figures alone."""
    client_class: str | None = None
    """The value for ``partition.assignment.strategy``, if Kafka ships one."""
    plugin_class: str | None = None
    """The class in the jar of ``plugins/java``, if that has one."""
    remote_assignor: str | None = None
    """The value for ``group.remote.assignor``, if brokers ship one (KIP-848)."""
    certainty: Certainty = EXACT
    """How certain its results are at worst."""
    certainty_by_group: Callable[[Group], Certainty] | None = None
    """How certain its result for one group is, if that depends on the group."""
    possible: Callable[[Group], tuple[Owners, ...]] | None = None
    """Every possible result for one group; () if not known."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Strategy) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<strategy {self.name}>"

    @property
    def name_in_client(self) -> str:
        """The name without that of its client: ``range`` of ``librdkafka-range``."""
        return self.name.removeprefix(f"{self.client}-") if self.client else self.name

    @property
    def settle(self) -> Assignor:
        """Returns the owners after the last round: ``target`` if there is one, else ``assign``."""
        return self.target or self.assign

    def certainty_for(self, group: Group) -> Certainty:
        """Return how certain the result for this group is.

        A single member leaves no choice, unless it claims what it does not subscribe to.
        """
        is_alone = group.member_count <= 1 and not group.claims.vanished
        if is_alone and group.layout.may_own(group.claims.members, group.claims.partitions).all():
            return EXACT
        return self.certainty_by_group(group) if self.certainty_by_group else self.certainty


class Strategies(Mapping[str, Strategy]):
    """Strategies by name, in the order given; a former name finds its strategy, too."""

    def __init__(self, strategies: Iterable[Strategy]) -> None:
        """Hold these strategies, whose names must differ."""
        self._listed = {strategy.name: strategy for strategy in strategies}
        self._found = {
            name: strategy
            for strategy in self._listed.values()
            for name in (*strategy.other_names, strategy.name)
        }

    def __getitem__(self, name: str) -> Strategy:
        """Return the strategy that has this name, or had it once."""
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate the names, without former ones."""
        return iter(self._listed)

    def __len__(self) -> int:
        """Return how many strategies there are."""
        return len(self._listed)
