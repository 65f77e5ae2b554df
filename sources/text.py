"""Detect the format of a text, files or a stream: readers are tried in order."""

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from itertools import chain, repeat
from typing import Final, NamedTuple, TypeAlias

from evaluation.reading import Reading
from evaluation.wording import plural, sentence
from sources import group_json, plans_of_groups
from sources.added import added, is_same_group
from sources.budget import LIMITS, Budget, Limits
from sources.csv.header import is_header, may_be_header, separator_of
from sources.csv.reader import read_tables
from sources.csv.table import UTF_16_MARKS, decoded
from sources.errors import SourceError, guarded
from sources.pastes.connect_rest import read_connectors
from sources.pastes.consumer_groups import read_consumer_groups
from sources.pastes.consumer_log import read_consumer_log
from sources.pastes.grouping import readings
from sources.pastes.json_rows import read_json_rows
from sources.pastes.page import Page
from sources.pastes.parsed import Parsed
from sources.pastes.prometheus import read_prometheus, read_prometheus_json
from sources.pastes.refusals import refuse
from sources.pastes.streams_description import read_streams_description
from sources.pastes.topics import read_topics

_TABLE: Final = "the CSV"
_TABLE_ENDINGS: Final = (".csv", ".tsv", ".zip")
COLLECTED_ENDING: Final = ".parquet"
"""Of the pipeline's collector's files."""
_MOST_ERRORS: Final = 5
_LOGS_INPUTS: Final = "load-sticky"
_Reader: TypeAlias = Callable[[Page], tuple[Reading, ...]]
PASTES: Final[Mapping[str, Callable[[Page], Parsed]]] = {
    "tables of kafka-consumer-groups.sh, rpk, kaf, kafkactl, web consoles": read_consumer_groups,
    "Connect's REST API": read_connectors,
    "Java's describeStreamsGroups": read_streams_description,
    "JSON or YAML, one object per partition or member": read_json_rows,
    "Prometheus's and Datadog's HTTP answers": read_prometheus_json,
    "Prometheus text": read_prometheus,
    "logs of consumers": read_consumer_log,
    "kafka-topics.sh --describe and kcat -L": read_topics,
}
"""The readers of tools' output, in the order of attempts; see docs/formats.md."""
_WORKER: Final = '"worker_id"'
"""In every answer of Connect's REST API on tasks."""
FORMATS: Final = (
    "group JSON, one group or JSON Lines",
    "CSV with columns such as topic, partition, lag",
    "the line that the leader of a group under load-sticky logs",
    *PASTES,
)
"""The readable formats by their usual names."""


def read_text(text: str, limits: Limits = LIMITS) -> tuple[Reading, ...]:
    """Read every group in a text, whatever its format.

    Lines that cannot be read are listed as ignored. Raises SourceError in a sentence if no
    group is found, or if the groups exceed the limits.
    """
    plain = text.lstrip("\ufeff")
    if not plain.isascii():
        plain = plain.encode(errors="replace").decode()  # unpaired surrogates cannot be encoded
    if not plain.strip():
        message = f"there is no text; expected one of: {'; '.join(FORMATS)}"
        raise SourceError(message)
    with guarded("this text"):
        page = Page(plain, limits)
        return next(filter(None, (read(page) for read in _READERS)))


class Files(NamedTuple):
    """What files hold, and which of them could not be read."""

    readings: tuple[Reading, ...]
    unread: tuple[str, ...] = ()
    """Why, with the name of the file."""


def read_files(files: Mapping[str, bytes], limits: Limits = LIMITS) -> Files:
    """Read every group in files by name.

    CSV tables together are one group; the collector's files are read together, any other text
    separately. Texts of one named group are its snapshots. A file that cannot be read is told
    beside the others. Raises SourceError as ``read_text`` does, with the file's name, if none can;
    the limits hold for all files together.
    """
    if all(name.lower().endswith(_TABLE_ENDINGS) for name in files):
        return Files((read_tables(files, limits),))
    budget = Budget(limits)
    opened: list[Reading] = []
    errors: list[SourceError] = []
    for reading in _each_file(files, limits):
        if isinstance(reading, SourceError):
            errors.append(reading)
            continue
        budget.take("groups", 1)
        budget.take("partitions", reading.group.partition_count)
        budget.take("members", reading.group.member_count)
        same = next((k for k, each in enumerate(opened) if _are_snapshots(each, reading)), None)
        if same is None:
            opened.append(reading)
        else:
            opened[same] = added(opened[same], reading).reading
    if errors and not opened:
        raise errors[0]
    return Files(tuple(opened), tuple(map(str, errors)))


