"""Lag in time: groups that are furthest behind, lose records soonest, or move most partitions."""

import math
from typing import Final

import pandas as pd
import streamlit as st

from evaluation.wording import duration, plural
from sources.fleet.scope import Scope
from sources.fleet.standing import Standing
from sources.fleet.tables import Fleet
from sources.fleet.totals import KEYS
from ui import downloads, widgets
from ui.choices.number import NumberChoice
from ui.choices.option import OptionChoice
from ui.fleet import cache
from ui.fleet.words import group_name
from ui.untrusted import verbatim

_ORDERS: Final = {
    "Furthest behind": ("time_lag_s", False),
    "First to lose records": ("loss_s", True),
    "Most partitions moved": ("moves_as_it_was", False),
}
_HOUR_S: Final = 3_600
_ABOUT: Final = """\
Behind: the age of the next record to be read on the slowest partition, where the end offset is
taken to grow evenly between two snapshots. Catches up: when the backlog of the last snapshot has
ended under its owners, as the group's own page has it; looked at for the groups with most load.
Loses records: at the mean rates of the chosen time, for the first partition. Records are lost where
the log's start moves faster than the group reads, or where they grow older than the retention you
state."""


def show(fleet: Fleet, scope: Scope, found: Standing) -> None:
    """Show the groups by time lag, with the underlying figures."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        order = OptionChoice("times_order").pick("First", list(_ORDERS))
        retention = NumberChoice("retention")
        retention.ask(
            "Retention (hours)",
            "The topics' retention.ms, if it decides when records are deleted",
            "not stated",
            least=0.0,
        )
        hours = retention.usable()
        retention_s = None if hours is None else hours * _HOUR_S
        moved = found.ranked[[*KEYS, "moves_as_it_was"]]
        times = cache.group_times(fleet, scope, retention_s).merge(moved, how="left", on=KEYS)
        times = times.assign(catch_up_s=_ends(times, found))
        figure, is_least_first = _ORDERS[order]
        times = times.sort_values(figure, ascending=is_least_first, kind="stable")
        downloads.offer(lambda: times, "fleet", "time-lag", downloads.COLUMNAR)
    if times.empty:
        st.info("No group has a partition in this cluster and time. Choose another.")
        return
    st.markdown(conclusion(times), help=_ABOUT)
    widgets.table(
        shown_table(times),
        f"Groups in time: {order.lower()} first",
        formats={"Moved per snapshot": "%.1f"},
        pinned=("Group",),
        widths={"Group": 175},
    )


def _ends(times: pd.DataFrame, found: Standing) -> list[float]:
    """Return when each group's backlog has ended, as its own page has it; NaN if unknown."""
    keys = zip(times["cluster"], times["group_id"], strict=True)
    return [found.states[key].ends_s if key in found.states else math.nan for key in keys]


def conclusion(times: pd.DataFrame) -> str:
    """Return, in Markdown, which group is furthest behind and which loses records first."""
    if times["time_lag_s"].isna().all():
        return "How far the groups are behind is unknown: it takes two snapshots of their offsets."
    slowest = times.iloc[int(times["time_lag_s"].argmax())]
    never = int((times["catch_up_s"] == math.inf).sum())
    least = "at least " if slowest["is_at_least"] else ""
    behind, partition = duration(slowest["time_lag_s"]), verbatim(slowest["slowest"])
    behind = f"{least}**{behind}**, on partition {partition}"
    said = [f"{group_name(slowest)} is furthest behind: {behind}."]
    if never:
        verb = "catches" if never == 1 else "catch"
        said.append(f"{plural(never, 'group')} never {verb} up under today's owners.")
    if (times["loss_s"] < math.inf).any():
        first = times.iloc[int(times["loss_s"].argmin())]
        partition = verbatim(first["first_lost"])
        said.append(
            f"{group_name(first)} is losing records of {partition} now."
            if first["loss_s"] == 0
            else f"At this speed {group_name(first)} is the first to lose records, of {partition}, "
            f"in **{duration(first['loss_s'])}**."
        )
    return " ".join(said)


def shown_table(times: pd.DataFrame) -> pd.DataFrame:
    """Return the columns to show, times in words."""
    least = times["is_at_least"].map({True: "at least ", False: ""})
    return pd.DataFrame(
        {
            "Group": times["group_id"],
            "Cluster": times["cluster"],
            "Behind": (least + times["time_lag_s"].map(_time)).where(times["time_lag_s"].notna()),
            "Slowest partition": times["slowest"],
            "Catches up in": times["catch_up_s"].map(_time),
            "Loses records in": times["loss_s"].map(_time),
            "Moved per snapshot": times["moves_as_it_was"],
        }
    )


def _time(seconds: float) -> str | None:
    return None if math.isnan(seconds) else duration(seconds)
