"""The pipeline itself run from the Fleet page, from the upload to the tables it shows."""

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from sources.fleet_job import Job
from tests.pages.test_fleet import errors, metrics, opened, ranked, said
from tests.pipeline.telemetry import write_json


def started_by(job: Job) -> list[str]:
    """Return the living processes of a run; Java and its workers have groups of their own."""
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, _, session, *_ = each.read_text().rpartition(")")[2].split()
            if int(session) == job._process.pid and state != "Z":
                found.append(each.parent.name)
    return found


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The page where telemetry is uploaded; Java compiles little, for runs end soon."""
    monkeypatch.setenv("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
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


def watch(page: AppTest, job: Job) -> list[str]:
    """Look at the page until the run has ended; return what it said of it."""
    seen = []
    while job.is_running:
        seen += [bar.proto.text for bar in page.get("progress")]
        time.sleep(0.2)
        page.run()
        assert not page.exception
    page.run()
    return list(dict.fromkeys(seen))


def test_telemetry_uploaded_on_the_page_ends_as_tables_on_it(page: AppTest, tmp_path: Path) -> None:
    write_json(tmp_path / "telemetry.jsonl", 1)

    job = run(page, [("telemetry.jsonl", (tmp_path / "telemetry.jsonl").read_bytes())])
    told = watch(page, job)

    assert told[0].startswith("The pipeline is running: starting")
    assert any("replaying (2 of 6)" in words for words in told)
    assert errors(page) == []
    assert page.selectbox(key="tables").value == "Your run"
    assert metrics(page)["Groups"] == "6"
    assert metrics(page)["Rows not used"] == "1"
    assert sorted(ranked(page)["Group"]) == [f"group-{number}" for number in range(6)]
    page.button(key="see_rejected").click().run()
    assert page.dataframe[1].value["raw"].tolist() == ["no JSON"]
    page.session_state["fleet_view"] = "The run"
    assert json.loads(page.run().json[0].value)["rows_used"] == 99
    page.selectbox(key="tables").set_value("Upload telemetry").run()
    assert page.button(key="run_pipeline").disabled


def test_an_upload_of_rubbish_alone_is_accounted_for_row_by_row(page: AppTest) -> None:
    files = [("a.jsonl", b"no JSON\n[1, 2]\n"), ("b.parquet", b"PAR1 and no more")]

    job = run(page, files)
    page.selectbox(key="tables").set_value("The sample fleet").run()
    watch(page, job)
    stayed = page.selectbox(key="tables").value
    page.selectbox(key="tables").set_value("Upload telemetry").run()

    assert stayed == "The sample fleet"
    assert page.selectbox(key="tables").value == "Your run"
    assert "the telemetry had no row that could be used" in said(page)
    assert errors(page) == []
    table = page.dataframe[1].value
    assert sorted(table["raw"].dropna()) == ["[1, 2]", "no JSON"]
    assert any(name.endswith("b.parquet") for name in table["file"])


def test_a_cancelled_run_leaves_nothing_and_another_can_be_started(
    page: AppTest, tmp_path: Path
) -> None:
    job = run(page, [("a.jsonl", b"{}")])
    while job.progress.done == 0:  # until Java runs, too
        time.sleep(0.2)
    before = started_by(job)

    page.run().button(key="cancel_run").click().run()
    said_meanwhile = said(page)
    watch(page, job)

    assert "The run is being stopped" in said_meanwhile
    assert errors(page) == []
    assert [info.value for info in page.info] == ["The run was cancelled; nothing is kept of it."]
    assert page.button(key="run_pipeline").label == "Run on a.jsonl"
    assert page.file_uploader(key="telemetry").label == "Telemetry"
    assert not list(tmp_path.glob("kafka-fleet-*"))
    assert len(before) > 1
    while started_by(job):
        time.sleep(0.2)
