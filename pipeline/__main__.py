"""``python -m pipeline``: telemetry of a fleet in, its tables out. ``--help`` says how."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from pipeline.errors import PipelineError

_COMMANDS: Final = {
    "run": "read telemetry, replay every strategy, publish the tables",
    "stream": "the same as telemetry arrives, in a folder or a Kafka topic",
    "generate": "make telemetry of a fleet that does not exist",
    "prepare": "make Spark start in half the time on this machine, once: half a minute, 200 MB",
    "pack": "zip the code for the workers of a cluster",
}
"""Each is a module of ``pipeline.jobs`` with ``add_arguments`` and ``main``."""
_FAILED: Final = 1
_CANCELLED: Final = 130


def main(arguments: Sequence[str]) -> int:
    """Run a command; return the exit status: 0 done, 1 one sentence says why not, 130 cancelled."""
    parser = ArgumentParser(prog="python -m pipeline", description=__doc__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, does in _COMMANDS.items():
        command = commands.add_parser(name, help=does)
        if name in arguments[:1]:  # importing the others would take a good part of a second
            module = import_module(f"pipeline.jobs.{name}")
            command.description = module.__doc__
            module.add_arguments(command)
            command.set_defaults(main=module.main)
    options = parser.parse_args(arguments)
    try:
        options.main(options)
    except PipelineError as error:
        sys.stderr.write(f"pipeline: {error}\n")
        return _FAILED
    except KeyboardInterrupt:
        sys.stderr.write("pipeline: cancelled; the tables are what they were before\n")
        return _CANCELLED
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
