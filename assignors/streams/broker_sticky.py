"""Sticky, the broker's task assignor of Streams groups (KIP-1071), of Kafka 4.2 to 4.4.

Source: ``StickyTaskAssignor`` of the group coordinator. It keeps tasks where they are while counts
stay even, prefers members with state, and fills up instance by instance. No warm-ups yet, and
client tags play no part.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from assignors.java.hash_order import hash_map_order, order_of_hashes
from assignors.java.priority_queue import PriorityQueue
from assignors.java.strings import string_hashes
from assignors.placements import PlacementTrace
from assignors.streams.broker_group import StreamsGroup, StreamsMember
from assignors.streams.tasks import MemberTasks, Task, TaskAssignment, stateful


class StickyRule(Enum):
    """Why a member gets a task or a copy."""

    KEPT = "It ran the task and is below its share of tasks: {count:,} of {share:,}."
    HAS_STATE = (
        "It has state of the task, as {candidates:,} in all, is the least loaded that can take it, "
        "and has room: {count:,} of its share of {share:,}."
    )
    LEAST_LOADED = (
        "Its instance has the fewest tasks a thread, {there:,} on {threads:,}, and it the fewest "
        "there, {count:,}."
    )
    RAN_IT = (
        "It ran the task, whose state it has; the copy stays there, which has room: {count:,} of "
        "its share of {share:,}."
    )


@dataclass(frozen=True)
class _Release:
    """What differs between releases."""

    sees_offsets: bool
    is_computed: bool
    """Whether instances are inserted by ``computeIfAbsent``, else by ``putIfAbsent``."""
    asks_first_candidate: bool
    """Whether no copy goes to a member with state if the first one's instance has the task."""


def sticky(group: StreamsGroup) -> TaskAssignment:
    """Assign as Kafka 4.4 does, which knows the offsets that members report."""
    release = _Release(sees_offsets=True, is_computed=True, asks_first_candidate=False)
    return _Deal(group, release).answer()


def sticky_4_3(group: StreamsGroup) -> TaskAssignment:
    """Assign as Kafka 4.2 and 4.3 do: members hold their targets, and offsets play no part."""
    release = _Release(sees_offsets=False, is_computed=False, asks_first_candidate=True)
    return _Deal(group, release).answer()


class _Process:
    """An instance while tasks are dealt: its threads in the order of their map."""

    def __init__(self, members: list["_Member"]) -> None:
        self.members = [members[at] for at in hash_map_order([each.id for each in members])]
        self.tasks: set[Task] = set()
        self.count = 0
        self._queue: PriorityQueue[_Member] | None = None
        for member in members:
            member.process = self

    @property
    def load(self) -> float:
        return self.count / len(self.members)

    @property
    def queue(self) -> "PriorityQueue[_Member]":
        """The threads, those with the fewest tasks first; an older one lives on until a note."""
        if self._queue is None:
            self._queue = PriorityQueue(lambda member: member.count, self.members)
        return self._queue

    def note(self, task: Task, member: "_Member", *, is_by_queue: bool) -> None:
        """Count a task that a member got; if not by the queue, that is built anew later."""
        self.tasks.add(task)
        self.count += 1
        if is_by_queue:
            self.queue.add(member)
        else:
            self._queue = None


class _Member:
    """A member while tasks are dealt."""

    process: _Process

    def __init__(self, member: StreamsMember) -> None:
        self.id = member.id
        self.active: set[Task] = set()
        self.standby: set[Task] = set()

    @property
    def count(self) -> int:
        return len(self.active) + len(self.standby)


class _Quota:
    """An even share of what is left among the members that have not reached theirs."""

    def __init__(self, tasks: int, members: int) -> None:
        self._tasks = tasks
        self._members = members
        self.share = self._divided()

    def reach(self, count: int) -> None:
        """Take a member that has its share out of the division."""
        if count == self.share:
            self._members -= 1
            self._tasks -= count
            self.share = self._divided()

    def _divided(self) -> int:
        """Round up as Java's truncating division does, also for a negative rest."""
        return int((self._tasks + self._members - 1) / self._members) if self._members else 0


