"""The ranked table of groups, with search, selection and download."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from assignors.model import FloatArray
from charts.fleet_gains import gain_bars
from evaluation.answering.fleet_words import NO_SNAPSHOT
from evaluation.judging import LAG, Measure
from sources.fleet.standing import Standing
from ui import downloads, widgets
from ui.choices.text import TextChoice
from ui.fleet.words import less, setting_words, strategy_label, why

_SHOWN: Final = 500
_DRAWN: Final = 12
"""Bars that fit above the ranking."""
_GROUP: Final = "Group"
PICKED: Final = "picked_row"
"""The key of the table, whose selection is the ticked rows and the clicked cell."""


class _Ranked(NamedTuple):
    """Some groups in the order of the table, with what is known of each."""

    ranking: pd.DataFrame
    rows: Sequence[pd.Series]
    found: Standing
    measure: Measure


@dataclass(frozen=True, kw_only=True)
class _Column:
    """A column of the table."""

    name: str
    of: Callable[[_Ranked], Sequence[object] | pd.Series | FloatArray]
    about: str = ""
    """Its help, with ``{noun}``, ``{Noun}``, ``{unit}`` and ``{Less}`` of the measure."""
    width: int | None = None
    """Of a text, pixels that hold nearly every one."""
    form: str | None = None
    """How its numbers are written."""
    is_pinned: bool = False
    is_bar: bool = False
    """Whether its percentages have a bar."""
    is_of_settings: bool = False
    """Whether it needs the gains of settings."""

    def config(self, measure: Measure, values: pd.Series) -> ColumnConfig:
        """Return how Streamlit shows its values."""
        about = self.about.format(
            noun=measure.noun,
            Noun=measure.noun.capitalize(),
            unit=measure.unit,
            Less=less(measure).capitalize(),
        )
        return widgets.column(
            values,
            about=about or None,
            width=self.width,
            is_pinned=self.is_pinned,
            form=self.form,
            most=100 if self.is_bar else None,
        )


_COLUMNS: Final = (
    _Column(name="Rank", of=lambda r: r.ranking["rank"], width=55, is_pinned=True),
    _Column(
        name="Less by",
        of=lambda r: 100 * _setting_shares(r.ranking, r.found),
        about="What a setting takes off the busiest consumer, as a share of its {noun}",
        width=105,
        form="%.0f %%",
        is_pinned=True,
        is_bar=True,
    ),
    _Column(name=_GROUP, of=lambda r: r.ranking["group_id"], width=170, is_pinned=True),
    _Column(
        name="By a setting",
        of=lambda r: [*map(setting_words, r.rows)],
        about="How much less a strategy takes that needs no jar, and which one",
        width=215,
        is_of_settings=True,
    ),
    _Column(
        name="Best strategy",
        of=lambda r: r.ranking["strategy"].map(strategy_label),
        about="Least {noun} on the busiest consumer; as it was: no switch gains",
        width=160,
    ),
    _Column(
        name="Gain",
        of=lambda r: r.ranking["gain_load"].round(),
        about="Off the busiest consumer's {noun} ({unit}), mean over the snapshots",
        form="localized",
    ),
    _Column(name="Cluster", of=lambda r: r.ranking["cluster"]),
    _Column(
        name="Busiest, as it was",
        of=lambda r: r.ranking["max_load_as_it_was"].round(),
        about="{Noun} of the busiest consumer, mean over the snapshots",
        form="localized",
    ),
    _Column(
        name="Busiest, then",
        of=lambda r: r.ranking["max_load"].round(),
        about="The same under the best strategy",
        form="localized",
    ),
    _Column(
        name="Lower bound",
        of=lambda r: r.ranking["lower_bound"].round(),
        about="No assignment gets below this",
        form="localized",
    ),
    _Column(name="Consumers", of=lambda r: r.ranking["members"]),
    _Column(name="Partitions", of=lambda r: r.ranking["partitions"]),
    _Column(name="Snapshots", of=lambda r: r.ranking["snapshots"]),
    _Column(
        name="Kept",
        of=lambda r: 100 * r.ranking["kept_share"],
        about="{Less} in the second half of the snapshots under what was best in the first half; "
        "negative: more",
        form="%.0f %%",
    ),
    _Column(
        name="Why",
        of=lambda r: [why(row, r.measure) for row in r.rows],
        about="{Noun} of the busiest consumer over the mean; idle consumers; "
        "the least share of all {noun} that it must have; moves a snapshot; tested: "
        "what was best in the first half of the snapshots brought so much there, and then "
        "in the second half",
        width=580,
    ),
)
"""The table, from left to right: what fits into a page of 1,280 pixels first, and the longest
last."""


def shown_table(ranking: pd.DataFrame, found: Standing, measure: Measure = LAG) -> pd.DataFrame:
    """Return the columns to show of some ranked groups, with reasons in words."""
    ranked = _Ranked(ranking, [row for _, row in ranking.iterrows()], found, measure)
    shown = [each for each in _COLUMNS if found.has_settings or not each.is_of_settings]
    return pd.DataFrame({each.name: each.of(ranked) for each in shown})


def _setting_shares(ranking: pd.DataFrame, found: Standing) -> FloatArray:
    """Return what a setting takes off each busiest consumer; any strategy if none was tried."""
    column = "setting_gain_share" if found.has_settings else "gain_share"
    shares: FloatArray = ranking[column].to_numpy(np.float64, na_value=np.nan)
    return shares


def _keys(ranking: pd.DataFrame) -> list[tuple[str, str]]:
    return list(zip(ranking["cluster"], ranking["group_id"], strict=True))


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

    ``plan`` is called with those of the ticked rows. Those that a setting brings most come first.
    """
    _picture(found, measure)
    ranking = found.ranked
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
            "groups together.]"
        )
    if len(matches) > len(head):
        st.markdown(
            f":small[The first {_SHOWN:,} of {len(matches):,} groups; the downloads hold all of "
            "them.]"
        )


def _table(shown: pd.DataFrame, measure: Measure, see_clicked: Callable[[], None]) -> Sequence[int]:
    """Show the ranked groups; return the ticked rows."""
    chosen = st.dataframe(
        shown,
        hide_index=True,
        on_select=see_clicked,
        selection_mode=("multi-row", "single-cell"),
        key=PICKED,
        column_config={
            each.name: each.config(measure, shown[each.name])
            for each in _COLUMNS
            if each.name in shown
        },
        placeholder="unknown",
        alt="Groups ranked by what switching the strategy would gain",
    )
    return chosen.selection.rows
