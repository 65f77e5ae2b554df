"""The line of what an answer takes for granted, and where to change it."""

from typing import Final

import streamlit as st

from evaluation.answering.words import Words
from evaluation.assuming.assumed import SubscriptionSource, subscriptions_matter
from ui import judging, scenario, strategy_choice, told
from ui.clients import ask_running, choose_client, keep_client
from ui.scenario import Scenario
from ui.untrusted import verbatim

ASSUMED: Final = "assumed"
"""Session key: whether the visitor changes what is assumed."""
_OTHER: Final = {
    SubscriptionSource.ALL_READ_ALL: SubscriptionSource.UNEQUAL_INFERRED,
    SubscriptionSource.UNEQUAL_INFERRED: SubscriptionSource.ALL_READ_ALL,
}
"""What subscriptions may be instead of what is inferred."""


def show(current: Scenario, words: Words) -> None:
    """Show what is assumed, the rest of the caveats on demand, and let the visitor change it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        said = " · ".join(map(verbatim, words.assumes))
        more = "  \n".join(map(verbatim, words.caveats))
        if said:
            st.markdown(f":small[:gray[Assumes {said}]]", width="content", help=more or None)
        # What it asks is a fifth of what the page draws, and most visits leave it closed.
        name = "Change" if said else "Assumptions"
        asked = st.popover(name, type="tertiary", key=ASSUMED, on_change="rerun")
        keep_client()
        strategy_choice.keep_named(current)
        if asked.open:
            with asked:
                _offer_other_subscriptions(current)
                choose_client()
                ask_running(current.group, current.reading)
                judging.ask(current)
                strategy_choice.ask(current)
        else:
            told.keep_in_link()


def _offer_other_subscriptions(current: Scenario) -> None:
    """Offer the other reading of who subscribes to what, where the text leaves it open."""
    source = current.reading.assumed.subscriptions
    if source not in _OTHER or current.is_edited or not subscriptions_matter(current.group):
        return
    other = _OTHER[source]
    st.button(
        f"Assume instead that {other.value}",
        key="other_subscriptions",
        help="The text does not say which consumer subscribes to which topic. Undo takes it back.",
        on_click=scenario.read_otherwise,
        args=(current.reading.with_subscriptions(other),),
    )
