"""A Streams application on the classic protocol, as the leader's assignor sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from assignors.java.uuids import uuid_key
from assignors.streams.tasks import MemberTasks, Task

RUNNING: Final = -2
"""In place of a sum of offsets: the task runs here."""
UNKNOWN_SUM: Final = -3
"""In place of a sum of offsets: the thread could not read it."""
ANY_LAG: Final = 2**63 - 1
"""As ``acceptable.recovery.lag``: every copy counts as caught up."""


class StreamsThread(NamedTuple):
    """A member: one consumer of an instance."""

    id: str
    owned: frozenset[Task] = frozenset()
    """Active tasks whose partitions it says it owns."""
    offset_sums: Mapping[Task, int] = {}
    """Sums of the changelog offsets of the tasks that it runs or finds on disk."""
    standby: frozenset[Task] = frozenset()
    """Copies that it was assigned, warm-ups included, which no tool prints."""


class Instance(NamedTuple):
    """One ``KafkaStreams``: a process id, tags, threads."""

    process: str
    """A UUID, kept in the state directory."""
    threads: Sequence[StreamsThread]
    tags: Mapping[str, str] = {}

    @property
    def ran(self) -> set[Task]:
        """The tasks that it runs, or owns the partitions of."""
        return {task for each in self.threads for task in each.owned} | {
            task
            for each in self.threads
            for task, value in each.offset_sums.items()
            if value == RUNNING
        }

    @property
    def states(self) -> set[Task]:
        """The tasks that it has state of."""
        return {task for each in self.threads for task in each.offset_sums}

    @property
    def copies(self) -> set[Task]:
        """The tasks that it has state of without running them."""
        return self.states - self.ran


class ClassicSubtopology(NamedTuple):
    """A part of a topology, with the topics that it reads."""

    id: int
    sources: Sequence[str]
    """Repartition topics included, changelogs not."""
    is_stateful: bool
    """Whether it has a store with a changelog."""


class Changelog(NamedTuple):
    """The changelog of a store, read from its topic; an entry a partition."""

    begin: tuple[int, ...]
    end: tuple[int, ...]


class StreamsSettings(NamedTuple):
    """Settings of the application, with Kafka's defaults."""

    standbys: int = 0
    """``num.standby.replicas``."""
    warmups: int = 2
    """``max.warmup.replicas``."""
    recovery_lag: int = 10_000
    """``acceptable.recovery.lag``."""
    tags: Sequence[str] = ()
    """``rack.aware.assignment.tags``."""
    is_rack_aware: bool = False
    """Whether ``rack.aware.assignment.strategy`` is set, whose flows are not modelled."""
    probing_ms: int = 600_000
    """``probing.rebalance.interval.ms``."""


@dataclass(frozen=True)
class StreamsApplication:
    """Topics, sub-topologies and instances, in whatever order."""

    topics: Mapping[str, int]
    """How many partitions each has."""
    subtopologies: Sequence[ClassicSubtopology]
    instances: Sequence[Instance]
    end_offsets: Mapping[Task, int] = field(default_factory=dict)
    """Sums of the changelogs' ends; a stateful task without one counts as empty."""
    settings: StreamsSettings = field(default_factory=StreamsSettings)
    knows_processes: bool = True
    """Whether process ids are real ones; client ids that are set hide them."""
    knows_offsets: bool = True
    """Whether threads' offset sums are those that they report, which no tool prints."""
    is_as_reported: bool = False
    """Whether those sums are reports of the last rebalance, and what was restored since is open."""
    restores: Mapping[Task, int] = field(default_factory=dict)
    """Records that a copy without state has to restore; empty if unknown."""
    changelogs: Mapping[str, Changelog] = field(default_factory=dict)
    """As read, by the names of stores."""

    @cached_property
    def tasks(self) -> list[Task]:
        """All tasks, in order."""
        return sorted(
            Task(each.id, number)
            for each in self.subtopologies
            for number in range(max((self.topics.get(name, 0) for name in each.sources), default=0))
        )

    @cached_property
    def stateful(self) -> list[Task]:
        """The tasks with state, in order."""
        with_state = {each.id for each in self.subtopologies if each.is_stateful}
        return [task for task in self.tasks if task.subtopology in with_state]

    @cached_property
    def stateless(self) -> list[Task]:
        """The tasks without state, in order."""
        with_state = set(self.stateful)
        return [task for task in self.tasks if task not in with_state]

    @cached_property
    def instances_in_order(self) -> list[Instance]:
        """The instances as Java compares their process ids."""
        return sorted(self.instances, key=lambda each: uuid_key(each.process))

    @cached_property
    def lags(self) -> dict[str, dict[Task, int]]:
        """How far each instance is behind on each stateful task; ``RUNNING`` comes before all."""
        return {each.process: self._lags_of(each) for each in self.instances}

    def is_caught_up(self, process: str, task: Task) -> bool:
        """Return whether an instance may run a task without restoring much."""
        lag = self.lags[process][task]
        allowed = self.settings.recovery_lag
        return lag == RUNNING or allowed == ANY_LAG or 0 <= lag <= allowed

    def is_behind(self, process: str, task: Task) -> bool:
        """Return whether an instance is not caught up, and another one is less far behind."""
        if self.is_caught_up(process, task):
            return False
        lag = self.lags[process][task]
        return any(each[task] < lag for each in self.lags.values())

    def _lags_of(self, instance: Instance) -> dict[Task, int]:
        sums = {
            task: value for thread in instance.threads for task, value in thread.offset_sums.items()
        }
        return {
            task: _lag(self.end_offsets.get(task, 0), sums.get(task, 0)) for task in self.stateful
        }


def _lag(end: int, offset_sum: int) -> int:
    if offset_sum in (RUNNING, UNKNOWN_SUM):
        return offset_sum
    return end if end < offset_sum else end - offset_sum


@dataclass(frozen=True)
class StreamsRound:
    """What one round brings an application."""

    instances: Mapping[str, MemberTasks]
    """The tasks of each process."""
    warmups: Mapping[str, frozenset[Task]]
    """Which of its standbys warm up there."""
    target: Mapping[str, MemberTasks]
    """The tasks of each thread once nothing is withheld."""
    sent: Mapping[str, MemberTasks]
    """What each thread gets now: active tasks that another must give up first are withheld."""
    needs_probing: bool
    """Whether a later round, after ``probing.rebalance.interval.ms``, is to finish the move."""
    is_followed_at_once: bool
    """Whether a thread joins again at once, for a task that was withheld."""
