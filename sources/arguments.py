"""The options of the command line."""

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from assignors.catalogue import UnknownStrategyError, strategies, strategy_called
from assignors.certainty import EXACT
from assignors.strategy import Strategy
from evaluation.assuming.clients import CLIENTS, JAVA
from evaluation.kinds.stated import SETTINGS
from live.arguments import interval, properties_text
from sources.budget import Limits
from sources.errors import SourceError
from sources.options import Options
from sources.statements import add_statements, number_in, statements_in
from sources.text import FORMATS

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

_MOST_DIGITS: Final = 6


_MOST_MORE: Final = 1_000
_RELEASE: Final = re.compile(r"(\d{1,3})[.](\d{1,3})(?:[.]\d{1,3})?")


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence, as all others are."""

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Write the help; unlike argparse's own, fail where it cannot be written."""
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """Raise SourceError."""
        message = f"{message}; --help lists the options"
        raise SourceError(message)


def program() -> str:
    """Return the name under which the command line was started, for usage and errors."""
    return sys.argv[0] if sys.argv[0].startswith("kafka-assignments ") else "assign.py"


def parsed(arguments: Sequence[str]) -> Options:
    """Return the options, with strategies looked up. Raises SourceError."""
    given = vars(_parser().parse_args(arguments))
    names: Sequence[str] = given.pop("strategy")
    last = names[-1] if len(names) > 1 else ""
    if given["file"] == "-" and last and last not in strategies() and "," not in last:
        names, given["file"] = names[:-1], last  # --strategy range sticky group.json
    if given["runs"] and not any(each.strategy_called(given["runs"]) for each in CLIENTS.values()):
        strategy_named(given["runs"])
    stated = statements_in(given)
    given["settings"] = dict(given.pop("set"))
    several = {name: tuple(given[name]) for name in ("without", "limit", "group")}
    wanted = _strategies(names, given["client"])
    return Options(**(given | several | {"strategies": tuple(wanted), "stated": stated}))


def _count(text: str) -> int:
    """Return a number of members. Raises ArgumentTypeError."""
    if not text.removeprefix("+").isdecimal() or int(text) > _MOST_MORE:
        message = f"expected a whole number up to {_MOST_MORE}, found {text!r}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _release(text: str) -> tuple[int, int]:
    """Return a release by its first two numbers. Raises ArgumentTypeError."""
    found = _RELEASE.fullmatch(text)
    if found is None:
        message = f"expected a release of Kafka such as 4.2, found {text!r}"
        raise argparse.ArgumentTypeError(message)
    return int(found[1]), int(found[2])


def _setting(text: str) -> tuple[str, float]:
    """Return a setting and its value. Raises ArgumentTypeError."""
    name, _, value = text.partition("=")
    number = number_in(value)
    if number is None:
        message = f"expected NAME=VALUE such as num.standby.replicas=1, found {text[:80]!r}"
        raise argparse.ArgumentTypeError(message)
    return name.strip(), number


def strategy_named(name: str) -> Strategy:
    """Return a strategy. Raises SourceError."""
    try:
        return strategy_called(name)
    except UnknownStrategyError as error:
        client = next((each for each in CLIENTS if name.startswith(f"{each}-")), None)
        if client is None:
            raise SourceError(str(error)) from error
        own = [s.name for s in CLIENTS[client].settable if s.client == client]
        message = f"there is no strategy {name!r}; of {client} there are {', '.join(own)}"
        raise SourceError(message) from error


