"""A reading and what is stated of it, as an answer starts from it."""

from dataclasses import replace
from typing import Final

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.answering.given import (
    Given,
    Knowledge,
    Statements,
    known_of,
    weighed_of,
)
from evaluation.assuming.clients import CLIENTS, JAVA, Client, ForeignStrategyError
from evaluation.judging import JudgeBy, Measure
from evaluation.reading import Reading
from sources.errors import SourceError
from sources.options import Options

_NOTHING: Final = Statements()
_NEEDS_RATES: Final = (
    "judging by {} needs the arrival rate: give two snapshots, one below the other, state how much "
    "arrives, or give rates in the group's JSON"
)


def given_of(
    reading: Reading,
    stated: Statements = _NOTHING,
    client: Client | None = None,
    group: Group | None = None,
) -> Given:
    """Return what an answer on a reading starts from.

    ``client`` is the one that somebody names; None takes the one that the text gives away, else
    Java's. ``group`` is the reading's own after edits.
    """
    read = reading if group is None else reading.with_group(group)
    return Given.of(read, client or client_of(reading), stated)


def client_of(reading: Reading, named: str | None = None) -> Client:
    """Return the client library of this name, else what a reading gives away, else Java's."""
    return CLIENTS.get(named or reading.assumed.client, JAVA)


def asked(reading: Reading, options: Options, measure: Measure | None = None) -> Given:
    """Return what an answer starts from where a command line states the rest.

    ``measure`` is what to judge by where the options do not say. Raises SourceError.
    """
    client, stated = client_of(reading, options.client), options.stated
    if isinstance(stated.runs, str):
        stated = replace(stated, runs=runs_called(stated.runs, client))
    if measure is not None:
        stated = replace(
            stated,
            judge_by=stated.judge_by or measure.by,
            horizon_min=stated.horizon_min or measure.horizon_min,
        )
    return given_of(reading, stated, client)


def runs_called(name: str, client: Client) -> Strategy:
    """Return the strategy that a group is said to run. Raises SourceError if its client has none.

    The name is ours or the client's own.
    """
    found = client.strategy_called(name)
    if found is None:
        raise SourceError(str(ForeignStrategyError(name, client)))
    return found


def known_in(given: Given) -> Knowledge:
    """Return the facts of what is asked. Raises SourceError if it cannot be judged as asked."""
    known = known_of(given)
    if given.kind.runs_consumer_strategies:
        _require(given.stated.judges_by, known.measure)
    return known


def weighed_in(given: Given) -> tuple[Measure, Group]:
    """Return the measure and the group weighed by it. Raises SourceError as ``known_in``."""
    measure, group = weighed_of(given)
    _require(given.stated.judges_by, measure)
    return measure, group


def _require(by: JudgeBy | None, measure: Measure) -> None:
    if by is not None and by is not measure.by:
        raise SourceError(_NEEDS_RATES.format(by.value))
