"""A picture of every strategy side by side, best first."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st

from assignors.certainty import EXACT
from assignors.model import Group
from assignors.strategy import Protocol
from charts.heatmaps import consumer_by_strategy
from charts.loads import MAX_BARS, MAX_NAMED, Scale, panel_of, scale_of
from charts.panels import panel_figure
from evaluation.advice import Advice, busiest_load, is_judged_by_lag
from evaluation.bounds.lag import best_possible_max_lag
from evaluation.clients import runs_as
from evaluation.compare import NOW, Outcome
from evaluation.judging import LAG, Measure
from evaluation.other_answers import other_answers
from evaluation.wording import amount, plural
from ui import widgets
from ui.compare.conclusion import busiest, span_of
from ui.untrusted import verbatim

_BARS: Final = "Bars"
_HEATMAP: Final = "Heatmap"
_HEIGHT: Final = 270
_TEXT_PX: Final = 12
_NARROWEST: Final = 160
_AXIS: Final = 52
_NARROWEST_BAR: Final = 10
"""Pixels of a bar with two digits below it."""
_IN_A_ROW: Final = 6
"""Panels that fit side by side on a usual screen."""


def best_first(outcomes: Sequence[Outcome], *, by_lag: bool) -> list[Outcome]:
    """Return the present owners, then the strategies by their busiest consumer's load."""
    return sorted(
        outcomes,
        key=lambda o: (
            o.name != NOW,
            busiest_load(o, by_lag=by_lag),
            o.strategy is not None and o.strategy.protocol is Protocol.EAGER,
        ),
    )


def each_once(outcomes: Sequence[Outcome], advice: Advice) -> list[Outcome]:
    """Return the outcomes; of those with the same futures one, if all do not fit in a row.

    That is the recommended one, if it is among them: what the answer names is always drawn.
    """
    if len(outcomes) <= _IN_A_ROW:
        return list(outcomes)
    named = {each.name for each in (advice.settable, advice.custom) if each is not None}
    kept: list[Outcome] = []
    for outcome in sorted(outcomes, key=lambda each: each.name not in named):
        if not any(_is_same(outcome, other) for other in kept):
            kept.append(outcome)
    return [outcome for outcome in outcomes if any(outcome is each for each in kept)]


def _is_same(one: Outcome, other: Outcome) -> bool:
    if one.outlook is None or other.outlook is None:
        return False
    return np.array_equal(one.owners, other.owners) and np.array_equal(
        one.outlook.max_lags, other.outlook.max_lags
    )


def _model_of(outcome: Outcome, shown: Sequence[Outcome]) -> Outcome:
    return next(other for other in shown if _is_same(outcome, other))


def choose_picture() -> str:
    """Show the two kinds of picture side by side; return the chosen one."""
    return widgets.choose("Picture", (_BARS, _HEATMAP), "picture", is_label_shown=False)


def show(
    picture: str,
    group: Group,
    outcomes: Sequence[Outcome],
    before: Mapping[str, Outcome],
    advice: Advice,
) -> None:
    """Show the outcomes; ``before`` are the baseline's, by name."""
    if not outcomes:
        st.info("Choose at least one strategy.")
        return
    if not group.member_count or not group.partition_count:
        return
    by_lag = is_judged_by_lag(group)
    if picture == _HEATMAP:
        _heatmaps(group, outcomes, advice.measure, by_lag=by_lag)
    else:
        _panels(group, outcomes, before, advice, by_lag=by_lag)


def _panels(
    group: Group,
    outcomes: Sequence[Outcome],
    before: Mapping[str, Outcome],
    advice: Advice,
    *,
    by_lag: bool,
) -> None:
    ordered = each_once(best_first(outcomes, by_lag=by_lag), advice)
    bound = best_possible_max_lag(group)
    scale = scale_of(group, ordered, bound, advice.measure, by_lag=by_lag)
    named = group.member_count if group.member_count <= MAX_NAMED else 0
    narrowest = max(_NARROWEST, _AXIS + _NARROWEST_BAR * named)
    panels = st.grid(len(ordered), min_column_width=narrowest, gap="small")
    for outcome in ordered:
        with panels.cell():
            most, rest = figures(outcome, before.get(outcome.name), by_lag=by_lag)
            st.markdown(
                f"**{outcome.label}**  \n{_badge(outcome)}  \n**{most}**{rest}",
                help=verbatim(_about(outcome, by_lag=by_lag)) or None,
            )
            show_doubts(group, outcome)
            _draw(group, outcome, scale)
    same = [o for o in outcomes if all(o is not each for each in ordered)]
    also = "".join(f" {o.label}: {_model_of(o, ordered).label} shows it too." for o in same)
    st.markdown(f":small[{legend(group, ordered, scale)}{also}]")


