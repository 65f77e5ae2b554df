"""What the Capacity page concludes, in sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.capacity import Capacity, demand_of, seconds_alone, too_heavy
from evaluation.resizing import with_shared_subscription
from evaluation.scaling_rules import partitions_to_busy
from evaluation.sweep import Curve, Limits, fastest_of
from ui.rebalance.words import named
from ui.words import duration, plural


@dataclass(frozen=True, eq=False, kw_only=True)
class Findings:
    """Everything known on one question."""

    group: Group
    """With the produce rates taken for granted."""
    capacity: Capacity
    curves: Sequence[Curve]
    limits: Limits

    @property
    def today(self) -> int:
        """How many consumers there are; all curves have tried that number."""
        return self.group.member_count

    @property
    def most(self) -> int:
        """The largest number of consumers tried."""
        return int(self.curves[0].consumers[-1])


def conclusion(found: Findings) -> str:
    """Return the answer: how many consumers, by whom assigned, and what today's come to."""
    if found.limits.fewest is None:
        return _hopeless(found)
    best = earliest(found.curves)
    fewest = plural(found.limits.fewest, "consumer")
    if best is None or best.first is None:
        enough = found.limits.enough
        others = "" if enough is None else f", and one by load alone would do with {enough:,}"
        return (
            f"**None of the strategies chosen is done in time** with any number from 1 to "
            f"{found.most:,}; no assignment does with fewer than {fewest}{others}. "
            f"{_as_it_is(found)}"
        )
    even = [curve.label for curve in found.curves if curve.first == best.first]
    least = (
        "no assignment does with fewer"
        if best.first == found.limits.fewest
        else f"no assignment does with fewer than {found.limits.fewest:,}"
    )
    answer = f"**{plural(best.first, 'consumer')}** can be enough, under {named(even)}; {least}."
    return " ".join(filter(None, [answer, _not_monotone(found), _as_it_is(found)]))


def earliest(curves: Sequence[Curve]) -> Curve | None:
    """Return the strategy that works first; of equals the one that always works first."""
    working = [curve for curve in curves if curve.first is not None]
    return min(
        working,
        key=lambda curve: (curve.first or 0, curve.always_from or np.inf),
        default=None,
    )


def _hopeless(found: Findings) -> str:
    group, capacity = with_shared_subscription(found.group), found.capacity
    demand, fastest = demand_of(group, capacity), fastest_of(found.group, capacity)
    heavy = too_heavy(demand, fastest, capacity)
    worst = int(heavy[0])
    name, alone = group.partition_name(worst), seconds_alone(demand, fastest, capacity)[worst]
    if np.isfinite(alone):
        why = f"{name} alone needs {duration(alone)}, and {duration(capacity.allowed_s)} is allowed"
    else:
        why = (
            f"{name} alone never catches up, since {demand.rates[worst]:,.4g} records/s arrive "
            "and no consumer reads more than that from it"
        )
    more = (
        f" {plural(heavy.size - 1, 'more partition')} "
        f"{'is' if heavy.size == 2 else 'are'} too slow as well."  # noqa: PLR2004 -- one more
        if heavy.size > 1
        else ""
    )
    return (
        f"**No number of consumers is enough**: {why}.{more} A faster consumer or more time "
        "helps, no assignor does; more partitions help only the records yet to come."
    )


def _not_monotone(found: Findings) -> str:
    """Name the strategy for which more consumers can be worse over the widest stretch."""
    gaps = [
        (curve.always_from - curve.first, curve)
        for curve in found.curves
        if curve.first is not None and curve.always_from is not None
    ]
    gap, widest = max(gaps, key=lambda gap: gap[0], default=(0, None))
    if not gap or widest is None:
        return ""
    return (
        f"More can be worse: {widest.label} works with {widest.first:,}, "
        f"but always only from {widest.always_from:,} on."
    )


def _as_it_is(found: Findings) -> str:
    if not found.today:
        return ""
    at = [(curve, curve.at(found.today)) for curve in found.curves]
    done = [curve.label for curve in found.curves if curve.works[found.today - 1]]
    slowest, late = max(at, key=lambda pair: pair[1].seconds)
    times = f"it takes up to {duration(late.seconds)} ({slowest.label})"
    if len(done) == len(at):
        return f"Today's {found.today:,} are enough under all strategies chosen: {times}."
    if not done:
        return f"Today's {found.today:,} are too few under all strategies chosen: {times}."
    return f"Today's {found.today:,} are enough under {named(done)} only; else {times}."


def idle_words(found: Findings) -> str:
    """Return who has nothing to do today, and how many partitions it would take."""
    at: dict[tuple[int, str], list[str]] = {}
    for curve in found.curves:
        idle = curve.at(found.today).idle if found.today else 0
        if idle:
            takes = partitions_to_busy(STRATEGIES[curve.name], found.today)
            at.setdefault((idle, takes), []).append(curve.label)
    sentences = [
        f"Under {named(labels)} {idle:,} of today's {plural(found.today, 'consumer')} "
        f"{'has' if idle == 1 else 'have'} nothing to read: it would take {takes}."
        for (idle, takes), labels in at.items()
    ]
    if not sentences:
        return ""
    return " ".join(sentences) + (
        " New partitions take new records alone: a backlog stays where it is, and keys change "
        "their partition."
    )


def assumptions(found: Findings) -> list[str]:
    """Return what was taken for granted, a sentence each."""
    group, alike = found.group, with_shared_subscription(found.group)
    unknown = int(np.count_nonzero(alike.is_wanted & ~group.is_lag_known))
    left_out = int(np.count_nonzero(~alike.is_wanted))
    said = []
    if unknown:
        said.append(
            f"**The lag of {plural(unknown, 'partition')} is unknown and counts as 0**: "
            "it may take longer and more consumers than shown."
        )
    if not group.has_equal_subscriptions:
        said.append(
            "Consumers subscribe to different topics; here everybody subscribes to what most do."
        )
    if left_out:
        said.append(
            f"{plural(left_out, 'partition')} of topics that nobody then reads "
            f"{'is' if left_out == 1 else 'are'} left out."
        )
    if group.throughput is not None and not np.isnan(group.throughput).all():
        own = int(np.count_nonzero(~np.isnan(group.throughput)))
        said.append(f"{plural(own, 'consumer')} of the group keep the throughput they state.")
    if not all(curve.is_exact.all() for curve in found.curves):
        said.append(
            "Where the cap per partition binds, a time is the least it can be: a consumer that "
            "shares itself out evenly may leave some of its speed unused towards the end."
        )
    said.append(
        "Fewer consumers: the first by id stay, with what they own. More: they are named like the "
        "others and own nothing at first. All pause at the start, then read at full speed."
    )
    return said
