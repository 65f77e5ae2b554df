"""The command line: consumer groups in, who would own what under each strategy out.

``python assign.py --help`` says how.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import fields
from itertools import chain, repeat
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TextIO

import msgspec

from assignors.model import Group, Owners
from assignors.numbering import assignment_of
from assignors.registry import STRATEGIES, Strategy
from assignors.rules import check
from evaluation import metrics
from evaluation.bounds.lag import best_possible_max_lag
from evaluation.wording import nearest
from sources import group_json, live_arguments, text
from sources.budget import Budget, Limits, limits_of
from sources.errors import SourceError
from sources.group_json import GroupFile
from sources.reading import Reading

DONE: Final = 0
SOME_LINES_FAILED: Final = 1
NOTHING_READ: Final = 2
_INTERRUPTED: Final = 130
_BROKEN_PIPE: Final = 141
"""What a shell reports of a program that the reader of its output has left."""

_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_UTF_8_MARK: Final = b"\xef\xbb\xbf"


class _Item(NamedTuple):
    """One group, or the reason why there is none; the line number if lines are groups."""

    line: int | None
    found: Reading | GroupFile | SourceError


def main(arguments: Sequence[str], stdin: Iterable[bytes], stdout: BinaryIO, stderr: TextIO) -> int:
    """Read groups, write one JSON object a line, and return the exit status.

    0: all went well. 1: some lines could not be read and are reported in their place.
    2: nothing could be read at all, said in one sentence on ``stderr``.
    """
    options = _parser().parse_args(arguments)
    with ExitStack() as stack:
        try:
            names, file = _names_and_file(options.strategy, options.file)
            asked = _named(names)
            limits = limits_of(options.limit)
            if options.list_groups:
                _write(live_arguments.groups(options, stderr), stdout)
                return DONE
            if live_arguments.are_in(options):
                live = live_arguments.readings(options, file, stderr)
                items: Iterable[_Item] = (_Item(None, reading) for reading in live)
            else:
                lines = stdin if file == "-" else stack.enter_context(_opened(file))
                items = _items(lines, limits)
            failed = _write_all(items, asked, stdout, convert=options.convert)
        except SourceError as error:
            stderr.write(f"assign.py: {error}\n")
            return NOTHING_READ
    return SOME_LINES_FAILED if failed else DONE


def _parser() -> argparse.ArgumentParser:
    width = max(map(len, STRATEGIES), default=0)
    strategies = "\n".join(f"  {s.name:{width}}  {s.label}" for s in STRATEGIES.values())
    formats = "\n".join(f"  {each}" for each in text.FORMATS)
    parser = argparse.ArgumentParser(
        prog="assign.py",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Say who would own which partitions of a consumer group, and how much lag, "
        "under Kafka's partition-assignment strategies.\nWrites one JSON object a line for each "
        "group and strategy.",
        epilog=f"formats that are read:\n{formats}\n\nstrategies:\n{strategies}\n\n"
        "exit status: 0 all read; 1 some lines were not; 2 nothing was\n\n"
        "example:\n  kafka-consumer-groups.sh --bootstrap-server HOST:9092 --describe --group G"
        " \\\n    | python assign.py --strategy lag-based\n"
        "  python assign.py --bootstrap-server HOST:9092 --group G --strategy lag-based",
    )
    parser.add_argument(
        "--strategy",
        action="extend",
        nargs="+",
        default=[],
        metavar="NAME",
        help="one or more; without it the group's own, else all",
    )
    parser.add_argument(
        "--convert",
        action="store_true",
        help="write what was read as group JSON, with an account of it, and assign nothing",
    )
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=N",
        help="change how much one input may hold; may repeat. "
        + ", ".join(f"{field.name}={field.default}" for field in fields(Limits)),
    )
    live_arguments.add_to(parser)
    parser.add_argument(
        "file", nargs="?", default="-", metavar="FILE", help="default: standard input"
    )
    return parser


def _names_and_file(names: Sequence[str], file: str) -> tuple[Sequence[str], str]:
    """Tell a file from the strategies it follows: ``--strategy range sticky group.json``."""
    if file == "-" and len(names) > 1 and names[-1] not in STRATEGIES and "," not in names[-1]:
        return names[:-1], names[-1]
    return names, file


def _named(names: Iterable[str]) -> list[Strategy]:
    """Return the strategies asked for, each once, in the order given."""
    wanted = [name.strip() for listed in names for name in listed.split(",") if name.strip()]
    return [_strategy(name) for name in dict.fromkeys(wanted)]


def _strategy(name: str) -> Strategy:
    if name not in STRATEGIES:
        message = f"there is no strategy {name!r}; {nearest(name, STRATEGIES)}"
        raise SourceError(message)
    return STRATEGIES[name]


def _opened(file: str) -> BinaryIO:
    try:
        return Path(file).open("rb")
    except OSError as error:
        message = f"{file} cannot be read: {error.strerror}"
        if "." not in file and "/" not in file:
            message += f"; if a strategy was meant: {nearest(file, STRATEGIES)}"
        raise SourceError(message) from error


def _items(lines: Iterable[bytes], limits: Limits) -> Iterator[_Item]:
    """Yield every group of the input.

    Lines are held back until one is a group: from there on they are JSON Lines and none is
    kept. If none is, they are one text.
    """
    coming = _in_utf_8(iter(lines))
    held: list[bytes] = []
    for line in coming:
        held.append(line)
        if group_json.is_group(line):
            budgets = map(Budget, repeat(limits))  # no line outlives the next
            for number, group in group_json.read_lines(chain(held, coming), budgets):
                yield _Item(number, group)
            return
    for reading in text.read_text(b"".join(held).decode(errors="replace"), limits):
        yield _Item(None, reading)


def _in_utf_8(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the lines without a byte order mark, those in UTF-16 (PowerShell) as UTF-8."""
    first = next(lines, b"")
    if first.startswith(_UTF_16):
        whole = b"".join([first, *lines]).decode("utf-16", errors="replace")
        yield from whole.encode().splitlines(keepends=True)
        return
    yield first.removeprefix(_UTF_8_MARK)
    yield from lines


