"""A month of a fleet from Prometheus: seconds and memory of ``pipeline collect``.

``python -m benchmarks.metrics [--step 600] [--days 30]``: 200 groups of 12 partitions. A server in
a process of its own answers as Prometheus does, with offsets that grow; only the collector's memory
counts.
"""

import argparse
import multiprocessing
import re
import resource
import sys
import tempfile
import time
from collections.abc import Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

import pyarrow.parquet as pq

from pipeline.__main__ import main as pipeline

_GROUPS: Final = 200
_PARTITIONS: Final = 12
_NAMES: Final = {
    "kafka_consumergroup_current_offset": 40,
    "kafka_topic_partition_current_offset": 90,
    "kafka_topic_partition_oldest_offset": 0,
}
"""The metrics, and by how much each is ahead."""
_MEMBERS: Final = "kafka_consumergroup_members"
_KIB: Final = 1024


class _Exporters(BaseHTTPRequestHandler):
    """Answers each query of the collector."""

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        query = form["query"][0]
        body = _counts(form) if query.startswith("count") else _range(query, form)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- its own name
        """Keep quiet."""


def _counts(form: dict[str, list[str]]) -> bytes:
    at = form.get("end", form.get("time"))
    counts = {**dict.fromkeys(_NAMES, _GROUPS * _PARTITIONS), _MEMBERS: _GROUPS}
    key = "values" if "end" in form else "value"
    value = '[%s,"%d"]' if key == "value" else '[[%s,"%d"]]'
    series = [
        f'{{"metric":{{"__name__":"{name}"}},"{key}":{value % (at and at[0], count)}}}'
        for name, count in counts.items()
    ]
    return _answer(series)


def _range(query: str, form: dict[str, list[str]]) -> bytes:
    metric = re.match(r"[\w:]+", query)
    name = "" if metric is None else metric[0]
    start, end, step = (int(form[key][0]) for key in ("start", "end", "step"))
    times = range(start, end + 1, step)
    if name == _MEMBERS:
        counts = ",".join(f'[{t},"4"]' for t in times)
        return _answer(
            f'{{"metric":{{"consumergroup":"group-{group}"}},"values":[{counts}]}}'
            for group in range(_GROUPS)
        )
    values = [
        ",".join(f'[{t},"{t // 2 + _NAMES[name] * partition}"]' for t in times)
        for partition in range(_PARTITIONS)
    ]  # the same in each group, or the server would take longer than the collector
    return _answer(
        f'{{"metric":{{"consumergroup":"group-{group}","topic":"topic-{group}",'
        f'"partition":"{partition}"}},"values":[{values[partition]}]}}'
        for group in range(_GROUPS)
        for partition in range(_PARTITIONS)
    )


def _answer(series: Iterable[str]) -> bytes:
    return f'{{"status":"success","data":{{"result":[{",".join(series)}]}}}}'.encode()


def _serve(to: Connection) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Exporters)
    to.send(server.server_port)
    server.serve_forever()


def main() -> None:
    """Measure, and print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--step", type=int, default=600)
    parser.add_argument("--days", type=int, default=30)
    options = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(target=_serve, args=(there,), daemon=True)
    server.start()
    port = here.recv()
    with tempfile.TemporaryDirectory() as folder:
        began, cpu = time.perf_counter(), time.process_time()
        words = ["--prometheus", f"http://127.0.0.1:{port}", "--since", f"{options.days}d"]
        status = pipeline(["collect", *words, "--step", f"{options.step}s", "--out", folder])
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        rows = sum(pq.read_metadata(file).num_rows for file in Path(folder).glob("*/*.parquet"))
    server.terminate()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB
    sys.stdout.write(
        f"{options.days} days at {options.step} s, {_GROUPS} groups of {_PARTITIONS}: "
        f"{rows:,} rows in {took:.0f} s ({cpu:.0f} CPU-s), at most {peak:.0f} MiB, {status}\n"
    )


if __name__ == "__main__":
    main()
