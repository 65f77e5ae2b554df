"""A group of another kind, at every door without a browser: the words of its own page."""

import io
import json
from typing import Any

import pytest

import assign
from assistant import tools
from evaluation.kinds.view import view_of
from sources import group_json
from tests.kinds.answered import answer_in, said_in
from tests.kinds.texts import CLASSIC, IDS, SHARE, STREAMS, TOPOLOGY, A, B, rest
from tests.pasted import the_group

TEXTS = {
    "share": SHARE + IDS,
    "streams-broker": STREAMS + TOPOLOGY,
    "streams": CLASSIC + TOPOLOGY,
    "connect": rest(sink=[A, A, B, ""], b=[B, B]),
}


def by_command_line(text: str, *options: str) -> dict[str, Any]:
    out, said = io.BytesIO(), io.StringIO()
    assert assign.main(["--answer", *options], [text.encode()], out, said) == 0, said.getvalue()
    answer: dict[str, Any]
    (answer,) = map(json.loads, out.getvalue().splitlines())
    return answer


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_door_says_of_another_kind_what_its_page_says(text: str) -> None:
    reading = the_group(text)
    assert reading.as_kind is not None
    view = view_of(reading.as_kind, reading.group)
    words, found = said_in(view), answer_in(view)

    answered = [by_command_line(text), json.loads(json.dumps(tools.answer(text)))]

    for answer in answered:
        said, verdict = answer["text"], answer["verdict"]
        assert answer["kind"] == reading.kind.value
        assert verdict["kind"] == found.verdict.kind.value
        assert verdict["severity"] == words.severity.name.lower()
        assert (said["headline"], said["evidence"]) == (words.finding, words.evidence)
        assert said["action"] == words.action
        assert [each["setting"] for each in said["advice"]] == [a.setting for a in words.advice]
        assert answer["proposal"] is None or answer["proposal"]["strategy"] is None


def test_a_saved_group_of_another_kind_gets_the_same_answer() -> None:
    reading = the_group(TEXTS["streams"])
    saved = group_json.encode(reading).decode()

    assert by_command_line(saved)["text"] == by_command_line(TEXTS["streams"])["text"]


def test_a_setting_that_a_kind_does_not_have_is_refused_with_those_that_it_has() -> None:
    out, said = io.BytesIO(), io.StringIO()
    text = TEXTS["share"].encode()

    status = assign.main(["--answer", "--set", "num.standby.replicas=1"], [text], out, said)

    assert status != assign.DONE
    assert "num.standby.replicas" in said.getvalue()


def test_an_edited_kind_without_its_members_keeps_the_words_of_its_kind() -> None:
    group = the_group(TEXTS["share"])
    bare = json.dumps({k: v for k, v in group_json.as_json(group).items() if k != "as_kind"})

    answer = by_command_line(bare)

    assert answer["kind"] == "share"
    assert answer["text"]["headline"]
    assert "advice" not in answer["text"]
