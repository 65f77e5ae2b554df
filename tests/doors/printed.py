"""The numbers that a text prints, and those that an answer's JSON accounts for."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

import numpy as np

from charts.labels import short_names
from evaluation.answering.answer import Answer
from evaluation.answering.as_data import as_data
from evaluation.answering.presenting import HEAVIEST
from evaluation.comparing.worth import WORTH
from evaluation.consumer_labels import labels_of
from evaluation.wording import amount, duration, percent, rate_amount

_TIME: Final = r"(?:years|d|h|min|s)(?!\w)"
_PRINTED: Final = re.compile(
    rf"(?<![\w.-])\d[\d,.]*\s{_TIME}(?:\s\d+\s{_TIME})?"  # a time has one unit or two
    r"|(?<![\w.-])\d[\d,.]*(?:\s(?:k|M|G|%)(?!\w))?"
)
_VERSION: Final = re.compile(r"\d+\.\d+(?:\.\d+)?\+|brokers of \d+\.\d+|\d+\.\d+\.\d+\.\d+")
"""A release of Kafka, a host: names that look like figures."""
_WORDED: Final[Sequence[Callable[[float], str]]] = (
    amount,
    rate_amount,
    duration,
    percent,
    "{:,.0f}".format,
    "{:,g}".format,
    "{:.2g}".format,
)


def printed(text: str, names: Sequence[str] = ()) -> list[str]:
    """Return the numbers of a text in order, as printed, without those of names and versions.

    >>> printed("t-0 is 72.7 k behind, 1 h 29 min in all; 3 of 8 own 12 %.", ["t-0"])
    ['72.7 k', '1 h 29 min', '3', '8', '12 %']
    """
    plain = _VERSION.sub(" ", text.replace("\N{NO-BREAK SPACE}", " "))
    for name in sorted(filter(None, names), key=len, reverse=True):
        plain = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", " ", plain)
    return [found.group().rstrip(",.") for found in _PRINTED.finditer(plain)]


def strays(text: str, answer: Answer) -> list[str]:
    """Return the numbers of a text that are no figure of the answer's JSON, as words round them."""
    return [each for each in printed(text, _names(answer)) if each not in accounted(answer)]


def accounted(answer: Answer) -> set[str]:
    """Return every figure of an answer's JSON, and what words compute from two of them."""
    figures = chain(_numbers(as_data(answer)), _derived(answer))
    return {*printed(answer.load.unit)} | {
        each for value in figures for word in _WORDED for each in printed(word(abs(value)))
    }


def _numbers(data: object, name: str = "") -> Iterator[float]:
    """Yield the numbers of an answer's JSON and the lengths of its lists, but none of its text."""
    if isinstance(data, Mapping):
        for key, each in data.items():
            if key != "text":
                yield from _numbers(each, key)
    elif isinstance(data, list):
        yield len(data)
        yield from chain.from_iterable(_numbers(each, name) for each in data)
    elif isinstance(data, int | float) and not isinstance(data, bool):
        yield data


def _derived(answer: Answer) -> Iterator[float]:
    """Yield the figures of causes beside the verdict, and ratios, differences and shares."""
    lags, weights = answer.given.group.counted_lags, answer.group.counted_weights
    for verdict in (answer.verdict, *answer.causes):
        known = {key: each for key, each in verdict.figures.known().items() if math.isfinite(each)}
        yield from (*known.values(), len(verdict.members), len(verdict.partitions))
        for much, little in (("arriving_per_s", "usual_per_s"), ("busiest_load", "even_load")):
            if known.get(little) and much in known:
                yield known[much] / known[little]
        if {"arriving_per_s", "reading_per_s"} <= set(known):
            yield known["arriving_per_s"] - known["reading_per_s"]
        if lags.any():
            yield lags[list(verdict.partitions)].sum() / lags.sum()
    yield from (each.gain for each in answer.options if each.gain is not None)  # JSON rounds them
    heavy = min(int(np.count_nonzero(weights)), HEAVIEST)
    yield from range(heavy + 1)  # of these the busiest owns some
    yield heavy / max(answer.group.member_count, 1)
    yield from (float(lags.sum()), float(np.count_nonzero(lags)))
    yield WORTH  # no strategy takes as much off the busiest consumer
    if weights.any():
        yield weights.max() / weights.sum()


def _names(answer: Answer) -> list[str]:
    """Return the names of consumers, topics and partitions, and of consumers as people say them."""
    group = answer.given.group
    partitions = [group.partition_name(each) for each in range(group.partition_count)]
    labels = labels_of(group)
    return [group.id, *group.members, *group.topics, *partitions, *labels, *short_names(labels)]
