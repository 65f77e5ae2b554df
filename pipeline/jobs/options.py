"""Options shared by several commands; without Spark, so that ``--help`` does not wait for it."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from assignors.catalogue import UnknownStrategyError, catalogue, strategies, strategy_called
from assignors.registry import STRATEGIES
from evaluation.assuming.clients import is_settable
from evaluation.judging import JudgeBy
from pipeline.errors import PipelineError

BY_DEFAULT: Final = tuple(s.name for s in STRATEGIES.values() if is_settable(s) or s.plugin_class)
"""What is replayed unless it is chosen: what a setting selects, or our assignors bring as a class.

The others, such as sticky as two issues of Kafka describe it, can be run by nobody.
"""


def add_output(parser: ArgumentParser) -> None:
    """Add ``--output``."""
    what = "where the tables are: a folder, or an s3a:// or hdfs:// address"
    parser.add_argument("--output", required=True, metavar="DIR", help=what)


def add_run(parser: ArgumentParser) -> None:
    """Add the options shared by ``run`` and ``replay``."""
    add_output(parser)
    add_strategies(parser)
    add_judge_by(parser)
    parser.add_argument("--progress", choices=("text", "json"), help="json: one object per line")
    add_spark(parser)


def add_spark(parser: ArgumentParser) -> None:
    """Add the options of the Spark session, for ``tables_on_spark``."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--master", help="the master of a Spark cluster (default: local[*], this machine)"
    )
    where.add_argument("--remote", metavar="sc://HOST:PORT", help="a Spark Connect server")
    what = (
        "where to keep Spark's event log, for its history server: a folder, s3a:// or "
        "hdfs:// address"
    )
    parser.add_argument("--event-log", metavar="DIR", help=what)
    what = "a setting of Spark, such as spark.hadoop.fs.s3a.endpoint=...; may be repeated"
    parser.add_argument(
        "--conf", type=_setting, action="append", default=[], metavar="NAME=VALUE", help=what
    )


def add_judge_by(parser: ArgumentParser) -> None:
    """Add ``--judge-by``; None if it is not given."""
    what = (
        "what strategies weigh partitions by, and a consumer's load counts: lag, work (lag plus "
        "arrivals of 5 minutes), rate or partitions (default: lag; replay keeps what is in use)"
    )
    parser.add_argument("--judge-by", choices=[by.value for by in JudgeBy], help=what)


def add_strategies(parser: ArgumentParser) -> None:
    """Add ``--strategies``, for ``in_order``."""
    which = f"some of {', '.join(strategies())} (default: {', '.join(BY_DEFAULT)})"
    names = ("--strategies", "--strategy")
    parser.add_argument(*names, nargs="+", type=_strategies, metavar="NAME", help=which)


def in_order(names: Sequence[Sequence[str]] | None) -> tuple[str, ...]:
    """Return the requested strategies in display order; by default ``BY_DEFAULT``.

    Those of installed packages run only by name: a package must not change what a lake holds.
    """
    for reason in catalogue().refused:
        sys.stderr.write(f"pipeline: {reason}\n")
    wanted = {name for listed in names or [BY_DEFAULT] for name in listed}
    wanted = {strategies()[name].name if name in strategies() else name for name in wanted}
    return tuple(name for name in strategies() if name in wanted)


def check_apart(sources: Sequence[str], output: str) -> None:
    """Raise PipelineError if these tables would be read as telemetry.

    Spark treats every source as a glob, and reads everything below a folder that matches.
    """
    folder = Path(output).resolve()
    for source in sources:
        glob = str(Path(source.removeprefix("file://")).resolve())
        if any(each.match(glob) for each in (folder, *folder.parents)):
            message = f"--output {output} lies in --input {source}; give a folder outside of it"
            raise PipelineError(message)


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        message = f"expected NAME=VALUE, found {text!r}"
        raise ArgumentTypeError(message)
    return name, value


def _strategies(text: str) -> list[str]:
    """Return the names in ``range,sticky``."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        try:
            strategy_called(name)
        except UnknownStrategyError as error:
            raise ArgumentTypeError(str(error)) from error
    return names
