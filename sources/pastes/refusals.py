"""Why no group can be read from a text, and the way out."""

import re
from collections.abc import Collection, Iterator
from typing import Final, NoReturn

import msgspec

from evaluation.wording import plural, sentence
from sources import cells
from sources.columns import Field
from sources.csv.header import may_be_header, names_in, separator_of
from sources.errors import SourceError
from sources.json_errors import malformed
from sources.pastes.headers import NUMERIC, Header, TableKind, header_in
from sources.pastes.layout import Columns
from sources.pastes.other_kinds import kind_without_rows, said_of_names, said_of_tool
from sources.pastes.page import Page, is_decoration
from sources.pastes.sections import messages_in, sections_in
from sources.pastes.unnamed_log import said_of_rebalance, said_of_unnamed
from sources.pastes.wrapped_rows import rows_in

_INSTEAD: Final = "paste what kafka-consumer-groups --describe prints"
_LINES: Final = {
    r"onsumer group '[^']*' does not exist": "the group does not exist on that cluster; "
    "kafka-consumer-groups --list names its groups",
    r"onsumer group '[^']*' has no active members": "the group has no active members, and no table "
    "follows that has its offsets; paste what kafka-consumer-groups --describe prints without "
    "--members, twice and a minute apart: a job without members (Flink, Spark) moves the offsets",
    r"\bPARTITION\s+CURRENT-OFFSET\b.*\sCLIENT-ID\s+\w": "header and rows are on one line; paste "
    "them with their line breaks",
    r"(?i)^\W*(?:partition|current.offset|log.end.offset)\W*$": "each cell is on its own line; "
    "paste one row per line",
    r"(?i)^(?!.*topic)[\W_]*+(?:\w[\w -]{0,39}[|,;\t][\W_]*+){0,3}partition"
    r"(?:\s*[|,;\t]|\s{2,})[^|]{0,40}"
    r"(?:lag|offset)\b": "the table does not name its topic; put a line such as 'Topic: orders' "
    "above it, and one such as 'Group: billing'",
    r"^\W*GROUP\s+TOPIC\s+PARTITION\s+NEW-OFFSET\b": "these are offsets to reset to, without lags; "
    f"{_INSTEAD}",
    r"^\W*GROUP\s.*\b(?:ASSIGNMENTS\W*$|MEMBER\s.*\bPROCESS\s)": "a streams group assigns "
    "tasks, not partitions; paste the output of kafka-streams-groups --describe --offsets",
    r"(?:^|[\s{,])(?:\.{3}|…)\s*+(?:=\s*+)?Assignment\(|[Cc]onsumer (?:\.{3}|…)[, ].*"
    "(?:Finished|new) [Aa]ssignment": "names were cut out of this log ('...'), so "
    "that nobody who owns a partition is named; paste the lines as they were logged",
    r"\bUnsupportedVersionException\b|\bUnsupportedProtocolException\b|\bSchemaException\b"
    r"|\bBufferUnderflowException\b|\bUNSUPPORTED_VERSION\b": "the tool does not understand "
    "what brokers or consumers of another release answered, and will fail again; run "
    "kafka-consumer-groups of the brokers' release",
    r"^\W*+\w[\w.-]*(?::\d+:\d+| \[\d+\] offset \d+)\W*$": "these are offsets of topics, without a "
    f"group; {_INSTEAD}",
    r"\[GroupCoordinator (?:id=)?\d+[\] ]": "a broker's log does not say who owns what; "
    f"{_INSTEAD}",
    r"\bConsumerGroupState\.|\blisting \(groupId=|\bgroupState \w"
    r"|^\s*\{'version': \d{1,4}, '\w": "this is what a program "
    "printed of an admin client's answer; kafka-groups --list names the type of each group, and "
    "the tool of that type describes it",
    r'^\W*\{"version":"[^"]{1,40}","commit":': "this is the release of a Connect worker; ask it "
    "for GET /connectors?expand=status&expand=info and paste the answer",
    r"\bkafka\.consumer:\S*(?:client-id|type)=": "consumers' MBeans cannot be read; paste what "
    "a Prometheus exporter makes of them, or kafka-consumer-groups --describe",
    r'"(?:MetricDataResults|Datapoints|MetricName)"': "CloudWatch does not state group, topic, "
    f"partition and lag together; {_INSTEAD}",
    r'"availableTags"': "this metric is a sum over partitions; paste /actuator/prometheus",
    r"(?i)^\W*topic(?:[-_.]?partition[\s|,;]| partition\s*[|,;\t])[\s|,;]{0,40}[\w -]{0,200}"
    r"(?:lag|offset)\b": "topic and partition share a column; split 'orders-0' into two columns, "
    "TOPIC and PARTITION",
    r"\bOffsetAndMetadata[({]|\bpartition: \d+, offset: '": "committed offsets alone show no lag "
    f"and no owner; {_INSTEAD}",
    r"onsumer group '[^']*' is rebal": "the group is rebalancing, and no table follows; run the "
    "tool again once the group is stable",
    r'"status"\s*:\s*"error"|"error"\s*:\s*true': "the server answered with an error instead of "
    "lags; correct the request and paste its answer",
    r'"result"\s*:\s*\[\s*\]': "the query found nothing; ask for the lag of a group, "
    "such as kafka_consumergroup_lag",
    r"^\w{0,60}lag\w{0,60}\{": "this is not the lag of a group: expected labels for its "
    "consumer group, its topic and its partition",
    r"(?i)^\s*<(?:!doctype html|html)\b": f"this is the source of a web page; {_INSTEAD}",
}
"""Patterns of lines, with the way out."""
_FAILURES: Final = {
    r"AuthorizationException\b": "the tool is not authorized: allow its principal DESCRIBE on the "
    "group and on its topics (kafka-acls --add --operation Describe), then run it again",
    r"\bCoordinator(?:NotAvailable|LoadInProgress)Exception\b|\bNotCoordinatorException\b": "no "
    "broker coordinates the group at the moment: run the tool again in a minute; if it fails "
    "again, look for partitions of __consumer_offsets without a leader (kafka-topics --describe "
    "--unavailable-partitions)",
    r"\b(?:Sasl|Ssl)AuthenticationException\b|\bfailed authentication\b": "the broker refused the "
    "tool's credentials: correct the file that --command-config names, then run it again",
    r"\bTimeoutException\b|\bcould not be established\b|\b[Cc]onnection refused\b"
    r"|UnknownHostException\b": "no broker answered the tool: correct --bootstrap-server, name the "
    "settings of a listener with TLS or SASL by --command-config, then run it again",
}
"""What failed and the way out, the first that a failure's line has; other lines tell no more."""
_FAILED: Final = re.compile(
    "|".join(_FAILURES)
    + r"|^\W*Error\b.*: |\bOutOfMemoryError\b|\bcommand not found\b|^Missing required argument"
    r"|^Exception in thread \"|: No such file or directory$"
)
"""What a tool, or the log of an application, says of its own failures."""
_TOOLS_OWN: Final = re.compile(
    r"^\W*Error: Executing .{0,80} failed due to |: Timed out waiting for a node assignment"
)
"""A tool's failures, which no log of a consumer has; they may speak of assignments as well."""
_FAILS: Final = "the tool failed before it printed a group; run it again and paste its table"
_REASONS: Final = tuple((re.compile(pattern), reason) for pattern, reason in _LINES.items())
_ANY_REASON: Final = re.compile(
    "|".join(re.sub(r"^\(\?i\)(.*)", r"(?i:\1)", each) for each in _LINES)
)
"""One search for all of them, which is what a line without a reason takes."""
_JSON: Final = re.compile(r"\s*(?:\{\s*[\"'}]|\[\s*[\[\]{\"'])")
"""The beginning of JSON, which a log's time in brackets is not."""
_COMMAND: Final = re.compile(
    r"(?:[$#>] ?)?(?:\S*/)?(kafka-[\w-]{1,40}(?:\.sh)?|rpk|kcat|kaf|kafkactl) [^\n]*"
)
"""A command without what it printed."""
_CONSUMER_LINE: Final = re.compile(
    r"\[Consumer (?:instanceId=[^,\]]{1,255}, )?clientId=[^,\]]{1,255}"
)
_LONGEST: Final = 4_000
"""The most characters of a line to match."""