def _pods(text: str) -> int:
    """Return a number of pods. Raises ArgumentTypeError."""
    if not text.isdecimal() or len(text) > _MOST_DIGITS:
        message = f"expected a number of pods, such as 12; found {text[:40]!r}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _text_of(file: str) -> str:
    """Return the text of a file. Raises ArgumentTypeError."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = (isinstance(error, OSError) and error.strerror) or "it is not UTF-8"
        message = f"{file} cannot be read: {why}"
        raise argparse.ArgumentTypeError(message) from error


def _strategies(names: Iterable[str], client: str | None) -> list[Strategy]:
    """Return the strategies of these names, each once, in the order given.

    With a client they are its own: ``range`` of ``librdkafka`` is ``librdkafka-range``, and
    without names all that can be set.
    """
    wanted = [name.strip() for listed in names for name in listed.split(",") if name.strip()]
    if client is not None:
        of, prefix = CLIENTS[client], "" if client == JAVA.name else f"{client}-"
        own = {strategy.name for strategy in of.strategies}
        wanted = [name if name in own else f"{prefix}{name}" for name in wanted]
        wanted = wanted or [strategy.name for strategy in of.settable]
    return [strategy_named(name) for name in dict.fromkeys(wanted)]


def _parser() -> argparse.ArgumentParser:
    parser = _described()
    _add_strategies(parser)
    _add_outputs(parser)
    add_statements(parser)
    _add_kinds(parser)
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=N",
        help="change how much one input may hold; may repeat. "
        + ", ".join(f"{field.name}={field.default}" for field in fields(Limits)),
    )
    _add_cluster(parser)
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="default: standard input"
    )
    return parser


def _described() -> _Parser:
    """Return a parser without options, which says what the command reads and knows."""
    width = max(map(len, strategies()))
    known = "\n".join(
        f"  {s.name:{width}}  {s.label}"
        + ("" if s.certainty == EXACT else f" [at worst {s.certainty.text}]")
        for s in strategies().values()
    )
    formats = "\n".join(f"  {each}" for each in FORMATS)
    name = program()
    started = f"python {name}" if name.endswith(".py") else name
    return _Parser(
        prog=name,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Say who would own which partitions of a consumer group, and how much lag, "
        "under Kafka's partition-assignment strategies.\nWrites one JSON object per line for each "
        "group and strategy.",
        epilog=f"formats that are read:\n{formats}\n\nstrategies:\n{known}\n\n"
        "exit status: 0 all read; 1 some lines were not; 2 nothing was read or could be written; "
        "130 interrupted\n\n"
        "example:\n  kafka-consumer-groups.sh --bootstrap-server HOST:9092 --describe --group G"
        f" \\\n    | {started} --strategy lag-based\n"
        f"  {started} --bootstrap-server HOST:9092 --group G --strategy lag-based",
    )


def _add_strategies(parser: argparse.ArgumentParser) -> None:
    """Add the options on which strategies run, and for whom."""
    parser.add_argument(
        "--strategy",
        action="extend",
        nargs="+",
        default=[],
        metavar="NAME",
        help="one or more; without it the group's own, else all of Kafka's and the custom ones",
    )
    parser.add_argument(
        "--client",
        choices=tuple(CLIENTS),
        metavar="CLIENT",
        help=f"whose strategies are meant: {', '.join(CLIENTS)}; without --strategy, all that can "
        "be set on it",
    )
    parser.add_argument(
        "--subscriptions",
        choices=("all", "owned"),
        help="if the input has no subscriptions: all consumers read all topics "
        "(assumed unless the owners contradict it), or each only the topics it owns",
    )


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    """Add the options on what is written."""
    parser.add_argument(
        "--answer",
        action="store_true",
        help="write one object per group: what is the matter, what could be done, what is proposed",
    )
    parser.add_argument(
        "--scaled-object",
        type=_text_of,
        metavar="YAML",
        help="write where KEDA and the HPA come to rest under the ScaledObject in this file while "
        "lags stay as they are, and why, and assign nothing",
    )
    parser.add_argument(
        "--pods",
        type=_pods,
        metavar="N",
        help="with --scaled-object: the pods that there are (default: one per consumer)",
    )
    parser.add_argument(
        "--convert",
        action="store_true",
        help="write what was read as group JSON, with notes on how it was read, and assign nothing",
    )
    parser.add_argument(
        "--outlook",
        action="store_true",
        help="add the effect of a switch to the strategy: a restart, with new ids and no claims",
    )
    parser.add_argument(
        "--all-answers",
        action="store_true",
        help="add every assignment that the client may return, if they are known",
    )


def _add_kinds(parser: argparse.ArgumentParser) -> None:
    """Add the options on groups of other kinds."""
    parser.add_argument(
        "--more",
        type=_count,
        default=0,
        metavar="N",
        help="in a share group, a Streams group or a Connect cluster: the effect of N more "
        "consumers, instances or workers",
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="MEMBER",
        help="likewise, the effect of losing a member, instance or worker; may repeat",
    )
    parser.add_argument(
        "--threads",
        type=_count,
        default=0,
        metavar="N",
        help="likewise, N more threads in each instance of a Streams application",
    )
    parser.add_argument(
        "--set",
        action="append",
        type=_setting,
        default=[],
        metavar="NAME=VALUE",
        help=f"likewise, a setting that the text does not tell; may repeat: {', '.join(SETTINGS)}",
    )
    parser.add_argument(
        "--release",
        type=_release,
        metavar="X.Y",
        help="likewise, the brokers' release: 4.0, 4.1, 4.2 and so on (default: the newest)",
    )
    parser.add_argument(
        "--topology",
        type=_text_of,
        metavar="FILE",
        help="what Topology#describe() prints, for a Streams group in a text or a cluster",
    )


def _add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add the options for a running cluster, named as Kafka's own tools name them."""
    cluster = parser.add_argument_group("instead of a FILE, a running cluster")
    cluster.add_argument("--bootstrap-server", metavar="HOST:PORT", help="one or more, by commas")
    cluster.add_argument("--group", action="append", default=[], metavar="G", help="may repeat")
    cluster.add_argument(
        "--command-config",
        type=properties_text,
        metavar="PROPERTIES",
        help="a client.properties file as Kafka's tools take it: SASL, TLS, auto.offset.reset",
    )
    cluster.add_argument(
        "--connect-url",
        metavar="URL",
        help="instead, a Connect cluster: the REST address of a worker, http://HOST:8083",
    )
    cluster.add_argument(
        "--list-groups",
        action="store_true",
        help="list the groups of the cluster, and nothing else",
    )
    cluster.add_argument(
        "--timeout",
        type=interval,
        default="15s",
        metavar="TIME",
        help="how long to wait for each answer: 15s, 2m (15s)",
    )
