"""The command line with closed or full streams, strange arguments, and signals."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

from tests.sources.test_text import GROUP
from tests.test_assign import LINE, ROOT, _process, _run

PROGRAM: Final = f"{shlex.quote(sys.executable)} assign.py"
DEEP: Final = b'{"topics": {"t": 1}, "members": [], "x": ' + b"[" * 100_000 + b"\n"


def _shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(  # noqa: S602 -- our own words; redirections are the shell's
        command,
        shell=True,
        cwd=ROOT,
        input=LINE,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("redirection", "status", "sentence"),
    [
        ("<&-", 2, "standard input is closed; pipe text into it, or name a FILE"),
        (">&-", 2, "standard output is closed; the answers need a place to go"),
        (">/dev/full", 2, "standard output cannot be written: No space left on device"),
        ("--help >/dev/full", 2, "standard output cannot be written: No space left on device"),
        ("--help >&-", 2, "standard output is closed; the answers need a place to go"),
    ],
)
def test_a_stream_that_is_closed_or_full_is_one_sentence(
    redirection: str, status: int, sentence: str
) -> None:
    done = _shell(f"{PROGRAM} {redirection}")

    assert (done.returncode, done.stderr.decode()) == (status, f"assign.py: {sentence}\n")


@pytest.mark.parametrize(
    ("redirection", "status"),
    [("2>&-", 0), ("--strategy rnage 2>&-", 2), ("--strategy rnage 2>/dev/full", 2)],
)
def test_without_standard_error_the_exit_status_reports_it(redirection: str, status: int) -> None:
    done = _shell(f"{PROGRAM} --strategy range {redirection}")

    assert (done.returncode, done.stderr) == (status, b"")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--timeout", "inf"],
            "expected a time above 0, at most a day, like 30s",
        ),
        (
            ["--timeout", "nan"],
            "expected a time above 0, at most a day, like 30s",
        ),
        (
            ["--timeout", "0"],
            "expected a time above 0, at most a day, like 30s",
        ),
        (["--timeout"], "expected one argument"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["a", "b"], "unrecognized arguments: b"),
        (["--limit", "partitions=\u0663"], "expected a whole number"),
        (["a\x00b"], "cannot be read: embedded null"),
        (["\udcff\ud800"], "cannot be read: 'utf-8' codec"),
        (["x" * 5000], "cannot be read: File name too long"),
        (["--command-config", "a\x00b", "--group", "g"], "a\ufffdb cannot be read: embedded null"),
        (["--bootstrap-server", "b:1", "--group", "\ud800"], "b:1"),
    ],
)
def test_a_strange_argument_is_one_sentence(arguments: list[str], sentence: str) -> None:
    status, answers, error = _run(*arguments)

    assert (status, answers) == (2, [])
    assert sentence in error
    assert error.startswith("assign.py: ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "servers",
    ["http://localhost:9092", ",", "localhost:99999", "localhost:0", "[::1", "a b", "b:9092x"],
)
def test_an_invalid_address_is_refused(servers: str) -> None:
    status, _, error = _run("--bootstrap-server", servers, "--group", "g")

    assert status == 2
    assert "write each as host:port" in error


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        pytest.param(
            f"{PROGRAM} /dev/zero",
            "1,000,000,000 bytes of text are more than the 200,000,000",
            marks=pytest.mark.proof,
        ),
        pytest.param(
            f"yes | {PROGRAM}",
            "2,000,001 lines are more than the 2,000,000 that can be read at once",
            marks=pytest.mark.proof,
        ),
        (f"{PROGRAM} --group g --command-config /dev/zero", "more than 1,000,000 bytes; expected"),
    ],
)
def test_input_without_an_end_is_refused(command: str, sentence: str) -> None:
    done = _shell(command)

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"assign.py: ")
    assert done.stderr.count(b"\n") == 1
    assert sentence in done.stderr.decode()


def test_a_long_cell_is_not_quoted_in_full() -> None:
    status, _, error = _run(lines=[b"topic,partition\n", b"t," + b"9" * 100_000 + b"\n"])

    assert (status, len(error) < 2_100) == (2, True)
    assert error.startswith("assign.py: the CSV, line 2, column partition: expected a whole number")


def test_names_that_ascii_lacks_are_written_in_an_ascii_locale(tmp_path: Path) -> None:
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    file = tmp_path / "größe.json"
    file.write_text(json.dumps(GROUP | {"id": "größe", "strategy": "range"}))

    read = _shell(f"{PROGRAM} {file}", **ascii_only)
    missing = _shell(f"{PROGRAM} {file}x", **ascii_only)
    shown = _shell(f"{PROGRAM} --help", **ascii_only)

    assert json.loads(read.stdout)["id"] == "größe"
    assert (missing.returncode, missing.stderr.count(b"\n")) == (2, 1)
    assert (shown.returncode, shown.stderr) == (0, b"")


def test_nested_deep_and_nul_bytes_are_errors_of_their_lines() -> None:
    lines = [LINE, DEEP, b'{"topics": {"t": 1}, "members": [{"id": "\x00"}]}\n', b"\x00\n", LINE]

    status, answers, error = _run("--strategy", "range", lines=lines)

    assert (status, error) == (1, "")
    assert [answer.get("line") for answer in answers] == [None, 2, 3, 4, None]


@pytest.mark.parametrize(
    "delay_s",
    [0, 0.1, 3, *(pytest.param(s, marks=pytest.mark.proof) for s in (0.02, 0.05, 0.2, 0.4))],
)
def test_an_interrupt_ends_it_without_a_traceback_however_early(delay_s: float) -> None:
    program = (
        "import runpy, signal, sys; install = signal.signal\n"
        "def watched(*its): install(*its); print('numpy' in sys.modules, flush=True)\n"
        "signal.signal = watched; runpy.run_path('assign.py', run_name='__main__')"
    )
    with subprocess.Popen(  # noqa: S603 -- our own program
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        is_late = process.stdout.readline()
        time.sleep(delay_s)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate()

    assert is_late == b"False\n"  # before the imports, which take the first moments
    assert (process.returncode, error) == (130, b"")


def test_a_reader_that_fails_is_one_sentence_and_status_2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sources.text.read_text", lambda *_: 1 // 0)

    status, answers, error = _run(lines=[b"some text\n"])

    assert (status, answers, error.count("\n")) == (2, [], 1)
    assert "ZeroDivisionError" in error
    assert "please report it" in error


@pytest.mark.proof
def test_thousands_of_lines_are_each_answered() -> None:
    done = _process("--strategy", "range", text=LINE * 5_000)

    assert (done.returncode, done.stdout.count(b"\n")) == (0, 5_000)


@pytest.mark.proof
def test_where_memory_runs_out_the_sentence_says_so() -> None:
    group = json.dumps({"topics": {"t": 20_000_000}, "members": [{"id": "a", "topics": ["t"]}]})
    program = shlex.join([sys.executable, "assign.py", "--limit", "partitions=99999999"])

    done = subprocess.run(  # noqa: S603 -- our own words
        ["sh", "-c", f"ulimit -v 1500000; exec {program} --limit names=9999999999"],  # noqa: S607
        cwd=ROOT,
        input=group.encode(),
        capture_output=True,
        check=False,
    )

    said = done.stdout + done.stderr
    assert done.returncode in (1, 2)
    assert b"needs more memory than this process may take; give it more" in said
    assert b"our reader failed" not in said
    assert said.count(b"\n") == 1
