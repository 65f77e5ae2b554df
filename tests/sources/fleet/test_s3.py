"""Tables in a bucket of a real S3 server on this machine."""

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from sources.errors import SourceError
from sources.fleet.ranking import ranking
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.scope import Scope
from sources.fleet.snapshot import snapshot
from tests.fleets import TIMES, small, write

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A separate process, because deltalake holds the GIL while it waits for some responses."""
    words = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603 -- moto
        assert process.stderr is not None
        lines = (re.search(r"Running on (http://\S+)", line) for line in process.stderr)
        address = next(filter(None, lines)).group(1)
        threading.Thread(target=process.stderr.read, daemon=True).start()
        with urlopen(Request(f"{address}/fleets", method="PUT")):  # noqa: S310 -- on loopback
            yield address
        process.terminate()


@pytest.fixture
def bucket(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An address in a bucket, with access settings in the environment."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ENDPOINT_URL", server)
    monkeypatch.setenv("AWS_ALLOW_HTTP", "true")
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    return f"s3://fleets/{tmp_path.name}"


def test_tables_in_a_bucket_are_read_as_those_in_a_folder(bucket: str) -> None:
    folder = write(f"{bucket}/a", small())

    fleet = open_fleet(edition_of(folder))

    assert {table: fleet.count(table) for table in small()} == {
        table: len(rows) for table, rows in small().items()
    }
    assert ranking(fleet, Scope(since=TIMES[1]))["gain_load"].tolist() == [690, 23, 0]
    assert snapshot(fleet, "prod", "orders", TIMES[1]).group.partition_count == 4


def test_a_new_run_in_a_bucket_is_another_edition(bucket: str) -> None:
    before = open_fleet(edition_of(write(f"{bucket}/a", small())))

    write(f"{bucket}/a", {})

    assert open_fleet(edition_of(f"{bucket}/a")).count("recommendation") == 0
    assert before.read("recommendation", ["rank"]).num_rows == 3


def test_what_is_wrong_with_a_bucket_is_one_sentence(bucket: str) -> None:
    write(f"{bucket}/a", small())

    for folder, sentence in {
        f"{bucket}/none": "/none is empty; choose the folder",
        bucket: r"holds no tables of the pipeline, but a;",
        f"{bucket}/a/runs": "is a single Delta table",
        "s3://nothing/a": "s3://nothing/a cannot be read: The specified bucket does not exist",
    }.items():
        with pytest.raises(SourceError, match=sentence):
            edition_of(folder)


@pytest.mark.parametrize("times", [1, pytest.param(3, marks=pytest.mark.proof)])
def test_a_short_process_that_reads_a_bucket_exits_cleanly(bucket: str, times: int) -> None:
    write(f"{bucket}/a", small())
    program = (
        "from sources.fleet.runs import edition_of, open_fleet\n"
        f"fleet = open_fleet(edition_of({bucket + '/a'!r}))\n"
        "fleet.read('group_summary', ['max_load'])"
    )

    ends = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)  # noqa: S603 -- ours
        for _ in range(times)
    ]

    assert [(end.returncode, end.stderr) for end in ends] == [(0, b"")] * times
