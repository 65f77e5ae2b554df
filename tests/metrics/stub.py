"""A server of Prometheus' API for the queries that ours sends, over samples given as a table.

It follows Prometheus where these queries touch it: a value is repeated for five minutes, until a
newer one or a staleness marker (None); ``last_over_time`` sees samples, not markers.
``test_real_prometheus.py`` holds the same against a real one.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final
from urllib.parse import parse_qs

Table = Mapping[str, Mapping[int, float | None]]
"""``metric{label="value"}`` -> time in seconds -> value, or None for a staleness marker."""
_LOOKBACK_S: Final = 300
_SERIES: Final = re.compile(r"([\w:]+)\{(.*)\}")
_LABEL: Final = re.compile(r'(\w+)="([^"]*)"')
_FRESH: Final = re.compile(r"([\w:]+)\{(.*?)\} and last_over_time\(\1\{\2\}\[(\d+)ms\]\)")
_NAMES: Final = re.compile(r'count by \(__name__\) \(\{__name__=~"([^"]*)"\}\)')
_GROUPS: Final = re.compile(r"count by \((\w+)\) \(last_over_time\(([\w:]+)\[(\d+)s\]\)\)")
_MATCHER: Final = re.compile(r'(\w+)=~"((?:[^"\\]|\\.)*)"')


def answer_of(table: Table, form: Mapping[str, str]) -> dict[str, Any]:
    """Return what a server with these samples answers."""
    query = form["query"]
    if "start" in form:
        start, end, step = (int(form[name]) for name in ("start", "end", "step"))
        times = list(range(start, end + 1, step))
    else:
        times = [int(float(form["time"]))]
    found = _result(table, query, times)
    key = "values" if "start" in form else "value"
    result = [
        {"metric": labels, key: values if key == "values" else values[-1]}
        for labels, values in found
        if values
    ]
    return {"status": "success", "data": {"resultType": "matrix", "result": result}}


def _result(
    table: Table, query: str, times: list[int]
) -> Iterator[tuple[dict[str, str], list[list[object]]]]:
    series = [
        (m[1], dict(_LABEL.findall(m[2])), table[name])
        for name in table
        if (m := _SERIES.fullmatch(name))
    ]
    if fresh := _FRESH.fullmatch(query):
        matchers = [(n, json.loads(f'"{v}"')) for n, v in _MATCHER.findall(fresh[2])]
        for metric, labels, samples in series:
            if metric != fresh[1] or not all(
                re.fullmatch(v, labels.get(n, "")) for n, v in matchers
            ):
                continue
            values = [
                [at, repr(value)]
                for at in times
                if (value := _instant(samples, at)) is not None
                and _last(samples, at, int(fresh[3]) / 1000) is not None
            ]
            yield {"__name__": metric, **labels}, values
    elif names := _NAMES.fullmatch(query):
        for name in names[1].split("|"):
            counts = [
                (at, sum(_instant(s, at) is not None for m, _, s in series if m == name))
                for at in times
            ]
            yield {"__name__": name}, [[at, str(count)] for at, count in counts if count]
    elif groups := _GROUPS.fullmatch(query):
        found: dict[str, int] = {}
        for metric, labels, samples in series:
            if metric == groups[2] and _last(samples, times[0], int(groups[3])) is not None:
                found[labels[groups[1]]] = found.get(labels[groups[1]], 0) + 1
        for group, count in found.items():
            yield {groups[1]: group}, [[times[0], str(count)]]
    else:
        message = f"the stub has no answer to {query}"
        raise AssertionError(message)


def _instant(samples: Mapping[int, float | None], at: int) -> float | None:
    before = [time for time in samples if at - _LOOKBACK_S < time <= at]
    return samples[max(before)] if before else None


def _last(samples: Mapping[int, float | None], at: int, range_s: float) -> float | None:
    before = [time for time, v in samples.items() if at - range_s <= time <= at and v is not None]
    return samples[max(before)] if before else None


@contextmanager
def serving(
    respond: Callable[[BaseHTTPRequestHandler, dict[str, str]], None],
) -> Iterator[str]:
    """Serve POSTs, each answered by ``respond``; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            respond(self, {name: values[0] for name, values in parse_qs(body).items()})

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- its own name
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def prometheus(table: Table, asked: list[dict[str, str]] | None = None) -> Iterator[str]:
    """Serve the samples; append each query to ``asked``."""

    def respond(handler: BaseHTTPRequestHandler, form: dict[str, str]) -> None:
        if asked is not None:
            asked.append({**form, "authorization": handler.headers.get("Authorization", "")})
        reply(handler, 200, json.dumps(answer_of(table, form)).encode())

    with serving(respond) as url:
        yield url


def reply(handler: BaseHTTPRequestHandler, status: int, body: bytes) -> None:
    """Send an answer."""
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)
