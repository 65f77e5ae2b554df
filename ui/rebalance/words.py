"""A rebalance in sentences, as Markdown without names from the group."""

from collections.abc import Sequence
from typing import NamedTuple

from assignors.strategy import Sees, Strategy
from charts.report import ReportTable, Section
from evaluation.metrics import count_per_member, lag_per_member, load_per_member, off_rack
from evaluation.rebalance.events import ComeBack, Event, Join, Leave, Rejoin, Subscribe
from evaluation.rebalance.simulation import Rebalance
from evaluation.wording import listed, plural, without_uuids
from ui.untrusted import plain

_NAMED = 3


class Said(NamedTuple):
    """What a step shows, as Markdown: the finding, and how the others compare with it."""

    finding: str
    evidence: str = ""


class Result(NamedTuple):
    """One strategy and its rebalance at a step."""

    strategy: Strategy
    rebalance: Rebalance

    @property
    def counts(self) -> tuple[int, int]:
        """The smallest and the largest count of a consumer afterwards."""
        counts = count_per_member(self.rebalance.group, self.rebalance.after)
        return int(counts.min(initial=counts.max(initial=0))), int(counts.max(initial=0))

    @property
    def is_uneven(self) -> bool:
        """Whether counts differ by more than one without need."""
        fewest, most = self.counts
        return self.rebalance.fewest is not None and most - fewest > 1

    @property
    def load(self) -> int:
        """The busiest consumer's load afterwards."""
        loads = load_per_member(self.rebalance.group, self.rebalance.after)
        return int(loads.max(initial=0))

    @property
    def max_lag(self) -> int:
        """The largest lag of a consumer afterwards."""
        return int(lag_per_member(self.rebalance.group, self.rebalance.after).max(initial=0))

    @property
    def cost(self) -> tuple[int, int]:
        """The cost of the rebalance: partitions paused, and partitions moved."""
        return self.rebalance.paused, self.rebalance.moved


def best_first(results: Sequence[Result]) -> list[Result]:
    """Sort the results by paused, then by moved partitions, then by the load they leave.

    Results that leave counts uneven come last, however few moves they need.
    """
    return sorted(results, key=lambda result: (result.is_uneven, result.cost, result.load))


def named_event(event: Event) -> str:
    """Return the event in words, without the UUIDs of member ids; not escaped."""
    ids = (
        (event.old_id, event.new_id)
        if isinstance(event, ComeBack)
        else event.ids
        if isinstance(event, Join | Leave | Subscribe)
        else ()
    )
    text = str(event)
    for whole, short in zip(ids, without_uuids(ids), strict=True):
        text = text.replace(whole, short)
    return text


def conclusion(event: Event | None, results: Sequence[Result]) -> Said:
    """Return what a step shows, from results in the order of ``best_first``."""
    nothing = _nothing_moved(event, results[0].rebalance)
    return Said(nothing) if nothing else _compared(results)


def _nothing_moved(event: Event | None, rebalance: Rebalance) -> str:
    """Return a sentence if strategies cannot differ; else ""."""
    if event is None and not rebalance.rounds:
        owned = plural(rebalance.kept, "partition")
        return f"Before anything happens: {owned} with an owner, the same under every strategy."
    if event is None:
        return "The start: nobody owned anything, so each strategy begins with its own assignment."
    if not rebalance.rounds:
        return (
            "**Nothing moves and nothing pauses**, whatever the strategy: the coordinator "
            "recognises the consumer by its static id."
        )
    if rebalance.moved or rebalance.kept:
        return ""
    if not rebalance.new:
        return "Nothing moves: no consumer subscribes to a topic that has partitions."
    first = "gets its first owner" if rebalance.new == 1 else "get their first owner"
    return f"**{plural(rebalance.new, 'partition')}** {first}; nothing moves and nothing pauses."


def _compared(results: Sequence[Result]) -> Said:
    best, worst = results[0].rebalance, max(results, key=lambda result: result.rebalance.moved)
    total = best.moved + best.kept
    alike = [result for result in results if result.cost == results[0].cost]
    if len(alike) == len(results):
        who = "Under every strategy shown" if len(alike) > 1 else f"Under {_labels(alike)}"
        return Said(f"{who}, {_moves(results[0])} and {_pauses(results[0])}.")
    rest = []
    if (most := max(result.rebalance.paused for result in results)) > best.paused:
        stopped = _labels([result for result in results if result.rebalance.paused == most])
        everything = f"All {most:,} pause (stop-the-world)"
        rest.append(f"{everything if most == total else f'{most:,} pause'} under {stopped}")
    if worst.rebalance.moved > best.moved:
        rest.append(_worst(results, worst.rebalance))
    is_least = all(result.cost >= results[0].cost for result in results)
    among = "" if is_least else "With even counts, "
    return Said(f"{among}{_least(alike, total)}.", f"{'; '.join(rest)}." if rest else "")


