"""The gallery's cards: a surprise each, with figures and buttons to try it out."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from assignors.registry import STRATEGIES
from charts.bars import amount_bars
from sources.gallery import CARDS, Card, filled
from sources.kind_gallery import KIND_CARDS, KindCard, filled_kind
from ui import scenario, widgets
from ui.caching import cached
from ui.choices.option import SeveralChoice
from ui.kinds import asked
from ui.picture import places
from ui.rebalance import history
from ui.start import open_example
from ui.untrusted import verbatim

_ABOUT: Final = "about"
_FIGURES: Final = {
    "count_spread": "Most minus fewest partitions of a consumer",
    "idle": "Consumers without a partition",
    "least_topics": "Topics of the consumer that reads the fewest",
    "max_count": "Partitions of the busiest consumer",
    "max_lag": "Lag of the busiest consumer, in records",
    "moved": "Partitions that move",
    "off_rack": "Partitions read from another rack",
    "paused": "Partitions that pause",
}


_filled = cached(64, "Assigning partitions…")(filled)
_filled_kind = cached(8, "Assigning tasks…")(filled_kind)
_amount_bars = cached(64)(amount_bars)


def choose_cards() -> Sequence[Card]:
    """Show a filter by strategy; return the matching cards, by default all."""
    concerned = {name for card in CARDS for name in card.strategies}
    label_of = {name: STRATEGIES[name].label for name in STRATEGIES if name in concerned}
    with st.container(key=places.CHIPS):
        chosen = SeveralChoice(_ABOUT).ask_side_by_side(
            "About", list(label_of), label_of.__getitem__, about="Choose none to see all examples"
        )
    return [card for card in CARDS if not chosen or set(chosen) & set(card.strategies)]


def show_card(card: Card) -> None:
    """Show one card."""
    shown = _filled(card)
    labels = {STRATEGIES[name].label: shown.amounts[name][card.figure] for name in card.strategies}
    with st.container(border=True, height="stretch"):
        st.subheader(shown.surprise, anchor=card.id)
        st.markdown(f":small[{shown.title}]")
        st.markdown(shown.happens)
        st.markdown(f":small[**{_FIGURES[card.figure]}**]")
        widgets.picture(
            _amount_bars({label: value or 0 for label, value in labels.items()}),
            f"amounts_{card.id}",
            ", ".join(f"{label}: {value:,}" for label, value in labels.items()),
        )
        st.markdown(f"**Why:** {shown.why}")
        st.markdown(f"**Instead:** {shown.instead}")
        st.space("stretch")
        with st.container(horizontal=True):
            _ways_on(card)


def show_kind_cards(others: Sequence[Card]) -> None:
    """Show the cards of groups of other kinds, unless ``others`` are filtered by a strategy."""
    if len(others) < len(CARDS):
        return
    st.header("Streams, Connect and share groups")
    grid = st.grid(2, min_column_width=330, gap="medium")
    for card in KIND_CARDS:
        with grid.cell():
            _show_kind_card(card)


def _show_kind_card(card: KindCard) -> None:
    """Show a card of a group that is no consumer group, with the group to open."""
    shown = _filled_kind(card)
    with st.container(border=True, height="stretch"):
        st.subheader(card.surprise, anchor=card.id)
        st.markdown(f":small[{card.kind.label}]")
        st.markdown(verbatim(shown.happens))
        st.markdown(f"**Why:** {card.why}")
        st.markdown(f"**Instead:** {card.instead}")
        st.space("stretch")
        if st.button("Open", key=f"open_{card.id}"):
            scenario.show(shown.reading.name or card.kind.label, shown.reading)
            asked.ask_more_next(shown.view.group, card.what_if.more)
            st.switch_page("pages/compare.py")


def _ways_on(card: Card) -> None:
    if st.button(
        "Open it",
        key=f"open_{card.id}",
        help="On the Group page, under these strategies",
    ):
        open_example(card.id, card.strategies)
    if card.guide and st.button(
        "Replay it",
        key=f"replay_{card.id}",
        help="Event by event, on the Rebalance page",
    ):
        st.session_state[history.GUIDE] = card.guide.title
        history.load_chosen()
        st.switch_page("pages/rebalance.py")
