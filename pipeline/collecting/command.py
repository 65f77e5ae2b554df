"""Append an offset snapshot of all consumer groups each interval, as files for the pipeline.

Or read the snapshots of the past from metrics: of Prometheus, or of a text of exporters. One folder
a day; every file is complete. Stop it with Ctrl-C or SIGTERM; what is being read then is left out.
"""

import argparse
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Final

from live.arguments import count, elapsed, interval, label_name, properties_text
from live.client_config import read_config
from live.errors import CancelledError, LiveError
from pipeline.collecting.collector import collect
from pipeline.collecting.metrics.history import collect_metrics
from pipeline.errors import PipelineError
from processes.signals import set_at_signals

_TIMEOUT: Final = timedelta(seconds=15)
_TIMEOUT_OF_METRICS: Final = timedelta(seconds=60)


def main(options: argparse.Namespace) -> None:
    """Collect until stopped; raises PipelineError if it cannot begin."""
    stop = threading.Event()
    set_at_signals(stop)
    try:
        if options.prometheus or options.openmetrics:
            options.timeout = options.timeout or _TIMEOUT_OF_METRICS
            collect_metrics(options, stop, _say)
            return
        options.timeout = options.timeout or _TIMEOUT
        config = read_config(options.command_config or "", options.bootstrap_server)
        for note in config.notes:
            _say(note)
        collect(options, config.properties, stop, _say)
    except CancelledError as error:
        _say(str(error))
    except LiveError as error:
        raise PipelineError(str(error)) from error


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    source = parser.add_mutually_exclusive_group(required=True)
    what = "one or more, by comma: read the cluster each interval"
    source.add_argument("--bootstrap-server", metavar="HOST:PORT", help=what)
    what = "http://HOST:9090: read the past of the lag exporters that this server scrapes"
    source.add_argument("--prometheus", metavar="URL", help=what)
    what = "texts of exporters with times, as OpenMetrics or from promtool tsdb dump"
    source.add_argument("--openmetrics", type=Path, nargs="+", metavar="FILE", help=what)
    add = parser.add_argument
    add("--out", required=True, type=Path, metavar="DIR", help="where the files go")
    what = "from one snapshot to the next: 60s, 5m, 1h (default: 60s)"
    add("--interval", type=interval, default="60s", metavar="TIME", help=what)
    what = "only these groups; patterns such as 'orders-*' too (default: all)"
    add("--group", action="extend", nargs="+", default=[], metavar="NAME", help=what)
    what = "client properties, as the Kafka tools take them: SASL, SSL"
    add("--command-config", type=properties_text, metavar="FILE", help=what)
    add("--cluster", metavar="NAME", help="the cluster's name in the files (default: its own id)")
    add("--snapshots", type=count, metavar="N", help="stop after N snapshots (default: never)")
    what = "how long to wait for an answer (default: 15s; of metrics 60s)"
    add("--timeout", type=interval, metavar="TIME", help=what)
    metrics = parser.add_argument_group("of metrics")
    add = metrics.add_argument
    what = "how far back: 30d, 12h (default: 30d); what is there from earlier calls stays"
    add("--since", type=elapsed, default="30d", metavar="TIME", help=what)
    what = "from one snapshot to the next, at least the scrape interval (default: 60s)"
    add("--step", type=interval, default="60s", metavar="TIME", help=what)
    what = "login and TLS, in the format of Prometheus' own HTTP clients (YAML)"
    add("--http-config", type=Path, metavar="FILE", help=what)
    what = "metrics and labels under other names (TOML): docs/prometheus.md"
    add("--mapping", type=Path, metavar="FILE", help=what)
    what = "the label that tells clusters apart (default: cluster, cluster_name, ...)"
    add("--cluster-label", type=label_name, metavar="NAME", help=what)
    what = "who owns what where metrics do not tell: groups as assign.py --convert prints them"
    add("--owners", type=Path, nargs="+", default=[], metavar="FILE", help=what)
