"""The baseline of a comparison: what is compared with it, and what has changed since."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.changes import changes_between
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from ui import cache, scenario
from ui.scenario import Scenario

_PIN: Final = "Compare what follows with the group as it is on screen now"
_UNPIN: Final = "Compare with what was opened again"
_RESET: Final = "Go back to what was opened"


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
