"""What engineers paste of Connect, Streams and share groups, and what an expert would say."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest

from assignors.connect.cluster import (
    CONNECTOR_ITSELF,
    ConnectCluster,
    ConnectorTask,
    Worker,
)
from assignors.kinds import GroupKind
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.caveats import CaveatKind
from evaluation.answering.compose import answer_of
from evaluation.answering.fields import fields_of
from evaluation.answering.words import words_of
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.kinds.texts import CLASSIC, TOPOLOGY, A, B, P
from tests.pasted import the_group

_THREAD: Final = f"shop-{P}-StreamThread-1-consumer"
_NOBODY: Final = "has no active members.\n\n"
_SHARED: Final = "GROUP TOPIC PARTITION LEADER-EPOCH START-OFFSET LAG\njobs orders 0 0 500 900\n"
_ROWS: Final = """
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
shop orders 0 500 {end} {lag} {thread}-5f270dc2-57af-4d8e-a91c-b6f2f8dda2f0 /10.0.0.1 {thread}
shop orders 1 {read} {read} 0 {thread}-5f270dc2-57af-4d8e-a91c-b6f2f8dda2f0 /10.0.0.1 {thread}
"""


def _answer(text: str) -> Answer:
    return answer_of(given_of(the_group(text)))


def _status(name: str, *tasks: Mapping[str, Any], state: str = "RUNNING") -> dict[str, Any]:
    """Return what ``GET /connectors/NAME/status`` answers."""
    return {
        "name": name,
        "connector": {"state": state, "worker_id": A},
        "tasks": [{"id": at, "worker_id": B, **each} for at, each in enumerate(tasks)],
        "type": "source",
    }


def test_the_status_of_one_connector_tells_what_failed() -> None:
    found = _answer(json.dumps(_status("jdbc", {"state": "RUNNING"}, {"state": "FAILED"})))

    assert found.kind is GroupKind.CONNECT
    assert found.verdict.kind is VerdictKind.TASKS_FAILED
    assert found.verdict.work == ("jdbc-1",)
    assert CaveatKind.AS_LISTED in {each.kind for each in found.caveats}


def test_of_one_connector_the_status_below_counts() -> None:
    failed, runs = (json.dumps(_status("jdbc", {"state": each})) for each in ("FAILED", "RUNNING"))

    assert _answer(f"{failed}\n{runs}").verdict.kind is VerdictKind.TASKS_RUN
    assert _answer(f"{runs}\n{failed}").verdict.kind is VerdictKind.TASKS_FAILED


def test_a_worker_that_lost_its_connector_and_tasks_is_no_member() -> None:
    lost = _status("jdbc", {"state": "RUNNING"}, state="UNASSIGNED")

    found = _answer(json.dumps(lost))

    assert isinstance(found.given.as_kind, ConnectCluster)
    assert found.group.members == (B,)
    assert len(found.given.as_kind.workers) == 1


def test_connectors_are_even_where_no_worker_has_more_than_one_task_more() -> None:
    given = given_of(the_group(json.dumps(_status("jdbc", {"state": "RUNNING"}))))
    assert isinstance(given.as_kind, ConnectCluster)
    names = ("a", "b", "c")
    tasks = [ConnectorTask(name, 0) for name in names]
    themselves = [ConnectorTask(name, CONNECTOR_ITSELF) for name in names]
    for first, second in ((tasks, []), (tasks[:2], tasks[2:])):
        workers = [Worker("connect-a-1", first), Worker("connect-b-1", [*second, *themselves])]
        cluster = replace(given.as_kind, configured=dict.fromkeys(names, 1), workers=workers)

        found = answer_of(replace(given, as_kind=cluster))

        assert found.verdict.kind is VerdictKind.TASKS_RUN
        assert fields_of(found).get("is_even", False) is bool(second)


def test_statuses_of_several_connectors_stand_for_one_cluster() -> None:
    paused = _status("jdbc", {"state": "PAUSED"}, state="PAUSED")
    texts = json.dumps(_status("sink", {"state": "RUNNING"})), json.dumps(paused)

    found = _answer("\n".join(texts))

    assert found.verdict.kind is VerdictKind.TASKS_PAUSED
    assert found.verdict.work == ("jdbc-0",)
    assert set(found.given.group.topics) == {"jdbc", "sink"}


def test_a_connector_that_failed_before_it_had_tasks_is_told() -> None:
    found = _answer(json.dumps({"jdbc": {"status": _status("jdbc", state="FAILED")}}))

    assert (found.verdict.kind, found.verdict.work) == (VerdictKind.TASKS_FAILED, ("jdbc",))
    assert found.proposal is not None
    assert found.proposal.action is Action.RESTART_TASKS


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (
            f"Share group 'jobs' {_NOBODY}{_SHARED}",
            GroupKind.SHARE,
        ),
        (
            f"Streams group 'jobs' {_NOBODY}GROUP TOPIC PARTITION OFFSET-LAG\njobs orders 0 900\n",
            GroupKind.STREAMS_BROKER,
        ),
    ],
)
def test_a_group_that_its_members_alone_read_and_has_none_is_an_alarm(
    text: str, kind: GroupKind
) -> None:
    found = _answer(text)

    assert found.kind is kind
    assert found.verdict.kind is VerdictKind.NO_CONSUMERS
    assert found.verdict.figures.lag_records == 900
    assert not found.given.ignored
    assert "assign()" not in str(words_of(found))


def test_the_group_of_a_sink_that_is_down_names_its_connector() -> None:
    text = (
        "Consumer group 'connect-es' has no active members.\n\n"
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "connect-es orders 0 500 9500 9000 - - -\n"
    )

    assert "/connectors/es/status" in words_of(_answer(text)).action
    assert "/connectors" not in words_of(_answer(text.replace("connect-es", "es"))).action


def test_no_assignor_is_spoken_of_where_none_can_be_set() -> None:
    before = _ROWS.format(end=900, lag=400, read=5_000, thread=_THREAD)
    after = _ROWS.format(end=9_900, lag=9_400, read=9_000, thread=_THREAD)
    text = f"Sat Nov 28 02:00:00 UTC 2026\n{before}\nSat Nov 28 02:03:00 UTC 2026\n{after}"

    streams, consumers = _answer(text), _answer(text.replace("-StreamThread-", "-worker-"))

    for each in (streams, consumers):
        assert each.verdict.kind is VerdictKind.STUCK_RECORD
    assert "assignor" not in words_of(streams).action
    assert "assignor" in words_of(consumers).action


def test_copies_of_the_classic_protocol_are_said_to_be_unseen() -> None:
    found = _answer(CLASSIC + TOPOLOGY)

    assert found.verdict.kind is VerdictKind.TASKS_RUN
    assert CaveatKind.COPIES_UNSEEN in {each.kind for each in found.caveats}


def test_a_task_of_a_connector_that_nobody_configured_is_named_all_the_same() -> None:
    given = given_of(the_group(json.dumps(_status("jdbc", {"state": "RUNNING"}))))
    assert isinstance(given.as_kind, ConnectCluster)
    cluster = replace(given.as_kind, failed={ConnectorTask("ghost", 0): ""})

    found = answer_of(replace(given, as_kind=cluster))

    assert found.verdict.work == ("ghost-0",)
    assert "ghost" in words_of(found).action


def test_a_failed_task_is_not_taken_for_the_connector_that_is_called_as_it_is() -> None:
    given = given_of(the_group(json.dumps(_status("jdbc", {"state": "RUNNING"}))))
    assert isinstance(given.as_kind, ConnectCluster)
    configured, failed = {"jdbc": 2, "jdbc-1": 1}, {ConnectorTask("jdbc", 1): ""}

    found = answer_of(
        replace(given, as_kind=replace(given.as_kind, configured=configured, failed=failed))
    )

    assert found.verdict.work == ("jdbc-1",)
    assert "/connectors/jdbc/" in words_of(found).action
    assert "1 of 3 tasks" in words_of(found).headline