def refuse(page: Page) -> NoReturn:
    """Raise SourceError with the first line that explains why there is no group."""
    if said := kind_without_rows(page):
        raise SourceError(said)
    for number, whole in enumerate(page.lines, 1):
        line = whole.strip()
        if said := _said_of_nameless(page, number, whole):
            raise SourceError(said)
        if _ANY_REASON.search(line, 0, _LONGEST):
            reason = next(why for each, why in _REASONS if each.search(line, 0, _LONGEST))
            message = f"line {number}: {reason}"
            raise SourceError(message)
    _refuse_table(page)
    if said := said_of_unnamed(page) or said_of_names(page):
        raise SourceError(said)
    _refuse_table_without_partitions(page)
    _refuse_log(page)
    _refuse_failed_tool(page, _TOOLS_OWN)
    if said := said_of_rebalance(page):
        raise SourceError(said)
    _refuse_failed_tool(page, _FAILED)
    _refuse_json(page)
    _refuse_csv(page)
    if (command := _COMMAND.fullmatch(page.source.strip())) is not None:
        message = f"line 1: this is the command; run {command[1]} and paste what it prints"
        raise SourceError(message)
    if said := said_of_tool(page):
        raise SourceError(said)
    message = (
        "no consumer group found: expected the output of kafka-consumer-groups --describe, "
        "rpk group describe, Burrow or a Prometheus lag exporter; paste the table with its "
        "header line"
    )
    raise SourceError(message)


