"""What is said of groups of other kinds, in one file: ``sentences.txt``, beside this one.

Other tests hold figures, names and severities. Whoever changes a sentence changes that file.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from assignors.model import Group
from assignors.streams.application import (
    RUNNING,
    ClassicSubtopology,
    Instance,
    StreamsApplication,
    StreamsThread,
)
from assignors.streams.tasks import Task
from evaluation.answering.verdict_rows.placed import PLACED
from evaluation.kinds.choices import choices_of
from evaluation.kinds.forecast import OtherMembers
from evaluation.kinds.size_words import size_words
from evaluation.kinds.stated import ClassicStated, ConnectStated, KindStated
from evaluation.kinds.view import KindView, view_of
from sources.text import read_text
from tests.kinds.answered import answer_in, said_in
from tests.kinds.texts import CLASSIC, SHARE, STREAMS, TOPOLOGY, A, B, P, Q, rest
from tests.said import sections
from ui.kinds.page import leavers_of

_FILE: Final = Path(__file__).with_name("sentences.txt")


def _view(
    text: str, what: OtherMembers | None = None, stated: KindStated | None = None
) -> Callable[[], KindView]:
    def read() -> KindView:
        (reading,) = read_text(text)
        assert reading.as_kind is not None
        return view_of(reading.as_kind, reading.group, stated, what or OtherMembers())

    return read


def _failed(*, connector: bool) -> str:
    """Return a cluster of which two tasks have failed, or the connector itself."""
    found = json.loads(rest(sink=[A, A, B, A], source=[B, A]))
    status = found["sink"]["status"]
    if connector:
        status["connector"]["state"] = "FAILED"
    else:
        for number in (0, 2):
            trace = "org.apache.kafka.connect.errors.ConnectException: disk full"
            status["tasks"][number] |= {"state": "FAILED", "trace": trace}
    return json.dumps(found)


def _paused(text: str, *, failed: bool = False) -> str:
    """Return a cluster with a paused source, and of its sink perhaps a task that has failed."""
    found = json.loads(text)
    status = found["source"]["status"]
    for each in (status["connector"], *status["tasks"]):
        each["state"] = "PAUSED"
    if failed:
        found["sink"]["status"]["tasks"][1] |= {"state": "FAILED", "trace": "x"}
    return json.dumps(found)


def _without_tasks(**state_of: str) -> str:
    """Return a cluster with these connectors beside a sink of one task, which have none."""
    found = json.loads(rest(sink=[A, A], **{name: [A] for name in state_of}))
    for name, state in state_of.items():
        found[name]["status"]["connector"]["state"] = state
    return json.dumps(found)


def _one_task_each() -> str:
    """Return sub-topologies of 1, 1 and 2 tasks in five threads; one runs none."""
    head, *rows = STREAMS.splitlines()
    runs = ["0:[0]", "1:[0]", "2:[0]", "2:[1]"]
    rows = [
        f"{row.partition('ACTIVE')[0]}ACTIVE: {task};" for row, task in zip(rows, runs, strict=True)
    ]
    return "\n".join([head, *rows, _NEWCOMER])


def _warming_up() -> KindView:
    """Return an instance that has joined one of four tasks with state, and has got none yet."""
    names = {each: f"shop-{each}-StreamThread-1-consumer" for each in (P, Q)}
    tasks = [Task(0, number) for number in range(6)]
    runs = {P: tasks[:5], Q: tasks[5:]}
    threads = {
        each: StreamsThread(names[each], frozenset(runs[each]), dict.fromkeys(runs[each], RUNNING))
        for each in names
    }
    application = StreamsApplication(
        {"t": 6},
        [ClassicSubtopology(0, ["t"], is_stateful=True)],
        [Instance(each, [threads[each]]) for each in names],
        end_offsets=dict.fromkeys(tasks, 50_000),
    )
    return view_of(
        application,
        Group.fresh({"t": 6}, members=[*names.values()]),
        ClassicStated(warmups=1),
    )


_NEWCOMER: Final = (
    f"shop  zzCY_1PaRJy0uJeEsJcHUA {Q} shop-{Q}-StreamThread-3-consumer ACTIVE: STANDBY:\n"
)
_BARE: Final = "\n".join(line.partition("STANDBY")[0] for line in STREAMS.splitlines())
_SHARE_LAGS: Final = """
GROUP TOPIC PARTITION LEADER-EPOCH START-OFFSET LAG
share-jobs events 0 0 500 900
share-jobs jobs 0 0 7 0
"""

_CASES: Final[Mapping[str, Callable[[], KindView]]] = {
    "streams": _view(STREAMS + TOPOLOGY),
    "streams, six more threads each": _view(STREAMS, OtherMembers(threads=6)),
    "streams, an instance less": _view(STREAMS + TOPOLOGY, OtherMembers(without=(Q,))),
    "classic": _view(CLASSIC + TOPOLOGY),
    "classic, one more instance": _view(CLASSIC + TOPOLOGY, OtherMembers(more=1)),
    "classic, the only instance leaves": _view(CLASSIC + TOPOLOGY, OtherMembers(without=(P,))),
    "share": _view(SHARE),
    "share, 20 more consumers": _view(SHARE, OtherMembers(more=20)),
    "connect": _view(rest(sink=[A, A, B], source=[B, A])),
    "connect, clumped": _view(rest(a=[A, A, A], b=[B, B, B])),
    "connect, the only worker leaves": _view(rest(sink=[A, A]), OtherMembers(without=(A,))),
    "connect, a worker lost": _view(
        rest(sink=[A, A, B], source=[B, A]),
        OtherMembers(without=(B,)),
        ConnectStated(max_delay_s=20),
    ),
    "connect, the leader lost": _view(
        rest(sink=[A, A, B], source=[B, A]), OtherMembers(without=(B,), is_leader=True)
    ),
    "connect, a task unassigned": _view(rest(sink=[A, A, B, ""])),
    "connect, tasks failed": _view(_failed(connector=False)),
    "connect, a connector failed": _view(_failed(connector=True)),
    "connect, a connector paused": _view(_paused(rest(sink=[A, A], source=[A, A, B]))),
    "connect, a task failed, one unassigned, one paused": _view(
        _paused(rest(sink=[A, A, B, ""], source=[A, A]), failed=True)
    ),
    "connect, a connector stopped, one without tasks, one failed before it had any": _view(
        _without_tasks(idle="RUNNING", off="STOPPED", broken="FAILED")
    ),
    "connect, two connectors without tasks": _view(_without_tasks(idle="RUNNING", more="RUNNING")),
    "streams, a task runs nowhere": _view(
        STREAMS.replace("1:[1]; 2:[1]; STANDBY", "2:[1]; STANDBY") + TOPOLOGY
    ),
    "streams, more threads than tasks": _view(_one_task_each() + TOPOLOGY),
    "streams, a thread that has just joined": _view(STREAMS + _NEWCOMER + TOPOLOGY),
    "streams, no standbys": _view(_BARE + TOPOLOGY),
    "classic, copies warm up": _warming_up,
    "share, records wait": _view(SHARE + _SHARE_LAGS),
    "share, nobody reads a partition": _view(SHARE.replace("0,3,5,7", "0,3,7")),
}


def rendered(view: KindView) -> str:
    """Return the verdict on a group, and on its other sizes, a line each."""
    found, lines = {"": said_in(view)}, []
    if not view.is_changed:
        found["size "] = size_words(view, choices_of(view, leavers_of(view)))
    for about, words in found.items():
        said = {"finding": words.finding, "evidence": words.evidence, "action": words.action}
        lines += [f"{about}{name}: {text}" for name, text in said.items() if text]
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", _CASES)
def test_each_kind_says_what_the_file_has(name: str) -> None:
    assert rendered(_CASES[name]()) == sections(_FILE)[name]


@pytest.mark.slow
def test_every_verdict_on_placed_work_is_among_the_cases() -> None:
    views = [each() for each in _CASES.values()]

    kinds = {answer_in(each).verdict.kind for each in views if not each.is_changed}

    assert kinds == set(PLACED)


def test_the_file_has_every_case_and_nothing_else() -> None:
    assert list(sections(_FILE)) == list(_CASES)
