"""What an answer starts from: a group as it was read, and what somebody states of it.

P partitions, M members.
"""

import math
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Final, Self

import numpy as np

from assignors.catalogue import given_in_person
from assignors.model import FloatArray, Group
from assignors.strategy import Strategy
from assignors.suggestions import nearest
from evaluation.assuming.clients import JAVA, Client, ForeignStrategyError
from evaluation.judging import HORIZON_MIN, JudgeBy, Measure, judged, possible
from evaluation.kinds.stated import KindStated
from evaluation.measuring.facts import Facts, Source, facts_of
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.measuring.partition_times import PartitionTimes, partition_times
from evaluation.reading import Reading
from evaluation.stated import InvalidArgumentError, check_stated, stated

_LEAST: Final = 1e-9
"""Of what must be more than 0."""
_RATE: Final = "records/s"


@dataclass(frozen=True, kw_only=True)
class Statements:
    """What somebody states of a group beside its text; None or False where nothing is stated.

    Raises InvalidNumberError for a number out of bounds, and InvalidArgumentError.
    """

    arriving: float | None = field(
        default=None,
        metadata=stated("arriving", about="how much arrives for the group in all", unit=_RATE),
    )
    is_spread_by_lag: bool = False
    """Whether a stated total divides among the partitions by lag, rather than evenly."""
    speed: float | None = field(
        default=None,
        metadata=stated("speed", about="how much one consumer can read", unit=_RATE, least=_LEAST),
    )
    partition_cap: float | None = field(
        default=None,
        metadata=stated(
            "partition_cap",
            about="how much can be read of one partition at most",
            unit=_RATE,
            least=_LEAST,
        ),
    )
    interval_s: float | None = field(
        default=None,
        metadata=stated(
            "interval_s",
            about="how far apart snapshots without times are",
            unit="s",
            least=_LEAST,
        ),
    )
    retention_s: float | None = field(
        default=None,
        metadata=stated(
            "retention_s",
            about="how long topics keep records (retention.ms)",
            unit="s",
            least=_LEAST,
            most=math.inf,
        ),
    )
    runs: Strategy | str | None = None
    """The strategy that the group runs, or its name: ours, or the client's own."""
    is_noticed: bool = True
    """Whether a group rebalances without a consumer that restarts before that is back."""
    judge_by: JudgeBy | str | None = None
    """Or the value of one: "lag"."""
    horizon_min: float | None = field(
        default=None,
        metadata=stated(
            "horizon_min", about="how far ahead load counts arrivals", unit="min", least=_LEAST
        ),
    )

    def __post_init__(self) -> None:
        check_stated(self)
        if not isinstance(self.runs, Strategy | str | None):
            message = f"runs must be a Strategy or the name of one; found {self.runs!r}"
            raise InvalidArgumentError(message)
        values = [by.value for by in JudgeBy]
        if self.judge_by is not None and self.judge_by not in (*JudgeBy, *values):
            message = f"judge_by cannot be {self.judge_by!r}; {nearest(str(self.judge_by), values)}"
            raise InvalidArgumentError(message)

    @property
    def judges_by(self) -> JudgeBy | None:
        """What to judge by, whether it was given itself or by its value."""
        return None if self.judge_by is None else JudgeBy(self.judge_by)


@dataclass(frozen=True, eq=False, kw_only=True)
class Given(Reading):
    """A group as it was read or edited, and what is stated of it.

    Raises ForeignStrategyError if it is said to run a strategy that its client does not have.
    """

    client: Client = JAVA
    stated: Statements = field(default_factory=Statements)
    kind_stated: KindStated | None = None
    """What is stated of a group of another kind; None for its defaults."""

    @classmethod
    def of(cls, reading: Reading, client: Client, stated: Statements) -> Self:
        """Return a reading with what is stated of it."""
        read = {each.name: getattr(reading, each.name) for each in fields(Reading)}
        return cls(**read, client=client, stated=stated)

    def __post_init__(self) -> None:
        said, runs = self.stated.runs, self.runs
        if said is not None and (runs is None or not self.client.has(runs)):
            name = said if isinstance(said, str) else said.name
            raise ForeignStrategyError(name, self.client)

    def __repr__(self) -> str:
        moments = 0 if self.history is None else len(self.history.moments)
        return f"<Given {self.name!r}: {self.kind.value}, {self.group!r}, moments={moments}>"

    @cached_property
    def runs(self) -> Strategy | None:
        """The strategy that the group is said to run."""
        said = self.stated.runs
        if isinstance(said, Strategy):
            return given_in_person(said)
        return None if said is None else self.client.strategy_called(said)

    @property
    def read_strategy(self) -> Strategy | None:
        """The strategy that the text names, if the client has it."""
        return self.client.strategy_called(self.strategy) if self.strategy else None


