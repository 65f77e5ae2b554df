"""What Streams assigns: tasks, one for each partition of a sub-topology, and their copies."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from assignors.placements import Placement


class Task(NamedTuple):
    """One task; they sort by numbers."""

    subtopology: int
    partition: int

    @property
    def name(self) -> str:
        """As logs and directories write it: "1_2"."""
        return f"{self.subtopology}_{self.partition}"

    @property
    def key_as_text(self) -> tuple[str, int]:
        """Sorts like a broker's tasks, whose sub-topologies are texts: 10 before 2."""
        return str(self.subtopology), self.partition


def task_named(name: str) -> Task:
    """Return the task of a name such as "1_2". Raises ValueError.

    >>> task_named("1_12")
    Task(subtopology=1, partition=12)
    """
    subtopology, _, partition = name.partition("_")
    return Task(int(subtopology), int(partition))


class Subtopology(NamedTuple):
    """A part of a topology: as many tasks as its largest source topic has partitions."""

    id: int
    partitions: int
    is_stateful: bool
    """Whether it has a store with a changelog."""
    sources: Sequence[str] = ()
    """The topics that it reads; () if unknown."""

    @property
    def tasks(self) -> list[Task]:
        """Its tasks, by number."""
        return [Task(self.id, number) for number in range(self.partitions)]


class MemberTasks(NamedTuple):
    """What one member, a thread, runs and keeps copies of."""

    active: frozenset[Task] = frozenset()
    standby: frozenset[Task] = frozenset()
    """Warm-ups included, which Kafka sends as standbys, too."""


@dataclass(frozen=True)
class TaskAssignment:
    """The tasks of every member."""

    members: Mapping[str, MemberTasks]
    placements: Sequence[Placement] = ()

    @property
    def owners(self) -> dict[Task, str]:
        """The member that runs each task, by task."""
        pairs = ((task, name) for name, tasks in self.members.items() for task in tasks.active)
        return dict(sorted(pairs))


def stateful(subtopologies: Iterable[Subtopology]) -> list[Task]:
    """Return all stateful tasks, in order."""
    return sorted(task for each in subtopologies if each.is_stateful for task in each.tasks)
