"""What the slides say: problem, cause, proposal, cost and time, how it is done.

Every figure comes from the outcomes, the facts and the findings that the other pages show; texts
are plain, and names in them are those of the group.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from assignors.model import UNOWNED, Group
from charts.deck.model import MOST_BARS, Bars, Chart, Deck, Slide
from charts.labels import natural, short_names
from charts.loads import Bars as LoadBars
from charts.loads import bars_of
from charts.report import Figure
from evaluation.advice import Advice, busiest_load
from evaluation.bounds.lag import best_possible_max_lag, deciding_partition
from evaluation.capacity.draining import Capacity, demand_of, drained, speeds
from evaluation.changes import size_of
from evaluation.clients import Client
from evaluation.compare import NOW, Outcome
from evaluation.configuration import configuration
from evaluation.facts import Facts, Source
from evaluation.incident import Cause, Finding
from evaluation.judging import JudgeBy
from evaluation.metrics import lag_per_member, total_lag
from evaluation.rebalance.switching import SwitchCost
from evaluation.running import Running
from evaluation.wording import above, amount, duration, listed, plural, without_uuids
from ui import facts as facts_words
from ui.compare.conclusion import PLAIN, busiest, conclusion, not_looked_at, span_of
from ui.compare.figures import why

_HEAVIEST: Final = 20
"""Partitions in the picture of the cause."""
_NAMED: Final = 3
_PAUSE_S: Final = 0.0
_WAYS: Final = ("the next rebalance", "one rolling restart", "two rolling restarts")
_UNKNOWN_WAY: Final = "one or two rolling restarts"
"""What a switch takes while nothing tells which strategy runs."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Story:
    """Everything that the slides draw on."""

    title: str
    group: Group
    """With weights in the place of lags, as the advice judges it."""
    as_read: Group
    """The same with its lags."""
    advice: Advice
    runs: Running
    client: Client
    findings: Sequence[Finding]
    hindrance: str
    """Why no strategy helps now, to stand behind "while"; "" if one may."""
    facts: Facts
    cost: SwitchCost | None
    """Of the switch to what is proposed; None if there is none, or from an unknown strategy."""
    basis: str

    @property
    def proposed(self) -> Outcome | None:
        """What the slides propose: a setting, else a custom assignor, else nothing."""
        return None if self.hindrance else self.advice.settable or self.advice.custom

    @property
    def unit(self) -> str:
        """The unit of a load."""
        return self.advice.measure.unit if self.advice.by_lag else "partitions"

    @property
    def noun(self) -> str:
        """What a consumer has most of."""
        return self.advice.measure.noun if self.advice.by_lag else "partitions"

    @property
    def way(self) -> str:
        """What leads to the proposal."""
        if self.cost is not None:
            return _WAYS[self.cost.restarts]
        takes_switch = self.proposed is not None and self.proposed.outlook is not None
        return _UNKNOWN_WAY if takes_switch else _WAYS[0]


def deck_of(story: Story, made: str) -> Deck:
    """Return the slides about a group."""
    about = f"{size_of(story.group)}, {made}" if made else size_of(story.group)
    if not story.group.member_count or not story.group.is_wanted.any():
        bound = best_possible_max_lag(story.group)
        said = conclusion(story.group, story.advice, bound, PLAIN)
        return Deck(title=story.title, about=about, slides=(Slide(name="Problem", title=said),))
    slides = [_problem(story), _cause(story), _proposal(story)]
    if story.proposed is not None:
        slides += [_cost(story), _way(story, story.proposed)]
    return Deck(title=story.title, about=about, slides=tuple(slides))


def we_should(story: Story) -> str:
    """Return the proposal in one sentence that begins with "We should"."""
    group, advice, proposed = story.group, story.advice, story.proposed
    by_lag = advice.by_lag
    if story.hindrance:
        return f"We should {_first_aid(story)}; no strategy helps while {story.hindrance}."
    if proposed is None:
        hot = deciding_partition(group) if by_lag else None
        if hot is not None and advice.now is not None and advice.unreliable is None:
            return (
                f"We should spread what goes into {group.partition_name(hot)} over more "
                "partitions: it alone decides, whatever the strategy."
            )
        what = (
            f"keep {story.runs.strategy.label}"
            if story.runs.strategy
            else "keep the strategy that runs"
        )
        because = not_looked_at(advice) if advice.unreliable is not None else ""
        said = f"We should {what}: no other is reliably better"
        return f"{said}, for {because}." if because else f"{said}."
    load = busiest(proposed, advice.measure, by_lag=by_lag)
    kind = "" if advice.settable is not None else "the custom assignor "
    if advice.now is None:
        return f"We should use {kind}{proposed.label}: the busiest consumer starts with {load}."
    had, has = (float(busiest_load(o, by_lag=by_lag)) for o in (advice.now, proposed))
    less = f", {1 - has / had:.0%} less".replace("%", " %") if had > has else ""
    return f"We should use {kind}{proposed.label}: the busiest consumer falls to {load}{less}."


