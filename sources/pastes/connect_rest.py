"""Connect's REST API: ``GET /connectors?expand=status``, or the status of a connector alone."""

from collections.abc import Iterator, Mapping
from typing import Final

from assignors.connect.cluster import (
    CONNECTOR_ITSELF,
    PREFIX,
    ConnectCluster,
    ConnectorTask,
    Leader,
    Worker,
    in_order,
)
from assignors.kinds import GroupKind
from sources.pastes.documents import Document, Json
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, MemberRow, Parsed, TopicRow

_LOST: Final = f"{PREFIX}lost"
"""Stands for the workers whose work waits for them."""
FORMAT: Final = "Connect's REST API"
_MOST_WORDS: Final = 160
"""Characters of an error that are kept."""


def read_connectors(page: Page) -> Parsed:
    """Return the workers as members; a connector stands for a topic, its tasks for partitions.

    The answer does not name the workers' group.
    """
    parsed = Parsed(FORMAT)
    if '"worker_id"' not in page.text:
        return parsed
    for document, connectors in _latest(page):
        runs = {name: each for name, value in connectors.items() if (each := _connector_of(value))}
        if not runs:
            continue
        line = document.lines.start
        workers = (e.get("worker_id") for e in runs.values() if e.get("state") != "UNASSIGNED")
        owned: dict[str, list[tuple[str, int]]] = {e: [] for e in workers if isinstance(e, str)}
        for name, number, worker, state in _tasks_in({each: connectors[each] for each in runs}):
            parsed.topics.append(TopicRow(line, name, number, is_partition=True))
            if state != "UNASSIGNED":
                owned.setdefault(worker, []).append((name, number))
        parsed.used.update(document.lines)
        parsed.members += [
            MemberRow(line, GroupKey(""), worker, assignment=tuple(tasks), format=FORMAT)
            for worker, tasks in owned.items()
        ]
    if parsed.used:
        parsed.kinds[GroupKey("")] = GroupKind.CONNECT
        parsed.as_kinds[GroupKey("")] = _cluster(page)
        parsed.notes.append(
            "Connectors are shown as topics and their tasks as partitions; where the connectors "
            "themselves run is left out."
        )
    return parsed


def _latest(page: Page) -> Iterator[tuple[Document, dict[str, Json]]]:
    """Yield the documents, each with the connectors that no later one tells of again."""
    found = [(each, _connectors_in(each.value)) for each in page.documents]
    last = {name: k for k, (_, connectors) in enumerate(found) for name in connectors}
    for k, (document, connectors) in enumerate(found):
        yield document, {name: each for name, each in connectors.items() if last[name] == k}


def _tasks_in(connectors: Mapping[str, Json]) -> Iterator[tuple[str, int, str, Json]]:
    """Yield connector, number, worker and state of each task."""
    for name, value in connectors.items():
        for task in _status_of(value):
            worker, number = task.get("worker_id"), task.get("id")
            if isinstance(worker, str) and isinstance(number, int):
                yield name, number, worker, task.get("state")


def _cluster(page: Page) -> ConnectCluster:
    """Return the cluster as its leader sees it, which waits for what is unassigned."""
    configured: dict[str, int] = {}
    holds: dict[str, list[ConnectorTask]] = {}
    missing: set[ConnectorTask] = set()
    failed: dict[ConnectorTask, str] = {}
    paused: set[ConnectorTask] = set()
    stopped: set[ConnectorTask] = set()
    sinks: set[str] = set()
    for _, connectors in _latest(page):
        for name, value in connectors.items():
            tasks = _status_of(value)
            runs = [(CONNECTOR_ITSELF, itself)] if (itself := _connector_of(value)) else []
            runs += [(at, each) for each in tasks if isinstance(at := each.get("id"), int)]
            configured |= {name: len(runs) - 1} if runs else {}
            sinks |= {name} if _is_sink(value) else set()
            for number, each in runs:
                work, worker = ConnectorTask(name, number), each.get("worker_id")
                if each.get("state") == "FAILED":
                    failed[work] = _first_words(each.get("trace"))
                paused |= {work} if each.get("state") == "PAUSED" else set()
                stopped |= {work} if each.get("state") == "STOPPED" else set()
                if isinstance(worker, str) and each.get("state") != "UNASSIGNED":
                    holds.setdefault(worker, []).append(work)
                else:
                    missing.add(work)
    workers = [Worker(f"{PREFIX}{name}", in_order(work)) for name, work in holds.items()]
    leader = Leader(
        generation=0,
        previous=frozenset(missing).union(*holds.values()),
        members=frozenset(each.id for each in workers) | ({_LOST} if missing else set()),
    )
    return ConnectCluster(
        configured=configured,
        workers=workers,
        leader=leader,
        generation=1,
        completed_generation=0,
        is_as_reported=False,
        failed=failed,
        paused=frozenset(paused),
        stopped=frozenset(stopped),
        sinks=frozenset(sinks),
    )


def _connectors_in(value: Json) -> dict[str, Json]:
    """Return connectors by name: of all as listed, or the status of one alone."""
    if not isinstance(value, dict):
        return {}
    if isinstance(name := value.get("name"), str) and isinstance(value.get("connector"), dict):
        return {name: {"status": value}}
    return value


def _is_sink(value: Json) -> bool:
    status = value.get("status") if isinstance(value, dict) else None
    return isinstance(status, dict) and status.get("type") == "sink"


def _first_words(trace: Json) -> str:
    """Return the first line of a stack trace, without the package of the exception."""
    line = trace.strip().partition("\n")[0] if isinstance(trace, str) else ""
    name, colon, message = line.partition(":")
    return f"{name.rpartition('.')[2]}{colon}{message}"[:_MOST_WORDS].strip()


def _connector_of(value: Json) -> dict[str, Json]:
    """Return the status of a connector itself."""
    status = value.get("status") if isinstance(value, dict) else None
    connector = status.get("connector") if isinstance(status, dict) else None
    return connector if isinstance(connector, dict) else {}


def _status_of(value: Json) -> list[dict[str, Json]]:
    """Return the tasks of one connector's status; none for anything else."""
    status = value.get("status") if isinstance(value, dict) else None
    if not isinstance(status, dict) or not isinstance(status.get("connector"), dict):
        return []
    tasks = status.get("tasks")
    return [task for task in tasks if isinstance(task, dict)] if isinstance(tasks, list) else []
