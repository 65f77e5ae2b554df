"""The fleet in pictures: how groups are spread, and what they carry over time."""

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from charts.fleet_maps import time_map
from charts.fleet_spread import spread_bars
from sources import fleet_spread
from sources.fleet_maps import Grid, group_grid
from sources.fleet_spread import Spread
from ui import downloads, linked

_FIGURES: Final = {
    "Lag": ("total_lag", "records"),
    "Lag of the fullest consumer": ("max_lag", "records"),
    "Fullest over mean": ("max_over_mean_lag", "times the mean"),
    "Idle consumers": ("idle_members", "consumers"),
}
_MOST_GROUPS: Final = ("40", "20", "100", "200")


def spreads(ranking: pd.DataFrame) -> None:
    """Show how evenness, gain and idle consumers are spread over the groups."""
    if ranking.empty:
        st.info("No group is left by these filters; choose another cluster or time.")
        return
    _spread(
        "How uneven the groups are",
        fleet_spread.evenness(ranking),
        "lag of the fullest consumer over the mean; 1 is even",
        "evenness",
    )
    left, right = st.columns(2, gap="large")
    with left:
        _spread(
            "What switching takes off",
            fleet_spread.gain_shares(ranking),
            "% of the fullest consumer's lag",
            "gains",
        )
    with right:
        _spread(
            "Consumers without a partition",
            fleet_spread.idle_consumers(ranking),
            "idle consumers, mean over the snapshots",
            "idle",
        )


def _spread(title: str, found: Spread, unit: str, name: str) -> None:
    st.subheader(title)
    if not any(map(sum, found.groups.values())):
        st.info("This is not known of any group here.")
        return
    st.plotly_chart(
        spread_bars(found.steps, found.groups, unit),
        key=f"spread_{name}",
        alt=f"{title}: how many groups have how much, by {unit}",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if found.unknown:
            st.caption(f"Not known of {found.unknown:,} more.")
        downloads.offer(lambda: _spread_table(found), "fleet", name, ("CSV", "Parquet"))


def _spread_table(found: Spread) -> pd.DataFrame:
    return pd.DataFrame({"step": found.steps, **found.groups})


def group_map(present: pd.DataFrame) -> None:
    """Show a figure of the fullest groups over time."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = linked.choice("Colour shows", list(_FIGURES), "map")
        most = linked.choice("Groups", _MOST_GROUPS, "groups", about="Those that have most")
        figure, unit = _FIGURES[name]
        grid = group_grid(present, figure, int(most))
        with st.container(horizontal=True, width="content"):  # one stays beside the other
            downloads.offer(
                lambda: grid_table(grid, "group", figure), "fleet", "map", ("CSV", "Parquet")
            )
    if not grid.names:
        st.info("This is not known of any group here. Choose another figure, cluster or time.")
        return
    st.plotly_chart(
        time_map(grid.names, grid.moments, grid.cells, unit, grid.slot),
        key="group_map",
        alt=f"{name} of the {len(grid.names)} groups that have most, over time",
    )
    st.caption(
        f"The {len(grid.names)} groups that have most, mean over time, the fullest on top; as "
        "they were. Empty: not seen, or not known. Colours follow the logarithm."
    )


def grid_table(grid: Grid, what: str, figure: str) -> pd.DataFrame:
    """Return the known cells of a map, one row each."""
    row, column = np.nonzero(~np.isnan(grid.cells))
    return pd.DataFrame(
        {
            what: np.array(grid.names, dtype=object)[row],
            "at": pd.DatetimeIndex(grid.moments[column]).tz_localize("UTC"),
            figure: grid.cells[row, column],
        }
    )