class _Deal:
    """Who has what so far."""

    def __init__(self, group: StreamsGroup, release: _Release) -> None:
        self._group = group
        self._release = release
        given = group.members_in_order
        self._members = [_Member(each) for each in given]
        by_process: dict[str, list[_Member]] = {}
        for member, each in zip(self._members, given, strict=True):
            by_process.setdefault(each.process, []).append(member)
        names = list(by_process)
        order = order_of_hashes(
            string_hashes(names).tolist(), len(given), computed=release.is_computed
        )
        self._processes = [_Process(by_process[names[at]]) for at in order]
        pairs = list(zip(self._members, given, strict=True))
        self._previous = {task: member for member, each in pairs for task in each.active}
        self._candidates = _candidates(pairs, sees_offsets=release.sees_offsets)
        stateful_tasks = stateful(group.subtopologies)
        total = len(group.tasks)
        copies = group.standbys * len(stateful_tasks)
        self._for_active = _Quota(total, len(given))
        self._for_all = _Quota(total + copies, len(given))
        self._trace = PlacementTrace()

    def answer(self) -> TaskAssignment:
        if self._members:
            self._place_active()
            if self._group.standbys:
                self._place_standbys()
        members = {
            each.id: MemberTasks(frozenset(each.active), frozenset(each.standby))
            for each in self._members
        }
        return TaskAssignment(members, self._trace.placements)

    def _place_active(self) -> None:
        left = sorted(self._group.tasks, key=_by_partition)
        for rule, choose in (
            (StickyRule.KEPT, self._previous.get),
            (StickyRule.HAS_STATE, self._least_loaded_candidate),
        ):
            waiting = []
            for task in left:
                member = choose(task)
                if member is not None and member.count < self._for_active.share:
                    self._give_active(task, member, rule)
                else:
                    waiting.append(task)
            left = waiting
        queue = PriorityQueue[_Process](lambda process: process.load, self._processes)
        for task in sorted(left, key=lambda task: task.key_as_text):
            process = queue.poll()
            self._give_active(task, process.queue.poll(), StickyRule.LEAST_LOADED)
            queue.add(process)

    def _place_standbys(self) -> None:
        missing: list[tuple[Task, int]] = []
        for task in sorted(stateful(self._group.subtopologies), key=_by_partition, reverse=True):
            for placed in range(self._group.standbys):
                if not self._place_standby(task):
                    missing.append((task, self._group.standbys - placed))
                    break
        missing.sort(key=lambda each: each[0].key_as_text, reverse=True)
        queue = PriorityQueue[_Process](lambda process: process.load, self._processes)
        for task, count in missing:
            for _ in range(count):
                polled: list[_Process] = []
                while queue:
                    process = queue.poll()
                    polled.append(process)
                    if task not in process.tasks:
                        member = process.queue.poll()
                        self._give_standby(task, member, StickyRule.LEAST_LOADED)
                        break
                for process in reversed(polled):
                    queue.add(process)

    def _place_standby(self, task: Task) -> bool:
        """Place a copy where its state is; return whether anybody had room."""
        member = self._previous.get(task)
        if member and task not in member.process.tasks and member.count < self._for_all.share:
            self._give_standby(task, member, StickyRule.RAN_IT)
            return True
        member = self._least_loaded_candidate(task, lambda each: task not in each.process.tasks)
        if member and member.count < self._for_all.share:
            self._give_standby(task, member, StickyRule.HAS_STATE)
            return True
        return False

    def _least_loaded_candidate(
        self, task: Task, fits: Callable[[_Member], bool] = lambda _: True
    ) -> _Member | None:
        """Return the first member with state, or one less loaded both itself and its instance."""
        best: _Member | None = None
        for member in self._candidates.get(task, ()):
            if not fits(member):
                if best is None and self._release.asks_first_candidate:
                    return None
                continue
            if best is None or (
                member.process.load < best.process.load and member.count < best.count
            ):
                best = member
        return best

    def _give_active(self, task: Task, member: _Member, rule: StickyRule) -> None:
        self._tell(task, member, rule, "active", self._for_active.share)
        member.active.add(task)
        member.process.note(task, member, is_by_queue=rule is StickyRule.LEAST_LOADED)
        self._for_active.reach(member.count)
        self._for_all.reach(member.count)

    def _give_standby(self, task: Task, member: _Member, rule: StickyRule) -> None:
        self._tell(task, member, rule, "standby", self._for_all.share)
        member.standby.add(task)
        member.process.note(task, member, is_by_queue=rule is StickyRule.LEAST_LOADED)
        self._for_all.reach(member.count)

    def _tell(self, task: Task, member: _Member, rule: StickyRule, role: str, share: int) -> None:
        tell = self._trace.kept if rule is StickyRule.KEPT else self._trace.given
        tell(
            member.id,
            task.name,
            rule,
            {
                "count": member.count,
                "share": share,
                "there": member.process.count,
                "threads": len(member.process.members),
                "candidates": len(self._candidates.get(task, ())),
            },
            role,
        )


def _candidates(
    members: list[tuple[_Member, StreamsMember]], *, sees_offsets: bool
) -> dict[Task, list[_Member]]:
    """Return the members with state of each task: copies first, then what lies on disk."""
    found: dict[Task, list[tuple[int, int, _Member]]] = {}
    for member, each in members:
        offsets = (each.offsets or {}) if sees_offsets else {}
        for task in each.standby:
            found.setdefault(task, []).append((0, -offsets.get(task, 0), member))
        for task, offset in offsets.items():
            if task not in each.active and task not in each.standby:
                found.setdefault(task, []).append((1, -offset, member))
    return {
        task: [member for _, _, member in sorted(ranked, key=lambda each: each[:2])]
        for task, ranked in found.items()
    }


def _by_partition(task: Task) -> tuple[int, str]:
    return task.partition, str(task.subtopology)
