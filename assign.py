"""The command line: consumer groups in, their assignments under each strategy out.

``python assign.py --help`` says how.
"""

import os
import signal
import sys

if __name__ == "__main__":  # before the imports, which take a third of a second
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from io import TextIOWrapper
from itertools import repeat
from pathlib import Path
from typing import BinaryIO, Final, TextIO, TypeAlias

import msgspec

from assignors.catalogue import catalogue, strategies
from assignors.suggestions import nearest
from evaluation.reading import Reading
from evaluation.wording import sentence
from sources import arguments as command_line
from sources.budget import limits_of
from sources.errors import NO_MEMORY, SourceError, guarded
from sources.group_records import records_of
from sources.options import Options
from sources.text import read_stream
from sources.topologies import with_topology

DONE: Final = 0
SOME_LINES_FAILED: Final = 1
NOTHING_READ: Final = 2
_MOST_HINDERED: Final = 5
"""The most groups to name where none can be answered for."""
_BROKEN_PIPE: Final = 141
"""What a shell reports for a program killed by SIGPIPE."""
_LONGEST_LINE: Final = 1_000_000_000
_Item: TypeAlias = tuple[int | None, Reading | SourceError]
"""One group or its error, with its line number if each line is a group."""


def main(
    arguments: Sequence[str], stdin: Iterable[bytes] | None, stdout: BinaryIO, stderr: TextIO
) -> int:
    """Read groups, write one JSON object per line, and return the exit status.

    0: success. 1: some lines could not be read, an installed strategy failed, or some groups run
    no strategy of consumer groups; each is reported in its place.
    2: nothing could be read, or no group runs such a strategy, reported on ``stderr``.
    Raises OSError if ``stdout`` cannot be written.
    """
    with ExitStack() as stack:
        try:
            options = command_line.parsed(arguments)
            for refused in catalogue().refused:
                _report(stderr, refused)
            if options.list_groups:
                _write(_listing(options, stderr), stdout)
                return DONE
            items = _items(options, stdin, stderr, stack)
            failed = _write_all(items, options, stdout)
        except SourceError as error:
            _report(stderr, str(error))
            return NOTHING_READ
        except MemoryError:
            _report(stderr, NO_MEMORY.format(what="the answer"))
            return NOTHING_READ
    return SOME_LINES_FAILED if failed else DONE


def _report(stderr: TextIO, sentence: str) -> None:
    with suppress(OSError):  # nowhere left to report it
        stderr.write(f"{command_line.program()}: {sentence}\n")
        stderr.flush()


def _listing(options: Options, stderr: TextIO) -> list[dict[str, object]]:
    from sources import live  # noqa: PLC0415 -- slow to import, and rarely needed

    with guarded("the cluster"):
        return list(live.listing(options, stderr))


def _items(
    options: Options, stdin: Iterable[bytes] | None, stderr: TextIO, stack: ExitStack
) -> Iterator[_Item]:
    """Yield every group of the input; Streams groups with the topology that is given."""
    topology = options.topology
    for line, item in _read(options, stdin, stderr, stack):
        if topology is None or isinstance(item, SourceError):
            yield line, item
            continue
        try:
            yield line, with_topology(item, topology) or item
        except SourceError as error:
            yield line, error


def _read(
    options: Options, stdin: Iterable[bytes] | None, stderr: TextIO, stack: ExitStack
) -> Iterator[_Item]:
    """Yield every group of the input: a cluster, a file or a stream."""
    with guarded("the input"):
        is_live = options.bootstrap_server or options.group or options.connect_url
        if is_live or options.command_config is not None:
            from sources import live  # noqa: PLC0415 -- as above

            yield from zip(repeat(None), live.readings(options, stderr), strict=False)
            return
        try:
            lines = _lines(options.file, stdin, stack)
            yield from read_stream(lines, limits_of(options.limit))
        except OSError as error:
            message = f"{options.file} cannot be read: {error.strerror}"
            raise SourceError(message) from error