def costs(story: Story) -> Iterator[str]:
    """Yield what the proposal costs and risks, a sentence each; nothing without a proposal."""
    proposed, cost = story.proposed, story.cost
    if proposed is None:
        return
    moved = proposed.figures.moved
    said = f"It takes {story.way}"
    if moved is not None:
        verb = "changes" if moved == 1 else "change"
        said += f"; {moved:,} of {plural(story.group.partition_count, 'partition')} {verb} hands"
    if cost is not None:
        each = cost.lost / max(story.group.partition_count, 1)
        said += f"; reading pauses {duration(each)} a partition, on average"
    yield f"{said}."
    if span := span_of(proposed, by_lag=story.advice.by_lag):
        yield (
            f"The risk: the ids that consumers get when they restart decide; in nine futures of "
            f"ten the busiest consumer has {span} {story.unit}."
        )
    yield from _times(story)


def _first_aid(story: Story) -> str:
    """Return what to do about the first finding that no strategy helps."""
    names = without_uuids(story.group.members)
    for finding in story.findings:
        who = listed([names[m] for m in finding.members], _NAMED + 1)
        partitions = listed([story.group.partition_name(p) for p in finding.partitions], _NAMED + 1)
        said = {
            Cause.REBALANCING: "find out which consumers restart or take too long, and stop that",
            Cause.STILL: f"restart {who}",
            Cause.RECORD: f"mend or skip the record at which {partitions} stands",
            Cause.HOT: f"give {partitions} faster consumers or more partitions",
            Cause.SLOWER: "look at what every consumer waits for",
            Cause.MORE: "add consumers or make them faster",
            Cause.FULL: "add consumers or make them faster",
        }.get(finding.cause)
        if said:
            return said
    return "wait"


def _problem(story: Story) -> Slide:
    group, advice = story.group, story.advice
    bound = best_possible_max_lag(group) if advice.by_lag else None
    total = total_lag(story.as_read)
    waiting = Figure("Waits in all", amount(total.known), "records")
    if advice.now is None:
        said = f"Nobody owns a partition yet; {amount(total.known)} records wait"
        return Slide(name="Problem", title=f"{said}.", chart=_heaviest(story), figures=(waiting,))
    most = busiest_load(advice.now, by_lag=advice.by_lag)
    held = f"has {amount(most)} {story.unit}"
    if advice.by_lag and advice.measure.by is JudgeBy.LAG:
        held = f"is {amount(most)} records behind"
    title = f"The busiest of {plural(group.member_count, 'consumer')} {held}"
    if not advice.by_lag:
        title += f" of {group.partition_count:,}."
    elif bound is not None and most > bound:
        title += f", {above(most, bound)} the best possible."
    else:
        title += ", the best that is possible."
    idle = advice.now.figures.idle
    figures = [
        waiting,
        Figure("Busiest consumer", amount(most), story.unit),
        Figure("Best possible", amount(bound), story.unit) if advice.by_lag else None,
        Figure("Idle", f"{idle:,}", "consumers without a partition") if idle else None,
    ]
    return Slide(
        name="Problem",
        title=title,
        chart=_loads(story, (advice.now,), bound),
        figures=tuple(figure for figure in figures if figure is not None),
    )


def _cause(story: Story) -> Slide:
    group, advice = story.group, story.advice
    points = [_of_finding(finding, group) for finding in story.findings]
    hot = deciding_partition(group) if advice.by_lag else None
    chart = _heaviest(story)
    if points:
        return Slide(name="Cause", title=points[0], chart=chart, points=tuple(points[1:]))
    if hot is not None:
        share = int(group.counted_lags[hot]) / max(int(group.counted_lags.sum()), 1)
        title = (
            f"Partition {group.partition_name(hot)} alone holds {100 * share:.0f} % of the "
            f"{story.noun}, more than an even share of one consumer."
        )
        return Slide(name="Cause", title=title, chart=_heaviest(story, hot))
    if advice.now is None:
        return Slide(name="Cause", title="No consumer has been assigned anything.", chart=chart)
    title = why(group, advice.now)
    points = []
    if story.runs.strategy:
        points.append(f"It runs {story.runs.strategy.label} ({story.runs.origin.value}).")
    if advice.by_lag and chart is not None:
        busy = int(np.argmax(lag_per_member(group, advice.now.owners)))
        top = _heaviest_first(group)
        own = int(np.count_nonzero(advice.now.owners[top] == busy))
        points.insert(0, title)
        title = (
            f"The busiest consumer owns {own:,} of the {top.size:,} partitions with most "
            f"{story.noun}; an even share would be {top.size / group.member_count:.2g}."
        )
    return Slide(name="Cause", title=title, chart=chart, points=tuple(points))


