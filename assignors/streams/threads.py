"""The threads of an instance: who runs which of its tasks, and what must wait for another.

Source: ``StreamsPartitionAssignor`` of Kafka 3.2 and newer.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from assignors.java.priority_queue import PriorityQueue
from assignors.java.strings import string_key
from assignors.streams.application import Instance, StreamsApplication, StreamsThread
from assignors.streams.high_availability import in_hash_order
from assignors.streams.tasks import MemberTasks, Task


def over_threads(
    application: StreamsApplication, instance: Instance, tasks: MemberTasks
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
    active = _Pass(loads, in_hash_order(sorted(tasks.active & with_state))).dealt(known)
    standby = _Pass(loads, sorted(tasks.standby)).dealt(known)
    stateless = _Pass(loads, in_hash_order(sorted(tasks.active - with_state))).dealt({})
    return {
        thread: MemberTasks(
            frozenset([*active[thread], *stateless[thread]]), frozenset(standby[thread])
        )
        for thread in loads
    }


class _Pass:
    """One pass: tasks that wait in a heap, and what each thread has got of them."""

    def __init__(self, loads: dict[str, int], tasks: Sequence[Task]) -> None:
        """Deal tasks, given in the order of the set that they come from; ``loads`` grow."""
        self._loads = loads
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
            self._give(thread, self._left.poll())
            if self._wants(thread) > 0:
                short.append(thread)
        room = [thread for thread in self._got if self._wants(thread) == 0]
        for task, thread in sorted(self._former.items()):
            if task in self._left and thread in room:
                self._left.remove(task)
                self._give(thread, task)
                room.remove(thread)
        for thread, task in zip(room, self._left.array, strict=False):
            self._give(thread, task)  # in the order of the heap's array
        return self._got

    def _keep(self, thread: str, known: Sequence[Task]) -> int:
        """Let a thread keep what it knows, up to an even share; return what it still wants."""
        for task in known:
            if task not in self._left:
                continue
            if self._wants(thread) > 0:
                self._left.remove(task)
                self._give(thread, task)
            else:
                self._former[task] = thread
        return self._wants(thread)

    def _wants(self, thread: str) -> int:
        return self._floor - self._loads[thread]

    def _give(self, thread: str, task: Task) -> None:
        self._got[thread].append(task)
        self._loads[thread] += 1


def sent_now(
    application: StreamsApplication, target: Mapping[str, MemberTasks]
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
            sent[thread.id] = MemberTasks(
                tasks.active - withheld, tasks.standby | (withheld & copies)
            )
    return sent


def _threads(application: StreamsApplication) -> Iterable[StreamsThread]:
    return (thread for each in application.instances for thread in each.threads)
