"""The past of a fleet from a server of metrics, as users ask for it."""

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import SimpleNamespace
from typing import Final

import pytest

from live.prometheus.api import PrometheusApi
from live.prometheus.fetching import Question, counts, windows_of
from live.prometheus.series import TimeGrid
from pipeline.collecting.metrics import history
from schemas.telemetry import NOT_TOLD
from sources.collected import read_collected
from tests.metrics.collected import at, collect, offsets, rows_in
from tests.metrics.stub import Table, answer_of, prometheus, reply, serving

STEP_S = 60


NOON_S: Final = 1_795_780_800
"""Of a day; a window of an hour that begins the day before is asked for in two parts."""


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> int:
    """A full minute, ten before the collector's clock, which stands at noon."""
    monkeypatch.setattr(history, "time", SimpleNamespace(time=lambda: float(NOON_S)))
    return NOON_S - 10 * STEP_S


def kafka_exporter(now: int) -> dict[str, dict[int, float | None]]:
    """Return three scrapes of a group of two partitions and two consumers; one has no commit."""
    times = (now, now + 60, now + 120)
    g = 'consumergroup="loader",instance="e:9308",job="kafka"'
    return {
        f'kafka_consumergroup_current_offset{{{g},topic="rows",partition="0"}}': dict(
            zip(times, (88, 90, 95), strict=True)
        ),
        f'kafka_consumergroup_current_offset{{{g},topic="rows",partition="1"}}': dict.fromkeys(
            times, -1
        ),
        f"kafka_consumergroup_members{{{g}}}": dict.fromkeys(times, 2),
        'kafka_topic_partition_current_offset{topic="rows",partition="0"}': dict.fromkeys(
            times, 100
        ),
        'kafka_topic_partition_oldest_offset{topic="rows",partition="0"}': dict.fromkeys(times, 3),
        'kafka_topic_partition_current_offset{topic="rows",partition="1"}': dict.fromkeys(times, 7),
    }


def test_a_scrape_is_a_snapshot_with_the_offsets_it_tells(
    tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with prometheus(kafka_exporter(now)) as url:
        status, said = collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)

    rows = rows_in(tmp_path)
    assert status == 0, said
    assert "Exporters found: kafka_exporter." in said
    assert {at(row["snapshot_at"]) for row in rows} == {now, now + 60, now + 120}
    assert offsets(rows, now + 120) == {
        ("loader", "rows", 0): (3, 100, 95),
        ("loader", "rows", 1): (None, 7, None),
    }
    assert {row["cluster"] for row in rows} == {url.removeprefix("http://")}


def test_consumers_that_are_only_counted_own_nothing_that_is_told(
    tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with prometheus(kafka_exporter(now)) as url:
        _, said = collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)

    rows = [row for row in rows_in(tmp_path) if at(row["snapshot_at"]) == now]
    assert [row["member_id"] for row in rows if "member_id" in row] == ["member-1", "member-2"]
    assert {row["ownership"] for row in rows} == {NOT_TOLD}
    assert "not told" in said


def test_a_group_without_consumers_is_known_to_have_no_owner(
    tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    table = kafka_exporter(now)
    counted = next(name for name in table if "members" in name)

    with prometheus({**table, counted: dict.fromkeys(table[counted], 0)}) as url:
        collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)

    assert all("ownership" not in row and "member_id" not in row for row in rows_in(tmp_path))


def test_gaps_and_staleness_markers_are_no_rows_and_resets_are_offsets(
    tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    table = kafka_exporter(now)
    first, second, *_ = table
    table[first] = {now: 88, now + 60: None, now + 240: 5}
    table[second] = {now: 1, now + 120: 2}

    with prometheus(table) as url:
        collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)

    told = {
        (at(row["snapshot_at"]) - now, row["partition"]): row["committed_offset"]
        for row in rows_in(tmp_path)
        if "topic" in row
    }
    assert told == {(0, 0): 88, (0, 1): 1, (120, 1): 2, (240, 0): 5}


@pytest.mark.parametrize("lag", [0, 12])
def test_kminion_tells_committed_offsets_by_lag_and_end(
    lag: int, tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    of = 'topic_name="t",partition_id="4"'
    metric = "kminion_kafka_consumer_group_topic_partition_lag"
    table: Table = {
        f'{metric}{{group_id="g",{of}}}': {now: lag},
        f"kminion_kafka_topic_partition_high_water_mark{{{of}}}": {now: 100},
        f"kminion_kafka_topic_partition_low_water_mark{{{of}}}": {now: 9},
    }

    with prometheus(table) as url:
        collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)

    assert offsets(rows_in(tmp_path), now) == {("g", "t", 4): (9, 100, 100 - lag)}


