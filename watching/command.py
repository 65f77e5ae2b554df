"""Watch every group of a cluster: metrics for Prometheus, alerts by webhook, until stopped."""

import argparse
import sys
import threading
from pathlib import Path
from typing import Final, NamedTuple

from prometheus_client import CollectorRegistry

from evaluation.severity import Severity
from live.arguments import count, interval, label_name, properties_text
from processes.signals import set_at_signals
from sources.errors import SourceError
from sources.live import config_of
from sources.metrics import metrics_of
from watching.alerts import Judged
from watching.cluster import WatchedCluster
from watching.memory import StateError, read_told, write_told
from watching.metered import WatchedBoth, WatchedMetrics
from watching.metrics import GroupCollector
from watching.payload import RUNBOOK
from watching.server import ListenError, MetricsPage, serving
from watching.watch import Pollable, Watch, WatchSettings
from watching.webhook import Webhook, WebhookError

_WRONG: Final = 2
_LARGEST_PORT: Final = 65_535
_MOST_SERIES: Final = "200000"


class Address(NamedTuple):
    """Where to listen."""

    host: str
    port: int


def main() -> int:
    """Watch until stopped; return the exit status: 0 once stopped, 2 if it cannot begin."""
    options = options_parser().parse_args()
    try:
        _run(options, threading.Event())
    except (SourceError, ListenError, WebhookError, StateError) as error:
        _say(f"watch: {error}")
        return _WRONG
    return 0


def _run(options: argparse.Namespace, stop: threading.Event) -> None:
    source = _source(options, stop)
    url = options.webhook or options.webhook_file
    webhook = None if url is None else Webhook(url)
    settings = WatchSettings(
        interval_s=options.interval.total_seconds(),
        cluster=options.cluster,
        per_consumer=options.per_consumer,
        least=Severity[options.alert_at.upper()],
        page_url=options.page_url,
        runbook_url=options.runbook_url,
    )
    send = _unsent if webhook is None else webhook.send
    watch = Watch(source, settings, send, stop, _say)
    registry = CollectorRegistry(auto_describe=False)
    collector = GroupCollector(watch.found, webhook, options.max_series)
    registry.register(collector)
    page = MetricsPage(registry)
    told: dict[str, Judged] = {}
    if options.state is not None:
        told = read_told(options.state)
        watch.alerts.resume(told)
        write_told(options.state, told)  # fails now rather than at the first alert
    left_out = ""

    def renew() -> None:
        nonlocal told, left_out
        page.renew()
        page.is_ready = True
        if options.state is not None and watch.alerts.told != told:
            told = _written(options.state, watch.alerts.told) or told
        if (leaves := collector.left_out()) != left_out:
            left_out = leaves
            _say(leaves or "--max-series leaves out nothing any more.")

    with serving(options.listen.host, options.listen.port, page) as port:
        _say(f"Metrics on http://{options.listen.host}:{port}/metrics.")
        set_at_signals(stop)
        watch.run(renew)
    if webhook is not None:
        webhook.stop()
    _say("Stopped on request.")


def _written(path: Path, told: dict[str, Judged]) -> dict[str, Judged] | None:
    """Write what has been told; None, and a line, where the disk does not take it."""
    try:
        write_told(path, told)
    except StateError as error:
        _say(str(error))
        return None
    return told


def _source(options: argparse.Namespace, stop: threading.Event) -> Pollable:
    """Return what is polled. Raises SourceError."""
    how = (tuple(options.group), options.timeout.total_seconds(), stop.is_set)
    metrics = None
    if options.prometheus:
        server = metrics_of(options.prometheus, options.http_config, options.cluster_label)
        metrics = WatchedMetrics(server, *how)
    if options.bootstrap_server is None:
        if metrics is None:
            message = "name what to watch: --bootstrap-server HOST:PORT, --prometheus URL, or both"
            raise SourceError(message)
        return metrics
    config = config_of(options.command_config or "", options.bootstrap_server)
    for note in config.notes:
        _say(note)
    cluster = WatchedCluster(config, *how)
    return cluster if metrics is None else WatchedBoth(cluster, metrics)


def _unsent(_alert: dict[str, object]) -> None:
    """Send an alert nowhere: without a webhook it is a line of the log."""


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


def address(text: str) -> Address:
    """Return host and port.

    >>> address("127.0.0.1:9308"), address("[::1]:0"), address(":9308").host
    (Address(host='127.0.0.1', port=9308), Address(host='::1', port=0), '0.0.0.0')
    """
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > _LARGEST_PORT:
        message = f"expected HOST:PORT such as 127.0.0.1:9308, found {text!r}"
        raise argparse.ArgumentTypeError(message)
    return Address(host.strip("[]") or "0.0.0.0", int(port))  # noqa: S104 -- asked for


def _url_in(file: str) -> str:
    """Return the address in a file, so that a secret in it is on no command line."""
    try:
        return Path(file).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        message = f"{file} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise argparse.ArgumentTypeError(message) from error


def options_parser() -> argparse.ArgumentParser:
    """Return the parser of the command's options."""
    parser = argparse.ArgumentParser(prog=sys.argv[0], description=__doc__)
    add = parser.add_argument
    add("--bootstrap-server", metavar="HOST:PORT", help="one or more, by comma")
    what = "groups that lag exporters tell of, beside or in place of a cluster's"
    add("--prometheus", metavar="URL", help=what)
    what = "login and TLS for it, in the format of Prometheus' own HTTP clients (YAML)"
    add("--http-config", type=Path, metavar="FILE", help=what)
    what = "the label of its series that tells clusters apart (default: cluster, ...)"
    add("--cluster-label", type=label_name, metavar="NAME", help=what)
    what = "where Prometheus scrapes /metrics (default: 127.0.0.1:9308)"
    add("--listen", type=address, default="127.0.0.1:9308", metavar="HOST:PORT", help=what)
    what = "from one poll to the next: 60s, 5m (default: 60s)"
    add("--interval", type=interval, default="60s", metavar="TIME", help=what)
    what = "only these groups; patterns such as 'orders-*' too (default: all)"
    add("--group", action="extend", nargs="+", default=[], metavar="NAME", help=what)
    what = "client properties, as the Kafka tools take them: SASL, SSL"
    add("--command-config", type=properties_text, metavar="FILE", help=what)
    add("--cluster", metavar="NAME", help="a label of every series and a field of every alert")
    what = "how long to wait for an answer (default: 15s)"
    add("--timeout", type=interval, default="15s", metavar="TIME", help=what)
    what = "about the most series; partitions are left out first (default: 200,000)"
    add("--max-series", type=count, default=_MOST_SERIES, metavar="N", help=what)
    add("--per-consumer", action="store_true", help="series of each consumer as well")
    hook = parser.add_mutually_exclusive_group()
    hook.add_argument("--webhook", metavar="URL", help="POST an alert here as JSON")
    what = "the same, with the address in a file, such as a mounted secret"
    hook.add_argument("--webhook-file", type=_url_in, metavar="FILE", help=what)
    what = "the least severity to alert at (default: warning)"
    add("--alert-at", choices=("warning", "alarm"), default="warning", help=what)
    what = "remembers which alerts stand, so that a restart repeats none"
    add("--state", type=Path, metavar="FILE", help=what)
    add("--page-url", metavar="URL", help="of the dashboard, for a link in each alert")
    what = "where the runbook of each verdict stands, without its anchor"
    add("--runbook-url", default=RUNBOOK, metavar="URL", help=what)
    return parser