def _of_finding(finding: Finding, group: Group) -> str:
    """Return a finding as a short sentence in plain text."""
    names = without_uuids(group.members)
    who = listed([names[m] for m in finding.members], _NAMED + 1)
    is_one = len(finding.members) == 1
    what = listed([group.partition_name(p) for p in finding.partitions], _NAMED + 1)
    rates = f"{_per_s(finding.arriving)} arrive, {_per_s(finding.reading)} are read"
    since = f" for {'at least ' if finding.is_older else ''}{duration(finding.since_s)}"
    waits = f"{amount(finding.lag)} records wait"
    return {
        Cause.NOBODY: f"Nobody reads: {waits}.",
        Cause.REBALANCING: f"Owners changed {finding.changes:,} times: it keeps rebalancing.",
        Cause.STILL: f"{who} {'has' if is_one else 'have'} read nothing{since}: {waits}.",
        Cause.RECORD: f"{what} has stood at one offset{since}, while {who} reads on elsewhere.",
        Cause.HOT: f"{what} gets far more than the others: {rates}.",
        Cause.SLOWER: f"Every consumer reads more slowly than before: {rates}.",
        Cause.MORE: f"More arrives than before: {rates}.",
        Cause.FULL: f"Every consumer is busy: {rates}.",
        Cause.UNEVEN: f"{who} {'has' if is_one else 'have'} more to read than others: {rates}.",
        Cause.CATCHING_UP: f"The backlog shrinks: {rates}.",
    }[finding.cause]


def _proposal(story: Story) -> Slide:
    group, advice, proposed = story.group, story.advice, story.proposed
    bound = best_possible_max_lag(group) if advice.by_lag else None
    shown = [o for o in (advice.now, proposed) if o is not None]
    chart = _loads(story, shown, bound) if shown else None
    points = []
    if proposed is not None and (span := span_of(proposed, by_lag=advice.by_lag)):
        points.append(
            f"{span}, by the ids that consumers get when they restart; shown: the middle."
        )
    if proposed is advice.settable is not None and advice.custom is not None:
        reached = busiest(advice.custom, advice.measure, by_lag=advice.by_lag)
        points.append(f"A custom assignor, {advice.custom.label}, would reach {reached}.")
    return Slide(
        name="Proposal",
        title=we_should(story),
        chart=chart,
        points=tuple(points),
        basis=story.basis if proposed is not None else "",
    )


def _cost(story: Story) -> Slide:
    group, proposed, cost = story.group, story.proposed, story.cost
    if proposed is None:
        message = "a cost needs a proposal"
        raise ValueError(message)
    moved = proposed.figures.moved
    figures = [Figure("Way there", story.way, f"of {plural(group.member_count, 'consumer')}")]
    if moved is not None:
        figures.append(
            Figure("Partitions that move", f"{moved:,}", f"of {group.partition_count:,}")
        )
    if cost is not None:
        each = cost.lost / max(group.partition_count, 1)
        figures.append(Figure("Reading pauses", duration(each), "a partition, on average"))
    points = list(_times(story))
    title = f"It takes {story.way}"
    if moved is not None:
        verb = "changes" if moved == 1 else "change"
        title += f"; {moved:,} of {plural(group.partition_count, 'partition')} {verb} hands"
    return Slide(
        name="Cost and time", title=f"{title}.", figures=tuple(figures), points=tuple(points)
    )


def _times(story: Story) -> Iterator[str]:
    """Say when the backlog is cleared now and then, and what that rests on."""
    group, advice, facts = story.as_read, story.advice, story.facts
    speed, by_speed = facts.speed, facts_words.speed_words(facts.speed)
    arrivals = facts_words.arrival_words(group, facts)
    if not group.counted_lags.any() or story.proposed is None or advice.now is None:
        return
    capacity = Capacity(throughput=speed.records_s, pause_s=_PAUSE_S, allowed_s=3600.0)
    demand = demand_of(_with_rates(group, facts), capacity)
    of_member = speeds(group, capacity)
    now, then = (
        drained(demand, outcome.owners, of_member, capacity).seconds
        for outcome in (advice.now, story.proposed)
    )
    lead = "If " if Source.GUESS in {speed.source, facts.arriving_source} else "As "
    yield (
        f"{lead}{by_speed} and {arrivals}: the backlog is cleared "
        f"{_after(then)} from then on, {_after(now)} with today's owners."
    )
    if np.isinf(then):
        yield "Some consumer gets more than it reads: other owners alone do not end the backlog."


