"""The head of the Fleet page: the conclusion and the totals it rests on."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

import pandas as pd
import streamlit as st

from sources.fleet_totals import Rejected, Totals
from ui.fleet_words import conclusion, percent
from ui.words import amount, plural

_TIME: Final = "%d %b %Y, %H:%M"


def _span(first: datetime, last: datetime) -> str:
    """Return from when to when, or at which one moment."""
    if first == last:
        return f"at {first:{_TIME}}"
    return f"from {first:{_TIME}} to {last:{_TIME}}"


def headline(
    totals: Totals, ranking: pd.DataFrame, rejected: Rejected, see_rejected: Callable[[], None]
) -> None:
    """Show what switching would gain, and the totals."""
    st.markdown(conclusion(ranking))
    with st.grid(7, min_column_width=140):
        _size(totals)
        _lag(totals, ranking)
        _rejected(rejected)
    with st.container(horizontal=True, vertical_alignment="center"):
        if totals.first is not None and totals.last is not None:
            st.caption(
                f"{plural(totals.snapshots, 'group snapshot')} {_span(totals.first, totals.last)} "
                "UTC. The totals are those of each group's last snapshot; what switching gains is "
                "the mean over all of them."
            )
        if rejected.entries:
            st.button(
                "See the rows not used",
                icon=":material/rule:",
                on_click=see_rejected,
                type="tertiary",
                key="see_rejected",
            )


def _size(totals: Totals) -> None:
    _metric(
        "Groups",
        f"{totals.groups:,}",
        f"in {plural(totals.clusters, 'cluster')}",
        "Consumer groups that were seen",
    )
    _metric(
        "Consumers",
        amount(totals.consumers),
        f"{totals.idle:,} idle" if totals.idle else "none idle",
        "Members of all groups; idle ones own no partition",
    )
    _metric(
        "Partitions",
        amount(totals.partitions),
        "by group",
        "Those of a topic that several groups read count once for each",
    )


def _lag(totals: Totals, ranking: pd.DataFrame) -> None:
    unknown = totals.unknown_lags
    _metric("Lag", amount(totals.lag), "known records", "Sum of all known lags")
    _metric(
        "Unknown lags",
        amount(unknown),
        "come on top" if unknown else "all known",
        "Partitions whose lag is not known; unknown is not zero",
    )
    gain = float(ranking["gain_lag"].clip(lower=0).sum())
    before = float(ranking["max_lag_as_it_was"].sum())
    _metric(
        "Gain by switching",
        amount(round(gain)),
        f"{percent(gain / before)} off fullest" if before else "no lag",
        "Records that the groups' fullest consumers would have less, each group under the "
        "strategy that serves it best; mean over the snapshots",
    )


def _rejected(rejected: Rejected) -> None:
    unreadable = f"and {plural(rejected.files, 'file')} unreadable" if rejected.files else ""
    _metric(
        "Rows not used",
        amount(rejected.rows),
        unreadable or ("of telemetry" if rejected.rows else "every row was used"),
        "Rows of telemetry that could not be used, each with its reason",
    )


def _metric(label: str, value: str, below: str, about: str) -> None:
    st.metric(label, value, below, delta_color="off", delta_arrow="off", border=True, help=about)
