"""The real pipeline, run from the Fleet page, from the upload to the tables."""

import io
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from signal import SIGCONT, SIGSTOP

import pytest
from streamlit.testing.v1 import AppTest

from sources.fleet.job import Job, Upload, start
from tests.fleets import small, write
from tests.pages.compare_page import listed
from tests.pages.test_fleet import errors, opened, read, said, totals
from tests.pipeline.processes import alive, below
from tests.pipeline.telemetry import write_json
from tests.said import lacks


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick_java: None) -> Iterator[AppTest]:
    """The page where telemetry is uploaded."""
    del quick_java
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    page = opened("", tables="Upload telemetry")
    yield page
    if "fleet_job" in page.session_state:
        page.session_state["fleet_job"].forget()


def run(page: AppTest, files: list[tuple[str, bytes]]) -> Job:
    """Upload the files and start the pipeline on them."""
    uploads = [(name, content, "application/octet-stream") for name, content in files]
    page.file_uploader(key="telemetry").set_value(uploads).run()
    page.button(key="run_pipeline").click().run()
    job: Job = page.session_state["fleet_job"]
    return job


@contextmanager
def frozen(job: Job) -> Iterator[None]:
    """Freeze every process of a running job."""
    processes = below(job._process.pid)
    for process in processes:
        os.kill(process, SIGSTOP)
    yield
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, SIGCONT)


def shown(page: AppTest, job: Job) -> tuple[str, str]:
    """Return what the page shows of a frozen run, and what it should show."""
    told = None
    while told != job.progress:  # the thread that reads the run's output may be behind
        told = replace(job.progress)
        page.run()
    [bar] = page.get("progress")
    stage = f"{told.stage} ({told.done} of {told.total})"
    return bar.proto.text, f"The pipeline is running: {stage}…"


def watch(page: AppTest, job: Job) -> None:
    """Rerun the page until the job has ended."""
    while job.is_running:
        time.sleep(0.5)
        page.run()
        assert not page.exception
    page.run()


@pytest.mark.proof
def test_telemetry_uploaded_on_the_page_ends_as_tables_on_it(page: AppTest, tmp_path: Path) -> None:
    write_json(tmp_path / "telemetry.jsonl", 1)

    text = (tmp_path / "telemetry.jsonl").read_bytes()
    job = run(page, [("telemetry.jsonl", text), ("b.parquet", b"PAR1 and no more")])
    [starting] = page.get("progress")
    while not job.progress.done:
        time.sleep(0.1)
    with frozen(job):
        said_of_it, expected = shown(page, job)
    watch(page, job)

    assert starting.proto.text.startswith("The pipeline is running: starting")
    assert said_of_it == expected
    assert job.progress.total == 5
    assert errors(page) == []
    assert page.selectbox(key="tables").value == "Your run"
    assert totals(page)[0].startswith("**6** groups")
    assert page.button(key="see_rejected").label == "2 rows of telemetry rejected"
    assert sorted(row["name"] for row in listed(page)) == [f"group-{number}" for number in range(6)]
    page.button(key="see_rejected").click().run()
    rejected = page.dataframe[1].value
    assert rejected["raw"].dropna().tolist() == ["no JSON"]
    assert any(name.endswith("b.parquet") for name in rejected["file"])
    page.button(key="see_The run").click().run()
    assert json.loads(page.json[0].value)["rows_used"] == 99
    page.selectbox(key="tables").set_value("Upload telemetry").run()
    assert page.button(key="run_pipeline").disabled


def test_a_run_that_ends_while_its_visitor_is_elsewhere_is_shown_on_return(
    page: AppTest, tmp_path: Path
) -> None:
    ready = write(tmp_path / "ready", {"rejected": small()["rejected"]})
    copies = (
        f"import shutil, sys; shutil.copytree({ready!r}, sys.argv[sys.argv.index('--output') + 1])"
    )
    job = start([Upload("a.jsonl", io.BytesIO(b"{}"), 2)], (sys.executable, "-c", copies))
    page.session_state["fleet_job"], page.session_state["fleet_job_is_news"] = job, True

    page.selectbox(key="tables").set_value("A folder").run()
    watch(page, job)
    stayed = page.selectbox(key="tables").value
    page.selectbox(key="tables").set_value("Upload telemetry").run()

    assert stayed == "A folder"
    assert page.selectbox(key="tables").value == "Your run"
    assert lacks(said(page), "every row", "rejected") == []
    assert errors(page) == []


@pytest.mark.proof
def test_a_cancelled_run_leaves_nothing_and_another_can_be_started(
    page: AppTest, tmp_path: Path
) -> None:
    job = run(page, [("a.jsonl", b"{}")])
    while not job.progress.done:  # until Java runs, too
        time.sleep(0.1)
    before = below(job._process.pid)

    with frozen(job):
        page.run().button(key="cancel_run").click().run()
        said_meanwhile = said(page)
    watch(page, job)

    assert "Stopping the run" in said_meanwhile
    assert errors(page) == []
    (info,) = page.info
    assert lacks(read(info.value), "cancelled", "nothing is kept") == []
    assert read(page.button(key="run_pipeline").label) == "Run on a.jsonl"
    assert page.file_uploader(key="telemetry").label == "Telemetry"
    assert not list(tmp_path.glob("kafka-fleet-*"))
    assert len(before) > 2
    while alive(before):
        time.sleep(0.2)
