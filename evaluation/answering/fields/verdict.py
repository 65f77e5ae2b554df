"""Whom a verdict is about, and its own figures, as sentences write them; none if unknown."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

import numpy as np

from assignors.model import UNOWNED
from evaluation.answering.answer import Answer
from evaluation.answering.fields.load import MORE, times_in_words
from evaluation.answering.fields.names import Fields
from evaluation.answering.naming import NAMED, in_natural_order, listed_members, number_words
from evaluation.answering.verdict_figures import VerdictFigures
from evaluation.answering.verdicts import Verdict
from evaluation.consumer_labels import labels_of
from evaluation.measuring.movement import lag_growth
from evaluation.measuring.offset_history import OFF_BY_ONE
from evaluation.wording import (
    amount,
    duration,
    listed,
    natural,
    percent,
    plural,
    rate_amount,
)

_STEADY: Final = 0.01
"""The share of arrivals up to which a backlog that shrinks is said to stay."""
_ZERO_TELLS: Final = {"read_between_records"}
"""Figures that say something also where they are zero."""
_ONE_TELLS_NOTHING: Final = {"owners"}
"""One owner throughout is no matter of who owns it."""
_UNITS: Final[Mapping[str, Callable[[float], str]]] = {
    "_per_s": lambda rate: f"{rate_amount(rate)}/s",
    "_s": duration,
    "_records": amount,
    "_load": amount,
    "_times": lambda times: "once" if times == 1 else times_in_words(times),
    "_consumers": lambda count: plural(int(count), "consumer"),
    "_partitions": lambda count: plural(int(count), "partition"),
}
"""How figures are written, by the ends of their names."""


def ages_in(answer: Answer) -> Fields:
    """Return how long the oldest record has waited, and which lags were told to grow."""
    found: Fields = {"oldest": oldest} if (oldest := oldest_said(answer)) else {}
    if growing := _growing(answer):
        found["growing"] = growing
    return found


def _growing(answer: Answer) -> str:
    """Return the partitions whose lag was told to grow, those that grow most first; "" of none."""
    group, grew = answer.given.group, lag_growth(answer.given.group, answer.known.history)
    grown = np.flatnonzero(grew > 0)
    most = grown[np.argsort(-grew[grown], kind="stable")]
    names = [group.partition_name(int(each)) for each in most]
    return listed(names, NAMED) if names else ""


def oldest_said(answer: Answer) -> str:
    """Return how long the oldest record has waited, and how sure that is; "" if unknown."""
    seconds, times = answer.verdict.figures.oldest_s, answer.known.times
    if not seconds:
        return ""
    places = np.array(answer.verdict.partitions, np.int64)
    dated = places[~np.isnan(times.age_s[places])]
    if not dated.size:
        return duration(seconds)
    return times.age_in_words(int(dated[np.argmax(times.age_s[dated])]))


def whom(answer: Answer, verdict: Verdict) -> Fields:
    """Return the members and partitions that the verdict is about, in words."""
    group, members, partitions = answer.group, verdict.members, verdict.partitions
    found: Fields = {}
    if members:
        found |= _members(answer, members)
    if partitions:
        names = sorted((group.partition_name(p) for p in partitions), key=natural)
        found |= {
            "what": listed(names, NAMED),
            "what_gets": "gets" if len(names) == 1 else "get",
            "what_catch": "catches" if len(names) == 1 else "catch",
            "what_count": plural(len(names), "partition"),
            "its_key": "its key" if len(names) == 1 else "their keys",
            "what_it": "it" if len(names) == 1 else "them",
        }
        if len(names) == 1:
            found["one_what"] = True
        found |= _whole_topics(answer, partitions)
        topics = group.topic_of_partition
        if np.isin(topics[list(partitions)], topics[group.present_owners != UNOWNED]).all():
            found["others_owned"] = True
    if verdict.owns_nothing:
        idle = in_natural_order(group, verdict.owns_nothing)
        found |= {
            "idle_count": f"{len(idle):,} of {plural(group.member_count, 'consumer')}",
            "idle_are": "is" if len(idle) == 1 else "are",
            "idle": listed_members(idle),
            "idle_own": "owns" if len(idle) == 1 else "own",
        }
        surplus = verdict.figures.surplus_consumers
        if surplus is not None and surplus < len(idle):
            found["surplus_only"] = f"{int(surplus):,}"
    return found


def _whole_topics(answer: Answer, partitions: Sequence[int]) -> Fields:
    """Return the topics that these are all of, beside which the group has others; {} if not."""
    group, facts = answer.group, answer.known.facts
    is_counted = facts.is_counted & ((group.counted_lags > OFF_BY_ONE) | (facts.arriving != 0))
    topics = np.unique(group.topic_of_partition[list(partitions)])
    is_theirs = np.isin(group.topic_of_partition, topics)
    is_beside = bool((is_counted & ~is_theirs).any())
    is_counted[list(partitions)] = False
    if not is_beside or (is_counted & is_theirs).any():
        return {}
    return {"whole_topics": listed([group.topics[t] for t in topics.tolist()], NAMED)}


def _members(answer: Answer, members: Sequence[int]) -> Fields:
    group, is_one = answer.group, len(members) == 1
    named = in_natural_order(group, members)
    hosts = sorted(
        {
            answer.given.hosts[name].lstrip("/")
            for member in members
            if (name := group.members[member]) in answer.given.hosts
        },
        key=natural,
    )
    labels, ids = labels_of(group), group.layout.client_ids
    clients = dict.fromkeys(
        client
        for member in members
        if (client := ids.get(group.members[member], "")) and not labels[member].startswith(client)
    )
    at = " at ".join(listed([*each], NAMED) for each in (clients, hosts) if each)
    where = f" ({at})" if at else ""
    counted = _counted(len(members), group.member_count)
    several: Fields = {"one_of_several": True} if is_one and group.member_count > 1 else {}
    return several | {
        "who": listed_members(named),
        "who_at": f"{listed_members(named)}{where}",
        "consumers": named[0] if is_one else counted,
        "have": "has" if is_one else "have",
        "are": "is" if is_one else "are",
        "read": "reads" if is_one else "read",
        "hold": "holds" if is_one else "hold",
        "keep": "keeps" if is_one else "keep",
        "catch": "catches" if is_one else "catch",
        "they": "it" if is_one else "they",
        "them": "it" if is_one else "them",
        "these": named[0] if is_one else f"these {number_words(len(members))}",
    }


def _counted(count: int, of: int) -> str:
    """Return how many of the consumers: "3 of 8 consumers", "All 8 consumers", "Both consumers"."""
    if count < of:
        return f"{count:,} of {plural(of, 'consumer')}"
    return {1: "The only consumer", 2: "Both consumers"}.get(of, f"All {plural(of, 'consumer')}")


def figures_in(verdict: Verdict) -> Fields:
    """Return the verdict's own figures; most that are zero are not worth a word."""
    figures = verdict.figures
    found = _all_in(verdict)
    if verdict.is_dated:
        found["dated"] = True
    else:
        found["undated"] = True
    if lag := figures.lag_records:
        found["records_wait"] = "1 record waits" if lag == 1 else f"{amount(lag)} records wait"
    if came := figures.arrived_records:
        found["arrived_records"] = "1 record" if came == 1 else f"{amount(came)} records"
    if figures.lag_records == 0:
        found["no_lag"] = True
    if figures.deleted_in_s == 0:
        found["deleted_now"] = True
    if figures.ends_s and np.isfinite(figures.ends_s):
        found["ends_known"] = True
    if verdict.since_s:
        least = "at least " if verdict.is_older else ""
        found["since"] = f"{least}{duration(verdict.since_s)}"
    usual, arriving = figures.usual_per_s, figures.arriving_per_s
    if usual and arriving and len(verdict.partitions) == 1 and arriving >= MORE * usual:
        found["times_usual"] = times_in_words(arriving / usual)
    return {**found, **_growth(figures)}


def _all_in(verdict: Verdict) -> Fields:
    """Return each figure by its name without the unit; a rate without dates is approximate."""
    approximate = "" if verdict.is_dated else "≈ "
    found = dict[str, str]()
    for name, value in verdict.figures.known().items():
        if (value or name in _ZERO_TELLS) and not (value == 1 and name in _ONE_TELLS_NOTHING):
            short, written = _written(name, value)
            found[short] = f"{approximate}{written}" if name.endswith("_per_s") else written
    return cast("Fields", found)


def _written(name: str, value: float) -> tuple[str, str]:
    """Return the name of a figure without its unit, and the figure as sentences write it."""
    for unit, write in _UNITS.items():
        if name.endswith(unit):
            return name.removesuffix(unit), write(value)
    return name, percent(value) if name == "share" else f"{int(value):,}"


def _growth(figures: VerdictFigures) -> Fields:
    """Return by how much a backlog grows, or that it stays as it is."""
    arriving, reading = figures.arriving_per_s, figures.reading_per_s
    if not arriving or not reading:
        return {}
    grows = arriving - reading
    if -_STEADY * arriving <= grows <= 0:
        return {"steady": True}
    return {"grows": f"{rate_amount(grows)}/s"} if grows > 0 else {}
