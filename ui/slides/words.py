"""What the slides say: problem, cause, proposal, cost and time, how it is done."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from assignors.model import FloatArray
from charts.deck.model import Chart, Deck, Slide, SlideStep
from charts.report import Figure
from evaluation.changes import size_of
from evaluation.compare import Outcome
from evaluation.diagnosis.findings import (
    Finding,
    Full,
    Hot,
    MoreArrives,
    NobodyReads,
    Slower,
    Stopped,
    TooHot,
    Uneven,
)
from evaluation.judging import JudgeBy
from evaluation.metrics import load_per_member, total_lag
from evaluation.wording import above, amount, duration, plural
from ui.compare.conclusion import bound_words, conclusion, stops_everybody, unknown_loads
from ui.compare.figures import why
from ui.incident.brief import title_of
from ui.incident.sentences import sentence_of
from ui.price import HOURS_A_MONTH
from ui.slides.pictures import (
    arrivals,
    by_strategy,
    clearing_times,
    even_shares,
    growth,
    growth_by_number,
    heaviest,
    heaviest_first,
    loads,
    topics,
)
from ui.slides.story import Clearing, Story, clearing, risk_of, times_in_words, we_should
from ui.untrusted import plain

_NAMED: Final = 3
_MOST_POINTS: Final = 4
"""Steps and notes on one screen; the page has every note."""


def deck_of(story: Story, made: str) -> Deck:
    """Return the slides about a group."""
    about = f"{size_of(story.group)}, {made}" if made else size_of(story.group)
    if not story.group.member_count or not story.group.is_wanted.any():
        said = plain(conclusion(story.comparison))
        return Deck(title=story.title, about=about, slides=(Slide(name="Problem", title=said),))
    now = story.advice.now
    slides = (
        [_start(story), _choice(story)]
        if now is None
        else [_problem(story, now), _cause(story, now)]
    )
    slides.append(_proposal(story))
    if story.proposed is not None:
        slides += [_cost(story), _way(story, story.proposed)]
    return Deck(title=story.title, about=about, slides=tuple(slides))


def _problem(story: Story, now: Outcome) -> Slide:
    group, load, bound = story.group, story.load, story.comparison.bound
    most = load.of(now)
    held = f"has {amount(most)} {load.unit}"
    if load.measure.by is JudgeBy.LAG:
        held = f"is {amount(most)} records behind"
    title = f"The busiest of {plural(group.member_count, 'consumer')} {held}"
    if not load.by_weight:
        title += f" of {group.partition_count:,}."
    elif bound is not None and most > bound:
        title += f", {above(most, bound)} the {bound_words(story.comparison).lower()}."
    elif bound is not None and most < bound:
        title += " and some partitions have no owner."
    else:
        title += ", the best that is possible."
    idle = now.figures.idle
    figures = [
        _waiting(story),
        Figure("Busiest consumer", amount(most), load.unit),
        Figure(bound_words(story.comparison), amount(bound), load.unit) if load.by_weight else None,
        Figure("Idle", f"{idle:,}", "consumers without a partition") if idle else None,
    ]
    return Slide(
        name="Problem",
        title=title,
        chart=loads(story, (now,)),
        figures=tuple(figure for figure in figures if figure is not None),
    )


def _cause(story: Story, now: Outcome) -> Slide:
    group, runs = story.group, story.comparison.running
    found = _found(story)
    if found is not None:
        return found
    chart = heaviest(story)
    title = why(story.comparison, now)
    points = []
    if runs.strategy:
        points.append(f"It runs {runs.strategy.label} ({runs.why}).")
    if story.load.by_weight and chart is not None:
        busy = int(np.argmax(load_per_member(group, now.owners)))
        top = heaviest_first(group)
        own = int(np.count_nonzero(now.owners[top] == busy))
        points.insert(0, title)
        title = (
            f"The busiest consumer owns {own:,} of the {top.size:,} partitions with the most "
            f"{story.load.noun}; an even share would be {top.size / group.member_count:.2g}."
        )
    return Slide(name="Cause", title=title, chart=chart, points=tuple(points))


def _found(story: Story) -> Slide | None:
    """Return what is wrong whatever the strategy: a finding, or one partition that decides."""
    group = story.group
    points = [
        plain(title_of(finding, group, is_rest=bool(k))) for k, finding in enumerate(story.findings)
    ]
    if points:
        chart = _of_finding(story, story.findings[0]) or heaviest(story)
        return Slide(name="Cause", title=points[0], chart=chart, points=tuple(points[1:]))
    hot = story.comparison.deciding_partition
    if hot is None:
        return None
    share = int(group.counted_weights[hot]) / max(int(group.counted_weights.sum()), 1)
    title = (
        f"Partition {group.partition_name(hot)} alone holds {100 * share:.0f} % of the "
        f"{story.load.noun}, more than an even share of one consumer."
    )
    return Slide(name="Cause", title=title, chart=heaviest(story, hot))


def _of_finding(story: Story, finding: Finding) -> Chart | None:
    """Return what shows the cause: partitions that get much, or consumers that fall behind."""
    match finding:
        case TooHot() | Hot():
            return arrivals(story, finding.partitions)
        case Stopped() | Slower() | MoreArrives() | Full() | Uneven():
            return growth(story, finding.members)
        case _:
            return None


def _proposal(story: Story) -> Slide:
    advice, proposed, load = story.advice, story.proposed, story.load
    points = [
        plain(sentence_of(finding, story.group, story.facts)).strip()
        for finding in story.findings
        if not finding.helped_by_assignment
    ]
    if proposed is not None and (span := load.span_said(proposed)):
        points.append(
            f"{span}, by the ids that consumers get when they restart; shown: the middle."
        )
    if proposed is advice.settable is not None and advice.custom is not None:
        reached = load.said(advice.custom)
        points.append(f"A custom assignor, {advice.custom.label}, would reach {reached}.")
    elif proposed is not None and advice.settable not in {None, proposed}:
        points.append(
            f"{advice.settable.label}, which a setting selects, would not do: the backlog never "
            "ends under it."
        )
    if proposed is advice.settable and (dearer := stops_everybody(story.comparison)):
        points.append(dearer)
    return Slide(
        name="Proposal",
        title=we_should(story),
        chart=_of_proposal(story),
        points=tuple(points),
        basis=story.basis if proposed is not None else "",
    )


def _of_proposal(story: Story) -> Chart | None:
    """Return what changes; or, if nothing does, what decides instead of the strategy."""
    advice, hot = story.advice, story.comparison.deciding_partition
    shown = [o for o in (advice.now, story.proposed) if o is not None]
    match story.hindering:
        case Full() | MoreArrives() as full if full.needed is not None:
            return growth_by_number(story, full.needed)
        case None:
            pass
        case _:
            return heaviest(story, hot)
    if story.proposed is not None or hot is None or advice.now is None:
        return loads(story, shown) if shown else None
    is_same = advice.unreliable is None and bool(story.comparison.outcomes)
    return by_strategy(story) if is_same else loads(story, shown)


def _cost(story: Story) -> Slide:
    proposed, found = story.proposed, clearing(story)
    if proposed is None:
        message = "a cost needs a proposal"
        raise ValueError(message)
    points = [*times_in_words(story), unknown_loads(story.comparison), risk_of(story)]
    chart = None if found is None else clearing_times(story, found)
    if not story.group.is_lag_known[story.group.is_wanted].any():
        points.append("No lag is known, so how long a backlog takes cannot be said.")
    if story.is_fresh and not story.load.by_weight:
        chart = even_shares(story.group)
        most = plural(story.group.partition_count, "consumer")
        points.append(f"A partition has one owner: more than {most} would not help.")
    return Slide(
        name="Cost and time",
        title=story.takes,
        chart=chart,
        figures=tuple(_of_cost(story, proposed, found)),
        points=tuple(filter(None, points)),
    )


def _of_cost(story: Story, proposed: Outcome, found: Clearing | None) -> Iterator[Figure]:
    group, cost, moved = story.group, story.cost, proposed.figures.moved
    price, currency = story.price
    if found is not None:
        today = "" if found.now is None else f"today's owners: {_brief(found.now)}"
        guess = "on a guess" if found.is_guess else ""
        note = "; ".join(filter(None, (today, guess)))
        yield Figure("Backlog cleared after", _brief(found.then), note)
    if moved is not None and not story.is_fresh:
        yield Figure("Partitions that move", f"{moved:,}", f"of {group.partition_count:,}")
    if cost is not None:
        each = cost.partition_seconds.middle / max(group.partition_count, 1)
        yield Figure("Reading pauses", duration(each), "a partition, on average")
    if story.is_fresh:
        yield Figure("Busiest consumer", story.load.said(proposed), f"under {proposed.label}")
    yield Figure("Consumers", f"{group.member_count:,}", "none is added")
    if price is not None:
        monthly = group.member_count * price * HOURS_A_MONTH
        yield Figure("Cost a month", f"{currency} {monthly:,.0f}".strip(), "as today")


def _brief(of_each: FloatArray) -> str:
    last = float(of_each.max(initial=0.0))
    return "never" if np.isinf(last) else duration(last)


def _start(story: Story) -> Slide:
    """Return the first slide of a group that nobody owns yet: what is to be shared."""
    group, total = story.group, total_lag(story.group)
    members, partitions = (
        plural(group.member_count, "consumer"),
        plural(group.partition_count, "partition"),
    )
    title = f"{members} will share {partitions} of {plural(len(group.topics), 'topic')}"
    if total.known:
        title += f"; {amount(total.known)} records wait"
    figures = [
        Figure("Partitions", f"{group.partition_count:,}", "nobody owns one yet"),
        Figure("Consumers", f"{group.member_count:,}", ""),
        Figure("An even share", f"{group.partition_count / group.member_count:.3g}", "partitions"),
        _waiting(story),
    ]
    return Slide(
        name="Problem",
        title=f"{title}.",
        chart=heaviest(story) or topics(group),
        figures=tuple(figures),
    )


def _waiting(story: Story) -> Figure:
    total = total_lag(story.group)
    note = "no lag is known" if total.known is None else "records"
    return Figure("Waits in all", amount(total.known), note)


def _choice(story: Story) -> Slide:
    """Return what the strategies make of a group that nobody owns yet."""
    others = tuple(each for each in story.findings if not isinstance(each, NobodyReads))
    found = _found(replace(story, findings=others))
    if found is not None:
        return found
    load, outcomes = story.load, story.comparison.outcomes
    if not outcomes:
        return Slide(name="Cause", title="No consumer has been assigned anything.")
    best, worst = min(outcomes, key=load.of), max(outcomes, key=load.of)
    if story.proposed is not None and load.said(story.proposed) == load.said(best):
        best = story.proposed  # of equals, the one that the next slide proposes
    title = f"The strategy makes no difference: the busiest consumer gets {load.said(best)}"
    if load.said(best) != load.said(worst):
        title = (
            f"The strategy decides: the busiest consumer gets {load.said(best)} under "
            f"{best.label}, {amount(load.of(worst))} under {worst.label}"
        )
    return Slide(name="Cause", title=f"{title}.", chart=by_strategy(story))


def _way(story: Story, proposed: Outcome) -> Slide:
    steps = tuple(SlideStep(text=step.text, settings=step.settings) for step in story.guide.steps)
    title, notes = f"{story.way.capitalize()} to {proposed.label}.", story.guide.notes
    if story.is_fresh and steps:  # what the last step reaches can be set from the beginning
        title = f"Set {proposed.label} before the first start: nothing has to be switched."
        steps = (SlideStep(text="On every consumer:", settings=steps[-1].settings),)
    elif not story.is_to_be_had:
        title = f"No setting brings {proposed.label} to this group."
    elif not steps:
        title, notes = notes[0], notes[1:]
    return Slide(
        name="How it is done",
        title=title,
        steps=steps,
        points=notes[: _MOST_POINTS - len(steps)],
    )
