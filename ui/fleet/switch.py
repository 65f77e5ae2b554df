"""The view "Switch" of the Fleet page: moves and pauses under one strategy for all groups."""

import pandas as pd
import streamlit as st

from assignors.catalogue import strategies
from assignors.strategy import StrategyKind
from evaluation.judging import LAG, Measure
from evaluation.wording import amount, plural
from sources.fleet.scope import Scope
from sources.fleet.tables import Fleet
from ui import downloads, widgets
from ui.choices.option import OptionChoice
from ui.configuration import show_configuration
from ui.fleet import cache
from ui.fleet.words import strategy_label, unit


def show(fleet: Fleet, scope: Scope) -> None:
    """Let the viewer choose a strategy; show its cost by group, and the migration steps."""
    names = [name for name in fleet.run["strategies"] or () if name in strategies()]
    if not names:
        st.info("The pipeline replayed no strategy for these tables: python -m pipeline replay")
        return
    targets = sorted(names, key=_custom_last)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        before = OptionChoice("switch_all_from").pick("The groups use", names, shown=strategy_label)
        others = [name for name in targets if name != before] or targets
        name = OptionChoice("switch_all_to").pick("Switch them to", others, shown=strategy_label)
        groups = cache.switches(fleet, scope, before, name)
        downloads.offer(lambda: groups, "fleet", "switch", downloads.COLUMNAR)
    st.markdown(said(groups, strategy_label(name), fleet.measure))
    with st.expander("How to switch", icon=":material/settings:"):
        show_configuration(strategies()[name], strategies()[before])
    widgets.table(
        groups,
        "What a switch moves and pauses in every group",
        labels={
            "group_id": "Group",
            "cluster": "Cluster",
            "members": "Consumers",
            "partitions": "Partitions",
            "moved": "Move",
            "paused": "Pause",
            "max_load_as_it_was": f"Busiest as it was ({fleet.measure.unit})",
            "max_load": f"Busiest then ({fleet.measure.unit})",
        },
        pinned=("group_id",),
    )


def _custom_last(name: str) -> tuple[bool, bool]:
    """Order strategies by likelihood: cooperative-sticky, which Kafka recommends, comes first."""
    return strategies()[name].kind is StrategyKind.CUSTOM, name != "cooperative-sticky"


def said(groups: pd.DataFrame, label: str, measure: Measure = LAG) -> str:
    """Return, in Markdown, what the switch moves, pauses and gains over all groups."""
    known = groups.dropna(subset=["moved"])
    if known.empty:
        return "No group owned a partition at its first snapshot, so nothing moves."
    still = int((known["moved"] == 0).sum())
    lags = known.dropna(subset=["max_load", "max_load_as_it_was"])
    before, after = (int(lags[name].sum()) for name in ("max_load_as_it_was", "max_load"))
    of = plural(int(known["partitions"].sum()), "partition")
    keep = "keeps" if still == 1 else "keep"
    return (
        f"Switching {plural(len(known), 'group')} to **{label}** moves "
        f"**{int(known['moved'].sum()):,} of {of}** and pauses {int(known['paused'].sum()):,}, "
        f"once; {plural(still, 'group')} {keep} every owner. All busiest consumers together "
        f"go from {amount(before)} to **{amount(after)}** {unit(measure)}. As of each group's "
        "first snapshot, with its consumers then."
    )