def _after(seconds: float) -> str:
    return "never" if np.isinf(seconds) else f"after {duration(seconds)}"


def _with_rates(group: Group, facts: Facts) -> Group:
    return replace(group, rates=facts.arriving)


def _way(story: Story, proposed: Outcome) -> Slide:
    if proposed.strategy is None:
        message = "the present owners are no proposal"
        raise ValueError(message)
    guide = configuration(proposed.strategy, story.client, story.runs.strategy)
    texts = [step.text for step in guide.steps]
    return Slide(
        name="How it is done",
        title=f"{story.way.capitalize()} to {proposed.label}." if texts else guide.notes[0],
        points=(*texts, *(guide.notes if texts else guide.notes[1:])),
        listing="\n\n".join(dict.fromkeys(step.settings for step in guide.steps)),
    )


def _loads(story: Story, outcomes: Sequence[Outcome], bound: int | None) -> Chart:
    """Return every consumer's load under one outcome, or before and after a change."""
    group, by_lag = story.group, story.advice.by_lag
    drawn = [bars_of(group, outcome, by_lag=by_lag, most=MOST_BARS) for outcome in outcomes]
    width = drawn[0].width
    short = short_names(group.members) if width == 1 else []
    order = sorted(range(len(short)), key=lambda k: natural(short[k]))
    if short:
        drawn = [_in_order(bars, order) for bars in drawn]
    names = tuple(short[k] for k in order)
    axis = f"{story.noun} of each consumer" + (f" in {story.unit}" if by_lag else "")
    below = plural(group.member_count, "consumer")
    if width > 1:
        below += f"; a bar is the busiest of {width}"
    described = " and then ".join(
        f"{outcome.label}: the busiest has {busiest(outcome, story.advice.measure, by_lag=by_lag)}"
        for outcome in outcomes
    )
    return Chart(
        axis=axis,
        below=below,
        names=names,
        states=tuple(
            Bars(
                label="Today" if outcome.name == NOW else outcome.label,
                heights=tuple(bars.heights.tolist()),
                marked=(bars.busiest,) if bars.busiest >= 0 else (),
                is_partly_unknown=tuple((bars.unknown > 0).tolist()),
            )
            for outcome, bars in zip(outcomes, drawn, strict=True)
        ),
        line=bound,
        line_label="best possible",
        legend="Dashed outline: some lag is unknown."
        if any(b.unknown.any() for b in drawn)
        else "",
        marked_label="the busiest",
        alt=f"{axis}; {described}",
    )


def _in_order(bars: LoadBars, order: Sequence[int]) -> LoadBars:
    """Return the bars in another order."""
    busiest_at = order.index(bars.busiest) if bars.busiest >= 0 else -1
    return bars._replace(
        heights=bars.heights[order], unknown=bars.unknown[order], busiest=busiest_at
    )


def _heaviest_first(group: Group) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return the partitions with most load, the largest first, those without any left out."""
    lags = np.where(group.is_wanted, group.counted_lags, 0)
    order = np.argsort(-lags, kind="stable")[:_HEAVIEST]
    return order[lags[order] > 0]


def _heaviest(story: Story, hot: int | None = None) -> Chart | None:
    """Return the heaviest partitions; those of the busiest consumer, or ``hot``, stand out."""
    group = story.group
    shown = _heaviest_first(group)
    if not shown.size:
        return None
    owners = group.present_owners
    lags = lag_per_member(group, owners)
    busy = int(np.argmax(lags)) if (owners != UNOWNED).any() else -2
    is_marked = shown == hot if hot is not None else owners[shown] == busy
    label = "this partition" if hot is not None else "owned by the busiest consumer"
    even = -(-int(group.counted_lags.sum()) // max(group.member_count, 1))
    return Chart(
        axis=f"{story.noun} of a partition in {story.unit}",
        below=f"the {shown.size:,} partitions with most {story.noun}",
        names=tuple(short_names([group.partition_name(p) for p in shown.tolist()])),
        states=(
            Bars(
                label="Today",
                heights=tuple(group.counted_lags[shown].tolist()),
                marked=tuple(np.flatnonzero(is_marked).tolist()),
            ),
        ),
        line=even if hot is not None else None,
        line_label="even share of a consumer",
        legend="",
        marked_label=label,
        alt=f"The {shown.size} partitions with most {story.noun}, in {story.unit}",
    )


def _per_s(rate: float) -> str:
    return f"{amount(round(rate, 1))}/s"