def notes_on_nameless(page: Page, used: Collection[int]) -> Iterator[str]:
    """Yield what a table says that names no topic and is not read, beside others that are."""
    for number, line in enumerate(page.lines, 1):
        if "artition" in line.lower() and number - 1 not in used:
            said = _said_of_nameless(page, number, line)
            if said:
                yield sentence(said)


def _said_of_nameless(page: Page, number: int, line: str) -> str:
    """Return what the table below a header without a topic adds up to; "" for other lines."""
    header = header_in(line)
    if header is None or header.kind is not TableKind.ONE_TOPIC:
        return ""
    total = _total_below(page, header, number)
    return (
        f"line {number}: the table does not name its topic{total}; put a line such as "
        "'Topic: orders' above it"
    )


def _total_below(page: Page, header: Header, number: int) -> str:
    """Return what the lags below a header add up to, as far as its rows are numbers."""
    columns = Columns(header, topic="?")
    rows = [row for _, row in rows_in(page, range(number, len(page.lines)), columns)]
    known = [lag for row in rows if (lag := cells.number(row.get(Field.LAG, "-"))) is not None]
    behind = sum(lag > 0 for lag in known)
    of_all = f"{behind} of {plural(len(rows), 'partition')}"
    return f" ({sum(known):,} behind, on {of_all})" if known else ""


def _refuse_table_without_partitions(page: Page) -> None:
    """Raise SourceError if a header has topics and figures, but no partition."""
    for number, line in enumerate(page.lines, 1):
        fields = set(header.fields) if (header := header_in(line)) else set()
        figures = fields & {Field.COMMITTED, Field.END, Field.LAG}
        if Field.TOPIC in fields and figures and Field.PARTITION not in fields:
            message = (
                f"line {number}: the table has no column for the partition; {_INSTEAD}, which has"
            )
            raise SourceError(message)


