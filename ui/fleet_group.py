"""One group of the fleet: its history under each strategy, its consumers, and the way on."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from charts.fleet_history import Line, history_lines
from charts.fleet_maps import time_map
from schemas.tables import AS_IT_WAS
from sources.errors import SourceError
from sources.fleet import Fleet
from sources.fleet_history import by_strategy, history, ordered
from sources.fleet_maps import member_grid
from sources.fleet_scope import Scope
from sources.fleet_snapshot import snapshot
from ui import downloads, fleet_cache, linked, scenario
from ui.fleet_folder import sentence
from ui.fleet_words import group_words, strategy_label, why
from ui.words import plural

GROUP: Final = "of_group"
"""The key of the picker; a group is its cluster and its name."""
_OFFERED: Final = 300
_FIGURES: Final = {"Lag": ("lag", "records"), "Partitions": ("partitions", "partitions")}
_MOMENT: Final = "%Y-%m-%d %H:%M:%S"


def written(group: tuple[str, str]) -> str:
    """Return a group as the picker and the link name it.

    >>> written(("prod", "orders"))
    'orders · prod'
    """
    return f"{group[1]} · {group[0]}"


def pick(ranking: pd.DataFrame) -> tuple[str, str] | None:
    """Show the groups to choose from, most to gain first; return the chosen one's names."""
    keys = list(zip(ranking["cluster"], ranking["group_id"], strict=True))
    offered = keys[:_OFFERED]
    asked = {st.query_params.get(GROUP), written(st.session_state.get(GROUP, ("", "")))}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(keys) > _OFFERED:
            sought = linked.text("Find a group", "find", "part of its name")
            found = [key for key in keys if sought.lower() in key[1].lower()]
            beyond = [key for key in keys[_OFFERED:] if written(key) in asked] if not sought else []
            offered = [*found[:_OFFERED], *beyond]
        if not offered:
            st.info("No group is called so. Search for a part of its name.")
            return None
        return linked.choice("Group", offered, GROUP, written)


def group_view(fleet: Fleet, ranking: pd.DataFrame, scope: Scope) -> None:
    """Show one group: why it ranks where it does, its history, its consumers."""
    chosen = pick(ranking)
    if chosen is None:
        return
    cluster, group = chosen
    rows = fleet_cache.history_rows(fleet, cluster, group, scope)
    if rows.empty:
        st.info("The tables hold no snapshot of this group in this time; choose a longer one.")
        return
    is_it = (ranking["cluster"] == cluster) & (ranking["group_id"] == group)
    row = ranking[is_it].iloc[0]
    st.markdown(group_words(row))
    if reasons := why(row):
        st.caption(f":material/info: {reasons}.")
    _opener(fleet, cluster, group, rows)
    _history(rows, scope.strategies, row["strategy"], group)
    _members(fleet, cluster, group, rows, scope)


def _opener(fleet: Fleet, cluster: str, group: str, rows: pd.DataFrame) -> None:
    """Show the snapshots and the button that opens one in the editor."""
    moments = rows["snapshot_at"].drop_duplicates().sort_values(ascending=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        moment = linked.choice(
            "Snapshot (UTC)", list(moments), "snapshot", lambda at: at.strftime(_MOMENT)
        )
        is_asked = st.button(
            "Open in the editor",
            icon=":material/balance:",
            type="primary",
            key="open_snapshot",
            help="On the Compare page, with its owners, lags and rates, to try changes out",
        )
    if not is_asked:
        return
    try:
        reading = snapshot(fleet, cluster, group, moment.to_pydatetime())
    except SourceError as error:
        st.error(sentence(error), icon=":material/error:")
        return
    scenario.show(f"{group} at {moment.strftime(_MOMENT)} UTC", reading)
    st.switch_page("pages/compare.py")


def _history(rows: pd.DataFrame, strategies: Sequence[str], best: str, group: str) -> None:
    st.subheader(
        "Replayed under each strategy",
        help="Every snapshot starts from what the strategy had given at the snapshot before",
    )
    kept = rows[rows["strategy"].isin([AS_IT_WAS, *strategies])] if strategies else rows
    found = history(kept)
    lines = [
        Line(
            strategy_label(c.strategy),
            c.max_lag,
            c.moved,
            is_found=c.strategy == AS_IT_WAS,
            is_best=c.strategy == best,
        )
        for c in found.courses
    ]
    st.plotly_chart(
        history_lines(found.moments, found.best, lines),
        key="group_history",
        alt="Lag of the fullest consumer and partitions moved so far at every snapshot, a line "
        "for each strategy, the owners found and the best possible",
    )
    st.caption(
        "Above: lag of the fullest consumer. Below: partitions moved so far, added up. Strategies "
        "that agree throughout share a line."
    )
    with st.container(horizontal=True):
        downloads.offer(lambda: kept, group, "history", ("CSV", "Parquet"))
    table = by_strategy(kept)
    _strategies_table(table)
    with st.container(horizontal=True):
        downloads.offer(lambda: table, group, "strategies", ("CSV", "Parquet"))


def _strategies_table(table: pd.DataFrame) -> None:
    number = st.column_config.NumberColumn
    st.dataframe(
        pd.DataFrame(
            {
                "Strategy": table["strategy"].map(strategy_label),
                "Fullest": table["max_lag"].round(),
                "Best possible": table["best_max_lag"].round(),
                "Fullest over mean": table["max_over_mean_lag"],
                "Partition spread": table["count_spread"],
                "Idle": table["idle_members"],
                "Moved": table["moved"],
            }
        ),
        hide_index=True,
        height="content",
        column_config={
            "Strategy": st.column_config.TextColumn(pinned=True),
            "Fullest": number(format="localized", help="Lag of the fullest, mean over snapshots"),
            "Best possible": number(format="localized", help="No assignment gets below it"),
            "Fullest over mean": number(format="%.2f", help="1 is even"),
            "Partition spread": number(format="%.1f", help="Most minus fewest of a consumer"),
            "Idle": number(format="%.1f", help="Consumers without a partition"),
            "Moved": number(help="Partitions moved, over all snapshots"),
        },
        placeholder="unknown",
        alt="Figures of every strategy, mean over the snapshots",
    )


def _members(fleet: Fleet, cluster: str, group: str, rows: pd.DataFrame, scope: Scope) -> None:
    st.subheader("Consumers over time")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        strategy = linked.choice(
            "Under", ordered(rows["strategy"].unique()), "under", strategy_label
        )
        name = linked.choice("Colour shows", list(_FIGURES), "shows")
        figure, unit = _FIGURES[name]
        loads = fleet_cache.loads(fleet, cluster, group, strategy, scope)
        with st.container(horizontal=True, width="content"):  # one stays beside the other
            downloads.offer(lambda: loads, group, "consumers", ("CSV", "Parquet"))
    if loads.empty:
        st.info("The tables say nothing of this group's consumers in this time.")
        return
    grid = member_grid(loads, figure)
    st.plotly_chart(
        time_map(grid.names, grid.moments, grid.cells, unit, grid.slot),
        key="member_map",
        alt=f"{name} of every consumer over time, {strategy_label(strategy)}",
    )
    st.caption(_map_words(grid.per_row, int(np.count_nonzero(loads["unknown_lags"] > 0))))


def _map_words(per_row: int, unknown: int) -> str:
    words = "Empty: not there, or none of its lag is known. Colours follow the logarithm."
    if per_row > 1:
        words = f"Each row stands for {per_row} consumers and shows the fullest. {words}"
    if unknown:
        words += f" In {plural(unknown, 'cell')} some lag is unknown and comes on top."
    return words
