"""One group: its history under each strategy, its consumers, and its snapshots to open."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from charts.fleet_history import Line, best_lines, history_lines
from evaluation.answering.fleet_words import NO_SNAPSHOT
from evaluation.answering.words import words_of
from evaluation.wording import plural
from schemas.tables import AS_IT_WAS
from sources.errors import SourceError
from sources.fleet.heatmaps import member_heatmap
from sources.fleet.history import by_strategy, history, ordered
from sources.fleet.scope import Scope
from sources.fleet.standing import Standing
from sources.fleet.tables import Fleet
from sources.fleet.totals import KEYS
from ui import downloads, scenario, widgets
from ui.answers import answer_as_read
from ui.choices.option import OptionChoice
from ui.choices.text import TextChoice
from ui.fleet import cache
from ui.fleet.pictures import show_time_map
from ui.fleet.words import group_words, setting_words, strategy_label, why
from ui.refining import Refining, settled
from ui.untrusted import verbatim

GROUP: Final = "of_group"
"""The key of the picker; its options are pairs of cluster and name."""
_OFFERED: Final = 300
_DRAWN: Final = 4
"""More dashed lines than these cannot be told apart."""
_MOMENT: Final = "%Y-%m-%d %H:%M:%S"


def group_label(group: tuple[str, str]) -> str:
    """Return the label of a group in the picker and the link.

    >>> group_label(("prod", "orders"))
    'orders · prod'
    """
    return f"{group[1]} · {group[0]}"


def snapshot_title(group: str, moment: pd.Timestamp) -> str:
    """Return the name on screen of a group at a snapshot."""
    return f"{group} at {moment.strftime(_MOMENT)} UTC"


def pick(ranking: pd.DataFrame, others: pd.DataFrame) -> tuple[str, str] | None:
    """Let the visitor choose a group, ranked ones first; return cluster and name."""
    each = pd.concat([ranking[KEYS], others[KEYS]])
    keys = list(zip(each["cluster"], each["group_id"], strict=True))
    offered = keys[:_OFFERED]
    kept = {st.query_params.get(GROUP), group_label(st.session_state.get(GROUP, ("", "")))}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if len(keys) > _OFFERED:
            sought = TextChoice("find").ask("Find a group", "part of its name")
            matches = [key for key in keys if sought.lower() in key[1].lower()]
            beyond = (
                [key for key in keys[_OFFERED:] if group_label(key) in kept] if not sought else []
            )
            offered = [*matches[:_OFFERED], *beyond]
        if not offered:
            said = "No group's name contains this. Try a shorter part of it."
            st.info(said if keys else NO_SNAPSHOT)
            return None
        return OptionChoice(GROUP).pick("Group", offered, group_label)


def show(fleet: Fleet, found: Standing, scope: Scope) -> None:
    """Show one group: over its snapshots and at one of them, its history, its consumers."""
    ranking = found.ranked
    chosen = pick(ranking, found.others)
    if chosen is None:
        return
    cluster, group = chosen
    rows = cache.history_rows(fleet, cluster, group, scope)
    if rows.empty:
        st.info("This group has no snapshot in this time. Choose a longer one.")
        return
    row = next((each for _, each in _rows(ranking, cluster, group).iterrows()), None)
    if row is not None:
        said = group_words(row, fleet.measure)
        if found.has_settings and row["setting"] != row["strategy"]:
            said += f" By a setting alone, {verbatim(setting_words(row))}."
        st.markdown(f"**Over {plural(int(row['snapshots']), 'snapshot')}:** {said}")
        if reasons := why(row, fleet.measure):
            st.markdown(f":small[:material/info: {verbatim(reasons)}.]")
    refining = snapshot_opener(fleet, cluster, group, rows)
    if row is not None:
        _history(fleet, rows, scope.strategies, row["strategy"], group)
    _members(fleet, cluster, group, rows, scope)
    if refining is not None:
        refining.go_on(st.empty())


def _rows(ranking: pd.DataFrame, cluster: str, group: str) -> pd.DataFrame:
    return ranking[(ranking["cluster"] == cluster) & (ranking["group_id"] == group)]


def snapshot_opener(fleet: Fleet, cluster: str, group: str, rows: pd.DataFrame) -> Refining | None:
    """Show the snapshots, and a button that opens one in the editor.

    Returns the simulations that its proposal waits for.
    """
    moments = rows["snapshot_at"].drop_duplicates().sort_values(ascending=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        moment = OptionChoice("snapshot").pick(
            "Snapshot (UTC)", list(moments), lambda at: at.strftime(_MOMENT)
        )
        is_asked = st.button(
            "Open the group",
            icon=":material/balance:",
            type="primary",
            key="open_snapshot",
            help="With its owners, lags and rates, to try out changes",
        )
    try:
        reading = cache.snapshot(fleet, cluster, group, moment.to_pydatetime())
    except SourceError as error:
        if is_asked:
            widgets.refusal(error)
        return None
    answer, refining = settled(answer_as_read(reading))
    words = words_of(answer)
    st.markdown(f"**At this snapshot:** {verbatim(words.headline)} {verbatim(words.evidence)}")
    if words.action:
        st.markdown(f"**{verbatim(words.action)}**")
    if is_asked:
        scenario.show(snapshot_title(group, moment), reading)
        st.switch_page("pages/compare.py")
    return refining


def _history(
    fleet: Fleet, rows: pd.DataFrame, strategies: Sequence[str], best: str, group: str
) -> None:
    noun = fleet.measure.noun
    st.subheader(
        "Replayed under each strategy",
        help="As if the group had run each strategy since its first snapshot: it starts there as "
        "after a switch, and at each snapshot from its own owners at the one before",
    )
    kept = rows[rows["strategy"].isin([AS_IT_WAS, *strategies])] if strategies else rows
    shown = history(kept)
    lines = [
        Line(
            strategy_label(each.strategy),
            each.max_load,
            each.moved,
            is_as_it_was=each.strategy == AS_IT_WAS,
            is_best=each.strategy == best,
        )
        for each in shown.strategies
    ]
    drawn = best_lines(lines, _DRAWN)
    st.plotly_chart(
        history_lines(shown.moments, shown.best, drawn, noun, fleet.measure.unit),
        key="group_history",
        alt=f"{noun.capitalize()} of the busiest consumer and partitions moved so far at each "
        "snapshot, with a line for each strategy, as it was, and the lower bound",
    )
    left_out = len(lines) - len(drawn)
    rest = f" {left_out} others, with more {noun}, are in the table alone."
    st.markdown(
        f":small[Strategies that agree at every snapshot share a line.{rest if left_out else ''}]"
    )
    downloads.offer(lambda: kept, group, "history", downloads.COLUMNAR)
    table = by_strategy(kept)
    _strategies_table(table, noun)
    downloads.offer(lambda: table, group, "strategies", downloads.COLUMNAR)


def _strategies_table(table: pd.DataFrame, noun: str) -> None:
    shown = {
        "Strategy": table["strategy"].map(strategy_label),
        "Busiest": table["max_load"].round(),
        "Lower bound": table["lower_bound"].round(),
        "Busiest over mean": table["max_over_mean_load"],
        "Partition spread": table["count_spread"],
        "Idle": table["idle_members"],
        "Moved": table["moved"],
    }
    widgets.table(
        pd.DataFrame(shown),
        "Figures of every strategy, mean over the snapshots",
        {
            "Busiest": f"{noun.capitalize()} of the busiest consumer, mean over the snapshots",
            "Lower bound": "No assignment gets below this",
            "Busiest over mean": "1 is even",
            "Partition spread": "Most partitions of a consumer minus fewest",
            "Idle": "Consumers without a partition",
            "Moved": "Partitions moved, over all snapshots",
        },
        {"Busiest over mean": "%.2f", "Partition spread": "%.1f", "Idle": "%.1f"},
        height="content",
    )


def _members(fleet: Fleet, cluster: str, group: str, rows: pd.DataFrame, scope: Scope) -> None:
    st.subheader("Consumers over time")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        strategy = OptionChoice("under").pick(
            "Under", ordered(rows["strategy"].unique()), strategy_label
        )
        noun, unit = fleet.measure.noun, fleet.measure.unit
        figures = {"Partitions": ("partitions", "partitions")}
        figures = {noun.capitalize(): ("load", unit)} | figures
        name = OptionChoice("shows").pick("Colour shows", list(figures))
        figure, unit = figures[name]
        loads = cache.loads(fleet, cluster, group, strategy, scope)
        downloads.offer(lambda: loads, group, "consumers", downloads.COLUMNAR)
    if loads.empty:
        st.info("The tables have no consumers of this group in this time.")
        return
    heatmap = member_heatmap(loads, figure)
    alt = f"{name} of every consumer over time, {strategy_label(strategy)}"
    show_time_map(heatmap, unit, "member_map", alt)
    unknown = int(np.count_nonzero(loads["unknown_loads"] > 0))
    st.markdown(f":small[{_map_words(heatmap.per_row, unknown, noun)}]")


def _map_words(per_row: int, unknown: int, noun: str) -> str:
    words = (
        f"Empty: not in the group, or all of its {noun} unknown. The colour scale is logarithmic."
    )
    if per_row > 1:
        words = f"Each row is {per_row} consumers and shows the busiest of them. {words}"
    if unknown:
        words += f" In {plural(unknown, 'cell')} some {noun} is unknown and not counted."
    return words
