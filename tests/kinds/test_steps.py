"""What explains an answer leads to it: the steps of every strategy of other kinds, added up."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import pytest
from hypothesis import assume, given

from assignors.connect.cluster import ConnectCluster
from assignors.connect.incremental import ConnectRule
from assignors.connect.strategies import CONNECT_STRATEGIES, ConnectStrategy
from assignors.placements import Effect, Placement, added_up
from assignors.share.group import ShareGroup, partition_name
from assignors.share.preview import InconsistentMembersError
from assignors.share.strategies import SHARE_STRATEGIES, SIMPLE, SIMPLE_4_1, ShareStrategy
from assignors.streams.application import StreamsApplication
from assignors.streams.broker_group import StreamsGroup
from assignors.streams.high_availability import AvailabilityRule
from assignors.streams.strategies import (
    BROKER_STRATEGIES,
    CLASSIC_STRATEGIES,
    STICKY,
    STICKY_4_3,
    BrokerStrategy,
    ClassicStrategy,
)
from assignors.streams.tasks import MemberTasks
from tests.kinds.applications import applications
from tests.kinds.connect import clusters_of
from tests.kinds.connect_clusters import clusters
from tests.kinds.share import group_of as share_group_of
from tests.kinds.share_groups import share_groups
from tests.kinds.streams_broker import group_of as streams_group_of
from tests.kinds.streams_classic import application_of
from tests.kinds.streams_groups import streams_groups
from tests.kinds.vectors import GOLDEN, records_of

_EVERY = 8
"""One in so many golden vectors is explained here."""


def _explain_share(strategy: ShareStrategy, group: ShareGroup) -> None:
    steps = strategy.steps(group)
    answer = strategy.assign(group).members

    _lead_to(
        steps,
        {name: {("", partition_name(each)) for each in held} for name, held in answer.items()},
    )
    held = {m.id: {partition_name(each) for each in m.held} for m in group.members}
    assert all(each.item in held[each.member] for each in _were_there(steps))


def _explain_broker(strategy: BrokerStrategy, group: StreamsGroup) -> None:
    steps = strategy.steps(group)

    _lead_to(steps, _by_role(strategy.assign(group).members))
    ran = {m.id: {task.name for task in m.active} for m in group.members}
    assert all(each.item in ran[each.member] for each in _were_there(steps))


def _explain_classic(strategy: ClassicStrategy, application: StreamsApplication) -> None:
    """Instances get what threads of theirs are sent, warm-ups told apart."""
    steps = strategy.steps(application)
    found = strategy.assign(application)

    processes = {each.process for each in application.instances}
    warm = {process: {task.name for task in tasks} for process, tasks in found.warmups.items()}
    told = added_up([each for each in steps if each.member in processes])
    for process, tasks in _by_role(found.instances).items():
        has = told.get(process, set())
        assert {item for role, item in has if role == "warm-up"} == warm[process]
        assert {("standby" if role == "warm-up" else role, item) for role, item in has} == tasks
    _lead_to([e for e in steps if e.member not in processes], _by_role(found.sent))


def _explain_connect(strategy: ConnectStrategy, cluster: ConnectCluster) -> None:
    steps = strategy.steps(cluster)
    found = strategy.assign(cluster)

    _lead_to(
        steps,
        {worker: {("", each.name) for each in work} for worker, work in found.holds.items()},
    )
    held = {each.id: {work.name for work in each.holds} for each in cluster.workers}
    for at, each in enumerate(steps):  # what one step gives, balancing may take again
        if each in _were_there(steps) and each.item not in held[each.member]:
            assert each.effect is Effect.TAKEN
            assert ("", each.item) in added_up(steps[:at])[each.member]
    runs = {each.name for work in found.holds.values() for each in work}
    stopped = {each.item for each in steps if each.effect is Effect.TAKEN}
    waiting = {each.item for each in steps if each.effect is Effect.WAITS}
    assert {each.name for each in cluster.work} <= runs | stopped | waiting
    assert not waiting & runs


def _lead_to(
    steps: Sequence[Placement], answer: Mapping[str, AbstractSet[tuple[str, str]]]
) -> None:
    told = added_up(steps)
    assert {name: told.get(name, set()) for name in answer} == answer
    assert set(told) <= set(answer)
    for each in steps:
        assert "{" not in each.text


def _were_there(steps: Sequence[Placement]) -> list[Placement]:
    return [each for each in steps if each.effect in {Effect.KEPT, Effect.TAKEN}]


def _by_role(members: Mapping[str, MemberTasks]) -> dict[str, set[tuple[str, str]]]:
    return {
        name: {("active", each.name) for each in tasks.active}
        | {("standby", each.name) for each in tasks.standby}
        for name, tasks in members.items()
    }


@pytest.mark.parametrize("strategy", SHARE_STRATEGIES, ids=lambda each: each.name)
@given(share_groups())
def test_steps_lead_to_what_consumers_of_a_share_group_read(
    strategy: ShareStrategy, group: ShareGroup
) -> None:
    try:
        strategy.assign(group)
    except InconsistentMembersError:
        assume(condition=False)

    _explain_share(strategy, group)


@pytest.mark.parametrize("strategy", BROKER_STRATEGIES, ids=lambda each: each.name)
@given(streams_groups())
def test_steps_lead_to_the_broker_s_tasks_and_copies(
    strategy: BrokerStrategy, group: StreamsGroup
) -> None:
    _explain_broker(strategy, group)


@pytest.mark.parametrize("strategy", CLASSIC_STRATEGIES, ids=lambda each: each.name)
@given(applications())
def test_steps_lead_to_tasks_of_instances_and_of_their_threads(
    strategy: ClassicStrategy, application: StreamsApplication
) -> None:
    _explain_classic(strategy, application)


@pytest.mark.parametrize("strategy", CONNECT_STRATEGIES, ids=lambda each: each.name)
@given(clusters())
def test_steps_lead_to_what_workers_run(strategy: ConnectStrategy, cluster: ConnectCluster) -> None:
    _explain_connect(strategy, cluster)


def _sampled(name: str) -> list[Mapping[str, Any]]:
    return list(records_of(GOLDEN / f"{name}.jsonl.gz"))[::_EVERY]


@pytest.mark.slow
def test_steps_lead_to_kafka_s_answers() -> None:
    for record in _sampled("share-simple"):
        _explain_share(SIMPLE, share_group_of(record))
    for record in _sampled("share-simple-4.1"):
        if "error" not in record:
            _explain_share(SIMPLE_4_1, share_group_of(record))
    for record in _sampled("streams-sticky"):
        _explain_broker(STICKY, streams_group_of(record))
    for record in _sampled("streams-sticky-4.3"):
        _explain_broker(STICKY_4_3, streams_group_of(record))
    by_name = {each.name.removeprefix("streams-"): each for each in CLASSIC_STRATEGIES}
    for record in _sampled("streams-classic"):
        _explain_classic(by_name[record["assignor"]], application_of(record))
    for record in _sampled("connect"):
        for cluster, _ in clusters_of(record):
            _explain_connect(CONNECT_STRATEGIES[0], cluster)


@pytest.mark.slow
def test_warm_ups_are_numbered_up_to_the_setting_and_tell_what_they_restore() -> None:
    seen = 0
    for application in map(application_of, _sampled("streams-classic")):
        steps = CLASSIC_STRATEGIES[0].steps(application)
        warmups = [each for each in steps if each.rule is AvailabilityRule.WARM_UP]
        numbers = [each.figures["number"] for each in warmups]
        assert numbers == sorted(set(numbers))
        for each in warmups:
            lag = application.lags[each.member]
            assert each.figures["lag"] in lag.values()
            assert int(each.figures["number"]) <= application.settings.warmups
            assert int(each.figures["lag"]) > application.settings.recovery_lag
        seen += len(warmups)
    assert seen > 5


@pytest.mark.slow
def test_counts_in_a_worker_s_steps_are_those_of_its_sort() -> None:
    for record in _sampled("connect"):
        for cluster, _ in clusters_of(record):
            workers = len(cluster.workers)
            for each in CONNECT_STRATEGIES[0].steps(cluster):
                share = -(-int(each.figures.get("total", 0)) // workers)
                if each.rule is ConnectRule.KEPT:
                    assert int(each.figures["count"]) <= share
                if each.rule is ConnectRule.OVER_SHARE:
                    assert int(each.figures["count"]) > share - (
                        share * workers != each.figures["total"]
                    )
