"""Many pastes, every door: one verdict, one proposal, one judged-by, and no word against them."""

import io
import json
import math
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

import assign
from assignors.catalogue import strategies, strategy_called
from assistant import tools
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.as_data import as_data
from evaluation.answering.compose import answer_of
from evaluation.answering.words import words_of
from evaluation.assuming.clients import CLIENTS
from evaluation.what_if import Asked
from sources import group_json, links
from sources.answer_json import answer_json
from sources.asking import given_of
from tests.doors.fleet import through_tables
from tests.doors.texts import PASTES
from tests.pages.compare_page import opened, paste, verdict
from tests.pasted import the_group
from tests.reports import report_of
from tests.stories import story_of
from ui.compare.report_tables import options_table
from ui.slides.deck import deck_of
from ui.what_ifs.figures import usual

_IN_EVERY_RUN: Final = {
    *("full, dated", "stuck_record, dated", "unread, dated", "one_overloaded, dated"),
    *("full, undated", "dead, one"),
}
"""Small ones of different verdicts; all are a proof."""
_FEW: Final = {"stuck_record, dated", "dead, one", "one_overloaded, sarama"}


def _each(in_every_run: set[str]) -> list[Any]:
    return [
        pytest.param(name, marks=() if name in in_every_run else pytest.mark.proof)
        for name in PASTES
    ]


pytestmark = pytest.mark.slow
every_paste = pytest.mark.parametrize("name", _each(_IN_EVERY_RUN))


@cache
def composed(name: str) -> Answer:
    """Return the answer on a paste, composed once."""
    return answer_of(given_of(the_group(PASTES[name])))


def as_json(answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(as_data(answer)))
    return found


def by_command_line(text: str) -> dict[str, Any]:
    """Return what ``assign.py --answer`` writes for a text."""
    out = io.BytesIO()
    lines = io.BytesIO(text.encode())
    assert assign.main(["--answer"], lines, out, io.StringIO()) == assign.DONE
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def decided(answer: dict[str, Any]) -> tuple[object, ...]:
    """Return what all doors agree on: the verdict, the proposal and what they are judged by."""
    proposal = answer["proposal"] or {"action": None, "strategy": None}
    verdict, judged_by = answer["verdict"], answer["judged_by"]
    return (
        *(verdict["kind"], verdict["severity"], verdict["partitions"]),
        *(proposal["action"], proposal["strategy"], judged_by["noun"], judged_by["lower_bound"]),
    )


def contradictions(text: str, answer: Answer) -> list[str]:
    """Return what a door says against an answer's data: another switch, or another end."""
    proposal, keep = answer.proposal, answer.keep
    switch = proposal.outcome.label if proposal is not None and proposal.outcome else None
    asked = {
        label
        for label in (each.label for each in strategies().values())
        if re.search(rf"\b(?:Switch to|Use) {re.escape(label)}(?=[:.,]|$)", text)
    }
    against = [f"switch to {label}" for label in sorted(asked - {switch})]
    if keep is not None and keep.ends_s is not None and math.isfinite(keep.ends_s):
        against += re.findall(r"never (?:clears|catches up)", text)
    if switch is not None and switch not in text:
        against.append(f"no word of {switch}")
    return against


def test_the_pastes_are_of_many_kinds_and_one_of_them_is_worth_a_switch() -> None:
    kinds = {composed(name).verdict.kind for name in _IN_EVERY_RUN}
    proposed = {p.action for name in _IN_EVERY_RUN if (p := composed(name).proposal) is not None}

    assert len(PASTES) == 22
    assert composed("idle, dated").verdict.owns_nothing == (3, 4)
    assert len(kinds) >= 5
    assert Action.SWITCH in proposed


def test_what_is_said_of_another_group_contradicts_an_answer() -> None:
    switch, none = composed("one_overloaded, dated"), composed("full, dated")

    assert contradictions(words_of(switch).action, none)
    assert contradictions(words_of(none).action, switch)
    assert not contradictions(words_of(switch).action, switch)


@every_paste
def test_command_line_assistant_and_library_give_one_answer(name: str) -> None:
    told = answer_json(composed(name), the_group(PASTES[name]))
    answer: dict[str, Any] = json.loads(json.dumps(told))

    assert as_json(composed(name)) == {key: answer[key] for key in answer if key != "read"}
    assert by_command_line(PASTES[name]) == answer
    assert json.loads(json.dumps(tools.answer(PASTES[name]))) == answer


