"""The four figures of a comparison, the baseline, and the settings."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from assignors.certainty import EXACT
from assignors.model import Group
from assignors.strategy import Strategy
from charts.report import Figure
from evaluation.changes import changes_between
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.load import Load
from evaluation.metrics import total_load
from evaluation.wording import above, amount, plural
from ui import cache, scenario
from ui.configuration import show_configuration
from ui.scenario import Scenario

_CUSTOM: Final = "Best custom"
_PIN: Final = "Compare what follows with the group as it is on screen now"
_UNPIN: Final = "Compare with what was opened again"
_RESET: Final = "Go back to what was opened"


def four(comparison: Comparison, baseline: Group) -> tuple[Figure, ...]:
    """Return the total load, and the busiest consumer now and under the two recommendations.

    ``baseline`` has its weights.
    """
    advice = comparison.advice
    return (
        _total(comparison.group, baseline, comparison.load),
        _present(comparison),
        _recommended("Best setting today", advice.settable, comparison),
        _recommended(_CUSTOM, advice.custom, comparison),
    )


def how_to_set(comparison: Comparison) -> None:
    """Offer the settings of each recommendation to copy, as a change from what runs now."""
    for outcome in comparison.advice.recommended:
        if outcome.strategy is not None:
            with st.popover(f"Use {outcome.label}", icon=":material/settings:"):
                show_configuration(outcome.strategy, comparison.runs)


def _total(group: Group, baseline: Group, load: Load) -> Figure:
    total = total_load(group)
    unknown = total.unknown_partitions
    note = f"in {plural(group.partition_count, 'partition')}"
    if not load.by_weight:
        note = f"in {plural(len(group.topics), 'topic')}"
    elif unknown:
        note = f"{plural(unknown, 'partition')} unknown"
    if (was := total_load(baseline)).known != total.known:
        note = f"was {amount(was.known)}"
    about = f"Sum over all partitions where it is known, in {load.unit}"
    return Figure(f"Total {load.noun}", amount(total.known), note, about)


def _present(comparison: Comparison) -> Figure:
    now, load = comparison.now, comparison.load
    if now is None:
        return Figure("Busiest now", "nobody", "no partition has an owner", "")
    most, was = load.of(now), comparison.was(now)
    note = f"{above(most, comparison.bound)} the lower bound" if load.by_weight else "partitions"
    if load.by_weight and comparison.bound is not None and most < comparison.bound:
        note = "of what is owned"  # something has no owner
    if was is not None and was != most:
        note = f"was {amount(was)}"
    about = "Of the consumer with the most partitions"
    if load.by_weight:
        about = (
            f"Of the consumer with the most {load.noun}, in {load.unit}. No assignment brings it "
            "below the lower bound, which shares and whole partitions force."
        )
    return Figure("Busiest now", amount(most), note, about)


def _recommended(label: str, outcome: Outcome | None, comparison: Comparison) -> Figure:
    advice, load = comparison.advice, comparison.load
    if outcome is None and not comparison.group.is_wanted.any():
        return Figure(label, "none", "nothing to assign", "")
    if outcome is None:
        none = "no improvement" if advice.settable else "none reliably better"
        if label == _CUSTOM and not advice.takes_custom:
            none = "not supported"
        about = (
            "No strategy of this kind lowers the busiest consumer's load by 1 % in at least 9 "
            "of 10 simulated restarts"
        )
        return Figure(label, "none", none, about)
    notes = [outcome.label]
    if span := load.span_said(outcome):
        notes.append(span)
    elif outcome.certainty != EXACT:
        notes.append(outcome.certainty.text)
    most, was = load.of(outcome), comparison.was(outcome)
    if was is not None and was != most:
        notes.insert(0, f"was {amount(was)}")  # the end is cut off if space is short
    note = ", ".join(notes)
    return Figure(label, amount(most), note, _about(outcome))


def _about(outcome: Outcome) -> str:
    moved = outcome.figures.moved
    moves = "" if moved is None else f"; {plural(moved, 'partition')} would move"
    after = "" if outcome.outlook is None else " after the restart that a switch takes"
    return f"The busiest consumer's load under {outcome.label}{after}{moves}"


def before(
    baseline: Group, chosen: tuple[Strategy, ...], comparison: Comparison
) -> Mapping[str, Outcome]:
    """Return the baseline's outcomes under the chosen and the recommended strategies, by name."""
    recommended = (o.strategy for o in comparison.advice.recommended if o.strategy)
    wanted = tuple(dict.fromkeys((*chosen, *recommended)))
    return {outcome.name: outcome for outcome in cache.outcomes(baseline, wanted, comparison.runs)}


def baseline_bar(current: Scenario) -> None:
    """Show the changes since the baseline, and let the viewer pin another."""
    if current.is_at_baseline and current.pinned is None:
        return
    name = "what was opened" if current.pinned is None else "the pinned baseline"
    differences = ", ".join(changes_between(current.baseline, current.group)) or "no difference"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"Compared with {name}: **{differences}**", width="content")
        for is_offered, label, icon, act, about in (
            (not current.is_at_baseline, "Pin as baseline", "keep", scenario.pin, _PIN),
            (current.pinned is not None, "Unpin", "keep_off", scenario.unpin, _UNPIN),
            (current.is_edited, "Reset", "restart_alt", scenario.reset, _RESET),
        ):
            if is_offered:
                st.button(
                    label, icon=f":material/{icon}:", type="tertiary", on_click=act, help=about
                )