def _lines(file: str, stdin: Iterable[bytes] | None, stack: ExitStack) -> Iterable[bytes]:
    if file == "-":
        if stdin is None:
            message = "standard input is closed; pipe text into it, or name a FILE"
            raise SourceError(message)
        return stdin
    try:
        return _lines_of(stack.enter_context(Path(file).open("rb")))
    except (OSError, ValueError) as error:  # a name may be none at all
        message = f"{file} cannot be read: {getattr(error, 'strerror', error)}"
        if "." not in file and "/" not in file:
            message += f"; if a strategy was meant, {nearest(file, strategies())}"
        raise SourceError(message) from error


def _lines_of(stream: BinaryIO) -> Iterable[bytes]:
    """Return the lines of a stream; an endless line comes in pieces, to be refused."""
    return iter(partial(stream.readline, _LONGEST_LINE), b"")


def _write_all(items: Iterable[_Item], options: Options, stdout: BinaryIO) -> bool:
    """Write the answers to each item as it arrives; return whether any was unreadable."""
    failed, is_answered = False, False
    hindered: list[dict[str, object]] = []
    for line, item in items:
        if hindrance := "" if _asks_of_any_kind(options) else _hindrance(item, options):
            failed = True
            hindered.append(_hindered(line, item, hindrance))
            if is_answered:
                _write(hindered, stdout)
                hindered.clear()
            continue
        try:
            with guarded("this group"):
                records = _records(item, options)
        except SourceError as error:
            if line is None:
                raise
            records = [{"line": line, "error": str(error)}]
        failed |= any("error" in record for record in records)
        _write([*hindered, *records], stdout)
        is_answered = True
        hindered.clear()
    if hindered:
        message = " ".join(sentence(str(each["error"])) for each in hindered[:_MOST_HINDERED])
        raise SourceError(message)
    return failed


def _asks_of_any_kind(options: Options) -> bool:
    return bool(options.convert or options.answer or options.scaled_object is not None)


def _hindrance(item: Reading | SourceError, options: Options) -> str:
    """Return why nothing is predicted, or not the strategies that are named; "" if all can be."""
    if isinstance(item, SourceError) or (item.as_kind is not None and not options.strategies):
        return ""
    return item.hindrance


def _hindered(line: int | None, item: Reading | SourceError, hindrance: str) -> dict[str, object]:
    about: dict[str, object] = {} if line is None else {"line": line}
    if isinstance(item, Reading):
        about |= {"id": item.name, "kind": item.kind.value}
    return about | {"error": hindrance}


def _records(item: Reading | SourceError, options: Options) -> list[dict[str, object]]:
    if isinstance(item, SourceError):
        raise item
    return list(records_of(item, options))


def _write(records: Iterable[dict[str, object]], stdout: BinaryIO) -> None:
    stdout.writelines(msgspec.json.encode(record) + b"\n" for record in records)
    stdout.flush()


def run() -> int:
    """Run on the process's own arguments and streams; return the exit status."""
    stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 -- the process's own
    if sys.stdout is None:
        _report(stderr, "standard output is closed; the answers need a place to go")
        return NOTHING_READ
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for --help where only ASCII is known
    stdin = None if sys.stdin is None else _lines_of(sys.stdin.buffer)
    logging.getLogger("sources").addHandler(logging.NullHandler())  # one line for one error
    try:
        try:
            status = main(sys.argv[1:], stdin, sys.stdout.buffer, stderr)
        except SystemExit:  # of --help
            status = DONE
        sys.stdout.flush()
    except BrokenPipeError:
        status = _BROKEN_PIPE
    except OSError as error:
        _report(stderr, f"standard output cannot be written: {error.strerror}")
        status = NOTHING_READ
    else:
        return status
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else it fails again at exit
    return status


if __name__ == "__main__":
    sys.exit(run())
