"""How far an assignment is from the optimum, in figures and in words."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assignors.lag.skew import lag_capped, lag_skew
from assignors.model import UNOWNED, Group, Owners
from assignors.sums import exact_total
from evaluation import metrics
from evaluation.bounds.bottlenecks import least_max_count
from evaluation.bounds.lag import count_balanced_bound, deciding_partition, lower_bound
from evaluation.bounds.racks import most_rack_local
from evaluation.rebalance.simulation import fewest_moves
from evaluation.wording import percent, plural


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupBounds:
    """Bounds for all assignments of a group, and the best assignments found."""

    max_load: int | None
    """The lower bound on the largest load; None without known weights."""
    balanced_max_load: int | None
    """The same with counts that differ by at most one; None if subscriptions differ."""
    found_max_load: int | None
    """The largest load of the best assignment found; the optimum is between the two."""
    found_balanced_max_load: int | None
    """The same with counts as even as subscriptions allow."""
    max_count: int
    """The smallest possible partition count of the busiest consumer; exact."""
    moves: int | None
    """The fewest moves that make counts even; None if not known."""
    rack_local: int | None
    """The most partitions with a replica in the owner's rack under even counts."""
    hot_partition: str | None
    """The partition whose weight alone is ``max_load``, if one is."""
    hot_share: float | None
    """Its share of all known load, 0 to 1."""


class AgainstBound(NamedTuple):
    """One figure and its bound."""

    value: int
    bound: int
    says: str
    """One sentence without its full stop."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Optimality:
    """One assignment compared with the bounds of its group; None if a figure is unknown."""

    load: AgainstBound | None
    """The largest load, among all assignments."""
    balanced_load: AgainstBound | None
    """The largest load, among those with even counts."""
    count: AgainstBound
    moves: AgainstBound | None
    rack_local: AgainstBound | None
    """More is better, so the bound is an upper one."""


def bounds_of(group: Group) -> GroupBounds:
    """Return the bounds of a group, to compare all its assignments with."""
    bound = lower_bound(group)
    capped = free = None
    if bound is not None:
        assignments = lag_capped(group), lag_skew(group, 2 * group.partition_count)
        capped, free = (int(metrics.load_per_member(group, each).max()) for each in assignments)
    hot = deciding_partition(group)
    total = exact_total(group.counted_weights[group.is_wanted])
    return GroupBounds(
        max_load=bound,
        balanced_max_load=count_balanced_bound(group),
        found_max_load=None if capped is None or free is None else min(capped, free),
        found_balanced_max_load=capped,
        max_count=least_max_count(group),
        moves=fewest_moves(group, group.present_owners) if group.has_claims else None,
        rack_local=most_rack_local(group),
        hot_partition=group.partition_name(hot) if hot is not None else None,
        hot_share=int(group.counted_weights[hot]) / total if hot is not None else None,
    )


def optimality(
    group: Group,
    limits: GroupBounds,
    owners: Owners,
    *,
    moved: int | None = None,
    noun: str = "lag",
) -> Optimality:
    """Return how far one assignment of the group is from its bounds.

    ``moved`` is how many partitions leave their owner, if that is not what the owners say: after a
    switch, the median of the draws. ``noun`` is what the weights are.
    """
    figures = metrics.figures_of(group, owners)
    lacking = int(np.count_nonzero(group.is_wanted & (owners == UNOWNED)))
    local = int(np.count_nonzero(metrics.rack_local(group, owners)[1]))
    return Optimality(
        load=_load(group, limits, owners, lacking, noun),
        balanced_load=None if lacking else _balanced_load(limits, figures.max_load),
        count=_against(
            figures.max_count,
            limits.max_count,
            "not every partition has an owner",
            "{} above the least possible",
        ),
        moves=_if_known(
            figures.moved if moved is None else moved,
            limits.moves,
            "fewer moved than even counts require",
            "{} moved beyond what even counts require",
        ),
        rack_local=_if_known(
            local,
            limits.rack_local,
            "at most {} more possible",
            "more than even counts allow",
        ),
    )


def _against(
    value: int, bound: int, below: str, above: str, equal: str = "optimal"
) -> AgainstBound:
    """Word how a figure compares; ``{}`` stands for the partitions between it and its bound."""
    says = equal if value == bound else above if value > bound else below
    return AgainstBound(value, bound, says.format(plural(abs(value - bound), "partition")))


def _if_known(value: int | None, bound: int | None, below: str, above: str) -> AgainstBound | None:
    return None if value is None or bound is None else _against(value, bound, below, above)


def _load(
    group: Group, limits: GroupBounds, owners: Owners, lacking: int, noun: str
) -> AgainstBound | None:
    if limits.max_load is None:
        return None
    value, bound = int(metrics.load_per_member(group, owners).max()), limits.max_load
    unknown = int(np.count_nonzero(group.is_wanted & ~group.is_weight_known))
    if lacking:
        says = f"{plural(lacking, 'partition')} without an owner, so no comparison is possible"
    elif value > bound:
        says = _above(value, bound)
    elif limits.hot_partition is not None and limits.hot_share is not None:
        says = (
            f"no assignor can help: partition {limits.hot_partition} alone holds "
            f"{percent(limits.hot_share)} of the {noun}"
        )
    else:
        says = "optimal"
    note = f"; of known {noun} only, {plural(unknown, 'partition')} unknown" if unknown else ""
    return AgainstBound(value, bound, f"{says}{note}")


def _balanced_load(limits: GroupBounds, largest: int | None) -> AgainstBound | None:
    bound = limits.balanced_max_load
    if bound is None or largest is None:
        return None
    below, above = "better than even counts allow", f"{_above(largest, bound)} for even counts"
    return _against(largest, bound, below, above, "optimal for even counts")


def _above(value: int, bound: int) -> str:
    """Return the gap rounded up to a tenth of a percent, so that "at most" is true."""
    tenths = -(-1000 * (value - bound) // max(bound, 1))
    return f"at most {tenths // 10:,}.{tenths % 10} % above optimal"