def _are_snapshots(one: Reading, other: Reading) -> bool:
    """Return whether two files' groups are one: by name, as other tools' texts have offsets."""
    has_ends = one.group.offsets.end is not None and other.group.offsets.end is not None
    return has_ends and bool(one.name) and is_same_group(one, other)


def _each_file(files: Mapping[str, bytes], limits: Limits) -> Iterator[Reading | SourceError]:
    snapshots = {n: data for n, data in files.items() if n.lower().endswith(COLLECTED_ENDING)}
    if snapshots:
        from sources import collected  # noqa: PLC0415 -- takes Arrow, which nothing else here does

        yield from collected.read_collected(snapshots, limits)
    for name, data in files.items():
        if name not in snapshots:
            try:
                yield from read_text(decoded(data), limits)
            except SourceError as error:
                yield type(error)(f"{name}: {error}")


def read_stream(
    lines: Iterable[bytes], limits: Limits = LIMITS
) -> Iterator[tuple[int | None, Reading | SourceError]]:
    """Yield every group of a stream; groups or errors of JSON Lines with their line numbers.

    Lines are buffered until one is a group: from there on they are JSON Lines, none is kept, and
    the limits apply to each. If none is, they are one text.
    """
    stream = _in_utf_8(iter(lines), limits)
    held = BytesIO()
    for number, line in enumerate(stream, start=1):
        held.write(line)
        limits.check("text", held.tell())
        limits.check("lines", number)
        if group_json.is_group(line):
            held.seek(0)
            yield from read_lines(chain(held, stream), map(Budget, repeat(limits)))
            return
    yield from zip(repeat(None), read_text(decoded(held.getvalue()), limits), strict=False)


def read_lines(
    lines: Iterable[str | bytes], budgets: Iterable[Budget]
) -> Iterator[tuple[int, Reading | SourceError]]:
    """Yield number and group, or error, of each non-blank line of JSON Lines.

    Numbers start at 1 and include blank lines; earlier lines are not kept. Each line is counted
    against its budget, which is the same for all if all are kept.
    """
    for number, (line, budget) in enumerate(zip(lines, budgets, strict=False), start=1):
        if line.strip():
            try:
                with guarded("this line"):
                    group = group_json.decode(line, budget)
            except SourceError as error:
                yield number, error
            else:
                yield number, group


def _in_utf_8(lines: Iterator[bytes], limits: Limits) -> Iterator[bytes]:
    """Yield the lines in UTF-8 without a byte order mark."""
    first = next(lines, b"")
    if not first.startswith(UTF_16_MARKS):
        yield first.removeprefix(codecs.BOM_UTF8)
        yield from lines
        return
    held = BytesIO()
    for line in chain([first], lines):
        held.write(line)
        limits.check("text", held.tell())
    yield from decoded(held.getvalue()).encode().splitlines(keepends=True)


def _read_leaders_line(page: Page) -> tuple[Reading, ...]:
    """Read what the leader of a group with our own assignor logged: the newest line of each group.

    ``... load-sticky saw {...}``: group JSON behind whatever the logger writes before it.
    """
    newest: dict[str, Reading] = {}
    for line in page.raw:
        logger, saw, rest = line.partition(" saw {")
        if saw and _LOGS_INPUTS in logger and group_json.is_group(text := "{" + rest.rstrip()):
            reading = group_json.decode(text, Budget(page.limits))
            newest[reading.group.id] = reading
    return tuple(newest.values())


