"""What a page, a report or a program says of a group of another kind: as it is, or changed."""

from evaluation.answering.answer import Answer
from evaluation.answering.words import words_of
from evaluation.kinds.said import KindWords
from evaluation.kinds.settings import settings_of
from evaluation.kinds.view import KindView
from evaluation.kinds.words import change_words


def said_of(view: KindView, answer: Answer) -> KindWords:
    """Return the answer on a group as it is, or what other members would bring it."""
    if view.is_changed:
        return change_words(view)
    words = words_of(answer)
    return KindWords(
        answer.verdict.severity, words.headline, words.evidence, words.action, settings_of(view)
    )
