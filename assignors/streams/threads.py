"""The threads of an instance: who runs which of its tasks, and what must wait for another.

Source: ``StreamsPartitionAssignor`` of Kafka 3.2 and newer.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import TypeAlias

from assignors.java.priority_queue import PriorityQueue
from assignors.java.strings import string_key
from assignors.placements import Figures, PlacementTrace
from assignors.streams.application import Instance, StreamsApplication, StreamsThread
from assignors.streams.high_availability import in_hash_order
from assignors.streams.tasks import MemberTasks, Task


class ThreadRule(Enum):
    """Why a thread gets a task or a copy of its instance, or not yet."""

    HAS_STATE = "The thread has its state, {lag}, and room: {load:,} of an even share of {share:,}."
    IN_TURN = (
        "Threads of the instance with fewer than an even share, {share:,}, take turns at what is "
        "left, smallest first: this one had {load:,}."
    )
    ONE_MORE_OF_ITS_STATE = (
        "Every thread has an even share of {share:,}, and this one takes one more, whose state it "
        "has."
    )
    ONE_MORE = "Every thread has an even share of {share:,}, and this one takes one of the rest."
    WITHHELD = (
        "{owner} still owns it and must give it up first: this thread gets it in the next round, "
        "at once."
    )
    COPY_MEANWHILE = "The instance has its state, so the thread keeps a copy until it may run it."


def over_threads(
    application: StreamsApplication,
    instance: Instance,
    tasks: MemberTasks,
    trace: PlacementTrace | None = None,
) -> dict[str, MemberTasks]:
    """Divide an instance's tasks among its threads, evenly, each near its state if it can be.

    In three passes: active tasks with state, copies, active tasks without state; the loads of the
    threads add up over them.
    """
    with_state = set(application.stateful)
    threads = sorted(instance.threads, key=lambda each: string_key(each.id))
    loads = {each.id: 0 for each in threads}
    lags = application.lags[instance.process]
    known = {
        each.id: sorted(
            (task for task in each.offset_sums if task in lags),
            key=lambda task: (lags[task], task),
        )
        for each in threads
    }

    def told(role: str) -> _Tell:
        def tell(thread: str, task: Task, rule: ThreadRule, share: int) -> None:
            if trace is not None:
                lag = _lag_said(lags.get(task, 0))
                figures: Figures = {"load": loads[thread], "share": share, "lag": lag}
                trace.given(thread, task.name, rule, figures, role)

        return tell

    stateful = in_hash_order(sorted(tasks.active & with_state))
    active = _Pass(loads, stateful, told("active")).dealt(known)
    standby = _Pass(loads, sorted(tasks.standby), told("standby")).dealt(known)
    others = in_hash_order(sorted(tasks.active - with_state))
    stateless = _Pass(loads, others, told("active")).dealt({})
    return {
        thread: MemberTasks(
            frozenset([*active[thread], *stateless[thread]]), frozenset(standby[thread])
        )
        for thread in loads
    }


def _lag_said(lag: int) -> str:
    return "as it runs there" if lag < 0 else f"{lag:,} records behind"


_Tell: TypeAlias = Callable[[str, Task, ThreadRule, int], None]


class _Pass:
    """One pass: tasks that wait in a heap, and what each thread has got of them."""

    def __init__(self, loads: dict[str, int], tasks: Sequence[Task], tell: _Tell) -> None:
        """Deal tasks, given in the order of the set that they come from; ``loads`` grow."""
        self._loads = loads
        self._tell = tell
        self._left = PriorityQueue[Task].heapified(lambda task: task, tasks)
        self._floor = (sum(loads.values()) + len(tasks)) // len(loads)
        self._got: dict[str, list[Task]] = {thread: [] for thread in loads}
        self._former: dict[Task, str] = {}

    def dealt(self, known: Mapping[str, Sequence[Task]]) -> dict[str, list[Task]]:
        """Return what each thread gets; ``known`` are the tasks whose state it has."""
        short = deque(
            thread for thread in self._got if self._keep(thread, known.get(thread, ())) > 0
        )
        while short and self._left:
            thread = short.popleft()
            self._give(thread, self._left.poll(), ThreadRule.IN_TURN)
            if self._wants(thread) > 0:
                short.append(thread)
        room = [thread for thread in self._got if self._wants(thread) == 0]
        for task, thread in sorted(self._former.items()):
            if task in self._left and thread in room:
                self._left.remove(task)
                self._give(thread, task, ThreadRule.ONE_MORE_OF_ITS_STATE)
                room.remove(thread)
        for thread, task in zip(room, self._left.array, strict=False):
            self._give(thread, task, ThreadRule.ONE_MORE)  # in the order of the heap's array
        return self._got

    def _keep(self, thread: str, known: Sequence[Task]) -> int:
        """Let a thread keep what it knows, up to an even share; return what it still wants."""
        for task in known:
            if task not in self._left:
                continue
            if self._wants(thread) > 0:
                self._left.remove(task)
                self._give(thread, task, ThreadRule.HAS_STATE)
            else:
                self._former[task] = thread
        return self._wants(thread)

    def _wants(self, thread: str) -> int:
        return self._floor - self._loads[thread]

    def _give(self, thread: str, task: Task, rule: ThreadRule) -> None:
        self._tell(thread, task, rule, self._floor)
        self._got[thread].append(task)
        self._loads[thread] += 1


def sent_now(
    application: StreamsApplication,
    target: Mapping[str, MemberTasks],
    trace: PlacementTrace | None = None,
) -> dict[str, MemberTasks]:
    """Return what threads get in this round: tasks that others own still wait for the next.

    Where an instance had a copy of such a task, its thread keeps that meanwhile.
    """
    owners: dict[Task, set[str]] = {}
    for thread in _threads(application):
        for task in thread.owned:
            owners.setdefault(task, set()).add(thread.id)
    sent: dict[str, MemberTasks] = {}
    for instance in application.instances:
        copies = instance.copies
        for thread in instance.threads:
            tasks = target[thread.id]
            withheld = {task for task in tasks.active if owners.get(task, set()) - {thread.id}}
            kept = withheld & copies
            sent[thread.id] = MemberTasks(tasks.active - withheld, tasks.standby | kept)
            if trace is not None:
                for task in sorted(withheld):
                    owner = min(owners[task] - {thread.id})
                    trace.taken(
                        thread.id, task.name, ThreadRule.WITHHELD, {"owner": owner}, "active"
                    )
                for task in sorted(kept):
                    rule = ThreadRule.COPY_MEANWHILE
                    trace.given(thread.id, task.name, rule, role="standby")
    return sent


def _threads(application: StreamsApplication) -> Iterable[StreamsThread]:
    return (thread for each in application.instances for thread in each.threads)
