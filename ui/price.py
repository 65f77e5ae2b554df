"""What a consumer costs, stated once for the Autoscaler and the scenarios."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import streamlit as st

from evaluation.stated import InvalidNumberError, require
from ui import told

_PRICE: Final = "pod_cost"
_CURRENCY: Final = "currency"
_USUAL: Final = "USD"
_LONGEST: Final = 5
"""Characters of a currency."""


def ask() -> None:
    """Ask for the price of a consumer and its currency."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        told.number(_PRICE).ask(
            "A consumer or pod costs, per hour",
            "From the moment it is wanted. Blank: no money is shown.",
            "unknown",
        )
        st.text_input(
            "Currency",
            "" if _CURRENCY in st.session_state else _USUAL,
            max_chars=_LONGEST,
            key=_CURRENCY,
            width=90,
            persist_state="session",
        )


def readable() -> tuple[float | None, str]:
    """Return what is stated, or no price if it is out of bounds; for pages that do not ask."""
    with suppress(InvalidNumberError):
        return stated()
    return None, ""


def stated() -> tuple[float | None, str]:
    """Return the price, if one is stated, and the currency; raises InvalidNumberError."""
    price, currency = told.number(_PRICE).number(), str(st.session_state.get(_CURRENCY) or _USUAL)
    require("the cost of a pod", price or 0.0, currency, most=1e12)
    return price, currency


def written() -> dict[str, str]:
    """Return the price and its currency as a plan holds them; nothing without a price."""
    price = told.number(_PRICE).written()
    if price is None:
        return {}
    return {_PRICE: price, _CURRENCY: str(st.session_state.get(_CURRENCY) or _USUAL)}


def restore(asked: Mapping[str, str]) -> None:
    """State the price and currency of a plan, if it has them; for callbacks."""
    if _PRICE in asked:
        told.number(_PRICE).put(asked[_PRICE])
        st.session_state[_CURRENCY] = asked.get(_CURRENCY, _USUAL)[:_LONGEST]
