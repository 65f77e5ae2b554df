"""High availability, the task assignor of Streams on the classic protocol since 2.6.

Source: KIP-441, ``HighAvailabilityTaskAssignor``; the answers of 3.9.1 to 4.4.0 agree. Tasks are
placed evenly over threads first, whoever has their state; then each goes back to an instance that
is caught up, while a warm-up restores the state where it is to be.
"""

from collections.abc import Iterable, Sequence
from enum import Enum

from assignors.java.hash_order import order_of_hashes
from assignors.placements import PlacementTrace
from assignors.streams.application import StreamsApplication
from assignors.streams.placing import InstanceLoad, LeastLoaded, TaskRole, balance
from assignors.streams.tasks import Task


class AvailabilityRule(Enum):
    """Why an instance gets a task, a standby or a warm-up, or gives it up."""

    IN_TURN = (
        "Tasks with state are dealt in turn to instances in the order of their process ids: task "
        "{number:,} of {total:,} goes to instance {turn:,} of {instances:,}."
    )
    STANDBY = (
        "Of the instances without the task, this one has the least load: {count:,} on {threads:,} "
        "threads, for standby {number:,} of {standbys:,}."
    )
    STANDBY_APART = (
        "Of the instances whose tags ({tags}) differ from those used, this one has the least load: "
        "{count:,} on {threads:,} threads, for standby {number:,} of {standbys:,}."
    )
    BEHIND = (
        "It is {lag:,} records behind here, more than acceptable.recovery.lag ({allowed:,}): "
        "instance {runner} runs it until it is restored here."
    )
    STANDBY_RUNS = (
        "Its place is instance {place}, {lag:,} records behind; here is a standby that is caught "
        "up, so this instance runs it, and the other keeps the standby."
    )
    CAUGHT_UP = (
        "Its place is instance {place}, {lag:,} records behind; this one is caught up, and runs it "
        "meanwhile."
    )
    LEAST_BEHIND = (
        "Its place is instance {place}, {lag:,} records behind, and nobody is caught up; this one "
        "is less behind, by {own_lag:,}, and runs it meanwhile."
    )
    SWAPPED = "The instance {runner} runs it from its standby; the standby is here instead."
    WARM_UP = (
        "It is to be here once restored, {lag:,} records: warm-up {number:,} of "
        "max.warmup.replicas ({warmups:,})."
    )
    COPY_MEANWHILE = (
        "The place of this standby is instance {place}, {lag:,} records behind; this one is less, "
        "and keeps it meanwhile."
    )
    COPY_BEHIND = (
        "The standby is {lag:,} records behind here, and max.warmup.replicas ({warmups:,}) are "
        "spent: instance {runner} keeps it until a later round."
    )
    NO_STATE = (
        "Tasks without state go, in order, to the instance with the fewest active tasks a thread: "
        "{active:,} on {threads:,} here."
    )


def high_availability(
    application: StreamsApplication, trace: PlacementTrace | None = None
) -> tuple[list[InstanceLoad], bool]:
    """Place all tasks on instances; return them, and whether a probing rebalance is needed."""
    instances = [InstanceLoad(each, trace) for each in application.instances_in_order]
    if not instances:
        return [], False
    for at, task in enumerate(application.stateful):
        instances[at % len(instances)].get(
            task,
            TaskRole.ACTIVE,
            AvailabilityRule.IN_TURN,
            number=at + 1,
            total=len(application.stateful),
            turn=at % len(instances) + 1,
            instances=len(instances),
        )
    balance(instances, TaskRole.ACTIVE)
    _place_standbys(application, instances)
    budget = _Warmups(application.settings.warmups)
    is_behind = _move_active(application, instances, budget)
    is_behind |= _move_standbys(application, instances, budget)
    by_active = LeastLoaded(lambda _, __: True, instances, lambda each: each.active_load)
    for task in application.stateless:
        chosen = by_active.poll(task)
        if chosen:
            chosen.get(task, TaskRole.ACTIVE, AvailabilityRule.NO_STATE)
            by_active.offer(chosen)
    return instances, is_behind


class _Warmups:
    """How many warm-ups may still be placed; each move takes one off, even below zero."""

    def __init__(self, most: int) -> None:
        self.most = self._left = most

    @property
    def number(self) -> int:
        """Which of them was taken last."""
        return self.most - self._left

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
        for at in range(missing[task]):
            if (chosen := queue.poll(task)) is None:
                break
            number = copies - missing[task] + at + 1
            rule = AvailabilityRule.STANDBY
            chosen.get(task, TaskRole.STANDBY, rule, number=number, standbys=copies)
            queue.offer(chosen)
    balance(
        instances,
        TaskRole.STANDBY,
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
        chosen.get(
            task,
            TaskRole.STANDBY,
            AvailabilityRule.STANDBY_APART,
            number=placed + 1,
            standbys=copies,
            tags=", ".join(tags),
        )
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
        rule = AvailabilityRule.STANDBY_RUNS
        runner = queue.poll(task, lambda each, task=task: task in each.standby)  # type: ignore[misc]
        if runner is None:
            rule = AvailabilityRule.CAUGHT_UP
            runner = queue.poll(task)
        if runner is None:
            rule = AvailabilityRule.LEAST_BEHIND
            runner = _ahead(application, instances, task, place)[0]
        _run_meanwhile(application, task, place, runner, rule, budget)
        queue.offer(runner, place)
    return bool(movements)


def _run_meanwhile(  # noqa: PLR0913, PLR0917 -- who, where, why
    application: StreamsApplication,
    task: Task,
    place: InstanceLoad,
    runner: InstanceLoad,
    rule: AvailabilityRule,
    budget: _Warmups,
) -> None:
    """Let an instance run a task whose place is behind, and leave a copy at the place."""
    lag, allowed = application.lags[place.process][task], application.settings.recovery_lag
    by = runner.process
    place.give_up(
        task, TaskRole.ACTIVE, AvailabilityRule.BEHIND, lag=lag, allowed=allowed, runner=by
    )
    own_lag = max(application.lags[by][task], 0)
    runner.get(task, TaskRole.ACTIVE, rule, place=place.process, lag=lag, own_lag=own_lag)
    if task in runner.standby:
        runner.give_up(task, TaskRole.STANDBY, rule, place=place.process, lag=lag, own_lag=own_lag)
        place.get(task, TaskRole.STANDBY, AvailabilityRule.SWAPPED, runner=by)
    elif budget.take():
        place.get(
            task,
            TaskRole.WARM_UP,
            AvailabilityRule.WARM_UP,
            lag=lag,
            number=budget.number,
            warmups=budget.most,
        )


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
        lag = application.lags[place.process][task]
        rule = AvailabilityRule.COPY_MEANWHILE
        keeper.get(task, TaskRole.STANDBY, rule, place=place.process, lag=lag)
        rule, most, by = AvailabilityRule.COPY_BEHIND, budget.most, keeper.process
        place.give_up(task, TaskRole.STANDBY, rule, lag=lag, warmups=most, runner=by)
        if budget.take():
            rule, number = AvailabilityRule.WARM_UP, budget.number
            place.get(task, TaskRole.WARM_UP, rule, lag=lag, number=number, warmups=most)
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
