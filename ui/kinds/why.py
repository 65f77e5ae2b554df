"""The view "Why" of a group that is no consumer group: what decided where each task is."""

from typing import Final

import pandas as pd
import streamlit as st

from evaluation.kinds.view import KindView
from evaluation.kinds.why import items_in, why, why_each
from evaluation.wording import duration
from ui import widgets
from ui.choices.option import OptionChoice

_ITEM: Final = "explained_item"
_MOST_ROUNDS: Final = 20
"""Rounds whose steps are told; a long course of probing rebalances repeats itself."""


def show(view: KindView) -> None:
    """Show the steps about one item, round by round, then what decided about each of them."""
    items = items_in(view)
    if not items:
        st.info("There is nothing to explain: nothing is configured, and nobody holds anything.")
        return
    chosen = OptionChoice(_ITEM).pick("Why is it there?", items)
    steps = [each for each in why(view, chosen) if each.number <= _MOST_ROUNDS]
    widgets.table(
        pd.DataFrame(
            [
                (
                    f"{each.number}. {each.cause.value}",
                    duration(each.at_s) if each.at_s else "at once",
                    each.holder or "nobody",
                    each.does,
                    each.text,
                )
                for each in steps
            ],
            columns=["Round", "When", "Who", "Does", "Why"],
        ),
        f"The steps that lead {chosen} to its holder",
        pinned=(),
        widths={"Round": 170, "When": 80, "Who": 170, "Does": 130, "Why": 700},
        row_height=widgets.WRAPPED,
    )
    if len(view.found.stages) > _MOST_ROUNDS:
        st.caption(f"The first {_MOST_ROUNDS} of {len(view.found.stages):,} rounds are told.")
    widgets.table(
        pd.DataFrame(why_each(view), columns=["What", "As", "Holder", "What decided"]),
        "What decided about everything that is held in the end",
        pinned=(),
        widths={"What": 130, "As": 90, "Holder": 170, "What decided": 800},
        row_height=widgets.WRAPPED,
    )
