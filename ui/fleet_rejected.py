"""Telemetry that could not be used, by reason and row by row, and the report of the run."""

import json
from typing import Final

import streamlit as st

from sources.errors import SourceError
from sources.fleet import REPORT, Fleet
from sources.fleet_totals import rejected_by_reason, rejected_rows
from ui import downloads
from ui.fleet_folder import sentence

_SHOWN: Final = 1_000
_MOST_IN_FILE: Final = 1_000_000


def rejected_view(fleet: Fleet) -> None:
    """Show why rows were not used, and the rows."""
    reasons = rejected_by_reason(fleet)
    if reasons.empty:
        st.success("Every row of telemetry was used.", icon=":material/task_alt:")
        return
    st.subheader("Reasons")
    st.dataframe(
        reasons,
        hide_index=True,
        column_config={
            "reason": st.column_config.TextColumn("Reason", width="large"),
            "entries": st.column_config.NumberColumn("Entries", help="Rows, or whole files"),
            "rows": st.column_config.NumberColumn("Rows", help="As far as anybody can tell"),
        },
        placeholder="unknown",
        alt="How many rows were not used, for each reason",
    )
    with st.container(horizontal=True):
        downloads.offer(lambda: reasons, "fleet", "reasons", ("CSV", "Parquet"))
    st.subheader("Rows")
    with st.container(horizontal=True):
        downloads.offer(
            lambda: rejected_rows(fleet, _MOST_IN_FILE), "fleet", "rejected", ("CSV", "Parquet")
        )
    shown = rejected_rows(fleet, _SHOWN)
    st.dataframe(
        shown,
        hide_index=True,
        column_config={
            "file": st.column_config.TextColumn("File"),
            "reason": st.column_config.TextColumn("Reason", width="large"),
            "raw": st.column_config.TextColumn("The row as it was", width="large"),
            "rows": st.column_config.NumberColumn("Rows"),
        },
        placeholder="unknown",
        alt="Rows of telemetry that could not be used",
    )
    if len(shown) == _SHOWN:
        st.caption(f"The first {_SHOWN:,}; the files hold up to {_MOST_IN_FILE:,}.")


def report_view(fleet: Fleet) -> None:
    """Show the report of the run that wrote the tables."""
    try:
        report = fleet.report()
    except SourceError as error:
        st.error(sentence(error), icon=":material/error:")
        return
    if not report:
        st.info(f"These tables came without a {REPORT}; the pipeline writes one with each run.")
        return
    st.download_button(
        "Download the report",
        lambda: json.dumps(report, indent=2).encode(),
        file_name=REPORT,
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
    )
    st.json(report, expanded=2)
