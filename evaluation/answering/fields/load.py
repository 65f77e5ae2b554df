"""How loads are divided, as sentences write it; what is unknown is absent."""

from typing import Final

import numpy as np

from assignors.model import UNOWNED, LongArray
from evaluation.answering.answer import Answer
from evaluation.answering.fields.names import Fields
from evaluation.answering.naming import NAMED
from evaluation.answering.why_not import WhyNot
from evaluation.bounds.lag import deciding_partition
from evaluation.comparing.load import Load
from evaluation.consumer_labels import called
from evaluation.diagnosis.concentration import UNEVEN
from evaluation.judging import JudgeBy
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import amount, listed, plural

MORE: Final = 1.05
"""From this multiple on, more is worth a word."""
_CLEARLY: Final = 1.1
"""One partition decides where its consumer has this multiple of an even share."""
_TWICE: Final = (1.95, 2.05)
_TENTHS_BELOW: Final = 10
"""Below it, figures that are rarely whole have one decimal."""
_MOST_OF_IT: Final = 0.8
"""The share of a consumer's load that the partitions have that are named."""
_NEARLY_ALL: Final = 0.99
_NEGLIGIBLE: Final = {WhyNot.NEGLIGIBLE, WhyNot.ONE_SNAPSHOT}
"""Why there is nothing to do in a healthy group although strategies would gain something."""


def times_in_words(times: float) -> str:
    """Return a multiple: "twice", "1.5 times", "12 times"."""
    return "twice" if _TWICE[0] <= times < _TWICE[1] else f"{tenths(times)} times"


def tenths(value: float) -> str:
    """Return a figure with one decimal below ten, unless it is whole; else as an amount.

    >>> tenths(0.5), tenths(1.333), tenths(2.0), tenths(1_234.4)
    ('0.5', '1.3', '2', '1,234')
    """
    if value >= _TENTHS_BELOW:
        return amount(round(value))
    return f"{value:.1f}".removesuffix(".0")


def load_words(load: Load, value: int) -> str:
    """Return a load with its unit: "72.7 k records", "1 partition"."""
    if not load.by_weight:
        return plural(value, "partition")
    unit = load.unit.replace("records", "record") if value == 1 else load.unit
    return f"{amount(value)} {unit}"


def loads_in(answer: Answer) -> Fields:
    """Return the busiest consumer's load, an even share, and what a load is."""
    load, keep, group = answer.load, answer.keep, answer.group
    found: Fields = {"noun": load.noun, **_negligible(answer)}
    if load.measure.by is JudgeBy.LAG and load.by_weight:
        found["by_lag"] = True
    if keep is None or keep.outcome is None:
        return found
    loads = load.per_member(group, keep.outcome.owners)
    if not loads.size or not loads.any():
        return found
    who = int(np.argmax(loads))
    even = answer.verdict.figures.even_load
    found |= {
        "busiest_who": called(group)[who],
        "busiest_load": load_words(load, int(loads[who])),
        "busiest_amount": amount(int(loads[who])),
    }
    if even:
        times = float(loads[who]) / even
        found["even_share"] = tenths(even)
        if times >= MORE:
            found["above_share"] = True
        if times >= UNEVEN:
            found["times"] = times_in_words(times)
    partition = deciding_partition(group) if load.by_weight else None
    if partition is not None and even and loads[who] >= _CLEARLY * even:
        found["deciding"] = group.partition_name(partition)
    if answer.verdict.kind is VerdictKind.UNEVEN:
        found |= _heaviest(answer, np.flatnonzero(keep.outcome.owners == who))
    return found


def _heaviest(answer: Answer, held: LongArray) -> Fields:
    """Return what makes the load of the consumer with these: how many they are, or which."""
    group = answer.group
    wanted = int(np.count_nonzero(group.is_wanted))
    if not answer.load.by_weight or held.size * group.member_count >= UNEVEN * wanted:
        return {"owned": f"{held.size:,} of {plural(wanted, 'partition')}"}
    weights = group.counted_weights[held]
    order = np.argsort(-weights, kind="stable")
    reached = np.cumsum(weights[order].astype(np.float64))
    named = order[: int(np.searchsorted(reached, _MOST_OF_IT * reached[-1])) + 1].tolist()
    is_all = reached[len(named) - 1] >= _NEARLY_ALL * reached[-1]
    words = [group.partition_name(int(held[k])) for k in named]
    most = "all of it is" if is_all else "most of it is"
    return {"most_of_it": most, "heaviest": listed(words, NAMED)}


def _negligible(answer: Answer) -> Fields:
    """Return whether what strategies would gain is too little to matter, and why."""
    times, is_held = answer.known.times, answer.given.group.present_owners != UNOWNED
    is_counted = answer.facts.is_counted
    if is_counted.any() and (times.keeps_up & is_held)[is_counted].all():
        return {"keep_up": True}
    if not any(each.why_not in _NEGLIGIBLE for each in answer.options):
        return {}
    return {"negligible": True} if answer.facts.arriving_source is None else {"keep_up": True}
