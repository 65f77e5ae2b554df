"""The four figures of a comparison, the baseline, and the settings."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from assignors.certainty import EXACT
from assignors.model import Group
from assignors.strategy import Strategy
from charts.report import Figure
from evaluation.advice import Advice, busiest_load
from evaluation.changes import changes_between
from evaluation.compare import NOW, Outcome
from evaluation.judging import Measure
from evaluation.metrics import total_lag
from evaluation.wording import above, amount, plural
from ui import cache, scenario
from ui.compare.conclusion import span_of
from ui.configuration import show_configuration
from ui.scenario import Scenario

_CUSTOM: Final = "Best custom"
_PIN: Final = "Compare what follows with the group as it is on screen now"
_UNPIN: Final = "Compare with what was opened again"
_RESET: Final = "Go back to what was opened"


def four(
    group: Group,
    advice: Advice,
    bound: int | None,
    baseline: Group,
    before: Mapping[str, Outcome],
) -> tuple[Figure, ...]:
    """Return the total lag, and the busiest consumer now and under the two recommendations.

    ``before`` holds the baseline's outcomes by name, if it is not the group on screen.
    """
    return (
        _total(group, baseline, advice.measure),
        _present(advice, bound, before.get(NOW)),
        _recommended("Best setting today", advice.settable, group, advice, before),
        _recommended(_CUSTOM, advice.custom, group, advice, before),
    )


def how_to_set(advice: Advice, runs: Strategy | None) -> None:
    """Offer the settings of each recommendation to copy, as a change from what runs now."""
    for outcome in (advice.settable, advice.custom):
        if outcome is not None and outcome.strategy is not None:
            with st.popover(f"Use {outcome.label}", icon=":material/settings:"):
                show_configuration(outcome.strategy, runs)


def _total(group: Group, baseline: Group, measure: Measure) -> Figure:
    total = total_lag(group)
    unknown = total.unknown_partitions
    partitions = plural(group.partition_count, "partition")
    note = f"{plural(unknown, 'partition')} unknown" if unknown else f"in {partitions}"
    if (was := total_lag(baseline)).known != total.known:
        note = f"was {amount(was.known)}"
    about = f"Sum over all partitions where it is known, in {measure.unit}"
    return Figure(f"Total {measure.noun}", amount(total.known), note, about)


def _present(advice: Advice, bound: int | None, before: Outcome | None) -> Figure:
    if advice.now is None:
        return Figure("Busiest now", "nobody", "no partition has an owner", "")
    most = busiest_load(advice.now, by_lag=advice.by_lag)
    note = f"{above(most, bound)} best" if advice.by_lag else "partitions"
    if bound is not None and most < bound:  # something has no owner
        note = "of what is owned"
    if before is not None and (was := busiest_load(before, by_lag=advice.by_lag)) != most:
        note = f"was {amount(was)}"
    about = "Of the consumer with the most partitions"
    if advice.by_lag:
        about = (
            f"Of the consumer with the most {advice.measure.noun}, in {advice.measure.unit}. No "
            "strategy brings it below the best possible: the total divided by the consumers, or "
            "the largest partition."
        )
    return Figure("Busiest now", amount(most), note, about)


def _recommended(
    label: str,
    outcome: Outcome | None,
    group: Group,
    advice: Advice,
    before: Mapping[str, Outcome],
) -> Figure:
    if outcome is None and not group.is_wanted.any():
        return Figure(label, "none", "nothing to assign", "")
    if outcome is None:
        none = "no improvement" if advice.settable else "none reliably better"
        if label == _CUSTOM and not advice.takes_custom:
            none = "not supported"
        about = (
            "No strategy of this kind lowers the busiest consumer's load by 1 % in nine futures "
            "of ten"
        )
        return Figure(label, "none", none, about)
    notes = [outcome.label]
    if span := span_of(outcome, by_lag=advice.by_lag):
        notes.append(span)
    elif outcome.certainty != EXACT:
        notes.append(outcome.certainty.text)
    most = busiest_load(outcome, by_lag=advice.by_lag)
    then = before.get(outcome.name)
    if then is not None and (was := busiest_load(then, by_lag=advice.by_lag)) != most:
        notes.insert(0, f"was {amount(was)}")  # the end is cut off if space is short
    note = ", ".join(notes)
    return Figure(label, amount(most), note, _about(outcome))


def _about(outcome: Outcome) -> str:
    moved = outcome.figures.moved
    moves = "" if moved is None else f"; {plural(moved, 'partition')} would move"
    after = "" if outcome.outlook is None else " after the restart that a switch takes"
    return f"The busiest consumer's load under {outcome.label}{after}{moves}"


def before(
    baseline: Group, chosen: tuple[Strategy, ...], advice: Advice, runs: Strategy | None
) -> Mapping[str, Outcome]:
    """Return the baseline's outcomes under the chosen and the recommended strategies, by name."""
    recommended = (o.strategy for o in (advice.settable, advice.custom) if o and o.strategy)
    wanted = tuple(dict.fromkeys((*chosen, *recommended)))
    return {outcome.name: outcome for outcome in cache.outcomes(baseline, wanted, runs)}


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
