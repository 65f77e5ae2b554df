"""The strategies of Streams groups of the broker: promises and small examples."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given

from assignors.certainty import EXACT, Known
from assignors.kind_strategy import KindPromise
from assignors.streams.broker_group import StreamsGroup, StreamsMember
from assignors.streams.broker_sticky import StickyRule
from assignors.streams.strategies import BROKER_STRATEGIES, STICKY, STICKY_4_3, BrokerStrategy
from assignors.streams.tasks import Subtopology, Task, TaskAssignment, stateful
from tests.kinds.streams_groups import holding, streams_groups

_A, _B = "5da24106-869b-4c3d-8192-74d465ee28de", "c7b13aa8-d365-4fc9-a35d-6c11cae33afe"


def _instances(group: StreamsGroup, answer: TaskAssignment) -> dict[Task, list[str]]:
    """Return the instances that run a task or have a copy."""
    found = defaultdict(list)
    for member in group.members:
        tasks = answer.members[member.id]
        for task in (*tasks.active, *tasks.standby):
            found[task].append(member.process)
    return found


def _runs_every_task_once(group: StreamsGroup, answer: TaskAssignment) -> bool:
    active = [task for tasks in answer.members.values() for task in tasks.active]
    return sorted(active) == sorted(group.tasks)


def _gives_nobody_more_than_a_share(group: StreamsGroup, answer: TaskAssignment) -> bool:
    share = -(-len(group.tasks) // len(group.members))
    return all(len(tasks.active) <= share for tasks in answer.members.values())


def _has_copies_apart(group: StreamsGroup, answer: TaskAssignment) -> bool:
    return all(len(set(each)) == len(each) for each in _instances(group, answer).values())


def _has_all_copies(group: StreamsGroup, answer: TaskAssignment) -> bool:
    instances = len({member.process for member in group.members})
    found = _instances(group, answer)
    copies = min(group.standbys + 1, instances)
    return all(len(found[task]) == copies for task in stateful(group.subtopologies))


_PROOFS: Final[dict[KindPromise, Callable[[StreamsGroup, TaskAssignment], bool]]] = {
    KindPromise.EVERY_TASK_ONCE: _runs_every_task_once,
    KindPromise.NOBODY_OVER_SHARE: _gives_nobody_more_than_a_share,
    KindPromise.COPIES_APART: _has_copies_apart,
    KindPromise.ALL_COPIES: _has_all_copies,
}


@pytest.mark.parametrize("strategy", BROKER_STRATEGIES, ids=lambda each: each.name)
@given(streams_groups())
def test_a_strategy_keeps_its_promises(strategy: BrokerStrategy, group: StreamsGroup) -> None:
    answer = strategy.assign(group)

    for promise in strategy.promises:
        assert _PROOFS[promise](group, answer), promise


@pytest.mark.parametrize("strategy", BROKER_STRATEGIES, ids=lambda each: each.name)
@given(streams_groups(fresh=True))
def test_what_began_fresh_keeps_its_active_tasks(
    strategy: BrokerStrategy, group: StreamsGroup
) -> None:
    answer = strategy.assign(group)

    assert strategy.assign(holding(group, answer)).owners == answer.owners


@given(streams_groups())
def test_the_placements_are_the_answer(group: StreamsGroup) -> None:
    answer = STICKY.assign(group)

    told = sorted((each.member, each.item) for each in answer.placements)
    assert told == sorted(
        (member, task.name)
        for member, tasks in answer.members.items()
        for task in (*tasks.active, *tasks.standby)
    )


@given(streams_groups())
def test_what_is_called_exact_without_offsets_is_the_same_with_them(group: StreamsGroup) -> None:
    unknown = replace(group, members=[each._replace(offsets=None) for each in group.members])

    for strategy in BROKER_STRATEGIES:
        assert strategy.certainty_for(group) == EXACT
        if strategy.certainty_for(unknown) == EXACT:
            assert strategy.assign(unknown).members == strategy.assign(group).members


def test_state_on_disk_decides_who_takes_over() -> None:
    members = [
        StreamsMember("a", _A, frozenset({Task(0, 0)}), offsets={}),
        StreamsMember("b", _B, offsets={Task(0, 1): 9}),
        StreamsMember("c", _B, offsets={}),
    ]
    group = StreamsGroup([Subtopology(0, 2, is_stateful=True)], members)

    answer = STICKY.assign(group)

    assert answer.owners == {Task(0, 0): "a", Task(0, 1): "b"}
    assert [each.rule for each in answer.placements] == [StickyRule.KEPT, StickyRule.HAS_STATE]
    assert STICKY_4_3.assign(group).placements[1].rule is StickyRule.LEAST_LOADED


def test_without_offsets_the_label_says_one_of_several() -> None:
    members = [StreamsMember("a", _A), StreamsMember("b", _B)]
    group = StreamsGroup([Subtopology(0, 2, is_stateful=True)], members)

    assert STICKY.certainty_for(group).known is Known.ONE_OF_SEVERAL


def test_a_group_without_members_runs_nothing() -> None:
    group = StreamsGroup([Subtopology(0, 2, is_stateful=True)], [])

    assert [each.assign(group).members for each in BROKER_STRATEGIES] == [{}, {}]
