"""Upload telemetry and run the pipeline on it."""

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Final

import streamlit as st

from evaluation.judging import JudgeBy
from evaluation.wording import plural
from sources.errors import SourceError
from sources.fleet import job as pipeline
from sources.fleet.job import ENDINGS, MOST_BYTES, Job, JobProgress, Upload
from ui import widgets
from ui.judging import LABELS, WHY
from ui.untrusted import verbatim

_JOB: Final = "fleet_job"
_PROBLEM: Final = "fleet_job_problem"
_IS_NEWS: Final = "fleet_job_is_news"
"""Session key, set until the page has reported the end of the run."""
_JUDGE: Final = "run_judged_by"
_EVERY_S: Final = 1.0
_LONGEST: Final = 30
"""Characters of a name on a button."""


def finished() -> Job | None:
    """Return the visitor's last run if it has tables."""
    job: Job | None = st.session_state.get(_JOB)
    if job is None or job.is_running or job.problem:
        return None
    return job


def is_news() -> bool:
    """Return whether the run has finished since the last call."""
    return finished() is not None and bool(st.session_state.pop(_IS_NEWS, False))


def show() -> None:
    """Show the progress of the run, or the upload and the outcome of the last run."""
    if find_spec("pyspark") is None:
        st.info(
            "Uploads need Spark, which is not installed here: `make pipeline`, or "
            "`pip install 'kafka-assignments[fleet]'`.",
            icon=":material/download:",
        )
        return
    job: Job | None = st.session_state.get(_JOB)
    if job is not None and job.is_running:
        _watch()
        return
    problem = st.session_state.get(_PROBLEM) or (job.problem if job else "")
    if job and job.is_cancelled:
        st.info(verbatim(problem))
    elif problem:
        widgets.refusal(problem)
    _form()


def _form() -> None:
    files = st.file_uploader(
        "Telemetry",
        type=list(ENDINGS),
        accept_multiple_files=True,
        key="telemetry",
        max_upload_size=MOST_BYTES // 1_000_000,
        help="JSON Lines, CSV or Parquet with a row for each partition of a group at a snapshot; "
        "sample_data/README.md describes the columns",
    )
    with st.container(width=320):
        st.selectbox(
            "Judge by",
            list(JudgeBy),
            list(JudgeBy).index(JudgeBy.WORK),
            lambda by: LABELS[by.value],
            key=_JUDGE,
            help=WHY,
        )
    st.caption(
        f"Up to {MOST_BYTES // 1_000_000:,} MB. Files and tables stay on the server until the next "
        "run or until you leave; no other visitor sees them."
    )
    st.button(
        # When this form disappears, the browser forgets the chosen files; the server does not.
        f"Run on {_named([file.name for file in files])}" if files else "Run",
        type="primary",
        icon=":material/play_arrow:",
        disabled=not files,
        on_click=_start,
        key="run_pipeline",
    )


def _named(names: Sequence[str]) -> str:
    """Return the name of a single file if short, else the number of files."""
    lone = len(names) == 1 and len(names[0]) <= _LONGEST
    return verbatim(names[0]) if lone else plural(len(names), "file")


def _start() -> None:
    """Start a run on the chosen files and remove the files of the last one."""
    _forget()
    uploads = [Upload(file.name, file, file.size) for file in st.session_state["telemetry"]]
    try:
        st.session_state[_JOB] = pipeline.start(uploads, judge_by=st.session_state[_JUDGE])
        st.session_state[_IS_NEWS] = True
    except SourceError as error:
        st.session_state[_PROBLEM] = str(error)


def _forget() -> None:
    job: Job | None = st.session_state.pop(_JOB, None)
    st.session_state.pop(_PROBLEM, None)
    if job is not None:
        job.forget()


@st.fragment(run_every=_EVERY_S)
def _watch() -> None:
    """Show the progress once a second until the run ends."""
    job: Job = st.session_state[_JOB]
    if not job.is_running:
        st.rerun()
    progress = job.progress
    so_far = f" ({progress.done:,} of {progress.total:,})" if progress.total else ""
    if job.is_cancelled:
        st.info("Stopping the run and removing what it wrote…")
        return
    stage = f"{verbatim(progress.stage)}{so_far}"
    st.progress(progress.share or 0.0, f"The pipeline is {_doing(progress)}: {stage}…")
    st.button("Cancel", icon=":material/cancel:", on_click=job.cancel, key="cancel_run")


def _doing(progress: JobProgress) -> str:
    return "ending" if progress.total and progress.done >= progress.total else "running"
