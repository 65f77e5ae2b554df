"""The baseline of a comparison: what is compared with it, and what has changed since."""

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from assignors.strategy import Strategy
from evaluation.answering.answer import Answer
from evaluation.comparing.changes import changes_between
from evaluation.comparing.outcomes import Outcome
from ui import cache, scenario
from ui.answers import known_of_another
from ui.scenario import Scenario

_PIN: Final = "Compare what follows with the group as it is on screen now"
_UNPIN: Final = "Compare with what was opened again"
_RESET: Final = "Go back to what was opened"


def before(current: Scenario, chosen: Sequence[Strategy], answer: Answer) -> Mapping[str, Outcome]:
    """Return the baseline's outcomes under the chosen strategies, by name; none on itself."""
    if current.is_at_baseline or not current.group.member_count:
        return {}
    baseline = known_of_another(current, current.baseline).group
    runs, is_noticed = answer.running.presumed, answer.given.stated.is_noticed
    now, then = cache.present_owners(baseline), cache.solved(baseline, chosen, runs, is_noticed)
    return {outcome.name: outcome for outcome in (now, *then) if outcome is not None}


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
