"""One paste, every door: the same verdict, the same proposal, judged by the same."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

import assign
from assistant import tools
from evaluation.answering.as_data import as_data
from evaluation.answering.compose import answer_of
from sources.asking import given_of
from tests.doors import texts
from tests.pages.compare_page import opened, paste, verdict
from tests.pasted import the_group

_SAMPLES = Path(__file__).resolve().parents[2] / "sample_data"
PASTES = {
    **{f"{flows.__name__}, dated": texts.snapshots(flows(), dated=True) for flows in texts.ALL},
    "three_stopped, undated": texts.snapshots(texts.three_stopped(), dated=False),
    "uneven, one": texts.describe(texts.uneven()),
    "a sample": (_SAMPLES / "describe-orders.txt").read_text(),
}


def by_command_line(text: str) -> dict[str, Any]:
    """Return what ``assign.py --answer`` writes for a text."""
    out = io.BytesIO()
    lines = io.BytesIO(text.encode())
    assert assign.main(["--answer"], lines, out, io.StringIO()) == assign.DONE
    return json.loads(out.getvalue())  # type: ignore[no-any-return]


@pytest.mark.slow
@pytest.mark.parametrize("text", PASTES.values(), ids=PASTES)
def test_command_line_assistant_and_library_give_one_answer(text: str) -> None:
    composed = json.loads(json.dumps(as_data(answer_of(given_of(the_group(text))))))

    assert by_command_line(text) == composed
    assert json.loads(json.dumps(tools.answer(text))) == composed


@pytest.mark.slow
@pytest.mark.parametrize("name", ["full, dated", "uneven, one", "a sample"])
def test_a_comparison_never_denies_the_answer(name: str) -> None:
    text = PASTES[name]
    answered = tools.answer(text)
    compared = tools.compare_strategies(text, strategies=["range"])

    proposal = answered["proposal"] or {"strategy": None}
    assert compared.verdict == answered["verdict"]["kind"]
    assert compared.proposed_strategy == proposal["strategy"]
    assert compared.judged_by == answered["judged_by"]["noun"]
    assert compared.lower_bound == answered["judged_by"]["lower_bound"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["three_stopped, dated", "full, dated", "uneven, one"])
def test_the_page_shows_the_same_answer(name: str) -> None:
    text = by_command_line(PASTES[name])["text"]

    page = opened()
    paste(page, PASTES[name])

    assert verdict(page) == " ".join(
        filter(None, (text["headline"], text["evidence"], text["action"]))
    )