def _write_all(
    items: Iterable[_Item], asked: Sequence[Strategy], stdout: BinaryIO, *, convert: bool
) -> bool:
    """Write the answers to each item as it comes; return whether any could not be read."""
    failed = False
    for line, found in items:
        try:
            records = _answers(found, asked, convert=convert)
        except SourceError as error:
            if line is None:
                raise
            failed = True
            records = [{"line": line, "error": str(error)}]
        _write(records, stdout)
    return failed


def _write(records: Iterable[dict[str, object]], stdout: BinaryIO) -> None:
    stdout.writelines(msgspec.json.encode(record) + b"\n" for record in records)
    stdout.flush()


def _answers(
    found: Reading | GroupFile | SourceError, asked: Sequence[Strategy], *, convert: bool
) -> Iterable[dict[str, object]]:
    if isinstance(found, SourceError):
        raise found
    if convert:
        return [_converted(group_json.reading_of(found) if isinstance(found, GroupFile) else found)]
    own = [found.strategy] if found.strategy else STRATEGIES
    strategies = asked or [_strategy(name) for name in own]
    return (_answer(found.group, strategy) for strategy in strategies)


def _converted(reading: Reading) -> dict[str, object]:
    account = {
        "format": reading.format,
        "rows": reading.rows,
        "ignored": reading.ignored,
        "notes": reading.notes,
    }
    return group_json.as_json(reading.group, reading.strategy) | {"read": account}


def _answer(group: Group, strategy: Strategy) -> dict[str, object]:
    """Return who owns what in the coming round; figures are of where the group ends up."""
    settled = check(group, strategy.settle(group))
    record: dict[str, object] = {"id": group.id, "strategy": strategy.name}
    if strategy.target is None:
        record["assignment"] = assignment_of(group, settled)
    else:
        coming = check(group, strategy.assign(group), complete=False)
        record |= {
            "assignment": assignment_of(group, coming),
            "target": assignment_of(group, settled),
        }
    return record | {"metrics": _metrics(group, settled)}


def _metrics(group: Group, owners: Owners) -> dict[str, object]:
    counts = metrics.count_per_member(group, owners)
    unknown = metrics.unknown_per_member(group, owners)
    lags = metrics.lag_per_member(group, owners).astype(object)
    lags[(counts > 0) & (counts == unknown)] = None  # unknown is not zero
    columns = {
        "partitions": counts.tolist(),
        "lag": lags.tolist(),
        "unknown": unknown.tolist(),
        "topics": metrics.topics_per_member(group, owners).tolist(),
    }
    rows = zip(*columns.values(), strict=True)
    per_member = (dict(zip(columns, row, strict=True)) for row in rows)
    figures: dict[str, object] = msgspec.to_builtins(metrics.figures(group, owners))
    return figures | {
        "best_possible_max_lag": best_possible_max_lag(group),
        "members": dict(zip(group.members, per_member, strict=True)),
    }


def run() -> int:
    """Run on the process's own arguments and streams; quiet when the reader has gone."""
    try:
        return main(sys.argv[1:], sys.stdin.buffer, sys.stdout.buffer, sys.stderr)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE
    except KeyboardInterrupt:
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(run())
