"""The fleet in charts: distributions over the groups, and groups over time."""

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from charts.bars import spread_bars
from charts.fleet_kept import kept_chart
from charts.fleet_maps import time_map
from evaluation.judging import Measure
from sources.fleet import distributions
from sources.fleet.distributions import Distribution
from sources.fleet.heatmaps import Heatmap, group_heatmap
from ui import downloads, widgets
from ui.choices.option import OptionChoice
from ui.fleet.words import kept_words, less, tested

_FIGURES: Final = {
    "{Noun}": ("total_load", "{unit}"),
    "{Noun} of the busiest consumer": ("max_load", "{unit}"),
    "Busiest over mean": ("max_over_mean_load", "times the mean"),
    "Idle consumers": ("idle_members", "consumers"),
}
_KEPT: Final = ["cluster", "group_id", "tested_strategy", "promised_share", "kept_share"]
_MOST_GROUPS: Final = ("40", "20", "100", "200")


def show_distributions(ranking: pd.DataFrame, measure: Measure) -> None:
    """Show how evenness, gain and idle consumers are distributed over the groups."""
    if ranking.empty:
        st.info("No group has a snapshot in this cluster and time. Choose another.")
        return
    _show(
        "How uneven the groups are",
        distributions.evenness(ranking),
        f"{measure.noun} of the busiest consumer over the mean; 1 is even",
        "evenness",
    )
    left, right = st.columns(2, gap="large")
    with left:
        _show(
            "What switching gains",
            distributions.gain_shares(ranking),
            f"% {less(measure)} on the busiest consumer",
            "gains",
        )
    with right:
        _show(
            "Idle consumers",
            distributions.idle_consumers(ranking),
            "consumers without a partition, mean over the snapshots",
            "idle",
        )


def show_kept(ranking: pd.DataFrame, measure: Measure) -> None:
    """Show what was promised on the first half of the snapshots and kept on the second."""
    judged = tested(ranking)[_KEPT]
    if judged.empty:
        st.info(
            "Nothing to test here: it takes groups with snapshots in both halves of their time, in "
            "the first of which a switch gained."
        )
        return
    st.subheader(
        "What was promised and what was kept",
        help="Chosen on the first half of each group's snapshots, judged on the second",
    )
    st.markdown(kept_words(ranking, measure))
    st.plotly_chart(
        kept_chart(
            judged["group_id"].tolist(),
            judged["promised_share"].to_numpy(np.float64),
            judged["kept_share"].to_numpy(np.float64),
            less(measure),
        ),
        key="kept",
        alt="The gain of each group in the first half of its snapshots, against the second half",
    )
    downloads.offer(lambda: judged, "fleet", "kept", downloads.COLUMNAR)


def _show(title: str, counts: Distribution, unit: str, name: str) -> None:
    st.subheader(title)
    if not any(map(sum, counts.groups.values())):
        st.info("Unknown for every group here.")
        return
    st.plotly_chart(
        spread_bars(counts.steps, counts.groups, unit),
        key=f"spread_{name}",
        alt=f"{title}: how many groups have how much, by {unit}",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        if counts.unknown:
            st.markdown(f":small[Unknown for {counts.unknown:,} more.]")
        table = pd.DataFrame({"step": counts.steps, **counts.groups})
        downloads.offer(lambda: table, "fleet", name, downloads.COLUMNAR)


def show_time_map(heatmap: Heatmap, unit: str, key: str, alt: str) -> None:
    """Draw a heatmap over time in the visitor's theme."""
    drawn = time_map(
        heatmap.names,
        heatmap.moments,
        heatmap.cells,
        unit,
        heatmap.slot,
        is_dark=widgets.is_dark(),
    )
    st.plotly_chart(drawn, key=key, alt=alt)


def show_heatmap(rows: pd.DataFrame, measure: Measure) -> None:
    """Show a figure over time for the groups with most of it; ``rows`` are the recorded ones."""
    words = {"Noun": measure.noun.capitalize(), "unit": measure.unit}
    figures = {
        name.format(**words): (figure, unit.format(**words))
        for name, (figure, unit) in _FIGURES.items()
    }
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = OptionChoice("map").pick("Colour shows", list(figures))
        most = OptionChoice("groups").pick("Groups", _MOST_GROUPS, about="Those with most")
        figure, unit = figures[name]
        heatmap = group_heatmap(rows, figure, int(most))
        downloads.offer(lambda: _cells(heatmap, figure), "fleet", "map", downloads.COLUMNAR)
    if not heatmap.names:
        st.info("Unknown for every group here. Choose another figure, cluster or time.")
        return
    alt = f"{name} of the {len(heatmap.names)} groups with most, over time"
    show_time_map(heatmap, unit, "group_map", alt)
    st.markdown(
        f":small[The {len(heatmap.names)} groups with most, by the mean over time, the largest on "
        "top, as they were. Empty: no snapshot, or unknown. The colour scale is logarithmic.]"
    )


def _cells(heatmap: Heatmap, figure: str) -> pd.DataFrame:
    """Return the known cells of a heatmap, one row each."""
    row, column = np.nonzero(~np.isnan(heatmap.cells))
    return pd.DataFrame(
        {
            "group": np.array(heatmap.names, dtype=object)[row],
            "at": pd.DatetimeIndex(heatmap.moments[column]).tz_localize("UTC"),
            figure: heatmap.cells[row, column],
        }
    )
