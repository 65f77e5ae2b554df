"""Why an option is not proposed, in words: the end of a clause, with the figures that decide."""

from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.options import Option
from evaluation.answering.templates import said
from evaluation.answering.why_not import REASONS
from evaluation.comparing.worth import WORTH
from evaluation.stated import require_a
from evaluation.wording import amount, percent, plural


def why_not_words(option: Option, answer: Answer) -> str:
    """Return why an option is not proposed; "" if nothing stands against it.

    Raises InvalidArgumentError for what is no Option of an Answer.
    """
    require_a(Option, "option", option, "answer.options has them")
    require_a(Answer, "answer", answer, "the one whose option it is")
    if option.why_not is None:
        return ""
    fields = _of_option(option) | _of_first(option, answer)
    if option.gain is None and option.busiest is not None and answer.keep is not None:
        fields["then"] = amount(option.busiest)
    return said(REASONS[option.why_not].sentence, fields)


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
