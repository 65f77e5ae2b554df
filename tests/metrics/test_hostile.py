"""Servers and texts that are slow, wrong or endless: one sentence each, and nothing is kept."""

import json
import tempfile
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from live.access import access_to
from live.errors import LiveError, PropertyError
from live.prometheus.api import PrometheusApi
from live.prometheus.exporters import EXPORTERS, Labels
from live.prometheus.quoting import one_of
from live.prometheus.series import MetricSeries, TimeGrid, on_grid
from live.prometheus.spans import Reads, Remarks, spans_of
from live.prometheus.text import read_samples
from tests.metrics.collected import collect, rows_in
from tests.metrics.stub import Table, prometheus, reply, serving

Respond = Callable[[BaseHTTPRequestHandler, dict[str, str]], None]
GRID: Final = TimeGrid(0, 120, 60)
KAFKA_EXPORTER: Final = next(e for e in EXPORTERS if e.name == "kafka_exporter")


def sends(body: bytes, status: int = 200) -> Respond:
    """Return what answers everything alike."""
    return lambda handler, _: reply(handler, status, body)


def drip(handler: BaseHTTPRequestHandler, _: dict[str, str]) -> None:
    """Send a byte now and then, without end."""
    handler.send_response(200)
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b" ")
            handler.wfile.flush()
            time.sleep(0.05)
    except OSError:
        return


def flood(handler: BaseHTTPRequestHandler, _: dict[str, str]) -> None:
    """Send without end, as fast as it is read."""
    handler.send_response(200)
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b" " * 65_536)
    except OSError:
        return


def nothing(handler: BaseHTTPRequestHandler, _: dict[str, str]) -> None:
    """Hang up."""
    handler.close_connection = True


def elsewhere(handler: BaseHTTPRequestHandler, _: dict[str, str]) -> None:
    """Redirect to the address of a cloud's metadata."""
    handler.send_response(307)
    handler.send_header("Location", "http://169.254.169.254/latest/")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


@pytest.mark.parametrize(
    ("respond", "said"),
    [
        (sends(b"<html>"), "does not answer as Prometheus' API does"),
        (sends(b"[" * 100_000), "does not answer as Prometheus' API does"),
        (sends(b'{"status":"success","data":{"result":3}}'), "does not answer as Prometheus"),
        (sends(b'{"status":"success","data":{"result":[{"metric":[]}]}}'), "does not answer"),
        (sends(b'{"status":"error","error":"bad_data: \\u001b[31mno"}', 400), "refuses the query"),
        (sends(b"<html>", 502), "status 502"),
        (sends(b"", 401), "--http-config"),
        (elsewhere, "redirects"),
        (nothing, "No answer from"),
        (drip, "did not finish its answer within"),
        (flood, "more than 1,000,000 bytes"),
    ],
)
def test_a_server_that_answers_wrongly_is_one_sentence(respond: Respond, said: str) -> None:
    with serving(respond) as url:
        api = PrometheusApi(url=url, timeout_s=1, most_bytes=1_000_000)
        begin = time.monotonic()
        with pytest.raises(LiveError, match=said) as caught:
            api.range("up", 0, 60, 60)

    assert time.monotonic() - begin < 30
    assert str(caught.value).count("\n") == 0
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("value", ["1e", "", "0x10", "none", "\x00"])
def test_values_that_are_no_numbers_are_refused(value: str) -> None:
    body = {"status": "success", "data": {"result": [{"metric": {}, "values": [[0, value]]}]}}

    with serving(sends(json.dumps(body).encode())) as url:
        api = PrometheusApi(url=url)
        raw = api.range("up", 0, 120, 60)

    with pytest.raises(LiveError, match="no number"):
        list(on_grid(raw, GRID, "up", "h:1"))


@pytest.mark.parametrize("at", [-60, 59.5, 180, 1e300])
def test_times_that_were_not_asked_for_are_refused(at: float) -> None:
    body = {"status": "success", "data": {"result": [{"metric": {}, "values": [[at, "1"]]}]}}

    with serving(sends(json.dumps(body).encode())) as url:
        raw = PrometheusApi(url=url).range("up", 0, 120, 60)

    with pytest.raises(LiveError, match="times"):
        list(on_grid(raw, GRID, "up", "h:1"))


def test_a_failed_window_leaves_no_file_and_the_ones_before(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(sends(b"[]")) as url:
        status, said = collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)

    assert status == 1
    assert len(said.splitlines()) == 1
    assert rows_in(tmp_path) == []
    assert list(tmp_path.glob("*/*")) == []


