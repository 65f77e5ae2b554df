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
from dataclasses import replace
from datetime import timedelta
from functools import partial
from io import TextIOWrapper
from itertools import repeat
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, TextIO, TypeAlias

import msgspec

from assignors.catalogue import FailedStrategyError, catalogue, strategies
from assignors.certainty import EXACT
from assignors.kinds import refusal
from assignors.model import Group, Owners
from assignors.naming import assignment_of
from assignors.rules import check
from assignors.strategy import Strategy
from assignors.suggestions import nearest
from evaluation import metrics
from evaluation.answering.as_data import as_data
from evaluation.answering.compose import answer_of
from evaluation.answering.given import Statements, known_of
from evaluation.assuming.assumed import Assumed
from evaluation.assuming.clients import CLIENTS, JAVA, Client
from evaluation.assuming.running import running
from evaluation.assuming.subscriptions import otherwise
from evaluation.bounds.lag import lower_bound
from evaluation.comparing.outlook import outlook, range_of
from evaluation.judging import LAG, JudgeBy, Measure, judged, possible
from evaluation.kinds.forecast import (
    KindGroup,
    OtherMembers,
    UnknownMemberError,
    UnpredictedReleaseError,
)
from evaluation.kinds.stated import KindStated, stated_as
from evaluation.library import Assignment, compare
from evaluation.measuring.offset_history import partition_times
from evaluation.releases import holds_for
from evaluation.stated import InvalidNumberError
from evaluation.wording import sentence
from sources import arguments as command_line
from sources import assumed_json, group_json
from sources.asking import given_of
from sources.budget import limits_of
from sources.errors import NO_MEMORY, SourceError, guarded
from sources.group_json import GroupFile
from sources.options import Options
from sources.reading import Reading
from sources.scaled_answer import at_rest
from sources.text import read_stream
from sources.topologies import with_topology

DONE: Final = 0
SOME_LINES_FAILED: Final = 1
NOTHING_READ: Final = 2
_MOST_HINDERED: Final = 5
"""The most groups to name where none can be answered for."""
_BROKEN_PIPE: Final = 141
"""What a shell reports for a program killed by SIGPIPE."""

_NEEDS_RATES: Final = (
    "--judge-by {} needs the arrival rate: give two snapshots, one below the other, or rates in "
    "the group's JSON"
)
_LONGEST_LINE: Final = 1_000_000_000
_Item: TypeAlias = tuple[int | None, Reading | GroupFile | SourceError]
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
        if topology is None or not isinstance(item, Reading):
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
                records = list(_answers(item, options))
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


def _hindrance(item: Reading | GroupFile | SourceError, options: Options) -> str:
    """Return why nothing is predicted, or not the strategies that are named; "" if all can be."""
    if isinstance(item, SourceError):
        return ""
    if item.as_kind is not None and not options.strategies:
        return ""
    if isinstance(item, Reading):
        return item.hindrance
    return "" if item.kind.runs_consumer_strategies else refusal(item.kind, item.group.id)


def _hindered(
    line: int | None, item: Reading | GroupFile | SourceError, hindrance: str
) -> dict[str, object]:
    about: dict[str, object] = {} if line is None else {"line": line}
    if not isinstance(item, SourceError):
        about |= {"id": _id_of(item), "kind": item.kind.value}
    return about | {"error": hindrance}


def _id_of(item: Reading | GroupFile) -> str:
    return item.name if isinstance(item, Reading) else item.group.id


def _write(records: Iterable[dict[str, object]], stdout: BinaryIO) -> None:
    stdout.writelines(msgspec.json.encode(record) + b"\n" for record in records)
    stdout.flush()


class _Judged(NamedTuple):
    """What the strategies of one group are judged by, and on what condition."""

    measure: Measure
    assumed: Assumed


def _answers(
    item: Reading | GroupFile | SourceError, options: Options
) -> Iterable[dict[str, object]]:
    if isinstance(item, SourceError):
        raise item
    if options.convert:
        reading = group_json.reading_of(item) if isinstance(item, GroupFile) else item
        return [_converted(reading, options.interval)]
    if options.scaled_object is not None:
        reading = group_json.reading_of(item) if isinstance(item, GroupFile) else item
        return [at_rest(reading, options.scaled_object, options.pods)]
    if item.as_kind is not None and not options.answer:
        about = {"id": _id_of(item), "kind": item.kind.value}
        return [about | _forecast(item.as_kind, item.group, options)]
    item = _with_subscriptions(item, options.subscriptions)
    if options.answer:
        return [_answered(item, options)]
    client = _client(item, options)
    own = [_own_strategy(item.strategy, client)] if item.strategy else client.strategies
    chosen = options.strategies or own
    measure = options.measure or item.weighed or LAG
    group = _weighed(item, measure)
    if options.outlook:
        options = replace(options, runs=_runs(item, options))
    about = {"id": _id_of(item), "kind": item.kind.value}
    judged = _Judged(measure=measure, assumed=item.assumed)
    return (about | _answer_or_error(group, each, options, judged) for each in chosen)


