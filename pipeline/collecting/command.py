"""Append an offset snapshot of all consumer groups each interval, as files for the pipeline.

One folder a day; every file is complete. Stop it with Ctrl-C or SIGTERM; a snapshot that is being
read then is left out.
"""

import argparse
import sys
import threading
from pathlib import Path

from live.arguments import count, interval, properties_text
from live.client_config import read_config
from live.errors import LiveError
from pipeline.collecting.collector import collect
from pipeline.errors import PipelineError
from processes.signals import set_at_signals


def main(options: argparse.Namespace) -> None:
    """Collect until stopped; raises PipelineError if it cannot begin."""
    stop = threading.Event()
    set_at_signals(stop)
    try:
        config = read_config(options.command_config or "", options.bootstrap_server)
        for note in config.notes:
            _say(note)
        collect(options, config.properties, stop, _say)
    except LiveError as error:
        raise PipelineError(str(error)) from error


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    add = parser.add_argument
    add("--bootstrap-server", required=True, metavar="HOST:PORT", help="one or more, by comma")
    add("--out", required=True, type=Path, metavar="DIR", help="where the files go")
    what = "from one snapshot to the next: 60s, 5m, 1h (default: 60s)"
    add("--interval", type=interval, default="60s", metavar="TIME", help=what)
    what = "only these groups; patterns such as 'orders-*' too (default: all)"
    add("--group", action="extend", nargs="+", default=[], metavar="NAME", help=what)
    what = "client properties, as the Kafka tools take them: SASL, SSL"
    add("--command-config", type=properties_text, metavar="FILE", help=what)
    add("--cluster", metavar="NAME", help="the cluster's name in the files (default: its own id)")
    add("--snapshots", type=count, metavar="N", help="stop after N snapshots (default: never)")
    what = "how long to wait for an answer (default: 15s)"
    add("--timeout", type=interval, default="15s", metavar="TIME", help=what)
