"""The strategies of Connect: promises, the course of a loss, and small examples."""

from collections import Counter
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given

from assignors.certainty import EXACT, Known
from assignors.connect.cluster import CONNECTOR_ITSELF, ConnectCluster, ConnectorTask, Worker
from assignors.connect.incremental import ConnectRule, incremental
from assignors.connect.rounds import rounds_of, runs
from assignors.connect.strategies import CONNECT_STRATEGIES, EAGER, INCREMENTAL, ConnectStrategy
from assignors.kind_strategy import KindPromise
from assignors.placements import Effect
from tests.kinds.connect_clusters import at_rest, clusters

_ONE, _TWO, _THREE = (
    f"connect-10.0.0.{at}:8083-0000000{at}-2268-4d2d-83aa-4ef2e67756c7" for at in (1, 2, 3)
)


@pytest.mark.parametrize("strategy", CONNECT_STRATEGIES, ids=lambda each: each.name)
@given(clusters())
def test_everything_runs_once_in_the_end(
    strategy: ConnectStrategy, cluster: ConnectCluster
) -> None:
    _, last = rounds_of(cluster, strategy.assign)[-1]

    assert KindPromise.EVERY_TASK_ONCE in strategy.promises
    assert Counter(each for work in last.holds.values() for each in work) == Counter(cluster.work)


@given(clusters())
def test_counts_of_connectors_and_of_tasks_are_even_in_the_end(cluster: ConnectCluster) -> None:
    rounds = rounds_of(cluster, incremental)

    assert KindPromise.EVEN_SORTS in INCREMENTAL.promises
    assert len(rounds) <= 6
    for is_connector in (True, False):
        counts = [
            sum(each.is_connector == is_connector for each in work)
            for work in rounds[-1][1].holds.values()
        ]
        assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("strategy", CONNECT_STRATEGIES, ids=lambda each: each.name)
@given(clusters())
def test_what_is_at_rest_stays(strategy: ConnectStrategy, cluster: ConnectCluster) -> None:
    _, last = rounds_of(cluster, strategy.assign)[-1]

    again = strategy.assign(at_rest(cluster)) if strategy is INCREMENTAL else last

    assert KindPromise.AT_REST in strategy.promises
    if strategy is INCREMENTAL:
        assert not any(again.assigned.values())
        assert not any(again.revoked.values())
    else:
        assert strategy.assign(cluster).holds == last.holds


@given(clusters())
def test_without_reports_what_is_called_exact_does_not_depend_on_them(
    cluster: ConnectCluster,
) -> None:
    unknown = replace(
        cluster,
        workers=[Worker(each.id, each.holds[::-1]) for each in cluster.workers],
        is_as_reported=False,
    )
    found, known = (rounds_of(each, incremental)[-1][1] for each in (unknown, cluster))

    assert INCREMENTAL.certainty_for(cluster) == EXACT
    if INCREMENTAL.certainty_for(unknown) == EXACT:
        assert runs(found) == runs(known)
    else:
        assert INCREMENTAL.certainty_for(unknown).known is Known.COUNTS_ONLY


def _cluster(*workers: Worker) -> ConnectCluster:
    return at_rest(ConnectCluster(configured={"a": 2, "b": 1}, workers=workers, max_delay_ms=9_000))


def test_a_lost_worker_is_waited_for_and_its_work_then_goes_to_the_rest() -> None:
    cluster = _cluster(Worker(_ONE), Worker(_TWO))
    left = replace(cluster, workers=[each for each in cluster.workers if each.id == _ONE])
    left = replace(left, now_ms=50_000)

    (first, waiting), (second, given_away) = rounds_of(left, incremental)

    assert waiting.leader.delay_ms == 9_000
    assert not any(waiting.assigned.values())
    assert second.now_ms - first.now_ms == 9_000
    assert {each.rule for each in waiting.placements} == {
        ConnectRule.KEPT_MEANWHILE,
        ConnectRule.WAITS,
    }
    lost = {each.item for each in waiting.placements if each.rule is ConnectRule.WAITS}
    assert {
        e.item: e.rule for e in given_away.placements if e.effect is Effect.GIVEN
    } == dict.fromkeys(lost, ConnectRule.LOST)
    assert set(runs(given_away)) == set(cluster.work)


def test_a_worker_that_returns_in_time_gets_its_work_back() -> None:
    cluster = _cluster(Worker(_ONE), Worker(_TWO))
    left = replace(cluster, workers=[each for each in cluster.workers if each.id == _ONE])
    waiting = incremental(left)
    came_back = replace(
        left,
        workers=[Worker(_ONE, waiting.holds[_ONE]), Worker(_THREE)],
        leader=waiting.leader,
        now_ms=1_000,
        generation=left.generation + 1,
        completed_generation=left.generation,
    )

    rounds = rounds_of(came_back, incremental)

    assert rounds[0][1].leader.candidates == (_THREE,)
    assert sorted(rounds[-1][1].holds[_THREE]) == sorted(
        next(each.holds for each in cluster.workers if each.id == _TWO)
    )


def test_a_new_leader_does_not_wait() -> None:
    cluster = _cluster(Worker(_ONE), Worker(_TWO))
    alone = next(each for each in cluster.workers if each.id == _TWO)
    orphaned = ConnectCluster(configured=cluster.configured, workers=[alone], generation=9)

    ((_, found),) = rounds_of(orphaned, incremental)

    assert found.leader.delay_ms == 0
    assert {each.rule for each in found.placements} == {ConnectRule.CREATED, ConnectRule.KEPT}
    assert set(runs(found)) == set(cluster.work)


def test_a_worker_that_joins_takes_two_rounds() -> None:
    cluster = _cluster(Worker(_ONE))
    joined = replace(cluster, workers=[*cluster.workers, Worker(_TWO)])

    first, second = (found for _, found in rounds_of(joined, incremental))

    assert [each.name for each in sorted(first.revoked[_ONE])] == ["a", "a-0"]
    assert not any(first.assigned.values())
    assert [each.name for each in second.assigned[_TWO]] == ["a", "a-0"]


def test_eager_deals_tasks_on_where_connectors_end() -> None:
    cluster = ConnectCluster(configured={"b": 1, "a": 2}, workers=[Worker(_TWO), Worker(_ONE)])

    found = EAGER.assign(cluster)

    assert [each.name for each in found.holds[_ONE]] == ["a", "a-0", "b-0"]
    assert [each.name for each in found.holds[_TWO]] == ["b", "a-1"]


def test_two_workers_that_run_one_task_both_stop_it() -> None:
    twice: Final = ConnectorTask("a", 0)
    workers = [Worker(_ONE, [ConnectorTask("a", CONNECTOR_ITSELF), twice]), Worker(_TWO, [twice])]
    cluster = ConnectCluster(configured={"a": 1}, workers=workers)

    first, *_, last = (found for _, found in rounds_of(cluster, incremental))

    assert first.revoked[_ONE] & first.revoked[_TWO] == {twice}
    assert list(runs(last)).count(twice) == 1


def test_no_worker_runs_nothing() -> None:
    cluster = ConnectCluster(configured={"a": 1}, workers=[])

    assert [each.assign(cluster).holds for each in CONNECT_STRATEGIES] == [{}, {}]