def _forecast(group: KindGroup, read: Group, options: Options) -> dict[str, object]:
    """Return who has what, now and then, in a group that is no consumer group, and what to do."""
    from assignors.share.preview import (  # noqa: PLC0415 -- consumer groups start without it
        InconsistentMembersError,
    )
    from evaluation.kinds.view import view_of  # noqa: PLC0415 -- likewise
    from evaluation.kinds.words import words_in  # noqa: PLC0415 -- likewise

    what_if = OtherMembers(options.more, options.without, options.threads)
    said = _stated_of(group, options)
    try:
        view = view_of(group, read, said, what_if, options.release)
    except (UnknownMemberError, UnpredictedReleaseError, InconsistentMembersError) as error:
        raise SourceError(str(error)) from error
    return words_in(view).as_data | view.found.as_data


def _stated_of(group: KindGroup, options: Options) -> KindStated:
    """Return what the options state of a group of another kind. Raises SourceError."""
    try:
        return stated_as(group, options.settings, options.threads)
    except InvalidNumberError as error:
        raise SourceError(str(error)) from error


def _with_subscriptions(item: Reading | GroupFile, name: str | None) -> Reading | GroupFile:
    """Return the group with the subscriptions that the user states, if any."""
    if name is None:
        return item
    reading = group_json.reading_of(item) if isinstance(item, GroupFile) else item
    return reading.with_subscriptions(assumed_json.source_called(name))


def _client(item: Reading | GroupFile, options: Options) -> Client:
    """Return the client that is stated, or that the group's ids or strategy give away."""
    return CLIENTS[options.client or item.assumed.client or JAVA.name]


def _own_strategy(name: str, client: Client) -> Strategy:
    """Return the strategy that a group names, as its client ships it. Raises SourceError."""
    return client.strategy_called(name) or command_line.strategy_named(name)


def _runs(item: Reading | GroupFile, options: Options) -> Strategy | None:
    """Return the strategy that the group runs: stated, named by the input, or inferred; or None."""
    client = _client(item, options)
    read = client.strategy_called(item.strategy) if item.strategy else None
    found = running(item.group, client.settable, read=read).strategy
    stated: Strategy | None = options.runs
    return stated or found


def _weighed(item: Reading | GroupFile, measure: Measure) -> Group:
    """Return the group with the weights that it is judged by. Raises SourceError."""
    group = item.group
    if not measure.by.needs_rates:
        return judged(group, measure)
    history = (group_json.reading_of(item) if isinstance(item, GroupFile) else item).history
    rates = group.offsets.rates if history is None else partition_times(group, history).produced
    if rates is None or measure.by not in possible(rates):
        raise SourceError(_NEEDS_RATES.format(measure.by.value))
    return judged(group, measure, rates)


def _answered(item: Reading | GroupFile, options: Options) -> dict[str, object]:
    """Return what is the matter with a group and what to do, as every other door says it."""
    reading = group_json.reading_of(item) if isinstance(item, GroupFile) else item
    stated = Statements(
        interval_s=options.interval.total_seconds() if options.interval else None,
        runs=options.runs,
        is_quick=options.restarts == "quick",
        judge_by=options.measure.by if options.measure else None,
        horizon_min=options.measure.horizon_min if options.measure else None,
    )
    given = given_of(reading, stated, _client(item, options))
    if item.as_kind is not None:
        given = replace(given, kind_stated=_stated_of(item.as_kind, options))
    known = known_of(given)
    asked = stated.judge_by if item.kind.runs_consumer_strategies else None
    if asked is not None and asked is not known.measure.by:
        raise SourceError(_NEEDS_RATES.format(asked.value))
    return as_data(answer_of(given, shown=options.strategies, known=known))


def _converted(reading: Reading, interval: timedelta | None) -> dict[str, object]:
    details = {
        "format": reading.format,
        "rows": reading.rows,
        "ignored": reading.ignored,
        "notes": reading.notes,
        "state": reading.state,
    }
    history = reading.history
    if history is not None and interval is not None:
        history = history.dated(interval.total_seconds())
    whole = group_json.file_of(replace(reading, history=history), reading.group)
    document = group_json.as_json(whole)
    about = {"id": reading.name, "kind": reading.kind.value}
    return document | about | {"read": details}


