"""The slides of a story: finding, cause, proposal, cost and time, next step.

What they say is the answer's; which of them there are follows from what it holds.
"""

import re
from collections.abc import Iterator
from typing import Final

from assignors.model import UNOWNED
from charts.deck.model import (
    Aside,
    Chart,
    Deck,
    Slide,
    SlidePlace,
    SlideStep,
)
from charts.labels import short_names
from evaluation.answering.actions import Action
from evaluation.answering.presenting import heaviest_partitions
from evaluation.answering.words import cause_words
from evaluation.comparing.changes import size_of
from evaluation.consumer_labels import bare_labels
from evaluation.settings_steps import SettingsStep
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import listed
from ui.slides.pictures import (
    ReferenceLine,
    arrivals,
    by_strategy,
    clearing_times,
    even_shares,
    growth,
    growth_by_number,
    heaviest,
    loads,
    topics,
)
from ui.slides.story import Story, basis_of, cost_tiles, first_tiles, simulated

_MOST_POINTS: Final = 3
_MOST_STEPS: Final = 3
_SUBJECTS: Final = {"It takes": "The switch takes", "It moves": "The rebalance moves"}
"""How a cost begins behind the action, and as a title, which no sentence stands before."""
_MOST_NAMED: Final = 3
_LOGGED: Final = "assignor.load.log"
"""How settings begin that only write to the log."""


def deck_of(story: Story, made: str) -> Deck:
    """Return the slides about a group."""
    about = f"{size_of(story.group)}, {made}" if made else size_of(story.group)
    slides = (_finding(story), _cause(story), _proposal(story), _cost(story), _next(story))
    return Deck(title=story.title, about=about, slides=[each for each in slides if each])


def _finding(story: Story) -> Slide:
    return Slide(
        name=SlidePlace.FINDING,
        title=story.words.headline,
        subtitle=story.words.evidence,
        chart=answers_picture(story),
        figures=first_tiles(story),
        points=() if story.beside.decision else story.words.actions[:1],
        basis=basis_of(story),
    )


def answers_picture(story: Story) -> Chart | None:
    """Return the picture that shows the verdict: whom and what it names, all coloured."""
    answer = story.answer
    verdict = answer.verdict
    match verdict.kind:
        case VerdictKind.TOO_HOT:
            return arrivals(story, verdict.partitions)
        case VerdictKind.STUCK_RECORD | VerdictKind.NOT_READ | VerdictKind.NOBODY_READS:
            return heaviest(story, verdict.partitions, story.words.short)
        case _ if verdict.is_alarm and verdict.members:
            chart = growth(story, verdict.members)
            if chart is not None:
                return chart
        case _:
            pass
    if answer.now is None:
        return heaviest(story, verdict.partitions, story.words.short) or topics(story.group)
    even = verdict.figures.even_load
    line = None if not even else ReferenceLine(round(even), "even share")
    return loads(story, (answer.now,), _named(story), line)


def _named(story: Story) -> tuple[int, ...]:
    """Return whom the verdict names; more than half of all is nobody in particular."""
    verdict = story.answer.verdict
    is_everybody = 2 * len(verdict.members) > story.group.member_count
    return verdict.members if verdict.is_alarm or not is_everybody else ()


def _cause(story: Story) -> Slide | None:
    """Return where the load lies, and what else is amiss; None if nothing is."""
    answer = story.answer
    verdict, said = answer.verdict, story.beside.cause
    others = [each for each in answer.causes if each.kind is not verdict.kind]
    is_uneven = verdict.kind is VerdictKind.UNEVEN
    if not said or verdict.severity < Severity.ADVICE or not (answer.causes or is_uneven):
        return None
    chart = heaviest(story, _theirs(story), _theirs_said(story))
    first = answers_picture(story)
    if chart is None or (first is not None and chart.states == first.states):
        chart = None if answer.now is None else loads(story, (answer.now,), _named(story))
    told = dict.fromkeys(cause_words(each, answer)[0] for each in others if verdict.is_alarm)
    return Slide(name=SlidePlace.CAUSE, title=said, chart=chart, points=tuple(told)[:_MOST_POINTS])


