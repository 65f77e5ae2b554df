"""Present mode: the answer for a projector or a phone, without anything to edit."""

import streamlit as st

from ui import cache, header
from ui.compare import pictures
from ui.compare.conclusion import conclusion
from ui.scenario import Scenario
from ui.untrusted import verbatim


def show(current: Scenario) -> None:
    """Show the conclusion and at most four large panels."""
    group = current.group
    with st.container(horizontal=True, vertical_alignment="center"):
        st.title(verbatim(current.title), anchor=False, width="stretch")
        header.present_switch()
    advice, bound = cache.advice(group), cache.bound(group)
    st.header(conclusion(group, advice, bound), anchor=False)
    if not group.member_count or not group.partition_count:
        return
    shown = [o for o in (advice.now, advice.settable, advice.custom) if o is not None]
    names = {outcome.name for outcome in shown}
    shown += [o for o in cache.answers(group, ("range",)) if o.name not in names]
    pictures.presented(group, shown, bound, by_lag=advice.by_lag)
