"""What ``watch`` takes of one core and of memory, on a cluster that does not exist.

``python -m benchmarks.watch --groups 10000 --partitions 40 --polls 4``: processor time of each poll
in both processes of ``watch``, on one core, and the memory of both together.
"""

import argparse
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psutil

_MB: Final = 1 << 20


def main() -> None:
    """Print a line for each poll."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--groups", type=int, default=10_000)
    parser.add_argument("--partitions", type=int, default=40)
    parser.add_argument("--polls", type=int, default=4)
    parser.add_argument("--interval", default="60s")
    options = parser.parse_args()
    with _started("benchmarks.watched_cluster", options.groups, options.partitions) as broker:
        assert broker.stdout is not None  # noqa: S101 -- for the type checker
        port = int(broker.stdout.readline())
        words = ("--bootstrap-server", f"127.0.0.1:{port}", "--listen", "127.0.0.1:0")
        patience = ("--interval", options.interval, "--timeout", "120s")
        with _started("kafka_assignments", "watch", *words, *patience) as watch:
            _measure(watch, options.polls)


def _measure(watch: "subprocess.Popen[str]", polls: int) -> None:
    assert watch.stderr is not None  # noqa: S101 -- for the type checker
    process = psutil.Process(watch.pid)
    process.cpu_affinity(process.cpu_affinity()[:1])  # what it starts inherits it
    url, cpu_s, seen = "", 0.0, 0
    for line in watch.stderr:
        url = url or "".join(re.findall(r"http://\S+/metrics", line))
        if not re.match(r"[\d,]+ groups in ", line):
            continue
        before_s = _cpu_s(process)
        with urllib.request.urlopen(url, timeout=600) as response:  # noqa: S310 -- our own
            size = len(response.read())
        scrape_s = _cpu_s(process) - before_s
        now_s = _cpu_s(process)
        memory = sum(each.memory_info().rss for each in _family(process)) / _MB
        print(
            f"{line.strip()[:60]}: {now_s - scrape_s - cpu_s:.1f} s of CPU, scrape "
            f"{scrape_s:.1f} s and {size / _MB:.1f} MB, resident {memory:,.0f} MB"
        )
        cpu_s, seen = now_s, seen + 1
        if seen == polls:
            return


def _family(process: psutil.Process) -> list[psutil.Process]:
    return [process, *process.children(recursive=True)]


def _cpu_s(process: psutil.Process) -> float:
    """Return the CPU time of the processes, of those that have ended too."""
    return sum(sum(each.cpu_times()[:4]) for each in _family(process))


@contextmanager
def _started(module: str, *words: object) -> Iterator["subprocess.Popen[str]"]:
    pipe = subprocess.PIPE
    is_broker = module.startswith("benchmarks")
    process = subprocess.Popen(
        [sys.executable, "-m", module, *map(str, words)],
        stdout=pipe if is_broker else None,
        stderr=None if is_broker else pipe,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


if __name__ == "__main__":
    main()
