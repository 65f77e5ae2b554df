"""Rounds of a real cluster (Kafka 4.4.0): what members reported, and what they then got."""

from dataclasses import replace
from typing import Final

from assignors.connect.cluster import (
    CONNECTOR_ITSELF,
    ConnectCluster,
    ConnectorTask,
    Leader,
    Worker,
)
from assignors.connect.incremental import incremental
from assignors.connect.rounds import rounds_of
from assignors.streams.application import (
    ClassicSubtopology,
    Instance,
    StreamsApplication,
    StreamsSettings,
    StreamsThread,
)
from assignors.streams.rounds import classic_round
from assignors.streams.tasks import MemberTasks, Task, task_named

_P, _Q = "52acd0c1-5fc4-41d8-84db-326aa1141cea", "3453e118-5dd9-468e-8e11-64bec9edba22"
_SUMS: Final = {
    f"shop-classic-{_P}-StreamThread-1": ("0_5 1_1 2_3", "2_1=184 1_0=0 2_3=-2 1_1=-2 2_2=0"),
    f"shop-classic-{_Q}-StreamThread-2": ("1_2 2_2", "2_1=184 1_3=709 1_2=943 2_3=176 2_2=-2"),
    f"shop-classic-{_Q}-StreamThread-1": ("0_0 1_0", "1_0=-2 2_0=239 2_3=176 1_1=649"),
    f"shop-classic-{_P}-StreamThread-2": ("0_3 2_1", "2_1=184 2_0=239 1_2=943"),
}
"""The tasks that each thread owned, and the offset sums that it reported."""
_GOT: Final = {
    f"shop-classic-{_P}-StreamThread-1": ("0_1 0_5 1_1 2_3", "1_0 2_2"),
    f"shop-classic-{_Q}-StreamThread-2": ("0_2 1_2 2_2", "1_3 2_1"),
    f"shop-classic-{_Q}-StreamThread-1": ("0_0 0_4 1_0 2_0", "1_1 2_3"),
    f"shop-classic-{_P}-StreamThread-2": ("0_3 1_3 2_1", "1_2 2_0"),
}
"""The active tasks and the copies that each got."""


def _tasks(names: str) -> frozenset[Task]:
    return frozenset(map(task_named, names.split()))


def _thread(name: str) -> StreamsThread:
    owned, sums = _SUMS[name]
    by_task = {task_named(each.split("=")[0]): int(each.split("=")[1]) for each in sums.split()}
    return StreamsThread(name, _tasks(owned), by_task)


def test_the_second_round_after_an_instance_was_killed_and_came_back() -> None:
    application = StreamsApplication(
        {"orders": 6, "by-letter": 4, "clicks": 4, "customers": 4},
        [
            ClassicSubtopology(0, ["orders"], is_stateful=False),
            ClassicSubtopology(1, ["by-letter"], is_stateful=True),
            ClassicSubtopology(2, ["clicks", "customers"], is_stateful=True),
        ],
        [
            Instance(process, [_thread(name) for name in _SUMS if process in name])
            for process in (_P, _Q)
        ],
        settings=StreamsSettings(standbys=1),
    )
    ends = dict.fromkeys(application.stateful, 943)  # far below acceptable.recovery.lag

    found = classic_round(replace(application, end_offsets=ends))

    assert found.sent == {
        name: MemberTasks(_tasks(active), _tasks(standby))
        for name, (active, standby) in _GOT.items()
    }
    assert not found.is_followed_at_once


_ONE, _TWO, _THREE = (
    "connect-127.0.0.1:28081-ad473b88-4829-45dc-835b-59abe00f206a",
    "connect-127.0.0.1:28082-8d2f4f3e-6c5f-4a77-9a52-0f6a2c9f1b11",
    "connect-127.0.0.1:28083-a48208c8-f6b0-460b-9356-330d067c869a",
)
_HELD: Final = {
    _ONE: [("numbers-source", [-1]), ("orders-sink", [0, 1, 3])],
    _THREE: [("clicks-sink", [-1]), ("numbers-source", [0, 2]), ("orders-sink", [2])],
    _TWO: [("orders-sink", [-1]), ("clicks-sink", [0, 1]), ("numbers-source", [1])],
}
"""What the workers ran when the second one was killed."""


def _work(held: list[tuple[str, list[int]]]) -> list[ConnectorTask]:
    work = [ConnectorTask(name, number) for name, numbers in held for number in numbers]
    return sorted(work, key=lambda each: each.number != CONNECTOR_ITSELF)


def test_the_work_of_a_killed_worker_after_the_delay() -> None:
    held = {worker: _work(each) for worker, each in _HELD.items()}
    cluster = ConnectCluster(
        configured={"clicks-sink": 2, "numbers-source": 3, "orders-sink": 4},
        workers=[Worker(_ONE, held[_ONE]), Worker(_THREE, held[_THREE])],
        leader=Leader(
            generation=7,
            previous=frozenset().union(*held.values()),
            members=frozenset(_HELD),
        ),
        generation=8,
        completed_generation=7,
        max_delay_ms=20_000,
    )

    (_, waiting), (later, found) = rounds_of(cluster, incremental)

    assert waiting.leader.delay_ms == later.now_ms == 20_000
    assert not any(waiting.assigned.values())
    assert {worker: [each.name for each in work] for worker, work in found.assigned.items()} == {
        _ONE: ["orders-sink", "clicks-sink-0", "numbers-source-1"],
        _THREE: ["clicks-sink-1"],
    }
