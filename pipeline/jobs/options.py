"""Options that several commands take."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from assignors.registry import STRATEGIES
from pipeline.errors import PipelineError


def add_strategies(parser: ArgumentParser) -> None:
    """Add ``--strategies``; ``in_order`` reads what it leaves."""
    parser.add_argument(
        "--strategies",
        nargs="+",
        type=_strategies,
        metavar="NAME",
        help=f"default: all; any of {', '.join(STRATEGIES)}",
    )


def in_order(asked: Sequence[Sequence[str]] | None) -> list[str]:
    """Return the strategies asked for, in the registry's order; all if none was."""
    wanted = {name for listed in asked or [] for name in listed}
    return [name for name in STRATEGIES if name in wanted or not asked]


def check_apart(sources: Sequence[str], output: str) -> None:
    """Raise PipelineError if these tables would be taken for telemetry.

    Spark takes every source for a glob, and reads what lies below any folder that it matches.
    """
    folder = Path(output).resolve()
    for source in sources:
        glob = str(Path(source.removeprefix("file://")).resolve())
        if any(place.match(glob) for place in (folder, *folder.parents)):
            message = f"--output {output} lies in --input {source}; give a folder outside of it"
            raise PipelineError(message)


def _strategies(text: str) -> list[str]:
    """Return the names in ``range,sticky``."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in STRATEGIES:
            close = get_close_matches(name.lower(), STRATEGIES, n=1)
            way_out = (
                f"did you mean {close[0]!r}?" if close else f"choose from {', '.join(STRATEGIES)}"
            )
            message = f"there is no strategy {name!r}; {way_out}"
            raise ArgumentTypeError(message)
    return names
