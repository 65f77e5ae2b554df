"""A Connect cluster as its leading worker sees it in one round, and what that leads to."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from assignors.java.hash_order import hash_map_order, order_of_hashes
from assignors.java.strings import string_hashes, string_key
from assignors.placements import Placement

CONNECTOR_ITSELF: Final = -1
"""In place of a task's number, as in the protocol."""
FIVE_MINUTES_MS: Final = 300_000
PREFIX: Final = "connect-"
"""Of a worker's member id, before its host and port."""


class ConnectorTask(NamedTuple):
    """A task of a connector, or the connector itself."""

    connector: str
    number: int

    @property
    def is_connector(self) -> bool:
        """Whether it is the connector itself, which runs on one worker, too."""
        return self.number == CONNECTOR_ITSELF

    @property
    def name(self) -> str:
        """As logs write it: "sink", "sink-0"."""
        return self.connector if self.is_connector else f"{self.connector}-{self.number}"

    @property
    def in_order(self) -> tuple[bytes, int]:
        """Sorts as Java compares them."""
        return string_key(self.connector), self.number


class Worker(NamedTuple):
    """A worker and what it reports to run, in the order of its report."""

    id: str
    """``connect-HOST:PORT-UUID``."""
    holds: Sequence[ConnectorTask] = ()


class Leader(NamedTuple):
    """What the leading worker remembers from round to round; a new one remembers nothing."""

    generation: int = -1
    """The last that it assigned."""
    previous: frozenset[ConnectorTask] = frozenset()
    """What it assigned then, and what was lost and waits."""
    revoked: frozenset[ConnectorTask] = frozenset()
    members: frozenset[str] = frozenset()
    delay_ms: int = 0
    """How long lost work waits for its worker to return."""
    scheduled_ms: int = 0
    """When that ends; 0 if nothing waits."""
    candidates: tuple[str, ...] = ()
    """Workers without work that are to get what is lost."""
    has_revoked: bool = False
    """Whether the last round revoked something to balance the workers."""
    successive: int = 0
    """Rounds in a row that would have revoked something again."""


@dataclass(frozen=True, kw_only=True)
class ConnectCluster:
    """Workers as they join a round, in the order in which they report."""

    configured: Mapping[str, int]
    """How many tasks each connector has."""
    workers: Sequence[Worker]
    leader: Leader = field(default_factory=Leader)
    now_ms: int = 0
    generation: int = 0
    """That of this round."""
    completed_generation: int = -1
    """The last one that all workers took up."""
    max_delay_ms: int = FIVE_MINUTES_MS
    """``scheduled.rebalance.max.delay.ms``."""
    is_as_reported: bool = True
    """Whether ids are whole and work is in the order of the reports, which REST does not tell."""
    failed: Mapping[ConnectorTask, str] = field(default_factory=dict)
    """What stopped with an error, and its first words; the assignor takes it for running."""
    paused: frozenset[ConnectorTask] = frozenset()
    """What somebody has paused; the assignor takes it for running."""
    stopped: frozenset[ConnectorTask] = frozenset()
    """Connectors that somebody has stopped, which then have no tasks (KIP-875)."""
    sinks: frozenset[str] = frozenset()
    """Connectors that are known to be sinks: the tasks of NAME are the group ``connect-NAME``."""

    @cached_property
    def work(self) -> list[ConnectorTask]:
        """All connectors, then all tasks, in order."""
        connectors = [ConnectorTask(name, CONNECTOR_ITSELF) for name in self.configured]
        tasks = [
            ConnectorTask(name, number)
            for name, count in self.configured.items()
            for number in range(count)
        ]
        return [*in_order(connectors), *in_order(tasks)]

    @cached_property
    def workers_in_order(self) -> list[Worker]:
        """The workers as a ``HashMap`` of their ids iterates them."""
        return [self.workers[at] for at in hash_map_order([each.id for each in self.workers])]


@dataclass(frozen=True)
class ConnectRound:
    """What one round brings every worker."""

    assigned: Mapping[str, Sequence[ConnectorTask]]
    """What each gets in addition, in the order in which it starts it."""
    revoked: Mapping[str, frozenset[ConnectorTask]]
    """What each must stop; it then joins again at once."""
    holds: Mapping[str, Sequence[ConnectorTask]]
    """What each runs afterwards and will report, in that order."""
    leader: Leader
    placements: Sequence[Placement] = ()

    @property
    def is_followed_at_once(self) -> bool:
        """Whether a worker that stops something makes the next round begin."""
        return any(self.revoked.values())


def in_order(work: Iterable[ConnectorTask]) -> list[ConnectorTask]:
    """Return connectors or tasks by name and number."""
    return sorted(work, key=lambda each: each.in_order)


def as_reported(work: Iterable[ConnectorTask]) -> list[ConnectorTask]:
    """Return what a worker runs in the order in which it will report it.

    Connectors come as a ``HashSet`` iterates them; tasks are grouped by connector, those of
    connectors that it runs first.
    """
    work = list(work)
    connectors = [each for each in work if each.is_connector]
    hashes = string_hashes([each.connector for each in connectors]).tolist()
    room = max(int(len(connectors) / 0.75) + 1, 16)
    connectors = [connectors[at] for at in order_of_hashes(hashes, room)]
    tasks = [each for each in work if not each.is_connector]
    groups = dict.fromkeys(each.connector for each in (*connectors, *tasks))
    return [*connectors, *(each for name in groups for each in tasks if each.connector == name)]