def test_exporters_that_name_owners_tell_them_by_partition(
    tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    owner = 'member_host="/10.0.0.1",consumer_id="c-1-aa",client_id="c-1"'
    of = 'cluster_name="dev",group="g",topic="t"'
    table: Table = {
        f'kafka_consumergroup_group_offset{{{of},partition="0",{owner}}}': {now: 5},
        f'kafka_consumergroup_group_offset{{{of},partition="1"}}': {now: 6},
        'kafka_partition_latest_offset{cluster_name="dev",topic="t",partition="0"}': {now: 8},
    }

    with prometheus(table) as url:
        collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)

    owned, free = (row for row in rows_in(tmp_path) if at(row["snapshot_at"]) == now)
    assert (owned["cluster"], owned["member_id"], owned["client_id"], owned["host"]) == (
        "dev", "c-1-aa", "c-1", "/10.0.0.1",
    )  # fmt: skip
    assert "member_id" not in free
    assert "ownership" not in owned


def test_a_second_call_asks_only_for_what_is_not_there(
    tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[dict[str, str]] = []
    table = kafka_exporter(now)
    with prometheus(table, asked) as url:
        words = ("--prometheus", url, "--since", "1h")
        collect(tmp_path, *words, capsys=capsys)
        before, first = (
            rows_in(tmp_path),
            min(int(each["start"]) for each in asked if "start" in each),
        )
        asked.clear()
        status, _ = collect(tmp_path, *words, capsys=capsys)

    again = [int(each["start"]) for each in asked if "start" in each]
    assert status == 0
    assert first < now < min(again, default=now + 1)
    assert rows_in(tmp_path) == before


def test_a_large_fleet_is_asked_for_group_by_group(now: int) -> None:
    table = kafka_exporter(now)
    table |= {name.replace("loader", "a.b"): values for name, values in table.items()}
    asked: list[dict[str, str]] = []
    window = TimeGrid(now, now + 120, STEP_S)

    with prometheus(table, asked) as url:
        question = Question(client=PrometheusApi(url=url), samples=5)
        parts = list(windows_of(question, window, counts(question, window)))

    assert [[span.group_id for span in part] for part in parts] == [["a.b"], ["loader"]]
    assert any(r'consumergroup=~"a\\.b"' in each["query"] for each in asked)
    assert {part[0].end[0, 0] for part in parts} == {100}


def test_the_same_group_of_two_exporters_is_told(
    tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    table = kafka_exporter(now)
    first = next(iter(table))
    table[first.replace('job="kafka"', 'job="other"')] = {now: 13}
    words = ("--since", "1h")

    with prometheus(table) as url:
        _, said = collect(tmp_path / "a", "--prometheus", url, *words, capsys=capsys)
        by_job = ("--cluster-label", "job")
        collect(tmp_path / "b", "--prometheus", url, *words, *by_job, capsys=capsys)

    assert "--cluster-label job" in said
    assert {row["cluster"] for row in rows_in(tmp_path / "b") if "topic" in row} == {
        "kafka",
        "other",
    }


def test_offsets_beyond_what_a_float_holds_are_said_to_be_inexact(
    tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    table = kafka_exporter(now)
    table[next(iter(table))] = {now: 2.0**53}

    with prometheus(table) as url:
        _, said = collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)

    assert "9,007,199,254,740,992 and above are inexact" in said


def test_other_names_are_read_by_a_mapping(
    tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    mapping = tmp_path / "mapping.toml"
    mapping.write_text('[metrics]\ncommitted = "read"\nend = "end"\n[labels]\ngroup = "app"\n')
    table = {
        'read{app="g",topic="t",partition="0"}': {now: 4},
        'end{topic="t",partition="0"}': {now: 6},
    }

    with prometheus(table) as url:
        words = ("--prometheus", url, "--since", "1h", "--mapping", str(mapping))
        collect(tmp_path / "out", *words, capsys=capsys)

    assert offsets(rows_in(tmp_path / "out"), now) == {("g", "t", 0): (None, 6, 4)}


def test_nothing_known_is_said_with_the_way_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with prometheus({}) as url:
        status, said = collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)

    assert status == 1
    assert "--mapping" in said


def test_a_refused_size_is_asked_for_in_halves(
    tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    def respond(handler: BaseHTTPRequestHandler, form: dict[str, str]) -> None:
        span = int(form.get("end", 0)) - int(form.get("start", 0))
        if "last_over_time" in form["query"] and span > 300:
            why = {
                "status": "error",
                "errorType": "execution",
                "error": "query processing would load too many samples into memory",
            }
            reply(handler, 422, json.dumps(why).encode())
        else:
            reply(handler, 200, json.dumps(answer_of(kafka_exporter(now), form)).encode())

    with serving(respond) as url:
        status, _ = collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)

    assert status == 0
    assert offsets(rows_in(tmp_path), now)["loader", "rows", 0] == (3, 100, 88)


def test_a_file_of_metrics_opens_with_counted_consumers_and_unknown_owners(
    tmp_path: Path, now: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with prometheus(kafka_exporter(now)) as url:
        collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)
    files = {file.name: file.read_bytes() for file in tmp_path.glob("*/*.parquet")}

    (reading,) = read_collected(files)

    assert reading.group.member_count == 2
    assert reading.group.is_owner_unknown.all()
    assert reading.assumed.owners_unknown
    assert reading.history is not None
    assert len(reading.history.moments) == 3
