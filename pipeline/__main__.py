"""``python -m pipeline``: telemetry of a fleet in, its Delta tables out. See ``--help``."""

import logging
import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from pipeline.errors import PipelineError
from pipeline.supervised import is_needed, supervise
from processes.sessions import end_with_supervisor

_COMMANDS: Final = {
    "run": ("jobs.run", "read telemetry, replay every strategy, publish the tables"),
    "stream": ("jobs.stream", "the same as telemetry arrives, in a folder or a Kafka topic"),
    "replay": ("jobs.replay", "replay more strategies over the telemetry in the tables"),
    "status": ("jobs.status", "the last run: versions, rows, data quality, how far a stream is"),
    "sql": ("jobs.sql", "print views of the tables as published, for DuckDB or Spark"),
    "tables": ("jobs.tables", "print what every column holds, for people or as sources for dbt"),
    "maintain": ("jobs.maintain", "drop old days, merge small files, remove what no version needs"),
    "prepare": ("jobs.prepare", "make later starts of Spark on this machine faster"),
    "generate": ("generating.command", "make telemetry of a fleet that does not exist"),
    "collect": ("collecting.command", "write telemetry of a Kafka cluster, snapshot by snapshot"),
    "pack": ("packing", "zip the code for the workers of a cluster"),
}
"""Each is a module with ``main``, and ``add_arguments`` unless ``_OPTIONS`` names another."""
_OPTIONS: Final = {name: f"jobs.{name}_options" for name in ("run", "stream", "replay")}
"""Modules without Spark, whose import would take a second of ``--help``."""
_ON_SPARK: Final = {
    "run": "cancelled; the tables are what they were before",
    "replay": "cancelled; the tables are what they were before",
    "prepare": "cancelled; nothing is kept",
    "stream": "stopped; what is published stays, and the next start goes on from there",
}
"""The commands that start Spark, and what each prints after a signal."""
_HELP: Final = {"-h", "--help"}
_TO_INSTALL: Final = "make pipeline, or pip install 'kafka-assignments[fleet]'"
_FAILED: Final = 1
_CANCELLED: Final = 130
_BROKEN_PIPE: Final = 141


def main(arguments: Sequence[str]) -> int:
    """Run a command; return the exit status: 0, 1 after an error message, or 128 + signal."""
    last_words = next((_ON_SPARK[name] for name in arguments[:1] if name in _ON_SPARK), None)
    if last_words and not _HELP & {*arguments} and find_spec("pyspark") is None:
        sys.stderr.write(f"pipeline: {arguments[0]} needs Spark: {_TO_INSTALL}\n")
        return _FAILED
    if last_words and not _HELP & {*arguments} and is_needed():
        return supervise(arguments, last_words)
    end_with_supervisor()
    logging.getLogger().addHandler(logging.NullHandler())  # py4j logs what it then raises
    options = _parser(arguments).parse_args(arguments)
    try:
        import_module(f"pipeline.{options.module}").main(options)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else it fails at exit
        return _BROKEN_PIPE
    except (PipelineError, OSError) as error:
        sys.stderr.write(f"pipeline: {error}\n")
        return _FAILED
    except KeyboardInterrupt:
        sys.stderr.write("pipeline: cancelled\n")
        return _CANCELLED
    return 0


def _parser(arguments: Sequence[str]) -> ArgumentParser:
    what = "Telemetry of a fleet of consumer groups in, Delta tables of lag and assignments out."
    parser = ArgumentParser(prog="python -m pipeline", description=what)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (module_name, does) in _COMMANDS.items():
        command = commands.add_parser(name, help=does)
        if name in arguments[:1]:  # importing the others would take a good part of a second
            module = import_module(f"pipeline.{_OPTIONS.get(name, module_name)}")
            command.description = module.__doc__
            module.add_arguments(command)
            command.set_defaults(module=module_name)
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
