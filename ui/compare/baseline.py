"""What changed since the baseline: what was opened, or a state that the viewer pinned."""

from collections.abc import Mapping
from typing import Final

import streamlit as st

from evaluation.advice import Advice
from evaluation.changes import changes
from evaluation.compare import Outcome
from ui import cache, scenario
from ui.scenario import Scenario

_PIN: Final = "Compare what follows with the group as it is on screen now"
_UNPIN: Final = "Compare with what was opened again"
_RESET: Final = "Go back to what was opened"


def before(current: Scenario, chosen: tuple[str, ...], advice: Advice) -> Mapping[str, Outcome]:
    """Return the baseline's outcomes by name; none while it is on screen itself.

    They are those of the chosen strategies, and of the recommended ones too.
    """
    if current.is_at_baseline:
        return {}
    recommended = (o.name for o in (advice.settable, advice.custom) if o is not None)
    names = tuple(dict.fromkeys((*chosen, *recommended)))
    return {outcome.name: outcome for outcome in cache.outcomes(current.baseline, names)}


def baseline_bar(current: Scenario) -> None:
    """Say what sets the group apart from the baseline, and let the viewer pin another."""
    if current.is_at_baseline and current.pinned is None:
        return
    name = "what was opened" if current.pinned is None else "the pinned baseline"
    differences = ", ".join(changes(current.baseline, current.group)) or "no difference"
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