def _refuse_log(page: Page) -> None:
    """Raise SourceError if a consumer's log has no line that tells an assignment."""
    for number, line in enumerate(page.lines, 1):
        if _CONSUMER_LINE.search(line, 0, _LONGEST):
            message = (
                f"line {number}: this consumer's log has no assignment; its leader logs 'Finished "
                "assignment for group', and each consumer 'Adding newly assigned partitions', at "
                "INFO when the group rebalances: paste these lines, or what "
                "kafka-consumer-groups --describe prints"
            )
            raise SourceError(message)


def _refuse_failed_tool(page: Page, failed: re.Pattern[str]) -> None:
    """Raise SourceError if a line says why a tool printed no group."""
    for number, line in enumerate(page.lines, 1):
        if failed.search(line, 0, _LONGEST):
            whole = line[:_LONGEST]
            said = next((way for each, way in _FAILURES.items() if re.search(each, whole)), _FAILS)
            message = f"line {number}: {said}"
            raise SourceError(message)


def _refuse_table(page: Page) -> None:
    """Raise SourceError with what is wrong in the first table: no rows, or a row."""
    for section in sections_in(page, messages_in(page)):
        if not section.names:
            continue
        head = section.names.start
        rows = [n for n in section.body if not is_decoration(page.lines[n])]
        if not rows:
            reason = f"line {head + 1}: no rows follow this header; paste them too"
        elif section.header.kind == TableKind.TOPIC_LAGS:
            reason = f"line {head + 1}: one lag a topic does not show its partitions; {_INSTEAD}"
        else:
            row = next((n for n in rows if re.search(r"(?<!\S)\d+(?!\S)", page.lines[n])), rows[0])
            reason = _wrong_row(page, section.header, head, row)
        if reason:
            raise SourceError(reason)


def _wrong_row(page: Page, header: Header, head: int, row: int) -> str:
    """Return what is wrong with a row, "" if its numbers are as expected."""
    texts = _cells_of(page.lines[row][:_LONGEST], header)
    width = len(header.columns)
    if len(texts) != width:
        words = "1 word does" if len(texts) == 1 else f"{len(texts)} words do"
        return (
            f"line {row + 1}: {words} not fit the {width} columns that line {head + 1} names; "
            "paste header and rows as the tool prints them"
        )
    for column, text in zip(header.columns, texts, strict=True):
        if column.field == Field.PARTITION and not cells.is_partition(text):
            expected = "a partition number"
        elif column.field in NUMERIC and not cells.is_number(text):
            expected = "a whole number or '-'"
        else:
            continue
        name = page.lines[head].expandtabs()[column.start : column.end] or column.field.value
        return f"line {row + 1}, column {name}: expected {expected}, found {text!r}"
    return ""


def _cells_of(line: str, header: Header) -> list[str]:
    if not header.delimiter:
        return line.split()[header.prefix :]
    inner = line.strip().strip("|") if header.delimiter == "|" else line
    return [cell.strip() for cell in inner.split(header.delimiter)]


def _refuse_json(page: Page) -> None:
    """Raise SourceError if the text is JSON, whole or broken."""
    if not _JSON.match(page.source):
        return
    data = page.source.encode()
    try:
        msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        if "trailing characters" not in str(error):  # JSON Lines have more behind the first
            raise SourceError(malformed(error, data)) from error
    except RecursionError as error:
        message = "this JSON is nested too deeply to hold a group"
        raise SourceError(message) from error
    message = (
        "this JSON holds no group: expected an object with topics and members, or one object per "
        "partition, with group, topic, partition and lag"
    )
    raise SourceError(message)


def _refuse_csv(page: Page) -> None:
    """Raise SourceError if the text is CSV whose header lacks what every table needs."""
    lines = [line for line in page.lines if line.strip()]
    separator = separator_of(lines[0]) if lines else ","
    commas = {line.count(separator) for line in lines}
    if len(lines) > 1 and len(commas) == 1 and 0 not in commas and not may_be_header(lines[0]):
        names = ", ".join(names_in(lines[0][:_LONGEST]))
        message = f"line 1: a CSV needs the columns topic and partition, found {names}"
        raise SourceError(message)
