"""The ranked list of groups, to search, to choose from and to take away."""

from collections.abc import Callable
from typing import Final

import pandas as pd
import streamlit as st

from ui import downloads, linked
from ui.fleet_words import strategy_label, why

_SHOWN: Final = 500
PICKED: Final = "picked_row"
"""The key of the list; its selection is the row that was clicked."""


def matching(ranking: pd.DataFrame, sought: str) -> pd.DataFrame:
    """Return the groups whose name, cluster or strategy holds the text."""
    if not sought:
        return ranking
    is_found = pd.Series(data=False, index=ranking.index)
    for column in ("group_id", "cluster", "strategy"):
        is_found |= ranking[column].str.contains(sought, case=False, regex=False)
    return ranking[is_found]


def shown_table(ranking: pd.DataFrame) -> pd.DataFrame:
    """Return the columns people read, with the reason in words."""
    return pd.DataFrame(
        {
            "Rank": ranking["rank"],
            "Group": ranking["group_id"],
            "Cluster": ranking["cluster"],
            "Best under": ranking["strategy"].map(strategy_label),
            "Gain": ranking["gain_lag"].round(),
            "Gain, share": 100 * ranking["gain_share"],
            "Why": [why(row) for _, row in ranking.iterrows()],
            "Fullest as it was": ranking["max_lag_as_it_was"].round(),
            "Fullest then": ranking["max_lag"].round(),
            "Best possible": ranking["best_max_lag"].round(),
            "Consumers": ranking["members"],
            "Partitions": ranking["partitions"],
            "Snapshots": ranking["snapshots"],
        }
    )


def ranked_list(ranking: pd.DataFrame, see: Callable[[str, str], None]) -> None:
    """Show the groups, most to gain first; ``see`` hears cluster and group of a row clicked."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sought = linked.text("Search", "fleet_search", "group, cluster or strategy")
        found = matching(ranking, sought)
        downloads.offer(lambda: found, "fleet", "ranking", ("CSV", "Parquet"))
    if found.empty:
        st.info("No group's name, cluster or strategy holds this text. Search for a part of it.")
        return
    head = found.head(_SHOWN)
    st.caption(":material/ads_click: Click beside a row to see the group.")

    def see_clicked() -> None:
        clicked = st.session_state[PICKED].selection.rows
        if clicked:
            row = head.iloc[clicked[0]]
            see(row["cluster"], row["group_id"])

    _table(head, see_clicked)
    if len(found) > len(head):
        st.caption(f"The first {_SHOWN:,} of {len(found):,} groups; the files hold them all.")


def _table(head: pd.DataFrame, see_clicked: Callable[[], None]) -> None:
    number = st.column_config.NumberColumn
    st.dataframe(
        shown_table(head),
        hide_index=True,
        on_select=see_clicked,
        selection_mode="single-row",
        key=PICKED,
        column_config={
            "Rank": number(width="small", pinned=True),
            "Group": st.column_config.TextColumn(pinned=True),
            "Best under": st.column_config.TextColumn(
                help="The strategy that would have served best; as it was: nothing to gain"
            ),
            "Gain": number(
                format="localized", help="Records off the fullest consumer, mean over the snapshots"
            ),
            "Gain, share": st.column_config.ProgressColumn(
                format="%.0f %%", min_value=0, max_value=100, help="Of what the fullest has"
            ),
            "Why": st.column_config.TextColumn(width="large"),
            "Fullest as it was": number(format="localized", help="Mean over the snapshots"),
            "Fullest then": number(format="localized", help="Under the strategy named"),
            "Best possible": number(format="localized", help="No assignment gets below it"),
        },
        placeholder="unknown",
        alt="Groups ranked by what switching the strategy would gain",
    )
