"""Every kind of an answer has words, and every figure that they name is one that answers have."""

import re
from collections.abc import Iterator
from dataclasses import fields
from string import Formatter

import pytest

from evaluation.answering.action_rows import ACTIONS
from evaluation.answering.action_rows.owners import FEW_MOVES
from evaluation.answering.actions import Action
from evaluation.answering.caveats import CAVEATS, Caveat, CaveatFigures, CaveatKind, Weight
from evaluation.answering.compose import answer_of
from evaluation.answering.engine import Glance
from evaluation.answering.fields.names import Fields
from evaluation.answering.fields.verdict import figures_in, oldest_said
from evaluation.answering.given import Statements
from evaluation.answering.presenting import CAUSE
from evaluation.answering.templates import named_in, said
from evaluation.answering.verdict_figures import VerdictFigures
from evaluation.answering.verdict_rows import ROWS
from evaluation.answering.verdicts import Verdict
from evaluation.answering.why_not import REASONS, WhyNot
from evaluation.answering.words import caveat_words, words_of
from evaluation.judging import JudgeBy
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.answers import NextRebalance
from tests.doors import texts
from tests.pasted import the_group
from tests.said import figures_in as numbers_in

pytestmark = pytest.mark.slow
_LONGEST_HEADLINE = 90
_UNSAID = {"active", "busiest", "even", "lag", "needed", "surplus"}
"""Figures that no sentence names as they are."""


def test_every_kind_of_verdict_action_reason_and_caveat_has_one_row() -> None:
    assert set(ROWS) == set(VerdictKind)
    assert set(ACTIONS) == set(Action)
    assert set(REASONS) == set(WhyNot)
    assert set(CAVEATS) == set(CaveatKind)


def _templates(row: object) -> Iterator[str]:
    """Yield each template of a row, a sentence or a text in them."""
    if isinstance(row, str):
        yield row
    elif isinstance(row, tuple):
        for part in row:
            yield from _templates(part)


def test_sentences_name_what_answers_have_and_all_of_it() -> None:
    rows = (*ROWS.values(), *ACTIONS.values(), FEW_MOVES, CAUSE)

    named = {name for row in rows for each in _templates(row) for name in named_in(each)}

    assert named == set(Fields.__annotations__)


@pytest.mark.parametrize("kind", CaveatKind)
def test_each_caveat_names_only_what_it_is_given(kind: CaveatKind) -> None:
    numbers = {each.name: 7.0 for each in fields(CaveatFigures)}
    figures = CaveatFigures(**numbers)
    answer = answer_of(given_of(the_group(texts.describe([texts.Flow(1, 5_000, 9)]))), Glance())

    words = caveat_words(
        Caveat(kind=kind, weight=Weight.NOTE, figures=figures, names=("java",), reason="because"),
        answer,
    )

    assert not set("{}") & set(words)
    assert words


def test_each_figure_of_a_verdict_is_written_by_its_name_without_the_unit() -> None:
    numbers = {each.name: 7.0 for each in fields(VerdictFigures)}
    verdict = Verdict(kind=VerdictKind.STOPPED, figures=VerdictFigures(**numbers))

    written = figures_in(verdict)

    assert written["lost"] == "7"
    assert written["moving"] == "7 partitions"
    assert written["reading"] == "7/s"
    assert set(written) - set(Fields.__annotations__) == _UNSAID


@pytest.mark.parametrize("kind", VerdictKind)
def test_headlines_are_short_templates_that_end_in_a_full_stop(kind: VerdictKind) -> None:
    for template in ROWS[kind].headline:
        names = [name for _, name, _, _ in Formatter().parse(template) if name]
        plain = re.sub(r"\{\?\w+\}", "", template)

        assert len(re.sub(r"\{\w+\}", "", plain)) <= _LONGEST_HEADLINE
        assert plain.endswith(".")
        assert said((template,), dict.fromkeys((n.lstrip("?").lower() for n in names), "x"))


def test_a_sentence_falls_back_to_what_is_known() -> None:
    sentence = ("{Who} read nothing for {since}.{?dated}", "{Who} read nothing.")

    assert numbers_in(said(sentence, {"who": "two", "since": "60 s", "dated": ""})) == ["60"]
    assert said(sentence, {"who": "two", "since": "60 s"}) == "Two read nothing."
    assert said(sentence, {}) == ""


def test_the_three_stopped_are_said_as_an_engineer_says_it() -> None:
    found = words_of(
        answer_of(
            given_of(the_group(texts.snapshots(texts.three_stopped(), dated=True))), NextRebalance()
        )
    )

    assert numbers_in(found.headline) == ["3", "8"]
    assert "10.0.3.22" in found.evidence
    assert "450/s" in found.evidence
    assert found.action.startswith("Restart these three.")


def test_keys_to_be_split_are_those_of_named_partitions_where_the_headline_names_consumers() -> (
    None
):
    flows = [texts.Flow(1, 5_000, 4_500, 200.0, 100.0)]
    flows += [texts.Flow(k // 2 + 2, 9_000, 8_400, 60.0, 50.0) for k in range(4)]
    answer = answer_of(given_of(the_group(texts.snapshots(flows, dated=True))))
    proposal = answer.proposal
    assert answer.verdict.kind is VerdictKind.FULL
    assert proposal is not None
    assert proposal.action is Action.SPLIT_KEYS

    words = words_of(answer)

    named = [answer.group.partition_name(each) for each in proposal.partitions]
    assert len(named) == 1
    assert named[0] in words.action


def test_evidence_does_not_repeat_the_headline() -> None:
    lags = ((1, 0), (2, 1_000), (1, 2_000), (2, 3_000))
    flows = [texts.Flow(consumer, 50_000, lag) for consumer, lag in lags]
    stated = Statements(arriving=1.0, judge_by=JudgeBy.LAG)
    words = words_of(answer_of(given_of(the_group(texts.describe(flows)), stated)))

    assert numbers_in(words.headline)[-2:] == ["4,000", "3,000"]
    assert numbers_in(words.evidence) == ["clickstream-3", "clickstream-1"]


def test_nobody_has_the_most_where_one_consumer_has_it_all() -> None:
    words = words_of(answer_of(given_of(the_group(texts.describe([texts.Flow(1, 5_000, 0)])))))

    assert numbers_in(words.evidence) == ["1", "1"]
    assert "even share" not in words.evidence


def test_a_group_without_a_name_begins_a_sentence_as_one() -> None:
    nameless = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    words = words_of(answer_of(given_of(the_group(f"{nameless}t 0 5 30 25 - - -\n"))))

    assert words.headline.startswith("This group ")


def test_an_age_by_the_arrival_rate_is_about_and_one_between_snapshots_is_not() -> None:
    # 100/s arrive: 200,000 records are 2,060 s after a minute, from before the first snapshot.
    told = []
    for lag in (200_000, 0):
        flows = [texts.Flow(1, 90_000, lag, 100.0), texts.Flow(2, 9_000, 5, 100.0, 100.0)]
        answer = answer_of(given_of(the_group(texts.snapshots(flows, dated=True))))
        assert answer.verdict.kind is VerdictKind.STOPPED
        told.append(oldest_said(answer))

    assert told == ["about 34 min 20 s", "1 min"]
    assert told[1] in words_of(answer).evidence
