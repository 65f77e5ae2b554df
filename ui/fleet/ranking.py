"""The ranked table of groups, with search, selection and download."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import FloatArray
from charts.fleet_gains import gain_bars
from evaluation.judging import LAG, Measure
from sources.fleet.standing import Standing
from sources.fleet.states import LOOKED_AT, MOST_PARTITIONS
from ui import downloads
from ui.choices.text import TextChoice
from ui.fleet.words import (
    NO_SNAPSHOT,
    in_trouble,
    less,
    now,
    setting_words,
    strategy_label,
    to_do,
    why,
)

_SHOWN: Final = 500
_DRAWN: Final = 12
"""Bars that fit above the ranking."""
_WIDTHS: Final = {
    "Group": 170,
    "Now": 240,
    "Do": 352,
    "By a setting": 165,
    "Best strategy": 160,
    "Why": 580,
}
"""Pixels that hold nearly every text on two lines. Up to *By a setting* they fill a page of 1,280
pixels, and up to *Best strategy* one of 1,440, so that neither cuts a column."""
_ROW_PX: Final = 52
"""Two lines."""
_GROUP: Final = "Group"
PICKED: Final = "picked_row"
"""The key of the table, whose selection is the ticked rows and the clicked cell."""


def shown_table(ranking: pd.DataFrame, found: Standing, measure: Measure = LAG) -> pd.DataFrame:
    """Return the columns to show of some ranked groups, with reasons in words."""
    rows = [row for _, row in ranking.iterrows()]
    settable = {"By a setting": [*map(setting_words, rows)]} if found.has_settings else {}
    states = [found.states.get(key) for key in _keys(ranking)]
    advice = map(found.advice, rows)
    return pd.DataFrame(
        {
            "Rank": ranking["rank"],
            "Less by": 100 * _setting_shares(ranking, found),
            "Group": ranking["group_id"],
            "Now": [*map(now, states)],
            "Do": [*map(to_do, advice, states)],
            **settable,
            "Best strategy": ranking["strategy"].map(strategy_label),
            "Gain": ranking["gain_load"].round(),
            "Why": [why(row, measure) for row in rows],
            "Cluster": ranking["cluster"],
            "Busiest, as it was": ranking["max_load_as_it_was"].round(),
            "Busiest, then": ranking["max_load"].round(),
            "Lower bound": ranking["lower_bound"].round(),
            "Consumers": ranking["members"],
            "Partitions": ranking["partitions"],
            "Snapshots": ranking["snapshots"],
            "Kept": 100 * ranking["kept_share"],
        }
    )


def _setting_shares(ranking: pd.DataFrame, found: Standing) -> FloatArray:
    """Return what a setting takes off each busiest consumer; any strategy if none was tried."""
    column = "setting_gain_share" if found.has_settings else "gain_share"
    shares: FloatArray = ranking[column].to_numpy(np.float64, na_value=np.nan)
    return shares


def _keys(ranking: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(ranking["cluster"], ranking["group_id"], strict=True))


def troubled_first(ranking: pd.DataFrame, found: Standing) -> pd.DataFrame:
    """Return the ranking with the groups in trouble first, as they are begun with, then by rank."""
    places = {key: place for place, (key, _) in enumerate(in_trouble(found.states))}
    order = [places.get(key, len(places)) for key in _keys(ranking)]
    return ranking.iloc[np.argsort(order, kind="stable")].reset_index(drop=True)


def _picture(found: Standing, measure: Measure) -> None:
    """Show what a setting takes off the groups that gain most, and what a jar does."""
    first = found.ranked[found.ranked["gain_load"] > 0].head(_DRAWN)
    if first.empty:
        return
    nothing = np.full(len(first), np.nan)
    own = _setting_shares(first, found) if found.has_settings else nothing
    most = np.argsort(-np.nan_to_num(own), kind="stable")
    first, own = first.iloc[most], own[most]
    st.plotly_chart(
        gain_bars(
            first["group_id"].tolist(),
            own,
            first["gain_share"].to_numpy(np.float64, na_value=np.nan),
            measure.noun,
        ),
        key="gains",
        alt=f"{less(measure).capitalize()} on the busiest consumer of {len(first)} groups, by a "
        "setting, and by a jar as well",
    )


def show(
    found: Standing,
    measure: Measure,
    see: Callable[[str, str], None],
    plan: Callable[[Sequence[tuple[str, str]]], None],
) -> None:
    """Show gains, then the groups; a click on a name calls ``see`` with cluster and name.

    ``plan`` is called with those of the ticked rows. Groups in trouble come first, then those that
    a setting brings most.
    """
    _picture(found, measure)
    ranking = troubled_first(found.ranked, found)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sought = TextChoice("fleet_search").ask("Search", "group, cluster or strategy")
        texts = (ranking["group_id"], ranking["cluster"], ranking["strategy"].map(strategy_label))
        matches = downloads.containing(ranking, texts, sought)
        downloads.offer(lambda: matches, "fleet", "ranking", downloads.COLUMNAR)
    if matches.empty:
        said = "No group, cluster or strategy contains this text. Try a shorter part of it."
        st.info(said if sought else NO_SNAPSHOT)
        return
    head = matches.head(_SHOWN)

    def see_clicked() -> None:
        clicked = [
            row for row, column in st.session_state[PICKED].selection.cells if column == _GROUP
        ]
        if clicked:
            see(*_keys(head)[clicked[0]])

    ticked = _table(shown_table(head, found, measure), measure, see_clicked)
    with st.container(horizontal=True, vertical_alignment="center"):
        plan([_keys(head)[row] for row in ticked if row < len(head)])
        st.markdown(
            ":small[:material/ads_click: Click a group's name to see it; tick rows to plan the "
            f"groups together. Now: at the last snapshot of the {LOOKED_AT} groups with most load, "
            f"as far as they have {MOST_PARTITIONS:,} partitions together.]"
        )
    if len(matches) > len(head):
        st.markdown(
            f":small[The first {_SHOWN:,} of {len(matches):,} groups; the downloads hold all of "
            "them.]"
        )


def _table(shown: pd.DataFrame, measure: Measure, see_clicked: Callable[[], None]) -> Sequence[int]:
    """Show the ranked groups; return the ticked rows."""
    noun = measure.noun
    number = st.column_config.NumberColumn

    def text(name: str, **config: Any) -> Any:  # noqa: ANN401 -- Streamlit's own
        return st.column_config.TextColumn(width=_WIDTHS[name], **config)

    chosen = st.dataframe(
        shown,
        row_height=_ROW_PX,
        hide_index=True,
        on_select=see_clicked,
        selection_mode=("multi-row", "single-cell"),
        key=PICKED,
        column_config={
            "Rank": number(width=55, pinned=True),
            "Group": text("Group", pinned=True),
            "Now": text("Now"),
            "Do": text("Do"),
            "Best strategy": text(
                "Best strategy",
                help=f"Least {noun} on the busiest consumer; as it was: no switch gains",
            ),
            "By a setting": text(
                "By a setting",
                help="How much less a strategy takes that needs no jar, and which one",
            ),
            "Gain": number(
                format="localized",
                help=f"Off the busiest consumer's {noun} ({measure.unit}), mean over the snapshots",
            ),
            "Less by": st.column_config.ProgressColumn(
                format="%.0f %%",
                min_value=0,
                pinned=True,
                width=105,
                max_value=100,
                help=f"What a setting takes off the busiest consumer, as a share of its {noun}",
            ),
            "Why": text(
                "Why",
                help=f"{noun.capitalize()} of the busiest consumer over the mean; idle consumers; "
                f"the least share of all {noun} that it must have; moves a snapshot; tested: "
                "what was best in the first half of the snapshots brought so much there, and then "
                "in the second half",
            ),
            "Busiest, as it was": number(
                format="localized",
                help=f"{noun.capitalize()} of the busiest consumer, mean over the snapshots",
            ),
            "Busiest, then": number(format="localized", help="The same under the best strategy"),
            "Kept": number(
                format="%.0f %%",
                help=f"{less(measure).capitalize()} in the second half of the snapshots under what "
                "was best in the first half; negative: more",
            ),
            "Lower bound": number(format="localized", help="No assignment gets below this"),
        },
        placeholder="unknown",
        alt="Groups ranked by what switching the strategy would gain",
    )
    return chosen.selection.rows
