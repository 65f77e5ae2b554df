"""An answer in words: the templates of its kinds, filled in with its figures.

A sentence with none of whose templates all figures are known is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import Formatter

from evaluation.answering.action_templates import ACTIONS, FEW_MOVES, IMPERATIVES, SETTLING
from evaluation.answering.answer import Answer
from evaluation.answering.assumed_words import assumptions, caveat_fields
from evaluation.answering.caveats import CAVEATS, Caveat
from evaluation.answering.fields import fields_of
from evaluation.answering.options import Action
from evaluation.answering.verdict_of import has_strategies
from evaluation.answering.verdict_rows import ROWS
from evaluation.answering.verdict_rows.row import Sentence
from evaluation.answering.verdicts import Verdict
from evaluation.consumer_labels import CONSUMER
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
    evidence, actions = _joined(row.evidence, fields, besides=headline), _actions(answer, fields)
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


def short_words(verdict: VerdictKind, fields: Mapping[str, str]) -> str:
    """Return a verdict in some 45 characters."""
    return said(ROWS[verdict].short, fields)


def imperative(action: Action, fields: Mapping[str, str]) -> str:
    """Return what an action asks for, without what it brings and without a full stop.

    >>> imperative(Action.SWITCH, {"strategy": "Round robin"})
    'Switch to Round robin'
    """
    return said(IMPERATIVES[action], fields)


def imperative_field(action: Action, fields: Mapping[str, str]) -> dict[str, str]:
    """Return what the sentences of an action call ``do``; {} without it."""
    text = imperative(action, fields)
    return {"do": text} if text else {}


def said(sentence: Sentence, fields: Mapping[str, str]) -> str:
    """Return the first template whose figures are all known, filled in; "" without one.

    A field in capitals is the one in small letters, as the beginning of a sentence; one behind a
    question mark has to be known, and is not said. A name begins a sentence as it is written; the
    noun before it does not.

    >>> said(("{Who} read {lag}.", "Nothing is known."), {"who": "three of them"})
    'Nothing is known.'
    >>> said(("{Who} stopped.{?dated}",), {"who": "three of them", "dated": "yes"})
    'Three of them stopped.'
    >>> said(("{who} stopped.",), {"who": "consumer orders-4"})
    'Consumer orders-4 stopped.'
    """
    for template in sentence:
        names = [name for _, name, _, _ in Formatter().parse(template) if name]
        if all(_key(name) in fields for name in names):
            text = template.format_map({name: _field(name, fields) for name in names})
            return text[0].upper() + text[1:] if text.startswith(CONSUMER) else text
    return ""


def _key(name: str) -> str:
    name = name.removeprefix("?")
    return name[0].lower() + name[1:]


def _field(name: str, fields: Mapping[str, str]) -> str:
    if name.startswith("?"):
        return ""
    value = fields[_key(name)]
    return value if name[0].islower() else value[:1].upper() + value[1:]


def _joined(sentences: Sequence[Sentence], fields: Mapping[str, str], besides: str = "") -> str:
    every = (said(sentence, fields) for sentence in sentences)
    return " ".join(each for each in every if each and each != besides)


def cause_words(cause: Verdict, answer: Answer) -> tuple[str, str]:
    """Return headline and evidence of one of the causes of an answer."""
    fields, row = fields_of(replace(answer, verdict=cause)), ROWS[cause.kind]
    headline = said(row.headline, fields)
    return headline, _joined(row.evidence, fields, besides=headline)


def _actions(answer: Answer, fields: Mapping[str, str]) -> tuple[str, ...]:
    """Return what to do: the proposal, else what a few moves would bring; at once, or later."""
    if answer.is_settling:
        return (SETTLING,)
    otherwise = FEW_MOVES
    if not has_strategies(answer.kind):
        otherwise = ROWS[VerdictKind.NOT_A_CONSUMER_GROUP].advice
    sentences: tuple[Sentence, ...] = (ROWS[answer.verdict.kind].advice or otherwise,)
    if answer.proposal is not None:
        action = answer.proposal.action
        sentences, fields = ACTIONS[action], {**fields, **imperative_field(action, fields)}
    return tuple(filter(None, (said(sentence, fields) for sentence in sentences)))


def caveat_words(caveat: Caveat, answer: Answer) -> str:
    """Return one caveat as a sentence."""
    return CAVEATS[caveat.kind].format_map(caveat_fields(caveat, answer))
