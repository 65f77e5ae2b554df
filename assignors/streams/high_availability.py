"""High availability, the task assignor of Streams on the classic protocol since 2.6.

Source: KIP-441, ``HighAvailabilityTaskAssignor``; the answers of 3.9.1 to 4.4.0 agree. Tasks are
placed evenly over threads first, whoever has their state; then each goes back to an instance that
is caught up, while a warm-up restores the state where it is to be.
"""

from collections.abc import Iterable, Sequence

from assignors.java.hash_order import order_of_hashes
from assignors.streams.application import StreamsApplication
from assignors.streams.placing import InstanceLoad, LeastLoaded, balance
from assignors.streams.tasks import Task


def high_availability(application: StreamsApplication) -> tuple[list[InstanceLoad], bool]:
    """Place all tasks on instances; return them, and whether a probing rebalance is needed."""
    instances = [InstanceLoad(each) for each in application.instances_in_order]
    if not instances:
        return [], False
    for at, task in enumerate(application.stateful):
        instances[at % len(instances)].active.add(task)
    balance(instances, lambda each: each.active)
    _place_standbys(application, instances)
    budget = _Warmups(application.settings.warmups)
    is_behind = _move_active(application, instances, budget)
    is_behind |= _move_standbys(application, instances, budget)
    by_active = LeastLoaded(lambda _, __: True, instances, lambda each: each.active_load)
    for task in application.stateless:
        chosen = by_active.poll(task)
        if chosen:
            chosen.active.add(task)
            by_active.offer(chosen)
    return instances, is_behind


class _Warmups:
    """How many warm-ups may still be placed; each move takes one off, even below zero."""

    def __init__(self, left: int) -> None:
        self._left = left

    def take(self) -> bool:
        self._left -= 1
        return self._left >= 0


def task_hash(task: Task) -> int:
    """Return ``TaskId.hashCode``, of a task without a named topology."""
    return ((31 + task.subtopology) * 31 + task.partition) * 31


def in_hash_order(tasks: Sequence[Task]) -> list[Task]:
    """Return tasks as a ``HashMap`` or ``HashSet`` iterates them, inserted in this order."""
    return [tasks[at] for at in order_of_hashes([task_hash(each) for each in tasks])]


def _place_standbys(application: StreamsApplication, instances: list[InstanceLoad]) -> None:
    copies, tags = application.settings.standbys, application.settings.tags
    if not copies:
        return
    missing = dict.fromkeys(application.stateful, copies)
    tasks: Iterable[Task] = application.stateful
    if tags:
        for task in application.stateful:
            missing[task] -= _place_apart(task, copies, tags, instances)
        tasks = in_hash_order(application.stateful)
    queue = LeastLoaded(lambda each, task: task not in each, instances)
    for task in tasks:
        for _ in range(missing[task]):
            if (chosen := queue.poll(task)) is None:
                break
            chosen.standby.add(task)
            queue.offer(chosen)
    balance(
        instances,
        lambda each: each.standby,
        lambda source, destination: not tags or source.tags == destination.tags,
    )


def _place_apart(
    task: Task, copies: int, tags: Sequence[str], instances: list[InstanceLoad]
) -> int:
    """Place copies on instances that share no tag with those used; return how many.

    Once a tag has no more values than instances are used, all its values are free again.
    """
    values = {tag: {each.tags[tag] for each in instances if tag in each.tags} for tag in tags}
    taken: dict[str, set[str]] = {tag: set() for tag in tags}
    queue = LeastLoaded(lambda each, task: task not in each, instances)
    last = next(each for each in instances if task in each.active)
    for placed in range(copies):
        for tag in tags:
            if tag in last.tags:
                if len(values[tag]) <= placed + 1:
                    taken[tag].clear()
                else:
                    taken[tag].add(last.tags[tag])
        chosen = queue.poll(
            task, lambda each: not any(each.tags.get(tag) in taken[tag] for tag in tags)
        )
        if chosen is None:
            return placed
        chosen.standby.add(task)
        last = chosen
    return copies


def _behind(
    application: StreamsApplication,
    instances: list[InstanceLoad],
    tasks: Iterable[tuple[Task, InstanceLoad]],
) -> list[tuple[Task, InstanceLoad]]:
    """Return which of these tasks are behind where they are, fewest caught-up instances first."""
    behind = [each for each in tasks if application.is_behind(each[1].process, each[0])]
    caught_up = {
        task: sum(application.is_caught_up(each.process, task) for each in instances)
        for task, _ in behind
    }
    return sorted(behind, key=lambda each: (caught_up[each[0]], each[0], each[1].key))


def _move_active(
    application: StreamsApplication, instances: list[InstanceLoad], budget: _Warmups
) -> bool:
    """Let caught-up instances run what is behind at its place; return whether anything is."""
    movements = _behind(
        application, instances, [(task, each) for each in instances for task in each.active]
    )
    queue = _caught_up(application, instances)
    for task, place in movements:
        runner = queue.poll(task, lambda each, task=task: task in each.standby)  # type: ignore[misc]
        runner = runner or queue.poll(task)
        runner = runner or _ahead(application, instances, task, place)[0]
        place.active.remove(task)
        runner.active.add(task)
        if task in runner.standby:
            runner.standby.remove(task)
            place.standby.add(task)
        elif budget.take():
            place.standby.add(task)
            place.warmups.add(task)
        queue.offer(runner, place)
    return bool(movements)


def _move_standbys(
    application: StreamsApplication, instances: list[InstanceLoad], budget: _Warmups
) -> bool:
    """Let caught-up instances keep copies that are behind at their place; return if any does."""
    standbys = [(task, each) for each in instances for task in each.standby - each.warmups]
    queue = _caught_up(application, instances)
    is_moved = False
    for task, place in _behind(application, instances, standbys):
        keeper = queue.poll(task, lambda each, task=task: task not in each)  # type: ignore[misc]
        if keeper is None:
            ahead = _ahead(application, instances, task, place)
            keeper = next((each for each in ahead if task not in each), None)
        if keeper is None:
            continue
        is_moved = True
        keeper.standby.add(task)
        if budget.take():
            place.warmups.add(task)
        else:
            place.standby.remove(task)
        queue.offer(keeper, place)
    return is_moved


def _caught_up(application: StreamsApplication, instances: list[InstanceLoad]) -> LeastLoaded:
    return LeastLoaded(lambda each, task: application.is_caught_up(each.process, task), instances)


def _ahead(
    application: StreamsApplication, instances: list[InstanceLoad], task: Task, place: InstanceLoad
) -> list[InstanceLoad]:
    """Return the instances that are less far behind on a task than where it is, best first."""

    def order(each: InstanceLoad) -> tuple[int, tuple[int, int]]:
        return application.lags[each.process][task], each.key

    return sorted((each for each in instances if order(each) < order(place)), key=order)
