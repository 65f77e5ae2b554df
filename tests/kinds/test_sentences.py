"""What is said of groups of other kinds, in one file: ``sentences.txt``, beside this one.

Other tests hold figures, names and severities. Whoever changes a sentence changes that file.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from evaluation.kinds.choices import choices_of
from evaluation.kinds.forecast import OtherMembers
from evaluation.kinds.size_words import size_words
from evaluation.kinds.stated import ConnectStated, KindStated
from evaluation.kinds.view import KindView, view_of
from evaluation.kinds.words import words_in
from sources.text import read_text
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
}


def rendered(view: KindView) -> str:
    """Return the verdict on a group, and on its other sizes, a line each."""
    found, lines = {"": words_in(view)}, []
    if not view.is_changed:
        found["size "] = size_words(view, choices_of(view, leavers_of(view)))
    for about, words in found.items():
        said = {"finding": words.finding, "evidence": words.evidence, "action": words.action}
        lines += [f"{about}{name}: {text}" for name, text in said.items() if text]
    return "\n".join(lines)


@pytest.mark.parametrize("name", _CASES)
def test_each_kind_says_what_the_file_has(name: str) -> None:
    assert rendered(_CASES[name]()) == sections(_FILE)[name]


def test_the_file_has_every_case_and_nothing_else() -> None:
    assert list(sections(_FILE)) == list(_CASES)