def _theirs(story: Story) -> tuple[int, ...]:
    """Return the heaviest partitions of those that the verdict names."""
    answer = story.answer
    verdict, owners = answer.verdict, answer.group.present_owners
    if verdict.partitions:
        return verdict.partitions
    top = heaviest_partitions(answer)
    return tuple(p for p in top if owners[p] != UNOWNED and owners[p] in verdict.members)


def _theirs_said(story: Story) -> str:
    """Return what sets the partitions of ``_theirs`` apart: their owners, else the verdict."""
    verdict, labels = story.answer.verdict, short_names(bare_labels(story.group))
    if verdict.partitions or not verdict.members:
        return story.words.short
    return f"owned by {listed([labels[m] for m in verdict.members], most=_MOST_NAMED)}"


def _proposal(story: Story) -> Slide | None:
    """Return today beside what is proposed; None if no owner changes, or nobody could see it."""
    now, then = story.answer.now, story.proposed
    if then is None or not story.words.actions:
        return None
    if now is not None and story.looks_alike(now, then):
        return None
    bound = story.answer.bound
    line = None if bound is None else ReferenceLine(bound, "lower bound", is_bound=True)
    broken = _named(story) if story.answer.verdict.is_broken else ()
    return Slide(
        name=SlidePlace.PROPOSAL,
        title=story.words.actions[0],
        chart=by_strategy(story) if now is None else loads(story, (now, then), broken, line),
        points=tuple(each for each in story.words.actions[1:] if each != story.beside.cost),
        basis=simulated(story),
    )


def _cost(story: Story) -> Slide | None:
    """Return what the proposal costs, and how long a backlog takes; None if it costs nothing."""
    title = story.beside.cost
    if not title:
        return None
    return Slide(
        name=SlidePlace.COST_AND_TIME,
        title=_SUBJECTS.get(title[:8], title[:8]) + title[8:],
        chart=_of_cost(story),
        figures=cost_tiles(story),
    )


def _of_cost(story: Story) -> Chart | None:
    option = story.answer.proposal
    if option is not None and option.action is Action.ADD_CONSUMERS and option.consumers:
        return growth_by_number(story, option.consumers)
    if story.is_fresh and not story.load.by_weight:
        return even_shares(story.group)
    return clearing_times(story) or by_strategy(story)


def _next(story: Story) -> Slide | None:
    """Return how it is done, its risk, the way back, and who decides it by when."""
    option, beside, guide = story.answer.proposal, story.beside, story.guide
    if option is None or not beside.decision:
        return None
    steps = [SlideStep(text=step.text, settings=step.settings) for step in guide.steps]
    if len(steps) > 1:
        steps = [_brief(step) for step in guide.steps]
    if story.is_fresh and steps:  # what the last step reaches can be set from the beginning
        steps = [SlideStep(text="On every consumer:", settings=steps[-1].settings)]
    notes = guide.notes[:1] if not steps else ()
    return Slide(
        name=SlidePlace.NEXT_STEP,
        title=beside.follow,
        steps=tuple(steps[:_MOST_STEPS]),
        points=notes,
        asides=tuple(_asides(story)),
        decision=beside.decision,
    )


def _brief(step: SettingsStep) -> SlideStep:
    """Return a step as a room reads it: its first clause, without what is only logged."""
    text = re.split(r"[;.] ", step.text, maxsplit=1)[0].rstrip(".")
    lines = [each for each in step.settings.splitlines() if not each.startswith(_LOGGED)]
    return SlideStep(text=f"{text}.", settings="\n".join(lines))


def _asides(story: Story) -> Iterator[Aside]:
    beside = story.beside
    for label, text in (
        ("Risk", beside.risk),
        ("Rollback", beside.rollback),
        ("Check", beside.check),
    ):
        if text:
            yield Aside(label, text)
