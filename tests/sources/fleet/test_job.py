"""Runs on uploads, with small programs instead of the pipeline, which takes a minute."""

import io
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from processes.scratch import Scratch
from sources.errors import SourceError
from sources.fleet import job as jobs
from sources.fleet.job import MOST_BYTES, Job, Upload, start

FINISHES = """
import pathlib, sys
said = sys.argv[1:]
out = pathlib.Path(said[said.index("--output") + 1])
inputs = map(pathlib.Path, said[said.index("--input") + 1 :])
out.mkdir()
(out / "seen.txt").write_text("\\n".join(path.name + path.read_text() for path in inputs))
"""
REPORTS = """
import sys, time
print('{"stage": "replaying", "done": 3, "total": 12}', flush=True)
time.sleep(600)
"""
FAILS = """
import sys
print('{"stage": "reading", "done": 1, "total": 2}')
print("WARN Spark says a lot", file=sys.stderr)
print("pipeline: no row could be used", file=sys.stderr)
sys.exit("WARN and goes on")
"""


def upload(name: str = "a.jsonl", text: bytes = b"{}") -> Upload:
    return Upload(name, io.BytesIO(text), len(text))


def program(text: str) -> tuple[str, ...]:
    return (sys.executable, "-c", text)


def ended(job: Job) -> Job:
    while job.is_running:
        time.sleep(0.02)
    return job


@pytest.fixture
def waiting() -> Iterator[Job]:
    job = start([upload()], program(REPORTS))
    yield job
    job.forget()


def test_a_run_gets_the_files_and_leaves_tables_until_it_is_forgotten() -> None:
    uploads = [upload("a.jsonl", b"1"), upload("../b c.csv", b"2")]

    job = ended(start(uploads, program(FINISHES)))
    seen = (job.tables / "seen.txt").read_text()
    job.forget()

    assert seen == "1-a.jsonl1\n2-b_c.csv2"
    assert job.problem == ""
    assert not job.tables.parent.exists()


def test_progress_is_what_the_program_reported_last(waiting: Job) -> None:
    while waiting.progress.stage == "starting":
        time.sleep(0.02)

    assert (waiting.progress.stage, waiting.progress.share) == ("replaying", 0.25)


def test_a_cancelled_run_ends_and_says_so(waiting: Job) -> None:
    waiting.cancel()

    assert "cancelled" in (ended(waiting).problem or "")
    while waiting.tables.parent.exists():
        time.sleep(0.02)


def test_a_run_that_fails_gives_the_programs_own_sentence() -> None:
    job = ended(start([upload()], program(FAILS)))

    assert job.problem == "The pipeline did not finish: no row could be used."
    job.forget()


def test_a_program_of_other_words_is_quoted_with_its_last() -> None:
    text = "print('first'); print('at last. '); raise SystemExit(1)"

    job = ended(start([upload()], program(text)))

    assert job.problem == "The pipeline did not finish: at last."
    job.forget()


def test_a_program_that_ends_without_a_word_is_a_sentence_too() -> None:
    job = ended(start([upload()], program("raise SystemExit(3)")))

    assert job.problem == "The pipeline did not finish: it ended with exit code 3 and no message."
    job.forget()


def test_a_second_run_waits_for_the_first(waiting: Job) -> None:
    with pytest.raises(SourceError, match="another run is under way"):
        start([upload()], program(FINISHES))

    assert waiting.is_running


def test_a_program_that_is_not_there_is_one_sentence_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    with pytest.raises(SourceError, match="the pipeline cannot be started: No such file"):
        start([upload()], (str(tmp_path / "nothing"),))

    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("uploads", "sentence"),
    [
        ([], "the upload is empty"),
        ([upload(text=b"")], "the upload is empty"),
        ([Upload("a.csv", io.BytesIO(), MOST_BYTES + 1)], "are 201 MB, over the limit of 200 MB"),
    ],
)
def test_nothing_and_too_much_are_refused(uploads: list[Upload], sentence: str) -> None:
    with pytest.raises(SourceError, match=sentence):
        start(uploads, program(FINISHES))


def test_what_a_server_that_is_no_more_left_behind_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone, running = Scratch("kafka-fleet-"), start([upload()], program(FINISHES))
    os.close(gone._lock)  # as the end of its process does

    ended(running)
    ended(start([upload()], program(FINISHES))).forget()

    assert not gone.folder.exists()
    assert running.tables.exists()


def test_a_forgotten_run_is_cleaned_up() -> None:
    job = start([upload()], program(REPORTS))
    folder, process = job.tables.parent, job._process

    del job

    assert process.poll() is not None
    assert not folder.exists()
    assert not any(each.is_running for each in jobs._JOBS)


def test_a_run_that_takes_too_long_is_stopped_and_says_what_to_do() -> None:
    job = ended(start([upload()], program(REPORTS), most_s=0.2))

    assert "took too long and was stopped" in job.problem
    assert "--output" in job.problem
