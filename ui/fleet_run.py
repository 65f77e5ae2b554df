"""Running the pipeline on uploaded telemetry, from the page."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from sources import fleet_job
from sources.errors import SourceError
from sources.fleet_job import ENDINGS, MOST_BYTES, Job, Progress, Upload
from ui.untrusted import verbatim
from ui.words import plural

_JOB: Final = "fleet_job"
_PROBLEM: Final = "fleet_job_problem"
_IS_NEWS: Final = "fleet_job_is_news"
"""Until the end of a run was told of."""
_EVERY_S: Final = 1.0
_LONGEST: Final = 30
"""Characters of a name on a button."""


def finished() -> Job | None:
    """Return the visitor's last run if its tables are there."""
    job: Job | None = st.session_state.get(_JOB)
    if job is None or job.is_running or job.problem:
        return None
    return job


def is_news() -> bool:
    """Whether the run has finished and this is asked for the first time since."""
    return finished() is not None and bool(st.session_state.pop(_IS_NEWS, False))


def run_view() -> None:
    """Show how far the run is, or the upload and what became of the last one."""
    job: Job | None = st.session_state.get(_JOB)
    if job is not None and job.is_running:
        _watch()
        return
    problem = st.session_state.get(_PROBLEM) or (job.problem if job else "")
    if job and job.is_cancelled:
        st.info(verbatim(problem))
    elif problem:
        st.error(verbatim(problem), icon=":material/error:")
    _form()


def _form() -> None:
    files = st.file_uploader(
        "Telemetry",
        type=list(ENDINGS),
        accept_multiple_files=True,
        key="telemetry",
        max_upload_size=MOST_BYTES // 1_000_000,
        help="One row for each partition a group knows at a snapshot: JSON Lines, CSV or Parquet, "
        "as sample_data/README.md describes it",
    )
    st.caption(
        f"Up to {MOST_BYTES // 1_000_000:,} MB. The files and tables stay on the server until you "
        "run others or leave; nobody else sees them."
    )
    st.button(
        # A browser forgets what was chosen when this form goes; the server does not.
        f"Run on {_named([file.name for file in files])}" if files else "Run",
        type="primary",
        icon=":material/play_arrow:",
        disabled=not files,
        on_click=_start,
        key="run_pipeline",
    )


def _named(names: Sequence[str]) -> str:
    """Return what is chosen: a file's name if it is short, else how many there are."""
    lone = len(names) == 1 and len(names[0]) <= _LONGEST
    return verbatim(names[0]) if lone else plural(len(names), "file")


def _start() -> None:
    """Start a run on the files chosen; what the last one left is removed."""
    _forget()
    uploads = [Upload(file.name, file, file.size) for file in st.session_state["telemetry"]]
    try:
        st.session_state[_JOB] = fleet_job.start(uploads)
        st.session_state[_IS_NEWS] = True
    except SourceError as error:
        text = str(error)
        st.session_state[_PROBLEM] = f"{text[:1].upper()}{text[1:]}."


def _forget() -> None:
    job: Job | None = st.session_state.pop(_JOB, None)
    st.session_state.pop(_PROBLEM, None)
    if job is not None:
        job.forget()


@st.fragment(run_every=_EVERY_S)
def _watch() -> None:
    """Show how far the run is, once a second, until it ends."""
    job: Job = st.session_state[_JOB]
    if not job.is_running:
        st.rerun()
    told = job.progress
    so_far = f" ({told.done:,} of {told.total:,})" if told.total else ""
    if job.is_cancelled:
        st.info("The run is being stopped; what it wrote is removed.")
        return
    st.progress(told.share or 0.0, f"The pipeline is {_doing(told)}: {told.stage}{so_far}…")
    st.button("Cancel", icon=":material/cancel:", on_click=job.cancel, key="cancel_run")


def _doing(told: Progress) -> str:
    return "ending" if told.total and told.done >= told.total else "running"
