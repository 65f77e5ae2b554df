"""A real Prometheus, filled with what exporters would have told of the sample's fleet.

What comes back must be, in every cell of ``partition_lag``, what the fleet's own telemetry gives.
"""

import json
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final
from urllib.parse import urlencode
from urllib.request import urlopen

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.lake import Lake
from pipeline.replay.replay import replay
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY
from tests.metrics import exporting
from tests.metrics.collected import at, collect, offsets, rows_in
from tests.metrics.real_prometheus import backfilled, dumped, running, until
from tests.pipeline.processes import finished, pipeline
from tests.pipeline.replay.fleets import table

SAMPLE: Final = Path(__file__).parents[2] / "sample_data" / "fleet" / "telemetry"
HOUR: Final = timedelta(hours=1)
Row = dict[str, Any]

pytestmark = [pytest.mark.proof, pytest.mark.needs("prometheus")]


def fleet_of_yesterday() -> list[Row]:
    """Return the sample's telemetry as if it had been collected yesterday.

    Reset policies are left out: no exporter tells them.
    """
    rows = pq.read_table(SAMPLE).cast(pa.schema(arrow_schema_of_sample())).to_pylist()
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    shift = today - timedelta(days=1) - rows[0]["snapshot_at"].replace(hour=0)
    return [
        {**row, "snapshot_at": row["snapshot_at"] + shift, "auto_offset_reset": None}
        for row in rows
    ]


def arrow_schema_of_sample() -> list[pa.Field]:
    """Return the columns that the sample's files have."""
    names = pq.read_schema(next(iter(sorted(SAMPLE.glob("*.parquet"))))).names
    return [field for field in arrow_schema(TELEMETRY) if field.name in names]


def partition_lag(rows: Iterable[Row], *, with_owners: bool) -> list[tuple[object, ...]]:
    """Return the table's rows, sorted."""
    known = [{**row, "file": "0"} for row in rows]
    found = replay(table(known), ()).tables["partition_lag"]
    names = [n for n in found.column_names if with_owners or n != "member_id"]
    return sorted(tuple(map(str, row.values())) for row in found.select(names).to_pylist())


@pytest.mark.parametrize("source", ["server", "dump"])
def test_every_partitions_lag_is_that_of_the_direct_path(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fleet = fleet_of_yesterday()
    data = backfilled(tmp_path, exporting.openmetrics(exporting.kafka_exporter(fleet)))
    out, words = tmp_path / "out", ["--step", "1h"]

    if source == "dump":
        text = dumped(data, tmp_path / "dump.txt")
        status, said = collect(out, "--openmetrics", str(text), *words, capsys=capsys)
    else:
        with running(tmp_path, data) as url:
            words += ["--prometheus", url, "--since", "60h"]
            status, said = collect(out, *words, capsys=capsys)
    expected = partition_lag(fleet, with_owners=False)

    assert status == 0, said
    assert len(expected) > 10_000
    assert partition_lag(rows_in(out), with_owners=False) == expected


def test_two_runs_of_spark_say_the_same_of_every_partition(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fleet = fleet_of_yesterday()
    direct, out = tmp_path / "direct" / "day", tmp_path / "out"
    direct.mkdir(parents=True)
    schema = pa.schema(arrow_schema_of_sample())
    pq.write_table(pa.Table.from_pylist(fleet, schema), direct / "telemetry.parquet")
    data = backfilled(tmp_path, exporting.openmetrics(exporting.kafka_exporter(fleet)))
    with running(tmp_path, data) as url:
        words = ("--prometheus", url, "--since", "60h", "--step", "1h")
        collect(out, *words, capsys=capsys)

    of_metrics, of_fleet = (
        run(source, tmp_path / f"{source.name}-tables") for source in (out, direct.parent)
    )

    assert len(of_fleet) > 1_000
    assert of_metrics == of_fleet


def run(source: Path, output: Path) -> list[tuple[str, ...]]:
    """Run the pipeline; return what it says of each partition but its owner."""
    words = ("--strategies", "range", "--master", "local[2]")
    ended = finished(pipeline("run", "--input", source, "--output", output, *words))
    assert ended.returncode == 0, ended.stderr
    lake = Lake(str(output))
    latest = lake.latest()
    assert latest is not None
    found = lake.rows("partition_lag", latest["versions"]["partition_lag"])
    names = [name for name in found.column_names if name not in {"member_id", "run_id"}]
    return sorted(tuple(map(str, row.values())) for row in found.select(names).to_pylist())


def test_owners_that_an_exporter_names_are_those_of_the_direct_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fleet = [row for row in fleet_of_yesterday() if row["committed_offset"] is not None]
    data = backfilled(tmp_path, exporting.openmetrics(exporting.lag_exporter(fleet)))

    with running(tmp_path, data) as url:
        words = ("--prometheus", url, "--since", "60h", "--step", "1h")
        collect(tmp_path / "out", *words, capsys=capsys)

    found = partition_lag(rows_in(tmp_path / "out"), with_owners=True)
    assert found == partition_lag(fleet, with_owners=True)


class _Scraped:
    """A page of an exporter, whose text changes."""

    def __init__(self) -> None:
        self.text = ""
        self.served: list[str] = []


@pytest.fixture
def scraped() -> Iterator[tuple[_Scraped, str]]:
    """Serve the page to a scraper; yield it, and its address."""
    page = _Scraped()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = page.text.encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            page.served.append(page.text)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- its own name
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield page, f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def page_of(offsets_of: dict[int, int]) -> str:
    """Return an exporter's text with these committed offsets, by partition."""
    return "".join(
        f'kafka_consumergroup_current_offset{{consumergroup="g",topic="t",partition="{p}"}} {n}\n'
        f'kafka_topic_partition_current_offset{{topic="t",partition="{p}"}} 100\n'
        for p, n in offsets_of.items()
    )


def ask(url: str, query: str) -> list[dict[str, Any]]:
    """Return an instant query's result."""
    with urlopen(f"{url}/api/v1/query?{urlencode({'query': query})}", timeout=30) as answer:  # noqa: S310 -- ours
        result: list[dict[str, Any]] = json.load(answer)["data"]["result"]
    return result


def test_a_series_that_ends_in_a_staleness_marker_has_no_rows_after_it(
    scraped: tuple[_Scraped, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, address = scraped
    page.text = page_of({0: 50, 1: 60})
    counted = "count(kafka_consumergroup_current_offset)"

    with running(tmp_path, tmp_path / "data", address) as url:
        until(lambda: [each["value"][1] for each in ask(url, counted)] == ["2"])
        page.text = page_of({0: 7})  # the log was made anew, and one partition is gone
        until(lambda: [each["value"][1] for each in ask(url, counted)] == ["1"])
        after = int(time.time()) + 1
        _scraped_after(url, after)
        words = ("--prometheus", url, "--since", "5m", "--step", "1s")
        status, said = collect(tmp_path / "out", *words, capsys=capsys)

    rows = rows_in(tmp_path / "out")
    assert status == 0, said
    found = {(row["partition"], row["committed_offset"]) for row in rows}
    assert found == {(0, 50), (1, 60), (0, 7)}
    assert offsets(rows, after) == {("g", "t", 0): (None, 100, 7)}
    assert max(at(row["snapshot_at"]) for row in rows if row["partition"] == 1) < after


def _scraped_after(url: str, at_s: int) -> None:
    newest = "max(timestamp(kafka_consumergroup_current_offset))"
    until(lambda: float(ask(url, newest)[0]["value"][1]) > at_s + 1)
