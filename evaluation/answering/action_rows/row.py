"""All that is said and done about one action: one row."""

from collections.abc import Callable
from typing import NamedTuple

from evaluation.answering.effects import RemedyEffect, leaves_as_it_is
from evaluation.answering.given import Knowledge
from evaluation.answering.templates import Sentence
from evaluation.answering.verdicts import Verdict
from evaluation.takes import Takes


class Room(NamedTuple):
    """What a room is told of an action: cost, next step, risk, way back, and the decision."""

    short: Sentence = ()
    """What is proposed, in a few words."""
    follow: Sentence = ()
    """What comes next; without one, the first of the action's own sentences."""
    risk: tuple[Sentence, ...] = ()
    rollback: Sentence = ()
    check: Sentence = ()
    """How to tell that it helped."""
    decision: Sentence = ()
    """The question to decide."""
    cost: Sentence = ()


class ActionRow(NamedTuple):
    """One action."""

    imperative: Sentence = ()
    """The beginning of its sentence, which calls it ``do``."""
    sentences: tuple[Sentence, ...] = ()
    """What it brings, then what it takes."""
    room: Room = Room()
    takes: Takes = Takes.HANDS
    """How one gets it, where no strategy decides that."""
    changes_owners: bool = False
    touches_nothing: bool = False
    """Whether it restarts nothing, so that nothing moves or pauses."""
    effect: Callable[[Verdict, Knowledge], RemedyEffect] = leaves_as_it_is
    """What it brings as the remedy of a verdict."""
