"""The pictures of the slides: loads, partitions, times, topics and strategies as bars."""

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group
from assignors.sums import float_sums
from charts.deck.model import MOST_BARS, Chart, Heights
from charts.labels import short_names
from charts.loads import bars_of, in_order
from evaluation.answering.actions import Action
from evaluation.answering.ending import seconds_to_end
from evaluation.answering.options import Option
from evaluation.answering.presenting import HEAVIEST, heaviest_partitions
from evaluation.capacity.limits import least_growth
from evaluation.comparing.outcomes import NOW, Outcome
from evaluation.takes import Takes
from evaluation.wording import amount, plural
from ui.slides.story import Story

_TO_CHOOSE: Final = {Takes.NOTHING, Takes.SETTING, Takes.BROKER, Takes.JAR}
_NUMBERS: Final = 8
"""Numbers of consumers in a picture, at most."""
_MORE: Final = (1.0, 1.5, 2.0, 3.0, 4.0)
_LONG_S: Final = 600.0
"""From here on, times are in minutes."""


class ReferenceLine(NamedTuple):
    """A level that a picture shows across all bars."""

    height: int
    label: str
    is_bound: bool = False


def loads(
    story: Story,
    outcomes: Sequence[Outcome],
    named: Sequence[int] = (),
    line: ReferenceLine | None = None,
) -> Chart:
    """Return every consumer's load under one outcome, or before and after a change.

    The members in ``named`` stand out, all of them; without any, the busiest of each state. What
    is broken today is red, and then nothing stands out after the change.
    """
    group, load = story.group, story.load
    drawn = [bars_of(group, outcome, load, MOST_BARS) for outcome in outcomes]
    width = drawn[0].width
    order, labels = in_order(group)
    axis = load.axis("each consumer")
    below = plural(group.member_count, "consumer")
    if width > 1:
        below += f"; a bar is the busiest of {width}"
    stand_out = {order.index(member) // width for member in named}
    is_red = bool(stand_out) and story.answer.verdict.is_broken

    def marked(outcome: Outcome, busiest: int) -> tuple[int, ...]:
        if is_red and outcome.name != NOW:
            return ()
        return tuple(sorted(stand_out)) or ((busiest,) if busiest >= 0 else ())

    described = " and then ".join(
        f"{outcome.label}: the busiest has {load.said(outcome)}" for outcome in outcomes
    )
    return Chart(
        axis=axis,
        below=below,
        names=tuple(short_names(labels)) if width == 1 else (),
        states=tuple(
            Heights(
                label="Today" if outcome.name == NOW else outcome.label,
                heights=tuple(bars.heights.tolist()),
                marked=marked(outcome, bars.busiest),
                is_partly_unknown=tuple((bars.unknown > 0).tolist()),
                is_idle=tuple((bars.counts == 0).tolist()),
            )
            for outcome, bars in zip(outcomes, drawn, strict=True)
        ),
        line=None if line is None else line.height,
        line_label="" if line is None else line.label,
        is_line_bound=line is not None and line.is_bound,
        legend="Dashed outline: some lag is unknown."
        if any(b.unknown.any() for b in drawn)
        else "",
        marked_label=story.words.short if stand_out else "the busiest",
        is_alarm=is_red,
        alt=f"{axis}; {described}",
    )


def heaviest(story: Story, marked: Collection[int], label: str) -> Chart | None:
    """Return the partitions with most load; ``marked`` ones stand out. None without any load."""
    group = story.group
    shown = np.array(heaviest_partitions(story.answer), np.int64)
    if not shown.size:
        return None
    return Chart(
        axis=f"{story.load.noun} of a partition in {story.load.unit}",
        below=f"the {shown.size:,} partitions with the most {story.load.noun}",
        names=tuple(short_names([group.partition_name(p) for p in shown.tolist()])),
        states=(
            Heights(
                label="Today",
                heights=tuple(group.counted_weights[shown].tolist()),
                marked=tuple(np.flatnonzero(np.isin(shown, list(marked))).tolist()),
            ),
        ),
        legend="",
        marked_label=label,
        is_alarm=story.answer.verdict.is_broken,
        alt=f"The {shown.size} partitions with the most {story.load.noun}, in {story.load.unit}",
    )


def arrivals(story: Story, hot: Sequence[int]) -> Chart:
    """Return the partitions that get most, beside what one consumer reads; ``hot`` stand out."""
    facts = story.answer.known.facts
    arriving, speed = np.nan_to_num(facts.arriving), facts.speed
    shown = np.argsort(-arriving, kind="stable")[:HEAVIEST]
    return Chart(
        axis="records/s that arrive in a partition",
        below=f"the {shown.size:,} partitions that get most",
        names=tuple(short_names([story.group.partition_name(p) for p in shown.tolist()])),
        states=(
            Heights(
                label="Today",
                heights=tuple(np.rint(arriving[shown]).astype(np.int64).tolist()),
                marked=tuple(np.flatnonzero(np.isin(shown, hot)).tolist()),
            ),
        ),
        line=None if speed.is_least else round(speed.records_s),
        line_label="one consumer reads",
        legend="",
        marked_label="more than one consumer reads",
        is_alarm=True,
        alt=f"The {shown.size} partitions that get most, in records/s",
    )


def growth(story: Story, members: Sequence[int]) -> Chart | None:
    """Return by how much each consumer's backlog grows; ``members`` stand out.

    None if that is not known of all, or of nobody anything grows, or they are too many to draw.
    """
    group, facts = story.group, story.answer.known.facts
    if group.member_count > MOST_BARS or not np.isfinite(facts.reading).all():
        return None
    owners, arriving = group.present_owners, np.nan_to_num(facts.arriving)
    is_owned = owners != UNOWNED
    theirs = float_sums(owners[is_owned], arriving[is_owned], group.member_count)
    grows = np.rint(np.maximum(theirs - facts.reading, 0)).astype(np.int64)
    if not grows.any():
        return None
    order, labels = in_order(group)
    return Chart(
        axis="records/s by which a consumer's backlog grows",
        below=plural(group.member_count, "consumer"),
        names=tuple(short_names(labels)),
        states=(
            Heights(
                label="Today",
                heights=tuple(grows[order].tolist()),
                marked=tuple(np.flatnonzero(np.isin(order, members)).tolist()),
            ),
        ),
        legend="",
        marked_label=story.words.short,
        is_alarm=True,
        alt="Records/s that arrive for each consumer beyond what it reads",
    )


def growth_by_number(story: Story, enough: int) -> Chart:
    """Return by how much the backlog grows with more consumers, up to one more than ``enough``."""
    facts, now = story.answer.known.facts, story.group.member_count
    speed = f"{amount(facts.speed.records_s)}/s a consumer"
    numbers = np.unique(np.linspace(now, max(enough, now) + 1, _NUMBERS).astype(np.int64))
    wanted = facts.arriving[story.group.is_wanted]
    grows = np.array([least_growth(wanted, facts.speed.records_s, n) for n in numbers.tolist()])
    return Chart(
        axis=f"records/s by which the backlog grows, at {speed}",
        below="consumers",
        names=tuple(f"{number:,}" for number in numbers.tolist()),
        states=(
            Heights(
                label="Consumers",
                heights=tuple(np.rint(grows).astype(np.int64).tolist()),
                marked=(0,),
            ),
        ),
        legend="",
        marked_label="today",
        alt="Records/s by which the backlog grows, by number of consumers",
    )


def clearing_times(story: Story) -> Chart | None:
    """Return how long each consumer takes to read its backlog, before and after a switch.

    None if that is not known or one of them never ends after it; without today's if one of those
    never does. Of many consumers, a bar is the last of several.
    """
    switch, known = story.switch, story.answer.known
    if switch is None or switch.outcome is None or switch.ends_s is None:
        return None
    group = story.group.with_rates(known.facts.arriving)
    shown = [each for each in (story.answer.now, switch.outcome) if each is not None]
    of_each = {
        "Today" if each.name == NOW else each.label: seconds_to_end(group, each.owners, known.facts)
        for each in shown
    }
    of_each = {label: each for label, each in of_each.items() if np.isfinite(each).all()}
    if switch.outcome.label not in of_each or not story.group.member_count:
        return None
    both = np.stack(list(of_each.values()))
    width = -(-both.shape[1] // MOST_BARS)
    below = plural(both.shape[1], "consumer")
    order, labels = in_order(story.group)
    both = both[:, order]
    if width > 1:
        both = np.maximum.reduceat(both, np.arange(0, both.shape[1], width), axis=1)
        below += f"; a bar is the last of {width}"
    unit, size = ("minutes", 60.0) if both.max() >= _LONG_S else ("seconds", 1.0)
    heights = np.ceil(both / size).astype(np.int64)
    return Chart(
        axis=f"{unit} until a consumer has read its backlog",
        below=below,
        names=tuple(short_names(labels)) if width == 1 else (),
        states=tuple(
            Heights(
                label=label,
                heights=tuple(of_state.tolist()),
                marked=(int(np.argmax(of_state)),) if np.ptp(of_state) else (),
            )
            for label, of_state in zip(of_each, heights, strict=True)
        ),
        legend="",
        marked_label="the last",
        alt=f"{unit} until each consumer has read its backlog, today and then",
    )


def topics(group: Group) -> Chart | None:
    """Return the partitions of each topic, the largest first."""
    order = np.argsort(-group.topic_sizes, kind="stable")[:HEAVIEST]
    if not order.size:
        return None
    return Chart(
        axis="partitions of each topic",
        below=f"the {order.size:,} largest topics",
        names=tuple(short_names([group.topics[t] for t in order.tolist()])),
        states=(
            Heights(label="Topics", heights=tuple(group.topic_sizes[order].tolist()), marked=()),
        ),
        legend="",
        marked_label="",
        alt=f"Partitions of {plural(order.size, 'topic')}",
    )


def by_strategy(story: Story) -> Chart | None:
    """Return the busiest consumer's load under what could be done instead; the proposal stands out.

    None if there is nothing to compare.
    """
    answer = story.answer
    options = [o for o in (answer.keep, *answer.strategies, answer.few_moves) if o is not None]
    options = [o for o in options if o.busiest is not None and o.takes in _TO_CHOOSE]
    if len(options) <= 1:
        return None
    labels = [_option_label(each) for each in options]
    return Chart(
        axis=story.load.axis("the busiest consumer"),
        below="what could be done",
        names=tuple(labels),
        states=(
            Heights(
                label="Options",
                heights=tuple(each.busiest or 0 for each in options),
                marked=tuple(k for k, each in enumerate(options) if each is answer.proposal),
            ),
        ),
        legend="",
        marked_label="proposed",
        alt=f"{story.load.noun} of the busiest consumer under each strategy",
    )


def _option_label(option: Option) -> str:
    if option.action is Action.KEEP or option.outcome is None:
        return "Today"
    return option.outcome.label


def even_shares(group: Group) -> Chart:
    """Return the partitions that each of more consumers would own, shared evenly."""
    most = group.partition_count
    numbers = sorted({min(round(group.member_count * factor), most) for factor in _MORE})
    numbers = sorted({group.member_count, *numbers, most})
    return Chart(
        axis="partitions of the busiest consumer if shared evenly, by number of consumers",
        below="consumers",
        names=tuple(f"{number:,}" for number in numbers),
        states=(
            Heights(
                label="Consumers",
                heights=tuple(-(-most // number) for number in numbers),
                marked=(numbers.index(group.member_count),),
            ),
        ),
        legend="",
        marked_label="as planned",
        alt="An even share of the partitions, by number of consumers",
    )
