"""The head of the Fleet page: the conclusion and the totals behind it."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaluation.wording import plural
from sources.fleet.totals import Totals
from ui.fleet.words import conclusion, totals_words

_TIME: Final = "%d %b %Y, %H:%M"
_ABOUT: Final = """\
Totals are as of each group's last snapshot. Idle consumers own no partition. A topic that several
groups read counts once for each of them. Unknown lags are not in the sum. Gains compare each
group's busiest consumer as it was and under its best strategy, mean over the snapshots."""


def show(
    place: DeltaGenerator,
    totals: Totals,
    ranking: pd.DataFrame,
    rejected: int,
    see_rejected: Callable[[], None],
) -> None:
    """Show at its place what switching would gain, and the totals."""
    with place:
        st.markdown(conclusion(ranking))
        if totals.first is None or totals.last is None:
            return
        span = f"{plural(totals.snapshots, 'group snapshot')} {_span(totals.first, totals.last)}"
        st.caption(f"{totals_words(totals)} · {span} UTC", help=_ABOUT)
        if rejected:
            st.button(
                f"{plural(rejected, 'row')} of telemetry rejected",
                icon=":material/rule:",
                on_click=see_rejected,
                type="tertiary",
                key="see_rejected",
            )


def _span(first: datetime, last: datetime) -> str:
    """Return from when to when, or at which single moment."""
    if first == last:
        return f"at {first:{_TIME}}"
    return f"from {first:{_TIME}} to {last:{_TIME}}"
