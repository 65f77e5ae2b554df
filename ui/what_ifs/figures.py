"""What each choice comes to in each case: load, time, moves, consumers, on one set of facts."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from assignors.model import Group
from assignors.strategy import Protocol, Strategy
from evaluation.answering.answer import Answer
from evaluation.answering.ending import end_s
from evaluation.answering.options import Option
from evaluation.answering.planning import Choice
from evaluation.capacity.draining import (
    Capacity,
    demand_of,
    headroom_of,
    known_rates,
    speeds,
)
from evaluation.capacity.planning import cost_a_month
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import Outcome
from evaluation.configuration import configuration
from evaluation.judging import judged
from evaluation.measuring.facts import Facts
from evaluation.rebalance.switching import fewest_restarts, rolling_restarts, way_in_words
from evaluation.what_if import TODAY, Asked, Weather, WhatIf, applied, titles
from evaluation.wording import duration, listed, percent, plural
from ui import cache
from ui.clients import client

_BUSY: Final = 1.5
"""Times the arrivals that are asked first."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ScenarioCell:
    """One choice in one case, with everything that is said of it."""

    title: str
    case: str
    """The title of the weather."""
    what_if: WhatIf
    group: Group
    """With its weights."""
    load: Load
    """What decides, the same in every cell."""
    strategy: Strategy | None
    """None where the present owners are shown."""
    outcome: Outcome
    flow: Group
    """With the arrivals under the weather."""
    facts: Facts
    """How fast consumers read under it."""
    seconds: float | None
    """Until the backlog is cleared, from then on; infinite if never; None without lag."""
    way: str
    notes: tuple[str, ...]
    option: Option | None = None
    """The answer's option for the strategy that it switches to."""

    @property
    def is_today(self) -> bool:
        """Whether it changes nothing, whatever the weather does."""
        return self.what_if == WhatIf(self.what_if.name)

    @property
    def stops_all(self) -> bool:
        """Whether its rebalances stop all consumers."""
        return self.strategy is not None and self.strategy.protocol is Protocol.EAGER

    @property
    def never_ends(self) -> bool:
        """Whether some consumer gets more than it reads."""
        return self.seconds is not None and math.isinf(self.seconds)


def cells(asked: Asked, answer: Answer) -> Iterator[ScenarioCell]:
    """Yield each choice of a group in every case, judged as its answer is; choice by choice."""
    cases = list(zip(asked.weathers, titles(asked.weathers), strict=True))
    for what_if, title in zip(asked.choices, titles(asked.choices), strict=True):
        for weather, case in cases:
            yield _cell(what_if, title, weather, case, answer)


