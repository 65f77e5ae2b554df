"""An answer in words: the templates of its kinds, filled in with its figures.

A sentence with none of whose templates all figures are known is left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from evaluation.answering.action_rows import ACTIONS
from evaluation.answering.action_rows.owners import FEW_MOVES, SETTLING
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.assumed_words import assumptions, caveat_fields
from evaluation.answering.caveats import CAVEATS, Caveat
from evaluation.answering.fields import fields_of
from evaluation.answering.fields.names import Fields
from evaluation.answering.templates import Sentence, joined, said
from evaluation.answering.verdict_of import has_strategies
from evaluation.answering.verdict_rows import ROWS
from evaluation.answering.verdict_rows.row import ON_AVERAGE
from evaluation.answering.verdicts import Verdict
from evaluation.stated import require_a
from evaluation.verdict_kinds import VerdictKind


@dataclass(frozen=True)
class Words:
    """An answer in words, without markup."""

    headline: str
    short: str
    evidence: str
    actions: tuple[str, ...]
    """One imperative and what it brings, then what it takes; () if there is nothing to do."""
    assumes: tuple[str, ...]
    """What is taken for granted, in a few words each."""
    caveats: tuple[str, ...]
    """All of them, the weightiest first."""

    def __str__(self) -> str:
        return "\n".join(each for each in (self.headline, self.evidence, self.action) if each)

    @property
    def action(self) -> str:
        """What to do, what it brings, what it costs; "" if there is nothing to do."""
        return " ".join(self.actions)


def words_of(answer: Answer) -> Words:
    """Return an answer in words. Raises InvalidArgumentError for what is no Answer."""
    require_a(Answer, "answer", answer, "words_of(answer(group)) takes one")
    fields = fields_of(answer)
    row = ROWS[answer.verdict.kind]
    caveats = tuple(caveat_words(caveat, answer) for caveat in answer.caveats)
    headline = said(row.headline, fields)
    evidence, actions = (
        joined((*row.evidence, ON_AVERAGE), fields, besides=headline),
        _actions(answer, fields),
    )
    if (own := answer.kind_words) is not None:
        headline, evidence = own.finding, own.evidence
        actions = (own.action,) if own.action else ()
    if others := [cause_words(each, answer)[0] for each in answer.besides]:
        evidence = f"{evidence} Besides: {' '.join(others)}".strip()
    return Words(
        headline=headline,
        short=short_words(answer.verdict.kind, fields),
        evidence=evidence,
        actions=actions,
        assumes=assumptions(answer),
        caveats=caveats,
    )


def short_words(verdict: VerdictKind, fields: Mapping[str, object]) -> str:
    """Return a verdict in some 45 characters."""
    return said(ROWS[verdict].short, fields)


def imperative(action: Action, fields: Mapping[str, object]) -> str:
    """Return what an action asks for, without what it brings and without a full stop.

    >>> imperative(Action.SWITCH, {"strategy": "Round robin"})
    'Switch to Round robin'
    """
    return said(ACTIONS[action].imperative, fields)


def imperative_field(action: Action, fields: Mapping[str, object]) -> Fields:
    """Return what the sentences of an action call ``do``; {} without it."""
    text = imperative(action, fields)
    return {"do": text} if text else {}


def cause_words(cause: Verdict, answer: Answer) -> tuple[str, str]:
    """Return headline and evidence of one of the causes of an answer."""
    fields, row = fields_of(replace(answer, verdict=cause)), ROWS[cause.kind]
    headline = said(row.headline, fields)
    return headline, joined((*row.evidence, ON_AVERAGE), fields, besides=headline)


def _actions(answer: Answer, fields: Mapping[str, object]) -> tuple[str, ...]:
    """Return what to do: the proposal, else what a few moves would bring; at once, or later."""
    if answer.is_settling:
        return (SETTLING,)
    otherwise = FEW_MOVES
    if not has_strategies(answer.kind):
        otherwise = ROWS[VerdictKind.NOT_A_CONSUMER_GROUP].advice
    sentences: tuple[Sentence, ...] = (ROWS[answer.verdict.kind].advice or otherwise,)
    if answer.proposal is not None:
        action = answer.proposal.action
        sentences = ACTIONS[action].sentences
        fields = {**fields, **imperative_field(action, fields)}
    return tuple(filter(None, (said(sentence, fields) for sentence in sentences)))


def caveat_words(caveat: Caveat, answer: Answer) -> str:
    """Return one caveat as a sentence."""
    return CAVEATS[caveat.kind].format_map(caveat_fields(caveat, answer))
