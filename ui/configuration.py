"""The consumer settings of a strategy, to copy."""

from collections.abc import Sequence

import streamlit as st

from assignors.kinds import GroupKind
from assignors.strategy import Strategy
from evaluation.comparing.outcomes import Outcome
from evaluation.configuration import configuration
from ui import scenario
from ui.choices.option import OptionChoice
from ui.clients import client


def configuration_popover(outcomes: Sequence[Outcome], runs: Strategy | None) -> None:
    """Let the viewer choose one of the compared strategies, and show its settings.

    ``runs`` is the group's present strategy, if it is known.
    """
    compared = {o.name: o.strategy for o in outcomes if o.strategy is not None}
    if not compared:
        return
    with st.popover("Configure", icon=":material/settings:", help="What to set on the consumers"):
        name = OptionChoice("configured").pick(
            "Strategy", list(compared), shown=lambda name: compared[name].label
        )
        show_configuration(compared[name], runs)


def show_configuration(strategy: Strategy, before: Strategy | None = None) -> None:
    """Show the settings step by step, with notes; ``before`` is the group's present strategy."""
    shown = scenario.shown()
    kind = GroupKind.CONSUMER if shown is None else shown.reading.kind
    guide = configuration(strategy, client(), before, kind)
    for number, step in enumerate(guide.steps, 1):
        st.markdown(f"**{number}.** {step.text}" if len(guide.steps) > 1 else step.text)
        st.code(step.settings, language=step.language, wrap_lines=True)
    for note in guide.notes:
        st.caption(f":material/info: {note}")
