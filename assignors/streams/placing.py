"""Instances while tasks are placed on them: loads, the least loaded first, and balancing."""

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import TypeAlias

from assignors.java.priority_queue import PriorityQueue
from assignors.java.uuids import uuid_key
from assignors.placements import Figure, PlacementTrace
from assignors.streams.application import Instance
from assignors.streams.tasks import MemberTasks, Task


class TaskRole(Enum):
    """What an instance has a task for."""

    ACTIVE = "active"
    STANDBY = "standby"
    WARM_UP = "warm-up"


class PlacingRule(Enum):
    """Why a task moves while instances are evened out."""

    EVENED = (
        "Moving it from instance {source} evens the loads: {source_count:,} on {source_threads:,} "
        "threads there, {count:,} on {threads:,} here."
    )
    EVENED_AWAY = (
        "Moving it to instance {destination} evens the loads: {count:,} on {threads:,} threads "
        "here, {destination_count:,} on {destination_threads:,} there."
    )


class InstanceLoad:
    """An instance and the tasks that it has so far."""

    def __init__(self, instance: Instance, trace: PlacementTrace | None = None) -> None:
        """Begin without tasks; what it gets and gives up is told to the trace."""
        self._trace = trace
        self.process = instance.process
        self.key = uuid_key(instance.process)
        self.tags = instance.tags
        self.threads = len(instance.threads)
        self.active: set[Task] = set()
        self.standby: set[Task] = set()
        self.warmups: set[Task] = set()
        self._of_role = {
            TaskRole.ACTIVE: self.active,
            TaskRole.STANDBY: self.standby,
            TaskRole.WARM_UP: self.warmups,
        }

    def has(self, role: TaskRole) -> set[Task]:
        """Return the tasks of a role; warm-ups are standbys, too."""
        return self._of_role[role]

    def get(self, task: Task, role: TaskRole, rule: Enum, **figures: Figure) -> None:
        """Take a task on, which the figures and its load so far explain."""
        if self._trace is not None:
            self._trace.given(
                self.process, task.name, rule, {**self._figures(), **figures}, role.value
            )
        self.has(role).add(task)
        if role is TaskRole.WARM_UP:
            self.standby.add(task)

    def give_up(self, task: Task, role: TaskRole, rule: Enum, **figures: Figure) -> None:
        """Let go of a task in a role."""
        if self._trace is not None:
            self._trace.taken(
                self.process, task.name, rule, {**self._figures(), **figures}, role.value
            )
        self.has(role).remove(task)

    def _figures(self) -> dict[str, Figure]:
        return {"count": self.count, "threads": self.threads, "active": len(self.active)}

    def __contains__(self, task: Task) -> bool:
        """Return whether it has the task in any role."""
        return task in self.active or task in self.standby

    @property
    def count(self) -> int:
        """How many tasks and copies it has."""
        return len(self.active) + len(self.standby)

    @property
    def load(self) -> float:
        """Tasks and copies per thread."""
        return self.count / self.threads

    @property
    def active_load(self) -> float:
        """Active tasks per thread."""
        return len(self.active) / self.threads

    @property
    def tasks(self) -> MemberTasks:
        """What it has, to keep."""
        return MemberTasks(frozenset(self.active), frozenset(self.standby))


Fits: TypeAlias = Callable[[InstanceLoad, Task], bool]


class LeastLoaded:
    """Instances by load, then by id; each is to be offered again after its load has changed."""

    def __init__(
        self,
        fits: Fits,
        offered: Iterable[InstanceLoad],
        load: Callable[[InstanceLoad], float] = lambda each: each.load,
    ) -> None:
        """Offer these instances; ``fits`` says which may be polled for a task."""
        self._fits = fits
        self._queue = PriorityQueue[InstanceLoad](lambda each: (load(each), each.key), offered)

    def offer(self, *instances: InstanceLoad) -> None:
        """Put instances in, or in their new place."""
        for each in instances:
            if each in self._queue:
                self._queue.remove(each)
            self._queue.add(each)

    def poll(
        self, task: Task, also: Callable[[InstanceLoad], bool] = lambda _: True
    ) -> InstanceLoad | None:
        """Take out the least loaded instance that fits; None if none does."""
        unfit: list[InstanceLoad] = []
        found = None
        while self._queue and found is None:
            each = self._queue.poll()
            if self._fits(each, task) and also(each):
                found = each
            else:
                unfit.append(each)
        self.offer(*unfit)
        return found


def balance(
    instances: Sequence[InstanceLoad],
    role: TaskRole,
    may_move: Callable[[InstanceLoad, InstanceLoad], bool] = lambda _, __: True,
) -> None:
    """Move tasks of one role from more to less loaded instances while that evens their loads.

    Each move shrinks a difference of loads, so it ends.
    """
    is_moving = True
    while is_moving:
        is_moving = False
        for source in instances:
            for destination in instances:
                if source is not destination:
                    is_moving |= _balance_two(source, destination, role, may_move)


def _balance_two(
    source: InstanceLoad,
    destination: InstanceLoad,
    role: TaskRole,
    may_move: Callable[[InstanceLoad, InstanceLoad], bool],
) -> bool:
    """Move what evens two instances; return whether anything moved."""
    is_moved = False
    for task in sorted(source.has(role)):
        if not _evens(source, destination):
            break
        if task not in destination and may_move(source, destination):
            _move(task, role, source, destination)
            is_moved = True
    return is_moved


def _move(task: Task, role: TaskRole, source: InstanceLoad, destination: InstanceLoad) -> None:
    before = source.count
    source.give_up(
        task,
        role,
        PlacingRule.EVENED_AWAY,
        destination=destination.process,
        destination_count=destination.count,
        destination_threads=destination.threads,
    )
    destination.get(
        task,
        role,
        PlacingRule.EVENED,
        source=source.process,
        source_count=before,
        source_threads=source.threads,
    )


def _evens(source: InstanceLoad, destination: InstanceLoad) -> bool:
    """Return whether one task less and more brings two loads closer without crossing."""
    skew = source.load - destination.load
    after = (source.count - 1) / source.threads - (destination.count + 1) / destination.threads
    return skew > 0 and 0 <= after < skew
