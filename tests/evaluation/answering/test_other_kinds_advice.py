"""Groups of Connect and Streams are told calls and settings that they have."""

import pytest

from assignors import Given, GroupKind, answer, words_of
from evaluation.answering.actions import Action
from sources.library import read
from tests.doors.texts import Flow, snapshots


def _sink(*, hanging: set[int]) -> Given:
    """Four tasks of two partitions; those that hang read nothing while records arrive."""
    flows = [
        Flow(task, 5_000, 400, 100.0, 0.0 if task in hanging else 100.0)
        for task in (0, 0, 1, 1, 2, 2, 3, 3)
    ]
    text = snapshots(flows, dated=True, count=5)
    (given,) = read(text.replace("worker-", "connector-consumer-es-sink-"))
    return given


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hanging", "asked"),
    [
        ({2}, "Restart task 2 of es-sink (POST /connectors/es-sink/tasks/2/restart)"),
        ({1, 3}, "Restart tasks 1 and 3 of es-sink (POST /connectors/es-sink/tasks/TASK/restart)"),
    ],
)
def test_a_task_that_hangs_is_restarted_by_its_worker(hanging: set[int], asked: str) -> None:
    given = _sink(hanging=hanging)

    found = answer(given)

    assert given.kind is GroupKind.CONNECT_SINK
    assert found.proposal is not None
    assert found.proposal.action is Action.RESTART
    assert words_of(found).action.startswith(asked)


@pytest.mark.parametrize("kind", [GroupKind.STREAMS, GroupKind.STREAMS_BROKER])
def test_streams_is_not_told_of_standbys_for_its_lag(kind: GroupKind) -> None:
    assert "num.stream.threads" in kind.advice
    assert not {"standby", "warmup"} & set(kind.advice.replace(".", " ").split())
