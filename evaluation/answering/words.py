"""An answer in words: the templates of its kinds, filled in with its figures.

A sentence with none of whose templates all figures are known is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evaluation.answering.action_rows import ACTIONS
from evaluation.answering.action_rows.owners import FEW_MOVES, SETTLING
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.assumed_words import assumptions, caveat_fields
from evaluation.answering.caveats import CAVEATS, Caveat
from evaluation.answering.fields import fields_of
from evaluation.answering.fields.names import Fields
from evaluation.answering.naming import in_natural_order, listed_members
from evaluation.answering.templates import Sentence, joined, said
from evaluation.answering.verdict_of import has_strategies
from evaluation.answering.verdict_rows import ROWS
from evaluation.answering.verdict_rows.row import ON_AVERAGE
from evaluation.answering.verdicts import Verdict
from evaluation.stated import require_a
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import natural, plural

_KINDS: Final = 3
"""Kinds of causes that are told beside the verdict."""


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
    evidence = joined((*row.evidence, ON_AVERAGE), fields, besides=headline)
    if others := _besides(answer):
        evidence = f"{evidence} Besides: {' '.join(others)}".strip()
    return Words(
        headline=headline,
        short=short_words(answer.verdict.kind, fields),
        evidence=evidence,
        actions=_actions(answer, fields),
        assumes=assumptions(answer),
        caveats=caveats,
    )


def _besides(answer: Answer) -> list[str]:
    """Return what else is amiss: one headline for each kind, and whom else it concerns.

    Of a few kinds; what is left is counted.
    """
    by_kind: dict[VerdictKind, list[Verdict]] = {}
    for each in answer.besides:
        by_kind.setdefault(each.kind, []).append(each)
    sentences, (*told,) = [], by_kind.values()
    for first, *others in told[:_KINDS]:
        is_again = first.kind is answer.verdict.kind and others
        alike = [first, *others] if is_again else others
        sentences += [] if is_again else [cause_words(first, answer)[0]]
        sentences += [f"The same is true of {_named(alike, answer)}."] if alike else []
    if left := sum(map(len, told[_KINDS:])):
        sentences.append(f"Not named here: {plural(left, 'further cause')}.")
    return sentences


def _named(causes: Sequence[Verdict], answer: Answer) -> str:
    """Return the partitions that causes are about, or their consumers where one has none."""
    if all(each.partitions for each in causes):
        places = dict.fromkeys(place for each in causes for place in each.partitions)
        names = sorted((answer.group.partition_name(each) for each in places), key=natural)
    else:
        members = dict.fromkeys(member for each in causes for member in each.members)
        names = in_natural_order(answer.group, tuple(members))
    return listed_members(names)


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
