"""An answer as JSON: verdict, proposal, options, what it is judged by, facts, caveats, text."""

import math
from typing import Final

import numpy as np

from evaluation.answering.answer import Answer
from evaluation.answering.caveats import Caveat
from evaluation.answering.given import Given
from evaluation.answering.options import Option
from evaluation.answering.verdict_figures import VerdictFigures
from evaluation.answering.verdicts import Verdict
from evaluation.answering.why_not_words import why_not_words
from evaluation.answering.words import words_of
from evaluation.assuming.clients import JAVA, recognised
from evaluation.metrics import total_lag
from evaluation.stated import require_a

NEVER: Final = "never"
"""Written in place of seconds that never end; null is unknown."""
AT_LEAST: Final = "at_least"
"""The source of a speed that consumers were seen to read while they kept up: a lower bound."""


def as_data(answer: Answer) -> dict[str, object]:
    """Return everything that an answer says, with names in place of numbers.

    Raises InvalidArgumentError for what is no Answer.
    """
    require_a(Answer, "answer", answer, "as_data(answer(group)) takes one")
    return {
        "group": answer.given.name or answer.group.id,
        "kind": answer.kind.value,
        "verdict": _verdict(answer.verdict, answer),
        "causes": [_verdict(cause, answer) for cause in answer.causes],
        "proposal": None if answer.proposal is None else _option(answer.proposal, answer),
        "options": [_option(option, answer) for option in answer.options],
        "judged_by": {
            "what": answer.load.measure.by.value,
            "noun": answer.load.noun,
            "unit": answer.load.unit,
            "lower_bound": answer.bound,
        },
        "facts": _facts(answer),
        "caveats": [_caveat(caveat) for caveat in answer.caveats],
        "text": _text(answer),
    }


def _verdict(verdict: Verdict, answer: Answer) -> dict[str, object]:
    return {
        "kind": verdict.kind.value,
        "severity": verdict.severity.name.lower(),
        "members": [answer.group.members[member] for member in verdict.members],
        "partitions": [answer.group.partition_name(each) for each in verdict.partitions],
        **({"work": list(verdict.work)} if verdict.work else {}),
        "figures": figures_data(verdict.figures),
        "since_s": number(verdict.since_s),
        "rests_on": verdict.rests_on.name.lower(),
    }


def figures_data(figures: VerdictFigures) -> dict[str, object]:
    """Return the known figures of a verdict by name; of the lag also that it is unknown."""
    return {"lag_records": None} | {name: number(value) for name, value in figures.known().items()}


def _option(option: Option, answer: Answer) -> dict[str, object]:
    group = answer.group
    return {
        "action": option.action.value,
        "strategy": option.strategy.name if option.strategy else None,
        "takes": option.takes.value,
        "busiest": option.busiest,
        "range": None if option.low is None else [option.low, option.high],
        "gain": number(option.gain, 4),
        "reliability": number(option.reliability, 4),
        "moves": option.moves,
        "restarts": option.restarts,
        "fewest_restarts": option.fewest_restarts,
        "stops_all": option.stops_all,
        "pauses": option.pauses,
        "backlog_ends_s": number(option.ends_s),
        "caught_up_s": number(option.caught_up_s),
        "consumers": option.consumers,
        "members": [group.members[member] for member in option.members],
        "partitions": [group.partition_name(each) for each in option.partitions],
        "why_not": None if option.why_not is None else option.why_not.value,
        "why_not_text": why_not_words(option, answer) or None,
    }


def _facts(answer: Answer) -> dict[str, object]:
    facts, group = answer.known.facts, answer.given.group
    source, lag = facts.arriving_source, total_lag(group)
    runs = answer.running.strategy
    return {
        "members": group.member_count,
        "partitions": int(np.count_nonzero(facts.is_counted)),
        "topics": int(np.unique(group.topic_of_partition[facts.is_counted]).size),
        "lag_records": lag.known,
        "unknown_lags": lag.unknown_partitions,
        "client": answer.given.client.name,
        "client_is": _client_is(answer.given),
        "running": runs.name if runs else None,
        "running_is": answer.running.origin.name.lower(),
        "arriving_per_s": number(facts.total_arriving if source else None),
        "arriving_is": source.name.lower() if source else None,
        "consumer_reads_per_s": number(facts.speed.records_s),
        "consumer_reads_is": (
            AT_LEAST if facts.speed.is_least else facts.speed.source.name.lower()
        ),
        "observed_s": number(facts.span_s),
    }


def _client_is(given: Given) -> str:
    """Return whether ids or the strategy's name give the client away, somebody states it, or none.

    Without evidence Java's is assumed.
    """
    known = recognised(given.group, given.strategy)
    if known is not None and known.client is given.client:
        return "inferred"
    return "assumed" if known is None and given.client is JAVA else "stated"


def _caveat(caveat: Caveat) -> dict[str, object]:
    return {
        "kind": caveat.kind.value,
        "weight": caveat.weight.name.lower(),
        "figures": {name: number(value) for name, value in caveat.figures.known().items()},
        "names": list(caveat.names),
    }


def _text(answer: Answer) -> dict[str, object]:
    words = words_of(answer)
    return _settings(answer) | {
        "headline": words.headline,
        "short": words.short,
        "evidence": words.evidence,
        "action": words.action,
        "assumes": list(words.assumes),
        "caveats": list(words.caveats),
    }


def _settings(answer: Answer) -> dict[str, object]:
    """Return the settings that matter for a group of another kind."""
    if answer.view is None:
        return {}
    from evaluation.kinds.settings import settings_of  # noqa: PLC0415 -- as in ``compose``

    return {"advice": [each._asdict() for each in settings_of(answer.view)]}


def number(value: float | None, digits: int = 3) -> float | int | str | None:
    """Return a figure as JSON holds it: whole where it is, null where unknown, "never" for ever.

    >>> number(3.0), number(0.12345), number(math.inf), number(math.nan), number(None)
    (3, 0.123, 'never', None, None)
    """
    if value is None or math.isnan(value):
        return None
    if math.isinf(value):
        return NEVER
    return int(value) if float(value).is_integer() else round(float(value), digits)