@pytest.mark.parametrize("name", _each(_FEW))
def test_a_saved_group_and_a_link_get_the_answer_of_their_paste(name: str) -> None:
    reading = the_group(PASTES[name])

    saved = group_json.decode(group_json.encode(reading))
    linked = links.decode(links.encode(reading) or "")

    expected = decided(as_json(composed(name)))
    assert decided(as_json(answer_of(given_of(saved)))) == expected
    assert decided(as_json(answer_of(given_of(linked)))) == expected


@every_paste
def test_slides_and_report_tell_the_answer_and_nothing_against_it(name: str) -> None:
    answer, words = composed(name), words_of(composed(name))
    story = story_of(answer)

    slides, report = deck_of(story, "").slides, report_of(story)

    told = [slides[0].title, slides[0].subtitle]
    assert told == [words.headline, words.evidence]
    spoken = "\n".join(
        "\n".join([each.title, each.subtitle, *each.points, *(step.text for step in each.steps)])
        for each in slides
    )
    read = re.sub(r"<style.*?</style>|<script.*?</script>|<[^>]+>", "\n", report, flags=re.DOTALL)
    assert not contradictions(spoken, answer)
    assert not contradictions(read, answer)
    table = options_table(answer)
    proposed = [row[0] for row in table.rows if row[-1] == "yes"] if table else []
    is_shown = answer.proposal in {answer.keep, *answer.strategies, answer.few_moves}
    assert table is None or len({row[0] for row in table.rows}) == len(table.rows)
    assert len(proposed) == int(answer.proposal is not None and is_shown)


@every_paste
def test_scenarios_begin_with_the_proposal(name: str) -> None:
    answer = composed(name)

    asked = usual(Asked(), answer).choices

    switch = answer.proposal.strategy if answer.proposal is not None else None
    assert [each.strategy for each in asked if each.strategy] == ([switch] if switch else [])
    assert switch is None or answer.option_for(switch) is answer.proposal


@pytest.mark.parametrize("name", _each({"full, dated", "one_overloaded, sarama"}))
def test_a_comparison_never_denies_the_answer(name: str) -> None:
    answer = as_json(composed(name))

    if answer["facts"]["members"]:
        compared = tools.compare_strategies(PASTES[name], strategies=["range"])
        proposal = answer["proposal"] or {"strategy": None}
        assert compared.verdict == answer["verdict"]["kind"]
        assert compared.proposed_strategy == proposal["strategy"]
        assert compared.judged_by == answer["judged_by"]["noun"]
        assert compared.lower_bound == answer["judged_by"]["lower_bound"]


@pytest.mark.parametrize("client", ["sarama", "kafkajs"])
def test_the_assistant_s_tools_take_the_client_that_the_text_gives_away(client: str) -> None:
    text = PASTES[f"one_overloaded, {client}"]
    own = {each.name for each in CLIENTS[client].strategies}

    proposed = tools.answer(text)["proposal"]["strategy"]
    compared, plan = tools.compare_strategies(text), tools.plan_capacity(text)

    assert strategy_called(proposed).client == client
    assert compared.proposed_strategy == proposed
    assert {each.strategy for each in compared.outcomes} == own
    assert {each.strategy for each in plan.strategies} == own


def test_a_client_that_an_assistant_names_comes_before_the_one_in_the_text() -> None:
    text = PASTES["one_overloaded, kafkajs"]

    compared = tools.compare_strategies(text, strategies=["range"], client="sarama")
    plan = tools.plan_capacity(text, client="sarama")

    assert strategy_called(compared.proposed_strategy or "").client == "sarama"
    assert {each.strategy for each in plan.strategies} == {
        each.name for each in CLIENTS["sarama"].strategies
    }


@pytest.mark.parametrize(
    "name",
    [each for each in _each(_FEW) if not each.values[0].endswith("undated")],  # tables have dates
)
def test_one_group_of_a_fleet_gets_the_answer_of_its_paste(name: str, tmp_path: Path) -> None:
    reading = through_tables(the_group(PASTES[name]), tmp_path / "fleet")

    answer = answer_of(given_of(reading))

    assert decided(as_json(answer)) == decided(as_json(composed(name)))


@pytest.mark.parametrize("name", _each({"dead, one"}))
def test_the_page_shows_the_same_answer(name: str) -> None:
    words = words_of(composed(name))
    page = opened()

    paste(page, PASTES[name])

    assert verdict(page) == " ".join(filter(None, (words.headline, words.evidence, words.action)))
