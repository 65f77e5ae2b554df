"""All that is said and done about one kind of verdict: one row."""

from typing import Final, NamedTuple

from evaluation.answering.actions import Action
from evaluation.answering.templates import Sentence
from evaluation.severity import Severity

DELETED: Final[Sentence] = (
    "The first records are deleted unread in {deleted_in}.",
    "The first records are being deleted unread.{?deleted_now}",
)
"""The last of the evidence where nobody reads what waits, or not fast enough."""
ON_AVERAGE: Final[Sentence] = (
    "These rates are averages over {long_span}; how much it is now is not known.{?arriving}",
    "These rates are averages over {long_span}; how much it is now is not known.{?reading}",
)
"""After the evidence with rates of snapshots that are far apart."""


class VerdictRow(NamedTuple):
    """One kind of verdict."""

    severity: Severity
    headline: Sentence
    """Subject, state, number; up to some 75 characters."""
    short: Sentence
    """Up to some 45, for a row of a fleet, a chip, a browser's title."""
    evidence: tuple[Sentence, ...]
    """The figures that prove it, then where."""
    advice: Sentence = ()
    """What to do where nothing is proposed."""
    remedy: Action | None = None
    """What to do about it that changes no owners."""
    consumers_are: str = ""
    """What its consumers are, in pictures of an alarm."""
