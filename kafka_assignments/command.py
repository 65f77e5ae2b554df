"""One command for every part: ``assign``, ``dashboard``, ``pipeline``, ``watch``, ``mcp``.

Each part imports its own packages, so that the others need not be installed.
"""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from assignors import __version__

_NOT_INSTALLED: Final = 2
_HERE: Final = Path(__file__).parent


class _Part(NamedTuple):
    """One part of the product."""

    run: Callable[[], int]
    """Runs on ``sys.argv``, without the name of the part."""
    extra: str
    """What to install for it."""
    needs: tuple[str, ...]
    """Packages that only this extra brings."""
    does: str


def main() -> int:
    """Run the part that the first argument names; return its exit status."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in PARTS:
        _parser().parse_args(sys.argv[1:])  # --help and --version end here, as does a wrong name
        return 0
    part = PARTS[name]
    missing = next((each for each in part.needs if find_spec(each) is None), None)
    if missing is not None:
        sys.stderr.write(
            f"kafka-assignments {name} needs the package {missing}: "
            f"pip install 'kafka-assignments[{part.extra}]'\n"
        )
        return _NOT_INSTALLED
    sys.argv = [f"kafka-assignments {name}", *sys.argv[2:]]
    return part.run()


def _parser() -> ArgumentParser:
    width = max(map(len, PARTS))
    parts = "\n".join(f"  {name:{width}}  {part.does}" for name, part in PARTS.items())
    parser = ArgumentParser(
        prog="kafka-assignments",
        description="Who would own which partitions of a Kafka consumer group, and how much lag, "
        "under every assignment strategy.",
        epilog=f"commands, each with its own --help:\n{parts}",
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument("command", choices=tuple(PARTS), metavar="COMMAND")
    return parser


def _assign() -> int:
    status: int = import_module("assign").run()
    return status


def _dashboard() -> int:
    """Start Streamlit with the app, which lies beside this file once installed."""
    streamlit = import_module("streamlit.web.cli")
    folder = _HERE if (_HERE / "app.py").exists() else _HERE.parent
    sys.argv = ["streamlit", "run", str(folder / "app.py"), *sys.argv[1:]]
    status: int = streamlit.main()
    return status


def _pipeline() -> int:
    status: int = import_module("pipeline.__main__").main(sys.argv[1:])
    return status


def _watch() -> int:
    status: int = import_module("watching.command").main()
    return status


def _mcp() -> int:
    status: int = import_module("assistant.server").main()
    return status


PARTS: Final[Mapping[str, _Part]] = MappingProxyType(
    {
        "assign": _Part(
            _assign,
            "cli",
            ("msgspec", "re2", "yaml"),
            "consumer groups in, assignments out",
        ),
        "dashboard": _Part(
            _dashboard, "dashboard", ("streamlit", "plotly"), "open the dashboard in a browser"
        ),
        "pipeline": _Part(
            _pipeline,
            "fleet",
            ("pyspark", "deltalake"),
            "telemetry of a fleet in, Delta tables out",
        ),
        "watch": _Part(
            _watch,
            "watch",
            ("prometheus_client", "confluent_kafka"),
            "metrics and alerts on every group of a cluster",
        ),
        "mcp": _Part(_mcp, "mcp", ("mcp",), "answer assistants (MCP, standard input and output)"),
    }
)