def _read_group(page: Page) -> tuple[Reading, ...]:
    """Read a text that as a whole is one group, valid or not."""
    if not page.source.lstrip().startswith("{"):
        return ()
    is_broken_group = (
        not group_json.keys_of(page.source)
        and not group_json.keys_of(_first_line(page))  # JSON Lines, such as a log
        and all(re.search(rf'"{key}"\s*:', page.source) for key in ("topics", "members"))
        and not any(map(group_json.is_group, page.raw))
    )
    return _group(page) if group_json.is_group(page.source) or is_broken_group else ()


def _read_group_without_members(page: Page) -> tuple[Reading, ...]:
    """Report an incomplete group. Other tools' output may have topics too, so it is read first."""
    return _group(page) if "topics" in group_json.keys_of(page.source) else ()


def _group(page: Page) -> tuple[Reading, ...]:
    return (group_json.decode(page.source, Budget(page.limits)),)


def _read_plan_of_groups(page: Page) -> tuple[Reading, ...]:
    """Read the groups of a saved plan; what was stated of them is the page's."""
    if not plans_of_groups.is_plan(page.source):
        return ()
    plan = plans_of_groups.decode(page.source, page.limits)
    return tuple(each.reading for each in plan.groups)


def _read_json_lines(page: Page) -> tuple[Reading, ...]:
    if not any(map(group_json.is_group, page.raw)):
        return ()
    budget = Budget(page.limits)
    read: list[Reading] = []
    errors: list[tuple[int, SourceError]] = []
    for number, group in read_lines(page.raw, repeat(budget)):
        if isinstance(group, SourceError):
            errors.append((number, group))
        else:
            budget.take("groups", 1)
            read.append(group)
    notes = [sentence(f"line {number} could not be read: {error}") for number, error in errors]
    if not read:
        raise SourceError(notes[0])
    if len(notes) > _MOST_ERRORS:
        notes[_MOST_ERRORS:] = [
            f"{plural(len(notes) - _MOST_ERRORS, 'more line')} could not be read."
        ]
    ignored = tuple((number, page.raw[number - 1]) for number, _ in errors)
    return tuple(replace(each, ignored=ignored, notes=(*notes, *each.notes)) for each in read)


def _read_csv(page: Page) -> tuple[Reading, ...]:
    """Read CSV. Tab-separated pastes may look like CSV; those fall through to later readers."""
    first_line = _first_line(page)
    if len(first_line) > page.limits.characters or not is_header(first_line):
        return ()
    try:
        return _read_any_csv(page)
    except SourceError:
        if separator_of(first_line) == "\t":
            return ()
        raise


def _read_any_csv(page: Page) -> tuple[Reading, ...]:
    """Read CSV with possibly unknown columns."""
    first_line = _first_line(page)
    if len(first_line) > page.limits.characters or not may_be_header(first_line):
        return ()
    reading = read_tables({_TABLE: page.source.encode()}, page.limits)
    return (reading,) if reading.group.topics else ()


def _first_line(page: Page) -> str:
    return page.source.lstrip().partition("\n")[0].rstrip()


def _pasted(parse: Callable[[Page], Parsed]) -> _Reader:
    return lambda page: readings(page, parse(page))


def _read_tables_with_workers(page: Page) -> tuple[Reading, ...]:
    """Return the groups of tools' tables beside the workers of a REST answer: a sink's and it."""
    of_tools = readings(page, read_consumer_groups(page)) if _WORKER in page.text else ()
    workers = readings(page, read_connectors(page)) if of_tools else ()
    if not workers:
        return ()
    unused = set(of_tools[0].ignored) & set(workers[0].ignored)
    return tuple(
        replace(each, ignored=tuple(line for line in each.ignored if line in unused))
        for each in (*of_tools, *workers)
    )


_READERS: Final[tuple[_Reader, ...]] = (
    _read_leaders_line,
    _read_group,
    _read_plan_of_groups,
    _read_json_lines,
    _read_csv,
    _read_tables_with_workers,
    *map(_pasted, PASTES.values()),
    _read_any_csv,
    _read_group_without_members,
    refuse,
)
"""Tried in order; each returns an empty tuple for other formats."""
