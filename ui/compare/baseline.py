"""What changed since the baseline: what was opened, or a state that the viewer pinned."""

from collections.abc import Mapping

import streamlit as st

from evaluation.advice import Advice
from evaluation.changes import changes
from evaluation.compare import Outcome
from ui import cache, scenario
from ui.scenario import Scenario


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
        if not current.is_at_baseline:
            st.button(
                "Pin as baseline",
                icon=":material/keep:",
                type="tertiary",
                on_click=scenario.pin,
                help="Compare what follows with the group as it is on screen now",
            )
        if current.pinned is not None:
            st.button(
                "Unpin",
                icon=":material/keep_off:",
                type="tertiary",
                on_click=scenario.unpin,
                help="Compare with what was opened again",
            )
        if current.is_edited:
            st.button(
                "Reset",
                icon=":material/restart_alt:",
                type="tertiary",
                on_click=scenario.reset,
                help="Go back to what was opened",
            )