def usual(asked: Asked, answer: Answer) -> Asked:
    """Return what is asked, or what is asked first where the visitor asks nothing yet.

    Today, the proposal, and a quarter more consumers; of cases, half as much again arriving, if
    anything is known to arrive, and a consumer lost.
    """
    if asked.choices:
        return asked
    proposal = answer.proposal
    strategy = None if proposal is None else proposal.strategy
    recommended = () if strategy is None else (WhatIf(strategy=strategy),)
    more = WhatIf(consumers=max(answer.group.member_count // 4, 1))
    weathers = asked.weathers
    if asked == Asked():
        is_arriving = answer.known.facts.arriving_source is not None
        busy = (Weather(arrivals=_BUSY),) if is_arriving else ()
        lost = (Weather(lost=1),) if answer.group.member_count > 1 else ()
        weathers = (TODAY, *busy, *lost)
    return Asked((WhatIf(), *recommended, more), weathers)


def _cell(what_if: WhatIf, title: str, weather: Weather, case: str, answer: Answer) -> ScenarioCell:
    group, known, running = answer.group, answer.known, answer.running
    changed, notes = applied(group, what_if, known.facts.arriving, weather)
    is_same = changed.members == group.members and changed.topics == group.topics
    is_same = is_same and changed.partition_count == group.partition_count
    # The very group of the Group page, of which more may have been drawn meanwhile.
    as_it_is = group if is_same and weather.arrivals == 1 else changed
    weighed = judged(as_it_is, known.measure, changed.offsets.rates)
    now = cache.present_owners(weighed)
    stays = running.presumed or client().default
    strategy: Strategy | None = None
    way = "nothing changes"
    if what_if.strategy is None and is_same and now is not None:
        outcome = now
    else:
        if what_if.strategy is None and running.strategy is None:
            notes = (*notes, f"The running strategy is unknown; {stays.label} is assumed.")
        strategy = what_if.strategy or stays
        is_noticed = answer.given.stated.is_noticed
        outcome = cache.solved(weighed, (strategy,), running.presumed, is_noticed)[0]
        way = _way(outcome, strategy, running.presumed)
    facts = _facts_in(weather, known.facts, None if is_same else changed.member_count)
    return ScenarioCell(
        title=title,
        case=case,
        what_if=what_if,
        group=weighed,
        load=answer.load,
        strategy=strategy,
        outcome=outcome,
        option=answer.option_for(what_if.strategy) if what_if.strategy else None,
        flow=changed,
        facts=facts,
        seconds=_seconds(changed, outcome, facts),
        way=way,
        notes=notes,
    )


def _facts_in(weather: Weather, facts: Facts, consumers: int | None) -> Facts:
    """Return the facts where consumers read at another speed; one partition no faster than they.

    Nobody has seen the ``consumers`` of another group read; None are those of the facts.
    """
    speed, cap = facts.speed, facts.partition_cap
    slower = speed._replace(records_s=speed.records_s * weather.speed)
    capped = None if cap is None else cap * min(weather.speed, 1.0)
    reading = facts.reading * weather.speed if consumers is None else np.full(consumers, np.nan)
    return replace(facts, speed=slower, partition_cap=capped, reading=reading)


def _way(outcome: Outcome, strategy: Strategy, before: Strategy | None) -> str:
    if outcome.figures.moved is None:
        return "the first start"
    if outcome.outlook is None:
        return way_in_words(0)
    is_to_be_had = strategy == before or configuration(strategy, client(), before).steps
    if not is_to_be_had:
        return "an assignor of your own"
    if before is None:
        return way_in_words(None)
    return way_in_words(rolling_restarts(before, strategy), fewest_restarts(before, strategy))


def _seconds(group: Group, outcome: Outcome, facts: Facts) -> float | None:
    if not group.counted_lags.any():
        return None
    return end_s(group, outcome.owners, facts)


def choices_of(asked: Asked, shown: Sequence[ScenarioCell], today: int) -> list[Choice]:
    """Return what each choice comes to in the cases computed, of ``today`` consumers."""
    wide = len(asked.weathers)
    return [
        _choice(what_if, title, shown[at * wide : (at + 1) * wide], today)
        for at, (what_if, title) in enumerate(
            zip(asked.choices, titles(asked.choices), strict=True)
        )
    ]


def _choice(what_if: WhatIf, title: str, row: Sequence[ScenarioCell], today: int) -> Choice:
    first = row[0] if row else None
    consumers = max(today + what_if.consumers, min(today, 1))
    is_counted = what_if.consumers and not what_if.name and not what_if.topic
    with_ = f" with {what_if.strategy.label}" if what_if.strategy else ""
    return Choice(
        title=title,
        consumers=consumers,
        counted=f"{plural(consumers, 'consumer')}{with_}" if is_counted else "",
        ends=tuple(each.seconds for each in row),
        moves=0 if first is None else _moves(first),
        stops_all=first is not None and first.stops_all,
        is_today=what_if == WhatIf(what_if.name),
        option=None if first is None else first.option,
    )


def rows(
    shown: Sequence[ScenarioCell], price: float | None, currency: str, allowed_s: float
) -> list[Mapping[str, str]]:
    """Return the table: a row for each choice and case, with a text for each measure."""
    return [_row(each, price, currency, allowed_s) for each in shown]


def _row(
    cell: ScenarioCell, price: float | None, currency: str, allowed_s: float
) -> Mapping[str, str]:
    row = {
        "Choice": cell.title,
        "Case": cell.case,
        "In time?": in_time(cell, allowed_s),
        "Time to clear": cleared(cell),
        "Busiest consumer": _load(cell),
        "Headroom": _headroom(cell, allowed_s),
        "Partitions that move": _moved(cell),
        "Stops reading": _stops(cell),
    }
    if price is not None:
        cost = cost_a_month(cell.group.member_count, price)
        row["Cost a month"] = f"{currency} {cost:,.0f}".strip()
    return row | {
        "Way there": cell.way,
        "Strategy": "as it is" if cell.strategy is None else cell.strategy.label,
        "Consumers": f"{cell.group.member_count:,}",
        "Partitions": f"{cell.group.partition_count:,}",
    }


def in_time(cell: ScenarioCell, allowed_s: float) -> str:
    """Return how the backlog's end compares with the time allowed."""
    seconds = cell.seconds
    if seconds is None:
        return "-"
    if seconds <= allowed_s:
        return "in time"
    return "never" if cell.never_ends else f"{duration(seconds - allowed_s)} late"


def _headroom(cell: ScenarioCell, allowed_s: float) -> str:
    """Return by how much more may arrive, with everything still in time."""
    group, facts = cell.flow, cell.facts
    if group.offsets.rates is None or not known_rates(group).any() or not facts.speed.records_s:
        return "-"
    capacity = Capacity(
        throughput=facts.speed.records_s, partition_cap=facts.partition_cap, allowed_s=allowed_s
    )
    read = speeds(group, capacity.throughput)
    share = headroom_of(demand_of(group, capacity), cell.outcome.owners, read, capacity)
    return f"{percent(share)} more arrivals" if share > 0 else "none"


def _stops(cell: ScenarioCell) -> str:
    if cell.strategy is None:
        return "nothing"
    return "all consumers" if cell.stops_all else "what moves"


def notes(shown: Sequence[ScenarioCell]) -> Iterator[str]:
    """Yield what is assumed and what does not apply, each once, with the choices it is of."""
    of: dict[str, dict[str, None]] = {}
    for each in shown:
        for note in each.notes:
            of.setdefault(note, {})[each.title] = None
    every = {each.title for each in shown}
    for note, titles_of in of.items():
        yield note if titles_of.keys() == every else f"{listed([*titles_of])}: {note}"


def _load(cell: ScenarioCell) -> str:
    load, outcome = cell.load, cell.outcome
    span = load.span_said(outcome)
    return f"{load.said(outcome)}{f' ({span})' if span else ''}"


def cleared(cell: ScenarioCell) -> str:
    """Return when the backlog is cleared."""
    if cell.seconds is None:
        is_known = cell.group.is_lag_known[cell.group.is_wanted].all()
        return "no backlog" if is_known else "unknown"
    return "never" if cell.never_ends else duration(cell.seconds)


def _moves(cell: ScenarioCell) -> int:
    return cell.outcome.figures.moved or 0


def _moved(cell: ScenarioCell) -> str:
    moved = cell.outcome.figures.moved
    return "-" if moved is None or cell.strategy is None else f"{moved:,}"
