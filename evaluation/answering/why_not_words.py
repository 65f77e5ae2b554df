"""Why an option is not proposed, in words: the end of a clause, with the figures that decide."""

from collections.abc import Mapping
from typing import Final

from evaluation.answering.answer import Answer
from evaluation.answering.options import Action, Option, WhyNot
from evaluation.answering.verdict_rows.row import Sentence
from evaluation.answering.words import said
from evaluation.comparing.worth import WORTH
from evaluation.wording import amount, percent, plural

WHY_NOT: Final[Mapping[WhyNot, Sentence]] = {
    WhyNot.CAUSE_STANDS: ("there is a cause that no assignment helps",),
    WhyNot.CAUSE_OPEN: ("one snapshot cannot tell why the lag is in few hands",),
    WhyNot.UNFOUNDED: ("this client would not do what is shown",),
    WhyNot.RESTS_ON_ASSUMPTION: ("what it gains depends on what the text does not say",),
    WhyNot.NEVER_ENDS: ("the backlog never clears under it",),
    WhyNot.TOO_LITTLE: (
        "any rebalance gives what nobody reads an owner; the busiest consumer then has {then}",
        "the busiest consumer gets {loss} more under it",
        "it takes 5 % off the busiest consumer in only {reliably} of simulated restarts",
        "it takes {gain} off the busiest consumer, and less than 5 % is not worth a switch",
        "it takes nothing off the busiest consumer",
    ),
    WhyNot.NEGLIGIBLE: ("no consumer is behind",),
    WhyNot.STOPS_ALL: (
        "its rebalances stop all consumers; today's pause only partitions that move",
    ),
    WhyNot.ONE_SNAPSHOT: ("one snapshot does not tell whether the lag stays",),
    WhyNot.ENDS_WITHOUT: ("the backlog clears without it",),
    WhyNot.ONLY_BY_JAR: ("no setting makes just these moves",),
    WhyNot.SETTING_FIRST: (
        "it takes a jar; {first} takes {first_gain} off the busiest consumer without one",
        "it takes a jar; {first} needs none",
    ),
    WhyNot.SWITCH_FIRST: (
        "{first} comes first, which takes {first_gain} off the busiest consumer",
        "{first} comes first",
    ),
    WhyNot.REBALANCE_FIRST: ("{first} is nearly as even after a rebalance, without a switch",),
    WhyNot.MORE_LOAD: ("the busiest consumer gets {load}; under {first}, {first_load}",),
    WhyNot.MORE_MOVES: ("it moves {moved}; {first} is nearly as even and moves {first_moved}",),
    WhyNot.MORE_STOPS: (
        "its rebalances stop all consumers; those of {first}, which is nearly as even, do not",
    ),
    WhyNot.EQUAL: ("{first} is as good and comes first",),
}
"""The first template of a reason whose figures are all known is said."""


def why_not_words(option: Option, answer: Answer) -> str:
    """Return why an option is not proposed; "" if nothing stands against it."""
    if option.why_not is None:
        return ""
    fields = _of_option(option) | _of_first(option, answer)
    if option.gain is None and option.busiest is not None and answer.keep is not None:
        fields["then"] = amount(option.busiest)
    return said(WHY_NOT[option.why_not], fields)


def _of_option(option: Option) -> dict[str, str]:
    found, gain = dict[str, str](), option.gain or 0.0
    if gain:
        found["gain" if gain > 0 else "loss"] = percent(abs(gain))
    if gain >= WORTH and option.reliability is not None:
        found["reliably"] = percent(option.reliability)
    return found


def _of_first(option: Option, answer: Answer) -> dict[str, str]:
    """Return what is said of the switch that comes first, and of this option beside it."""
    first = next(
        (o for o in answer.options if o.action is Action.SWITCH and o.why_not is None), None
    )
    if first is None or first.outcome is None:
        return {}
    found = {"first": first.outcome.label}
    if first.gain is not None and first.gain > 0:
        found["first_gain"] = percent(first.gain)
    found["load"], found["first_load"] = _apart(option.busiest, first.busiest)
    found["moved"] = plural(option.moves or 0, "partition")
    found["first_moved"] = f"{first.moves or 0:,}"
    return found


def _apart(one: int | None, other: int | None) -> tuple[str, str]:
    """Return two loads in words, to the last digit where rounding would make them one."""
    words = amount(one), amount(other)
    if words[0] != words[1] or one is None or other is None:
        return words
    return f"{one:,}", f"{other:,}"
