"""The rounds of a Streams application on the classic protocol, until it is balanced."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from assignors.java.strings import string_key
from assignors.placements import Placement, PlacementTrace
from assignors.streams.application import (
    RUNNING,
    Instance,
    StreamsApplication,
    StreamsRound,
    StreamsThread,
)
from assignors.streams.high_availability import high_availability
from assignors.streams.placing import InstanceLoad
from assignors.streams.tasks import Task
from assignors.streams.threads import over_threads, sent_now

LONGEST: Final = 1_000
"""Rounds; a probing rebalance moves at least one task, so there are no more than tasks."""
TaskPlacer: TypeAlias = Callable[
    [StreamsApplication, PlacementTrace | None], tuple[list[InstanceLoad], bool]
]
"""Places all tasks on instances; says whether a probing rebalance is needed."""


def classic_round(
    application: StreamsApplication,
    place: TaskPlacer = high_availability,
    trace: PlacementTrace | None = None,
) -> StreamsRound:
    """Place tasks on instances, then on threads, and withhold what another must give up.

    The trace is told of all three: steps of instances, then of threads.
    """
    placed, needs_probing = place(application, trace)
    by_process = {each.process: each for each in placed}
    target = {
        thread: tasks
        for instance in application.instances
        for thread, tasks in over_threads(
            application, instance, by_process[instance.process].tasks, trace
        ).items()
    }
    sent = sent_now(application, target, trace)
    return StreamsRound(
        instances={each.process: each.tasks for each in placed},
        warmups={each.process: frozenset(each.warmups) for each in placed},
        target=target,
        sent=sent,
        needs_probing=needs_probing,
        is_followed_at_once=any(sent[each].active != target[each].active for each in target),
    )


def classic_steps(
    application: StreamsApplication, place: TaskPlacer = high_availability
) -> list[Placement]:
    """Return what leads to a round's answer: steps of instances, then of threads."""
    trace = PlacementTrace()
    classic_round(application, place, trace)
    return trace.placements


def rounds_at_once(
    application: StreamsApplication, place: TaskPlacer = high_availability
) -> list[tuple[StreamsApplication, StreamsRound]]:
    """Play rounds until no thread is told to join again at once; copies restore nothing yet."""
    return _played(application, place, lambda found: found.is_followed_at_once)


def rounds_until_balanced(
    application: StreamsApplication, place: TaskPlacer = high_availability
) -> list[tuple[StreamsApplication, StreamsRound]]:
    """Play rounds until no probing rebalance is needed; by each of those, copies are restored."""
    return _played(
        application, place, lambda found: found.is_followed_at_once or found.needs_probing
    )


def probing_rounds(rounds: list[tuple[StreamsApplication, StreamsRound]]) -> int:
    """Return how many of these rounds began with a probing rebalance."""
    return sum(found.needs_probing and not found.is_followed_at_once for _, found in rounds[:-1])


def after(
    application: StreamsApplication, found: StreamsRound, *, is_restored: bool
) -> StreamsApplication:
    """Return the application as it joins the next round.

    Threads own what they were sent. Copies are restored to the changelogs' ends or as far as
    before; state of tasks that an instance no longer has stays on its disk, and its first thread
    is taken for the one that reports it.
    """
    lags = application.lags
    with_state = frozenset(application.stateful)
    instances = []
    for instance in application.instances:
        first = min((each.id for each in instance.threads), key=string_key)
        here = {task for each in instance.threads for task in _all(found, each.id)}
        left = {task: _kept(application, instance, task) for task in instance.states - here}
        threads = []
        for each in instance.threads:
            tasks = found.sent[each.id]
            sums = dict.fromkeys(tasks.active & with_state, RUNNING)
            for task in tasks.standby:
                is_there = is_restored or lags[instance.process][task] == RUNNING
                end = application.end_offsets.get(task, 0)
                sums[task] = end if is_there else _kept(application, instance, task)
            if each.id == first:
                sums |= left
            threads.append(StreamsThread(each.id, tasks.active, sums, tasks.standby))
        instances.append(instance._replace(threads=threads))
    return replace(application, instances=instances)


def _played(
    application: StreamsApplication, place: TaskPlacer, goes_on: Callable[[StreamsRound], bool]
) -> list[tuple[StreamsApplication, StreamsRound]]:
    rounds = []
    for _ in range(LONGEST):
        found = classic_round(application, place)
        rounds.append((application, found))
        if not goes_on(found):
            break
        application = after(application, found, is_restored=not found.is_followed_at_once)
    return rounds


def _all(found: StreamsRound, thread: str) -> frozenset[Task]:
    return found.sent[thread].active | found.sent[thread].standby


def _kept(application: StreamsApplication, instance: Instance, task: Task) -> int:
    """Return the sum of offsets on an instance's disk: all of what it ran, else as reported."""
    reported = [each.offset_sums[task] for each in instance.threads if task in each.offset_sums]
    if RUNNING in reported:
        return application.end_offsets.get(task, 0)
    return reported[-1] if reported else 0
