"""A reading and what is stated of it, as an answer starts from it."""

from dataclasses import replace
from typing import Final

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.answering.given import (
    Given,
    Knowledge,
    ReadAgain,
    Statements,
    known_of,
    weighed_of,
)
from evaluation.assuming.clients import CLIENTS, JAVA, Client, ForeignStrategyError
from evaluation.judging import JudgeBy, Measure
from sources.errors import SourceError
from sources.options import Options
from sources.reading import Reading

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
    return Given(
        group=reading.group if group is None else group,
        history=reading.history,
        client=client or client_of(reading),
        strategy=reading.strategy,
        weighed=reading.weighed,
        hosts=reading.hosts,
        name=reading.name,
        kind=reading.kind,
        lacking=reading.lacking,
        rebalancing=reading.rebalancing if group in {None, reading.group} else None,
        assumed=reading.assumed,
        stated=stated,
        as_kind=reading.as_kind if group in {None, reading.group} else None,
        notes=reading.notes,
        ignored=reading.ignored,
        again=_again(reading),
        logged=reading.logged,
    )


def _again(reading: Reading) -> ReadAgain:
    if reading.is_watched:
        return ReadAgain.BY_ITSELF
    return ReadAgain.ON_REQUEST if reading.is_live else ReadAgain.BY_COMMAND


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