def _heatmaps(group: Group, outcomes: Sequence[Outcome], measure: Measure, *, by_lag: bool) -> None:
    ordered = best_first(outcomes, by_lag=by_lag)
    load = (True, measure.noun.capitalize())
    kinds = (load, (False, "Partitions")) if by_lag else ((False, "Partitions"),)
    maps = st.grid(len(kinds), min_column_width=420)
    for is_lag, title in kinds:
        with maps.cell():
            st.markdown(f"**{title} of each consumer**")
            st.plotly_chart(
                consumer_by_strategy(group, ordered, lag=is_lag),
                key=f"heatmap_{title}",
                alt=f"{title} of every consumer under every strategy",
            )


def _draw(group: Group, outcome: Outcome, scale: Scale) -> None:
    widgets.picture(
        panel_figure(panel_of(group, outcome, scale), height=_HEIGHT, text_px=_TEXT_PX),
        f"panel_{outcome.name}",
        f"{outcome.label}: {described(outcome, scale.measure, by_lag=scale.by_lag)}",
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


def _about(outcome: Outcome, *, by_lag: bool) -> str:
    """Return what a figure leaves open: the range after a switch, or why it is uncertain."""
    span = span_of(outcome, by_lag=by_lag)
    drawn = outcome.outlook.draws if outcome.outlook is not None else 0
    after = f"After a switch, by the ids it brings: {span} in {drawn:,} draws." if span else ""
    return " ".join(filter(None, [after, outcome.certainty.why]))


def figures(outcome: Outcome, before: Outcome | None, *, by_lag: bool) -> tuple[str, str]:
    """Return the busiest consumer's load and other brief facts about an outcome."""
    most = busiest_load(outcome, by_lag=by_lag)
    rest = ""
    if before is not None:
        was = busiest_load(before, by_lag=by_lag)
        rest = f" (was {amount(was)})" if was != most else " (unchanged)"
    moved = outcome.figures.moved
    if outcome.name != NOW and moved is not None:
        rest += f", {moved:,} moved"
    if outcome.figures.idle:
        rest += f", {outcome.figures.idle:,} idle"
    return amount(most), rest


def described(outcome: Outcome, measure: Measure = LAG, *, by_lag: bool) -> str:
    """Return the text alternative of the picture."""
    idle = plural(outcome.figures.idle, "consumer")
    return f"the busiest consumer has {busiest(outcome, measure, by_lag=by_lag)}, {idle} idle"


def legend(group: Group, outcomes: Sequence[Outcome], scale: Scale) -> str:
    """Return the legend of bars, lines and strip of the pictures."""
    is_drawn = any(span_of(outcome, by_lag=scale.by_lag) for outcome in outcomes)
    of_each = f"{scale.measure.noun} of each consumer in {scale.unit}"
    bars = of_each if scale.by_lag else "partitions of each consumer"
    sentences = [f"Bars: {bars}, in the order of their ids; the busiest is orange."]
    if scale.best_possible is not None:
        sentences.append(f"Dashed line: best possible, {amount(scale.best_possible)}.")
    if scale.by_lag:
        sentences.append("Strip: number of partitions.")
        if not group.is_lag_known.all():
            sentences.append("Hatched: some lag is unknown and comes on top.")
    if is_drawn:
        sentences.append("Thin line: 5 to 95 % of what a switch may bring, since ids are new then.")
    if group.member_count > MAX_BARS:
        sentences.append("Each bar stands for several consumers and shows the busiest of them.")
    return " ".join(sentences)
