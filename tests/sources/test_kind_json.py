"""Groups of other kinds in group JSON and links: the same group, the same forecast."""

import json
from typing import Any

import pytest

from assignors.connect.cluster import ConnectCluster
from evaluation.kinds.asking import forecast
from sources import group_json, links
from sources.budget import Budget, Limits
from sources.errors import SourceError
from sources.text import read_text
from tests.kinds.texts import CLASSIC, IDS, SHARE, STREAMS, TOPOLOGY, A, B, rest

FAILED = rest(sink=[A, A, B, ""], b=[B, B]).replace('"RUNNING"', '"FAILED"', 2)
FAILED = '"PAUSED"'.join(FAILED.rsplit('"RUNNING"', 1))
TEXTS = [SHARE + IDS, STREAMS + TOPOLOGY, CLASSIC + TOPOLOGY, FAILED]


def _document(text: str) -> dict[str, Any]:
    (reading,) = read_text(text)
    document: dict[str, Any] = json.loads(group_json.encode(reading))
    return document


@pytest.mark.parametrize("text", TEXTS)
def test_a_group_of_another_kind_returns_from_a_file_and_a_link_as_it_was(text: str) -> None:
    (reading,) = read_text(text)
    assert reading.as_kind is not None

    from_file = group_json.decode(group_json.encode(reading))
    from_link = links.decode(links.encode(reading) or "")

    for found in (from_file, from_link):
        assert found.kind is reading.kind
        assert found.as_kind is not None
        assert forecast(found.as_kind) == forecast(reading.as_kind)
        if isinstance(reading.as_kind, ConnectCluster):
            assert isinstance(found.as_kind, ConnectCluster)
            assert found.as_kind.failed == reading.as_kind.failed != {}
            assert found.as_kind.paused == reading.as_kind.paused != frozenset()
            assert found.as_kind.sinks == reading.as_kind.sinks == {"sink", "b"}


@pytest.mark.parametrize(
    ("text", "change", "said"),
    [
        (STREAMS, ("members", 0, "active", ["0_7"]), "no sub-topology has the task 0_7"),
        (STREAMS, ("members", 0, "active", ["x"]), "as_kind"),
        (SHARE, ("members", 1, "id", "2r8Li13RSKGZO5Me7Rpvyg"), "two members"),
        (STREAMS, ("subtopologies", 0, "partitions", 2**31 - 1), "partitions are more than"),
        (CLASSIC + TOPOLOGY, ("instances", 0, "process", "me"), "process"),
    ],
)
def test_what_contradicts_itself_or_is_too_large_is_refused(
    text: str, change: tuple[str, int, str, object], said: str
) -> None:
    document = _document(text)
    listed, at, field, value = change
    document["as_kind"][listed][at][field] = value

    with pytest.raises(SourceError, match=said):
        group_json.decode(json.dumps(document), Budget(Limits()))


def test_a_form_of_another_kind_than_the_groups_is_left_out() -> None:
    document = _document(SHARE) | {"kind": "connect"}

    assert group_json.decode(json.dumps(document)).as_kind is None
