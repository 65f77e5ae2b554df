"""The run that wrote the tables, and the telemetry it rejected."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

import pandas as pd
import streamlit as st

from charts.report import Figure
from evaluation.wording import duration
from processes.calls import call
from sources.fleet.tables import Fleet
from sources.fleet.totals import rejected_rows
from ui import downloads, widgets
from ui.fleet import cache
from ui.untrusted import verbatim

_SHOWN: Final = 1_000
_MOST_IN_FILE: Final = 1_000_000
_COUNTS: Final = {
    "rows_in": ("Rows read", "Rows of telemetry that the run read"),
    "rows_used": ("Rows used", "Rows that the figures rest on"),
    "rows_rejected": ("Rows rejected", "Each is in the table rejected, with its reason"),
    "rows_pending": ("Rows pending", "Rows of a stream that wait for later ones"),
    "snapshots": ("Snapshots", "Snapshots of all groups"),
    "groups": ("Groups", "Consumer groups of all clusters"),
}
"""Label and meaning by column of ``runs``."""
_FINDINGS: Final = {
    "offsets_backwards": ("Offsets backwards", "Offsets lower than at the previous snapshot"),
    "answers_missing": ("Answers missing", "Snapshots that a strategy had no assignment for"),
}
"""Label and meaning by field of the run's ``quality``."""


def show(fleet: Fleet) -> None:
    """Show the run's row of ``runs``: its input, data quality and output."""
    row, quality = fleet.run, fleet.run["quality"]
    quality = quality if isinstance(quality, dict) else {}
    st.markdown(_title(row))
    if row["input"]:
        st.caption(f"Input: {verbatim(row['input'])}")
    counts = [(row[name], label, about) for name, (label, about) in _COUNTS.items()]
    counts += [(quality.get(name), label, about) for name, (label, about) in _FINDINGS.items()]
    widgets.figures(
        [
            Figure(label, f"{count:,}", "", about)
            for count, label, about in counts
            if isinstance(count, int)
        ],
        150,
    )
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Tables", help="Versions that belong together; Delta keeps earlier ones")
        versions = pd.DataFrame(sorted(row["versions"].items()), columns=["Table", "Version"])
        widgets.table(versions, "Version of each Delta table of the run")
    with right:
        _show_seconds(quality.get("seconds"))
    st.subheader("Everything recorded")
    text = json.dumps(dict(row), indent=2, default=_text)
    st.download_button(
        "Download the run as JSON",
        text,
        file_name="run.json",
        mime="application/json",
        icon=":material/download:",
        on_click="ignore",
    )
    st.json(text, expanded=1)


def _title(row: Mapping[str, Any]) -> str:
    started, finished = row["started_at"], row["finished_at"]
    took = ""
    if started is not None and finished > started and row["kind"] != "stream":
        took = f" after {duration((finished - started).total_seconds())}"
    what = {"batch": "A batch run", "stream": "A streaming run"}.get(row["kind"], "A run")
    return f"{what} of the pipeline, finished {finished:%d %b %Y, %H:%M:%S} UTC{took}."


def _show_seconds(seconds: object) -> None:
    if not isinstance(seconds, dict) or not seconds:
        return
    st.subheader("Time by stage")
    stages = pd.DataFrame(list(seconds.items()), columns=["Stage", "Seconds"])
    widgets.table(stages, "How long each stage of the run took", formats={"Seconds": "%.1f"})


def _text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def show_rejected(fleet: Fleet) -> None:
    """Show the rejected rows with their reasons."""
    reasons = cache.rejected_by_reason(fleet)
    if reasons.empty:
        st.success("No row of telemetry was rejected.", icon=":material/task_alt:")
        return
    st.subheader("Reasons")
    widgets.table(
        reasons,
        "How many rows were rejected, for each reason",
        labels={"reason": "Reason", "rows": "Rows"},
        widths={"reason": 400},
    )
    downloads.offer(lambda: reasons, "fleet", "reasons", downloads.COLUMNAR)
    st.subheader("Rows")
    downloads.offer(
        lambda: call(rejected_rows, fleet, _MOST_IN_FILE), "fleet", "rejected", downloads.COLUMNAR
    )
    shown = cache.rejected_rows(fleet, _SHOWN)
    widgets.table(
        shown,
        "Rows of telemetry that were rejected",
        labels={"file": "File", "reason": "Reason", "raw": "As it was read"},
        widths={"reason": 400, "raw": 400},
    )
    if len(shown) < int(reasons["rows"].sum()):
        st.caption(f"The first {_SHOWN:,} rows; the files hold up to {_MOST_IN_FILE:,}.")
