"""Every event of a trace in words: one function for each rule of ``assignors.trace.rules``.

A sentence takes who got what from the event, and what everybody held at that point from the events
before it. It decides nothing itself.
"""

from collections import ChainMap
from typing import Final

from evaluation.explain.names import Names, Step
from evaluation.explain.replay import ReplayMoment
from evaluation.explain.words import lag, load, moves, quotas, topics, turns

_WORDS: Final = ChainMap(*(dict(each.WORDS) for each in (topics, turns, quotas, moves, lag, load)))


def steps(at: ReplayMoment, names: Names) -> list[Step]:
    """Return the steps that an event adds to the explanation of one partition."""
    return list(_WORDS[type(at.event.rule)](at.event.rule, at, names))
