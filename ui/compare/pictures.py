"""A picture of every strategy side by side, best first."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from assignors.certainty import EXACT
from assignors.model import Group
from charts.heatmaps import consumer_by_strategy
from charts.loads import MAX_BARS, MAX_NAMED, panel_of, scale_of
from charts.panels import LEFT
from evaluation.clients import runs_as
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.judging import PARTITIONS
from evaluation.load import Load
from evaluation.other_answers import other_answers
from evaluation.wording import amount, plural
from ui import panel, widgets
from ui.compare.conclusion import bound_words
from ui.untrusted import verbatim

_BARS: Final = "Bars"
_HEATMAP: Final = "Heatmap"
_NARROWEST: Final = 160
_NARROWEST_BAR: Final = 10
"""Pixels of a bar with two digits below it."""
_IN_A_ROW: Final = 6
"""Panels that fit side by side on a usual screen."""


def drawn_of(comparison: Comparison) -> list[Outcome]:
    """Return the outcomes, best first; of equal futures one, if all do not fit in a row.

    That is the recommended one, if it is among them: what the answer names is always drawn.
    """
    outcomes = comparison.best_first
    if len(outcomes) <= _IN_A_ROW:
        return outcomes
    named = {each.name for each in comparison.advice.recommended}
    kept: list[Outcome] = []
    for outcome in sorted(outcomes, key=lambda each: each.name not in named):
        if not any(_is_same(outcome, other) for other in kept):
            kept.append(outcome)
    return [outcome for outcome in outcomes if any(outcome is each for each in kept)]


def _is_same(one: Outcome, other: Outcome) -> bool:
    if one.outlook is None or other.outlook is None:
        return False
    return np.array_equal(one.owners, other.owners) and np.array_equal(
        one.outlook.max_loads, other.outlook.max_loads
    )


def _model_of(outcome: Outcome, shown: Sequence[Outcome]) -> Outcome:
    return next(other for other in shown if _is_same(outcome, other))


def choose_picture() -> str:
    """Show the two kinds of picture side by side; return the chosen one."""
    return widgets.choose("Picture", (_BARS, _HEATMAP), "picture", is_label_shown=False)


def show(picture: str, comparison: Comparison) -> None:
    """Show the outcomes side by side."""
    group = comparison.group
    if not comparison.outcomes:
        st.info("Choose at least one strategy.")
    elif group.member_count and group.partition_count:
        (_heatmaps if picture == _HEATMAP else _panels)(comparison)


def _panels(comparison: Comparison) -> None:
    group, drawn = comparison.group, drawn_of(comparison)
    scale = scale_of(group, drawn, comparison.load, comparison.bound)
    named = group.member_count if group.member_count <= MAX_NAMED else 0
    narrowest = max(_NARROWEST, LEFT + _NARROWEST_BAR * named)
    panels = st.grid(len(drawn), min_column_width=narrowest, gap="small")
    for outcome in drawn:
        with panels.cell():
            most, rest = figures(comparison, outcome)
            st.markdown(
                f"**{outcome.label}**  \n{_badge(outcome)}  \n**{most}**{rest}",
                help=verbatim(_about(comparison, outcome)) or None,
            )
            show_doubts(group, outcome)
            panel.show(
                panel_of(group, outcome, scale),
                f"panel_{outcome.name}",
                f"{outcome.label}: {described(comparison, outcome)}",
            )
    same = [o for o in comparison.outcomes if all(o is not each for each in drawn)]
    also = "".join(f" {o.label}: {_model_of(o, drawn).label} shows it too." for o in same)
    st.markdown(f":small[{legend(comparison, drawn)}{also}]")


def _heatmaps(comparison: Comparison) -> None:
    group, ordered = comparison.group, comparison.best_first
    loads = dict.fromkeys((comparison.load, Load(measure=PARTITIONS)))
    maps = st.grid(len(loads), min_column_width=420)
    for load in loads:
        title = load.noun.capitalize()
        with maps.cell():
            st.markdown(f"**{title} of each consumer**")
            st.plotly_chart(
                consumer_by_strategy(group, ordered, load),
                key=f"heatmap_{title}",
                alt=f"{title} of every consumer under every strategy",
            )


def show_doubts(group: Group, outcome: Outcome) -> None:
    """Show what the client does instead of the answer, and the other possible answers."""
    if outcome.certainty.is_fault:
        st.error(verbatim(outcome.certainty.why), icon=":material/error:")
    if outcome.strategy is not None and outcome.outlook is None:
        for other in other_answers(group, outcome.strategy, outcome.owners):
            st.caption(f"Or: {verbatim(other)}")


def _badge(outcome: Outcome) -> str:
    if outcome.strategy is None:
        return ":gray-badge[present owners]"
    runs = f":blue-badge[{runs_as(outcome.strategy)}]"
    is_exact = outcome.certainty == EXACT
    return runs if is_exact else f"{runs} :orange-badge[{outcome.certainty.text}]"


def _about(comparison: Comparison, outcome: Outcome) -> str:
    """Return what a figure leaves open: the range after a switch, or why it is uncertain."""
    span = comparison.load.span_said(outcome)
    drawn = outcome.outlook.draws if outcome.outlook is not None else 0
    after = f"After a switch, by the ids it brings: {span} in {drawn:,} draws." if span else ""
    return " ".join(filter(None, [after, outcome.certainty.why]))


def figures(comparison: Comparison, outcome: Outcome) -> tuple[str, str]:
    """Return the busiest consumer's load and other brief facts about an outcome."""
    most, was = comparison.load.of(outcome), comparison.was(outcome)
    rest = ""
    if was is not None:
        rest = f" (was {amount(was)})" if was != most else " (unchanged)"
    moved = outcome.figures.moved
    if outcome.strategy is not None and moved is not None:
        rest += f", {moved:,} moved"
    if outcome.figures.idle:
        rest += f", {outcome.figures.idle:,} idle"
    return amount(most), rest


def described(comparison: Comparison, outcome: Outcome) -> str:
    """Return the text alternative of the picture."""
    idle = plural(outcome.figures.idle, "consumer")
    return f"the busiest consumer has {comparison.load.said(outcome)}, {idle} idle"


def legend(comparison: Comparison, drawn: Sequence[Outcome]) -> str:
    """Return the legend of bars, lines and strip of the pictures of these outcomes."""
    group, load = comparison.group, comparison.load
    sentences = [
        f"Bars: {load.axis('each consumer')}, in the order of their ids; the busiest is orange."
    ]
    if comparison.bound is not None:
        sentences.append(
            f"Dashed line: {bound_words(comparison).lower()}, {amount(comparison.bound)}."
        )
    if load.by_weight:
        sentences.append("Strip: number of partitions.")
        if not group.is_weight_known.all():
            sentences.append(f"Hatched: some {load.noun} is unknown and not included.")
    if any(map(load.ends, drawn)):
        sentences.append("Thin line: 5 to 95 % of what a switch may bring, since ids are new then.")
    if group.member_count > MAX_BARS:
        sentences.append("Each bar stands for several consumers and shows the busiest of them.")
    return " ".join(sentences)