def section(event: Event | None, results: Sequence[Result]) -> Section:
    """Return the report's section on a step, in plain text."""
    happened = f"{named_event(event)}: " if event else ""
    rows = [
        [
            strategy.label,
            f"{rebalance.moved:,}",
            "unknown" if rebalance.needless is None else f"{rebalance.needless:,}",
            f"{rebalance.paused:,}",
            f"{len(rebalance.rounds):,}",
        ]
        for strategy, rebalance in results
    ]
    columns = ("Strategy", "Moved", "Needlessly", "Paused", "Rounds")
    headline = plain(" ".join(conclusion(event, results)).strip())
    return Section("Rebalance", [happened + headline, ReportTable("In partitions", columns, rows)])


def remarks(event: Event | None, results: Sequence[Result]) -> list[str]:
    """Return further remarks about a step, a sentence each."""
    if event is None or not results[0].rebalance.rounds:
        return []
    return list(filter(None, (_surprise(event, results), _uneven(results), _off_rack(results))))


def _least(alike: Sequence[Result], total: int) -> str:
    best = alike[0].rebalance
    if best.paused == best.moved == 0:
        return f"{_labels(alike)} move{_s(alike)} and pause{_s(alike)} **nothing**"
    if best.paused == best.moved == best.fewest:
        only = f"only the **{best.moved:,}** of {plural(total, 'partition')} that must move"
        return f"{_labels(alike)} move{_s(alike)} and pause{_s(alike)} {only}"
    least = f"{_moves(alike[0])} and {_pauses(alike[0])}"
    return f"{_labels(alike)} disturb{_s(alike)} the group least: {least}"


def _moves(result: Result) -> str:
    moved, kept, needless = result.rebalance.moved, result.rebalance.kept, result.rebalance.needless
    text = f"**{moved:,}** of {plural(moved + kept, 'partition')} move{'s' if moved == 1 else ''}"
    if needless:
        return f"{text}, {needless:,} of them needlessly,"
    return f"{text}, the fewest possible," if result.rebalance.fewest == moved else text


def _pauses(result: Result) -> str:
    paused = result.rebalance.paused
    return f"**{paused:,}** pause{'s' if paused == 1 else ''}"


def _worst(results: Sequence[Result], worst: Rebalance) -> str:
    same = [result for result in results if result.rebalance.moved == worst.moved]
    needless = f" ({worst.needless:,} needlessly)" if worst.needless else ""
    return f"{_labels(same)} move{_s(same)} **{worst.moved:,}**{needless}"


def _surprise(event: Event, results: Sequence[Result]) -> str:
    """Return why partitions moved needlessly, if the event explains it."""
    wasteful = [result for result in results if result.rebalance.needless]
    if isinstance(event, ComeBack) and wasteful:
        return (
            "The consumer returns under a new member id and takes another place in the order; "
            "with a static id (group.instance.id) nothing would move."
        )
    if isinstance(event, Rejoin) and wasteful:
        return f"Nothing had changed, yet {_labels(wasteful)} moved partitions."
    blind = [r for r in wasteful if Sees.OWNERS not in r.strategy.sees]
    return f"{_labels(blind)} ignore{_s(blind)} who owns what now." if blind else ""


def _uneven(results: Sequence[Result]) -> str:
    """Return the strategies that leave counts uneven, marked with † in charts, and how uneven."""
    uneven = [result for result in results if result.is_uneven]
    spans = [
        f"**{strategy.label}** ({fewest:,} to {most:,})"
        for (strategy, _), (fewest, most) in ((result, result.counts) for result in uneven)
    ]
    return f"† Uneven partitions per consumer afterwards: {listed(spans, _NAMED)}." if spans else ""


def _off_rack(results: Sequence[Result]) -> str:
    """Return how many partitions are read across racks, if the group uses racks."""
    counts = [off_rack(result.rebalance.group, result.rebalance.after) for result in results]
    known = [count for count in counts if count is not None]
    if not known:
        return ""
    least, most = min(known), max(known)
    if least == most:
        return f"Afterwards {plural(most, 'partition')} {_are(most)} read across racks."
    far = [result for result, count in zip(results, counts, strict=True) if count == most]
    near = [result for result, count in zip(results, counts, strict=True) if count == least]
    return (
        f"Afterwards {plural(most, 'partition')} {_are(most)} read across racks under "
        f"{_labels(far)}, {least:,} under {_labels(near)}."
    )


def _labels(results: Sequence[Result]) -> str:
    return listed([f"**{result.strategy.label}**" for result in results], _NAMED)


def _s(results: Sequence[Result]) -> str:
    return "s" if len(results) == 1 else ""


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