@pytest.mark.parametrize(
    "url",
    [
        "", "ftp://h:1", "http://", "http://user:secret@h:9090", "http://h:99999", "http://h:9090?a=b",
        "http://h:0", "file:///etc/passwd", "http://[::1", "http://h:9090#x",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_refused_without_its_secret(url: str) -> None:
    with pytest.raises(PropertyError) as caught:
        PrometheusApi(url=url)

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://169.254.169.254/", "http://prom:9091", "http://evil:9090"])
def test_a_visitor_reaches_only_what_the_operator_allows(url: str) -> None:
    with pytest.raises(PropertyError, match="may not connect"):
        PrometheusApi(url=url, access=access_to(["prom:9090"]))


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_name_of_a_group_changes_a_query(name: str, other: str) -> None:
    matcher = one_of("group", [name, other])
    inner = matcher.removeprefix('group=~"').removesuffix('"')

    assert '"' not in inner.replace("\\\\", "").replace('\\"', "")
    assert "\n" not in inner


@given(
    st.lists(
        st.tuples(
            st.dictionaries(
                st.sampled_from([*Labels(group="consumergroup"), "cluster", "job"]),
                st.text(max_size=12) | st.sampled_from(["0", "7", "-1", "99999999999999999999"]),
            ),
            st.lists(st.floats(), min_size=3, max_size=3),
        ),
        max_size=8,
    )
)
@example([({"consumergroup": "g", "topic": "t", "partition": "0"}, [0.0, 0.0, np.inf])])
def test_whatever_labels_and_values_say_offsets_are_whole_numbers_or_unknown(
    drawn: list[tuple[dict[str, str], list[float]]],
) -> None:
    series = [MetricSeries("m", labels, np.array(values)) for labels, values in drawn]
    reads = Reads(KAFKA_EXPORTER, dict.fromkeys(KAFKA_EXPORTER.metrics, series))

    for span in spans_of([reads], GRID, Remarks()):
        assert span.is_told.shape == (len(span.partitions), 3)
        assert all((each >= -1).all() for each in (span.committed, span.begin, span.end))
        assert all(0 <= number < 10_000_000 for _, number in span.partitions)


def test_a_bomb_of_labels_ends_at_the_most_bytes() -> None:
    labels = {f"l{n}": "x" * 100 for n in range(20_000)}
    body = {"status": "success", "data": {"result": [{"metric": labels, "value": [0, "1"]}]}}

    with serving(sends(json.dumps(body).encode())) as url, pytest.raises(LiveError, match="bytes"):
        PrometheusApi(url=url, most_bytes=1_000_000).instant("up", 0)


@pytest.mark.slow
def test_a_group_of_a_billion_counted_consumers_is_not_written_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    now = int(time.time()) // 60 * 60 - 600
    table: Table = {
        'kafka_consumergroup_current_offset{consumergroup="g",topic="t",partition="0"}': {now: 1},
        'kafka_topic_partition_current_offset{topic="t",partition="0"}': {now: 2},
        'kafka_consumergroup_members{consumergroup="g"}': {now: 1e12},
    }

    with prometheus(table) as url:
        collect(tmp_path, "--prometheus", url, "--since", "1h", capsys=capsys)

    assert len(rows_in(tmp_path)) < 200_000


@pytest.mark.parametrize(
    "text",
    [
        "{",
        'a{b="c" 1\n',
        "kafka_consumergroup_lag{} x\n",
        "\x00\x01\n",
        "x" * 200_000,
    ],
)
def test_a_text_that_is_none_is_one_sentence_with_the_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "metrics"
    file.write_text("# a comment\n" + text)

    with pytest.raises(LiveError, match=r"line 2|line of more") as caught:
        read_samples(file, EXPORTERS)

    assert len(str(caught.value)) < 500


def test_a_text_of_too_many_samples_is_refused_with_the_way_out(tmp_path: Path) -> None:
    file = tmp_path / "metrics"
    metric = 'kafka_consumergroup_current_offset{consumergroup="g",topic="t",partition="0"}'
    file.write_text("".join(f"{metric} {n} {n}000\n" for n in range(1, 12)))

    with pytest.raises(LiveError, match="--min-time"):
        read_samples(file, EXPORTERS, most=10)


def test_samples_of_which_no_group_is_made_do_not_count(tmp_path: Path) -> None:
    file = tmp_path / "metrics"
    age = 'kafka_consumergroup_group_lag_seconds{group="g",topic="t",partition="0"}'
    file.write_text("".join(f"{age} {n} {n}000\n" for n in range(1, 12)))

    assert not read_samples(file, EXPORTERS, most=10).of


@given(st.text(max_size=200))
def test_any_text_is_samples_or_a_sentence(text: str) -> None:
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
        file.write(text)
        file.flush()
        try:
            read = read_samples(Path(file.name), EXPORTERS)
        except LiveError:
            return
    assert all(len(times) == len(values) for times, values in read.of.values())
