"""The strategies of Streams on the classic protocol: promises, rounds, and small examples."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given

from assignors.certainty import EXACT, Known
from assignors.kind_strategy import KindPromise
from assignors.streams.application import (
    ANY_LAG,
    RUNNING,
    ClassicSubtopology,
    Instance,
    StreamsApplication,
    StreamsRound,
    StreamsSettings,
    StreamsThread,
)
from assignors.streams.rounds import (
    classic_round,
    probing_rounds,
    rounds_at_once,
    rounds_until_balanced,
)
from assignors.streams.strategies import CLASSIC_STRATEGIES, HIGH_AVAILABILITY, ClassicStrategy
from assignors.streams.tasks import Task
from tests.kinds.applications import applications

_A, _B = "1a6c2d16-877d-4fe0-9db2-1ed44f0e3f5d", "fa0c4a11-5d0f-4c0d-8d7c-0a1b2c3d4e5f"


def _runs_every_task_once(application: StreamsApplication, found: StreamsRound) -> bool:
    return all(
        Counter(task for tasks in members.values() for task in tasks.active)
        == Counter(application.tasks)
        for members in (found.instances, found.target)
    )


def _has_copies_apart(_: StreamsApplication, found: StreamsRound) -> bool:
    return not any(tasks.active & tasks.standby for tasks in found.instances.values())


def _has_all_copies(application: StreamsApplication, found: StreamsRound) -> bool:
    copies = Counter(
        task
        for process, tasks in found.instances.items()
        for task in tasks.standby - found.warmups[process]
    )
    wanted = min(application.settings.standbys, len(application.instances) - 1)
    return all(copies[task] >= wanted for task in application.stateful)


_PROOFS: Final[dict[KindPromise, Callable[[StreamsApplication, StreamsRound], bool]]] = {
    KindPromise.EVERY_TASK_ONCE: _runs_every_task_once,
    KindPromise.COPIES_APART: _has_copies_apart,
    KindPromise.ALL_COPIES: _has_all_copies,
}


@pytest.mark.parametrize("strategy", CLASSIC_STRATEGIES, ids=lambda each: each.name)
@given(applications())
def test_a_strategy_keeps_its_promises(
    strategy: ClassicStrategy, application: StreamsApplication
) -> None:
    found = strategy.assign(application)

    for promise in strategy.promises:
        assert _PROOFS[promise](application, found), promise


@given(applications())
def test_threads_of_an_instance_get_what_it_gets_in_even_counts(
    application: StreamsApplication,
) -> None:
    found = HIGH_AVAILABILITY.assign(application)

    for instance in application.instances:
        threads = [found.target[each.id] for each in instance.threads]
        tasks = found.instances[instance.process]
        counts = [len(each.active) + len(each.standby) for each in threads]
        assert frozenset().union(*(each.active for each in threads)) == tasks.active
        assert frozenset().union(*(each.standby for each in threads)) == tasks.standby
        assert max(counts) - min(counts) <= 1


@given(applications())
def test_no_thread_is_sent_what_another_still_owns(application: StreamsApplication) -> None:
    found = HIGH_AVAILABILITY.assign(application)

    owners = {
        task: thread.id
        for instance in application.instances
        for thread in instance.threads
        for task in thread.owned
    }
    for thread, tasks in found.sent.items():
        assert all(owners.get(task, thread) == thread for task in tasks.active)
        assert tasks.active <= found.target[thread].active


@given(applications())
def test_rounds_end_with_all_tasks_running_where_they_are_to_be(
    application: StreamsApplication,
) -> None:
    rounds = rounds_until_balanced(application)

    _, last = rounds[-1]
    assert last.sent == last.target
    assert not last.needs_probing
    assert not any(last.warmups.values())
    assert len(rounds_at_once(application)) <= len(rounds)


@given(applications())
def test_which_instance_runs_what_in_the_end_does_not_hang_on_where_state_lies(
    application: StreamsApplication,
) -> None:
    forgotten = replace(
        application,
        instances=[
            each._replace(threads=[StreamsThread(thread.id) for thread in each.threads])
            for each in application.instances
        ],
    )

    _, found = rounds_until_balanced(application)[-1]

    assert found.instances == rounds_until_balanced(forgotten)[-1][1].instances
    settings = application.settings._replace(recovery_lag=ANY_LAG)
    assert found.instances == classic_round(replace(forgotten, settings=settings)).instances


@given(applications(fresh=True))
def test_a_new_application_needs_one_round(application: StreamsApplication) -> None:
    (_, found), *rest = rounds_at_once(application)

    assert not rest
    assert found.sent == found.target


@given(applications())
def test_the_order_in_which_instances_are_given_does_not_matter(
    application: StreamsApplication,
) -> None:
    other = replace(application, instances=application.instances[::-1])

    for strategy in CLASSIC_STRATEGIES:
        assert strategy.assign(other).target == strategy.assign(application).target


def _joined(standbys: int = 0, warmups: int = 1) -> StreamsApplication:
    """Return four stateful tasks that one instance runs when a second one joins."""
    tasks = frozenset(Task(0, number) for number in range(4))
    return StreamsApplication(
        {"orders": 4},
        [ClassicSubtopology(0, ["orders"], is_stateful=True)],
        [
            Instance(_A, [StreamsThread("a", tasks, dict.fromkeys(tasks, RUNNING))]),
            Instance(_B, [StreamsThread("b")]),
        ],
        dict.fromkeys(tasks, 1_000_000),
        StreamsSettings(standbys=standbys, warmups=warmups),
    )


def test_a_new_instance_warms_up_before_it_runs_tasks_with_state() -> None:
    found = HIGH_AVAILABILITY.assign(_joined())

    assert len(found.target["a"].active) == 4
    assert len(found.warmups[_B]) == 1
    assert found.needs_probing
    assert not found.is_followed_at_once


def test_the_warm_ups_at_a_time_decide_how_many_probing_rounds_it_takes() -> None:
    slow, fast = (rounds_until_balanced(_joined(warmups=warmups)) for warmups in (1, 2))

    assert (probing_rounds(slow), probing_rounds(fast)) == (2, 1)
    assert {name: len(t.active) for name, t in slow[-1][1].target.items()} == {"a": 2, "b": 2}


def test_ids_are_compared_as_signed_numbers() -> None:
    fresh = replace(
        _joined(),
        instances=[Instance(_A, [StreamsThread("a")]), Instance(_B, [StreamsThread("b")])],
    )

    found = HIGH_AVAILABILITY.assign(fresh)

    assert Task(0, 0) in found.target["b"].active


def test_without_offset_sums_counts_are_certain_and_no_more() -> None:
    unknown = replace(_joined(), knows_offsets=False)
    stateless = replace(
        unknown, subtopologies=[ClassicSubtopology(0, ["orders"], is_stateful=False)]
    )

    assert HIGH_AVAILABILITY.certainty_for(unknown).known is Known.COUNTS_ONLY
    assert HIGH_AVAILABILITY.certainty_for(stateless) == EXACT
    assert HIGH_AVAILABILITY.certainty_for(_joined()) == EXACT