def _answer_or_error(
    group: Group, strategy: Strategy, options: Options, judged: _Judged
) -> dict[str, object]:
    try:
        return _answer(group, strategy, options, judged)
    except FailedStrategyError as error:
        return {"strategy": strategy.name, "error": str(error)}


def _answer(
    group: Group, strategy: Strategy, options: Options, judged: _Judged
) -> dict[str, object]:
    """Return the owners after the next round, and the metrics of the final assignment."""
    measure, assumed = judged
    found = compare(group, [strategy])[strategy.name]
    record: dict[str, object] = {"strategy": strategy.name}
    if measure.by is not JudgeBy.LAG:
        record["judged_by"] = {"what": measure.by.value, "unit": measure.unit}
    certainty = assumed.qualified(found.certainty, group, strategy)
    of_release = holds_for([strategy])
    said = certainty.as_data | ({"holds_for": of_release} if of_release else {})
    if group.member_count and not assumed.is_predictable(group):
        return record | {"assignment": None, "certainty": said}
    record["assignment"] = assignment_of(group, found.next_round)
    if strategy.target is not None:
        record["target"] = assignment_of(group, found.owners)
    record["certainty"] = said
    if certainty.condition and assumed.alternatives:
        record["assumed"] = _assumed(assumed, group, strategy)
    if options.all_answers:
        record["answers"] = _all_answers(found)
    if options.outlook and group.member_count:
        record["outlook"] = _outlook(group, strategy, options)
    return record | {"metrics": _metrics(found)}


def _assumed(assumed: Assumed, group: Group, strategy: Strategy) -> dict[str, object]:
    """Return the assumed subscriptions, and what comes of the others that may be true."""
    return {
        "subscriptions": assumed_json.name_of(assumed.subscriptions),
        "why": assumed.why,
        "otherwise": [
            {
                "subscriptions": assumed_json.name_of(other.source),
                "differing": other.differing,
                "max_lag": other.max_lag,
                "max_count": other.max_count,
            }
            for other in otherwise(group, assumed, strategy)
        ],
    }


def _all_answers(found: Assignment) -> list[dict[str, list[tuple[str, int]]]] | None:
    """Return every final assignment that the client may return; None where they are not known."""
    group, strategy = found.group, found.strategy
    possible = strategy.possible(group) if strategy.possible else ()
    if not possible and found.certainty == EXACT:
        possible = (found.owners,)
    return [assignment_of(group, check(group, owners)) for owners in possible] or None


def _outlook(group: Group, strategy: Strategy, options: Options) -> dict[str, object]:
    """Return the median and the 5th and 95th percentile of what a switch may bring."""
    drawn = outlook(group, strategy, options.runs, is_noticed=options.restarts == "slow")
    loads = {
        "max_load": drawn.max_loads,
        "max_lag": drawn.max_lags,
        "max_partitions": drawn.max_counts,
    }
    spans = {
        name: dict(zip(("low", "high"), range_of(values), strict=True))
        | {"median": int(values[drawn.draws // 2])}
        for name, values in loads.items()
    }
    runs = None if options.runs is None else options.runs.name
    return {"runs": runs, "draws": drawn.draws, "moved": drawn.moved, **spans}


def _metrics(found: Assignment) -> dict[str, object]:
    group, owners = found.group, found.owners
    by_lag = group.with_weights(None)
    columns = {
        "partitions": metrics.count_per_member(group, owners).tolist(),
        "lag": _known_per_member(by_lag, owners),
        "unknown": metrics.unknown_per_member(by_lag, owners).tolist(),
        "load": _known_per_member(group, owners),
        "topics": metrics.topics_per_member(group, owners).tolist(),
    }
    rows = zip(*columns.values(), strict=True)
    per_member = (dict(zip(columns, row, strict=True)) for row in rows)
    figures: dict[str, object] = msgspec.to_builtins(found.figures)
    return figures | {
        "lower_bound": lower_bound(group),
        "best_possible_max_lag": lower_bound(by_lag),  # the name of earlier releases
        "members": dict(zip(group.members, per_member, strict=True)),
    }


def _known_per_member(group: Group, owners: Owners) -> list[int | None]:
    """Return each member's load, None where no weight of it is known: unknown is not zero."""
    loads = metrics.load_per_member(group, owners).astype(object)
    loads[~metrics.is_load_known(group, owners)] = None
    known: list[int | None] = loads.tolist()
    return known


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
