"""A group under each strategy, as JSON: who owns what next, and the figures of that."""

from dataclasses import dataclass

import msgspec

from assignors.catalogue import FailedStrategyError
from assignors.certainty import EXACT
from assignors.model import Group, Owners
from assignors.naming import assignment_of
from assignors.rules import check
from assignors.strategy import Strategy
from evaluation import metrics
from evaluation.assuming.assumed import Assumed
from evaluation.assuming.subscriptions import otherwise
from evaluation.bounds.lag import lower_bound
from evaluation.comparing.outlook import outlook, range_of
from evaluation.judging import JudgeBy, Measure
from evaluation.library import Assignment, compare
from evaluation.releases import holds_for
from sources import assumed_json


@dataclass(frozen=True, kw_only=True)
class RecordOf:
    """What a record of a group has beside owners and figures, and on what condition."""

    measure: Measure
    assumed: Assumed
    has_all_answers: bool = False
    has_outlook: bool = False
    runs: Strategy | None = None
    """The strategy that an outlook starts from."""
    is_noticed: bool = True
    """Whether the group rebalances without a consumer that restarts."""


def record_of(group: Group, strategy: Strategy, asked: RecordOf) -> dict[str, object]:
    """Return what a strategy makes of a weighed group, or why it failed."""
    try:
        return _record(group, strategy, asked)
    except FailedStrategyError as error:
        return {"strategy": strategy.name, "error": str(error)}


def _record(group: Group, strategy: Strategy, asked: RecordOf) -> dict[str, object]:
    """Return the owners after the next round, and the metrics of the final assignment."""
    measure, assumed = asked.measure, asked.assumed
    found = compare(group, [strategy])[strategy.name]
    record: dict[str, object] = {"strategy": strategy.name}
    if measure.by is not JudgeBy.LAG:
        record["judged_by"] = {"what": measure.by.value, "unit": measure.unit}
    certainty = assumed.qualified(found.certainty, group, strategy)
    if not assumed.is_predictable(group):
        record |= {"assignment": None, "certainty": certainty.as_data}
        return record if group.member_count else record | {"metrics": _metrics(found)}
    of_release = holds_for([strategy])
    said = certainty.as_data | ({"holds_for": of_release} if of_release else {})
    record["assignment"] = assignment_of(group, found.next_round)
    if strategy.target is not None:
        record["target"] = assignment_of(group, found.owners)
    record["certainty"] = said
    if certainty.condition and assumed.alternatives:
        record["assumed"] = _assumed(assumed, group, strategy)
    if asked.has_all_answers:
        record["answers"] = _all_answers(found)
    if asked.has_outlook and group.member_count:
        record["outlook"] = _outlook(group, strategy, asked)
    return record | {"metrics": _metrics(found)}


def _assumed(assumed: Assumed, group: Group, strategy: Strategy) -> dict[str, object]:
    """Return the assumed subscriptions, and what comes of the others that may be true."""
    return {
        "subscriptions": assumed_json.name_of(assumed.subscriptions),
        "why": assumed.why,
        "otherwise": [
            {
                "subscriptions": assumed_json.name_of(other.source),
                "differing": other.differing,
                "max_lag": other.max_lag,
                "max_count": other.max_count,
            }
            for other in otherwise(group, assumed, strategy)
        ],
    }


def _all_answers(found: Assignment) -> list[dict[str, list[tuple[str, int]]]] | None:
    """Return every final assignment that the client may return; None where they are not known."""
    group, strategy = found.group, found.strategy
    possible = strategy.possible(group) if strategy.possible else ()
    if not possible and found.certainty == EXACT:
        possible = (found.owners,)
    return [assignment_of(group, check(group, owners)) for owners in possible] or None


def _outlook(group: Group, strategy: Strategy, asked: RecordOf) -> dict[str, object]:
    """Return the median and the 5th and 95th percentile of what a switch may bring."""
    drawn = outlook(group, strategy, asked.runs, is_noticed=asked.is_noticed)
    loads = {
        "max_load": drawn.max_loads,
        "max_lag": drawn.max_lags,
        "max_partitions": drawn.max_counts,
    }
    spans = {
        name: dict(zip(("low", "high"), range_of(values), strict=True))
        | {"median": int(values[drawn.draws // 2])}
        for name, values in loads.items()
    }
    runs = None if asked.runs is None else asked.runs.name
    return {"runs": runs, "draws": drawn.draws, "moved": drawn.moved, **spans}


def _metrics(found: Assignment) -> dict[str, object]:
    group, owners = found.group, found.owners
    by_lag = group.with_weights(None)
    columns = {
        "partitions": metrics.count_per_member(group, owners).tolist(),
        "lag": _known_per_member(by_lag, owners),
        "unknown": metrics.unknown_per_member(by_lag, owners).tolist(),
        "load": _known_per_member(group, owners),
        "topics": metrics.topics_per_member(group, owners).tolist(),
    }
    rows = zip(*columns.values(), strict=True)
    per_member = (dict(zip(columns, row, strict=True)) for row in rows)
    figures: dict[str, object] = msgspec.to_builtins(found.figures)
    return figures | {
        "lower_bound": lower_bound(group),
        "best_possible_max_lag": lower_bound(by_lag),  # the name of earlier releases
        "members": dict(zip(group.members, per_member, strict=True)),
    }


def _known_per_member(group: Group, owners: Owners) -> list[int | None]:
    """Return each member's load, None where no weight of it is known: unknown is not zero."""
    loads = metrics.load_per_member(group, owners).astype(object)
    loads[~metrics.is_load_known(group, owners)] = None
    known: list[int | None] = loads.tolist()
    return known