@dataclass(frozen=True, eq=False, kw_only=True)
class Knowledge:
    """What follows from what is given: the history as dated, times, and facts, each once."""

    history: OffsetHistory
    """Empty where neither snapshots nor rates are known."""
    times: PartitionTimes
    facts: Facts
    measure: Measure
    """What load is."""
    group: Group
    """Weighed by the measure."""

    @property
    def is_one_snapshot(self) -> bool:
        """Whether the group was seen at one moment alone, and nothing is known of arrivals."""
        return self.facts.arriving_source is None and not self.history.has_several

    @property
    def has_flow(self) -> bool:
        """Whether snapshots or rates tell anything of times."""
        return bool(self.history.moments) or self.facts.arriving_source is not None


def known_of(given: Given) -> Knowledge:
    """Return the facts of a group and what it is judged by."""
    group, stated = given.group, given.stated
    history = given.history or OffsetHistory()
    is_dated_by_user = history.lacks_times and bool(stated.interval_s)
    if is_dated_by_user:
        history = history.dated(stated.interval_s or 0.0)
    times = partition_times(group, history, stated.retention_s)
    if stated.arriving is not None:
        times = times.at_rates(spread(group, stated.arriving, by_lag=stated.is_spread_by_lag))
    dated = Source.TIMED if is_dated_by_user else Source.MEASURED
    facts = facts_of(group, history, times, stated.speed, dated, kind=given.kind)
    facts = replace(facts, partition_cap=stated.partition_cap)
    if stated.arriving is not None:
        facts = replace(facts, arriving_source=Source.STATED)
    measure = _measure(given, facts)
    return Knowledge(
        history=history,
        times=times,
        facts=facts,
        measure=measure,
        group=judged(group, measure, facts.arriving),
    )


def spread(group: Group, total: float, *, by_lag: bool) -> FloatArray:
    """Return a stated total (records/s) divided among the partitions; (P,).

    By lag if asked and any is known, as partitions that lag are often busy; evenly otherwise.

    >>> group = Group.fresh({"t": 2}, ["c"], lags={"t": [30, 10]})
    >>> spread(group, 100.0, by_lag=True).tolist(), spread(group, 100.0, by_lag=False).tolist()
    ([75.0, 25.0], [50.0, 50.0])
    """
    lags = group.counted_lags.astype(np.float64)
    if by_lag and lags.any():
        return np.asarray(total * lags / lags.sum())
    return np.full(lags.size, total / max(lags.size, 1))


def weighed_of(given: Given) -> tuple[Measure, Group]:
    """Return what a group is judged by, and the group weighed by it.

    As in ``known_of``, which is asked only where rates decide.
    """
    by = given.stated.judges_by
    if by is None or by.needs_rates:
        known = known_of(given)
        return known.measure, known.group
    measure = Measure(by=by, horizon_min=_horizon_min(given))
    return measure, judged(given.group, measure)


def _measure(given: Given, facts: Facts) -> Measure:
    """Return what was asked for if it is possible here, else load where rates are known."""
    options = possible(None if facts.arriving_source is None else facts.arriving)
    asked = given.stated.judges_by
    by = asked if asked in options and asked is not None else options[0]
    return Measure(by=by, horizon_min=_horizon_min(given))


def _horizon_min(given: Given) -> float:
    usual = HORIZON_MIN if given.weighed is None else given.weighed.horizon_min
    return given.stated.horizon_min or usual
