"""The ranked table of groups, with search, selection and download."""

from collections.abc import Callable
from typing import Final

import pandas as pd
import streamlit as st

from evaluation.judging import LAG, Measure
from sources.fleet.totals import KEYS
from ui import downloads, url_state
from ui.fleet.words import NO_SNAPSHOT, less, setting_words, strategy_label, why

_SHOWN: Final = 500
_WHY: Final = 580
"""Pixels that hold nearly every reason; beside the columns before it they fit a screen."""
PICKED: Final = "picked_row"
"""The key of the table, whose selection is the clicked row."""


def shown_table(
    ranking: pd.DataFrame, by_setting: pd.DataFrame | None, measure: Measure = LAG
) -> pd.DataFrame:
    """Return the columns to show, with reasons in words.

    ``by_setting`` is the ranking among the strategies that a setting selects, if there are any.
    """
    settable = {}
    if by_setting is not None:
        own = ranking[KEYS].merge(by_setting, on=KEYS, how="left")
        settable = {"By a setting": [setting_words(row) for _, row in own.iterrows()]}
    return pd.DataFrame(
        {
            "Rank": ranking["rank"],
            "Less by": 100 * ranking["gain_share"],
            "Group": ranking["group_id"],
            "Gain": ranking["gain_load"].round(),
            "Best strategy": ranking["strategy"].map(strategy_label),
            **settable,
            "Why": [why(row, measure) for _, row in ranking.iterrows()],
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


def show(
    ranking: pd.DataFrame,
    by_setting: pd.DataFrame | None,
    measure: Measure,
    see: Callable[[str, str], None],
) -> None:
    """Show the groups, largest gain first; a click on a row calls ``see`` with cluster and name."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sought = url_state.text("Search", "fleet_search", "group, cluster or strategy")
        texts = (ranking["group_id"], ranking["cluster"], ranking["strategy"].map(strategy_label))
        matches = downloads.containing(ranking, texts, sought)
        downloads.offer(lambda: matches, "fleet", "ranking", downloads.COLUMNAR)
    if matches.empty:
        said = "No group, cluster or strategy contains this text. Try a shorter part of it."
        st.info(said if sought else NO_SNAPSHOT)
        return
    head = matches.head(_SHOWN)

    def see_clicked() -> None:
        clicked = st.session_state[PICKED].selection.rows
        if clicked:
            row = head.iloc[clicked[0]]
            see(row["cluster"], row["group_id"])

    _table(shown_table(head, by_setting, measure), measure, see_clicked)
    st.markdown(":small[:material/ads_click: Tick a row to see the group.]")
    if len(matches) > len(head):
        st.markdown(
            f":small[The first {_SHOWN:,} of {len(matches):,} groups; the downloads hold all of "
            "them.]"
        )


def _table(shown: pd.DataFrame, measure: Measure, see_clicked: Callable[[], None]) -> None:
    noun = measure.noun
    number = st.column_config.NumberColumn
    st.dataframe(
        shown,
        hide_index=True,
        on_select=see_clicked,
        selection_mode="single-row",
        key=PICKED,
        column_config={
            "Rank": number(width=55, pinned=True),
            "Group": st.column_config.TextColumn(pinned=True),
            "Best strategy": st.column_config.TextColumn(
                help=f"Least {noun} on the busiest consumer; as it was: no switch gains"
            ),
            "By a setting": st.column_config.TextColumn(
                help="How much less a strategy takes that needs no custom assignor, and which one"
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
                help=f"The gain as a share of the busiest consumer's {noun}",
            ),
            "Why": st.column_config.TextColumn(
                width=_WHY,
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
