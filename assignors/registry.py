"""Which strategies are there, and what does each claim? One entry each, in display order."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from assignors.model import Assignor


class Protocol(Enum):
    """Who computes the assignment, and what the group does meanwhile."""

    EAGER = "eager: every consumer gives up everything, then takes its new partitions"
    COOPERATIVE = "cooperative: only partitions that move are given up, over two rounds (KIP-429)"
    BROKER = "broker-side: the coordinator assigns, members follow one by one (KIP-848)"


class Sees(Enum):
    """What a strategy takes into account; a change in anything else changes nothing."""

    LAG = "lag"
    RACKS = "racks"
    OWNERS = "present owners"
    STATIC_IDS = "static ids"
    ARRIVAL = "the order in which consumers are listed"


class Promise(Enum):
    """What a strategy guarantees; the conformance tests hold it to each."""

    BALANCED = "With equal subscriptions, partition counts differ by at most one."
    BALANCED_PER_TOPIC = "Within each topic, its subscribers' counts differ by at most one."
    STABLE = "With equal subscriptions, an even assignment stays as it is."
    FEWEST_MOVES = "With equal subscriptions, no more partitions move than balance demands."


@dataclass(frozen=True, kw_only=True)
class Strategy:
    """One strategy with everything users are told about it."""

    name: str
    """As the command line and ``partition.assignment.strategy`` users write it."""
    label: str
    assign: Assignor
    """What the strategy returns for the coming round."""
    target: Assignor | None = None
    """Where cooperative rounds end, if that is not what ``assign`` returns."""
    protocol: Protocol
    sees: frozenset[Sees]
    promises: frozenset[Promise]
    goals: tuple[str, ...]
    """What it strives for, the most important first."""
    weakness: str
    """One thing it does badly, in one sentence."""
    scenario: str
    """The sample in ``sample_data/`` that shows the weakness."""
    sources: tuple[str, ...]
    """KIPs and JIRA tickets that define it."""
    client_class: str | None = None
    """The value for ``partition.assignment.strategy``, where Kafka ships one."""

    @property
    def settle(self) -> Assignor:
        """Where the group ends up: the target of cooperative rounds, else the answer."""
        return self.target or self.assign


_IN_DISPLAY_ORDER: Final[tuple[Strategy, ...]] = ()

STRATEGIES: Final[dict[str, Strategy]] = {strategy.name: strategy for strategy in _IN_DISPLAY_ORDER}
"""Every strategy by name, in display order."""
