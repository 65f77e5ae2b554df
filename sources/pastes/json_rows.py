"""JSON whose keys are column names: Confluent's CLI and REST API, kafbat UI, AKHQ and the like.

YAML and what Java and Python print of an admin client's answers, too.

An object with offsets is a partition; its group, topic and owner may stand in an object around
it. The ConsumerGroupLag tool names topic and partition by the keys around each object.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple, TypeAlias

from sources import cells
from sources.cells import listed_in
from sources.columns import Field, field_of
from sources.pastes.burrow import Commits, by_moment, commits_of
from sources.pastes.documents import Document, Json, below, name, number, objects_in, partition
from sources.pastes.page import Page
from sources.pastes.parsed import (
    OWNER,
    GroupKey,
    MemberRow,
    Parsed,
    Row,
    StateRow,
    owner_of,
    row_of,
)

FORMAT: Final = "JSON, one object per partition"
BURROW_FORMAT: Final = "Burrow HTTP JSON"
MEMBERS_FORMAT: Final = "JSON, one object per member"
_KEYED: Final = "ConsumerGroupLag JSON"
_LAG_ALONE: Final = {Field.TOPIC, Field.PARTITION, Field.LAG}
"""Of a partition, where its group or its owner is named too."""
_OFFSETS: Final = frozenset({Field.COMMITTED, Field.END, Field.LAG})
_BURROW: Final = frozenset({"current_lag", "start", "end", "status"})
_SKIPPED: Final = frozenset({"maxlag", "request"})
"""In Burrow's answers: the first repeats a partition, the second describes the call."""
_GROUP_IN_URL: Final = re.compile(r"/consumer/([^/?]+)")
_NO_PARTITION: Final = -1
"""librdkafka counts under it what belongs to no partition."""
_EVIDENCE: Final = 2
"""At least this many of these make a partition: a record consumed has an offset too."""
_ABOUT_OWNER: Final = ("member", "instance", "host", "client")
_MEMBERS: Final = "members"
_JOINED: Final = re.compile(r'"(?:memberAssignment|claims)"\s?:')
"""What a consumer logs of itself alone: KafkaJS, programs with Sarama."""
_ASSIGNED: Final = frozenset(
    {"PARTITIONS", "PARTITIONIDS", "TOPICPARTITIONS", "ASSIGNEDPARTITIONS"}
    | {"ASSIGNMENT", "ASSIGNMENTS", "MEMBERASSIGNMENT", "CLAIMS"}
)
"""Keys of what a member owns, in capitals and without underscores."""
_ON_STOP: Final = (
    "Burrow says STOP where the last commit is older than its window of commits is long, with lag "
    "at the time; it does not say that the consumer has stopped. Lags are as of the last commit, "
    "and max_offset is not the end of the log now."
)
_Fields: TypeAlias = dict[Field, Json]
_Object: TypeAlias = Mapping[str, Json]
"""An object with its keys in lower case."""


class _Nested(NamedTuple):
    """A value, the keys of the two objects around it, and what the objects around it say."""

    value: Json
    keys: tuple[str, str]
    around: _Fields


def read_json_rows(page: Page) -> Parsed:
    """Return the groups that the objects describe; they may leave the group unnamed."""
    parsed = Parsed(FORMAT)
    commits: dict[Row, Commits] = {}
    for document in page.documents:
        before = parsed.record_count
        _read(document, parsed, commits)
        if parsed.record_count > before:
            parsed.used.update(document.lines)
            if document.is_open:
                parsed.merged.update(row.group for row in parsed.rows)
                parsed.merged.update(member.group for member in parsed.members)
    parsed.members = _newest(parsed.members)
    if not parsed.rows and parsed.format != BURROW_FORMAT:
        if not any(member.assignment for member in parsed.members):
            return Parsed(FORMAT)
        parsed.format = MEMBERS_FORMAT
        parsed.members = [member._replace(format=MEMBERS_FORMAT) for member in parsed.members]
    if _JOINED.search(page.source):  # others may log elsewhere
        parsed.merged = {row.group for row in parsed.members}
    parsed.rows = list(by_moment(parsed.rows, commits)) if commits else parsed.rows
    owners = {(m.group, named): m for m in parsed.members for named in m.assignment}
    parsed.rows = [_with_owner(row, owners) for row in parsed.rows]
    return parsed


def _newest(members: Iterable[MemberRow]) -> list[MemberRow]:
    """Return each member once, without the partitions that a later document assigns again.

    Logs have a document for each rebalance.
    """
    owners: dict[tuple[GroupKey, tuple[str, int]], int] = {}
    lines: dict[tuple[GroupKey, str], int] = {}
    for row in members:
        owners |= {(row.group, named): row.line for named in row.assignment}
        lines[row.group, row.member] = row.line
    newest: dict[tuple[GroupKey, str], MemberRow] = {}
    for row in members:
        if lines[row.group, row.member] == row.line:
            owned = tuple(p for p in row.assignment if owners[row.group, p] == row.line)
            one = newest.setdefault((row.group, row.member), row._replace(assignment=()))
            newest[row.group, row.member] = one._replace(assignment=one.assignment + owned)
    return list(newest.values())


def _with_owner(row: Row, owners: Mapping[tuple[GroupKey, tuple[str, int]], MemberRow]) -> Row:
    """Return a row with the member to which the text assigns it elsewhere."""
    owner = owners.get((row.group, (row.topic, row.partition)))
    if row.member or owner is None:
        return row
    return row._replace(**{name: getattr(owner, name) for name in _ABOUT_OWNER})


def _read(document: Document, parsed: Parsed, commits: dict[Row, Commits]) -> None:
    waiting = [_Nested(document.value, ("", ""), {})]
    while waiting:
        nested = waiting.pop()
        if isinstance(nested.value, list):
            waiting += [nested._replace(value=item) for item in reversed(nested.value)]
        elif isinstance(nested.value, dict):
            value = {key.lower(): item for key, item in nested.value.items()}
            fields = nested.around | _own_fields(value, nested.keys[1])
            rows = len(parsed.rows)
            _add(document.lines.start, value, nested.keys, fields, parsed)
            if _is_of_burrow(value):
                own = {row: commits_of(row, value) for row in parsed.rows[rows:]}
                commits |= {row: both for row, both in own.items() if both is not None}
            inner_fields = _for_inner(value, fields)
            waiting += [
                _Nested(inner, (nested.keys[1], key), inner_fields)
                for key, inner in reversed(nested.value.items())
                if key not in _SKIPPED and not _is_of_burrow(value)
            ]
            waiting += _detailed_in(value)


def _is_of_burrow(value: _Object) -> bool:
    """Return whether an object is a partition of Burrow's, with its lag or commits inside."""
    if not value.keys() & _BURROW or not value.keys() >= {"topic", "partition"}:
        return False
    stated = {field_of(key) for key, item in value.items() if not isinstance(item, dict)}
    return len(_OFFSETS & stated) < _EVIDENCE


def _detailed_in(value: _Object) -> Iterator[_Nested]:
    """Yield the partitions of Burrow's ``/consumer/GROUP``: by topic, commits oldest first."""
    url = _GROUP_IN_URL.search(name(below(value, "request"), "url"))
    for topic, partitions in below(value, "topics").items() if url else ():
        for number_, fields in enumerate(partitions if isinstance(partitions, list) else ()):
            if isinstance(fields, dict) and isinstance(fields.get("offsets"), list):
                commits = [each for each in objects_in(fields["offsets"]) if "offset" in each]
                end: Json = commits[-1] if commits else {}
                whole = fields | {"topic": topic, "partition": number_, "end": end}
                yield _Nested(whole, ("", ""), {Field.GROUP: url[1] if url else ""})


def _own_fields(value: _Object, around: str) -> _Fields:
    """Return what an object under the key ``around`` says, by column."""
    own: _Fields = {}
    for key, item in (*value.items(), *below(value, "topicpartition").items()):
        field = field_of(key)
        if (
            isinstance(item, dict)
            and field in {Field.GROUP, Field.TOPIC}
            and "partitions" not in item
        ):
            own.setdefault(field, name(item, "name", "Name"))
        elif field is not None and key != "value" and not isinstance(item, dict | list):
            own.setdefault(field, item)
    if _MEMBERS in value and "id" in value:
        own.setdefault(Field.GROUP, value["id"])
    elif around.lower() == _MEMBERS:
        own.setdefault(Field.MEMBER, value.get("id", own.get(Field.CLIENT)))
    if "name" in value and "partitions" in value:
        own.setdefault(Field.TOPIC, value["name"])
    elif "name" in value and "offsets" in value:
        own.setdefault(Field.GROUP, value["name"])
    if _is_of_burrow(value) and (commit := below(value, "end")):
        own[Field.COMMITTED] = commit.get("offset")
        own.setdefault(Field.LAG, commit.get("lag"))
    return own


def _for_inner(value: _Object, fields: _Fields) -> _Fields:
    """Return what holds for objects inside: of a partition its offsets if no group has them yet.

    A host alone may be a broker's.
    """
    owner = OWNER if Field.MEMBER in fields else ()
    is_row = len(_OFFSETS & fields.keys()) >= _EVIDENCE or _is_of_burrow(value)
    about = () if is_row else (Field.PARTITION, Field.BEGIN, Field.END)
    return {f: fields[f] for f in (Field.GROUP, Field.TOPIC, *owner, *about) if f in fields}


def _add(line: int, value: _Object, keys: tuple[str, str], fields: _Fields, parsed: Parsed) -> None:
    group = GroupKey(_text(fields, Field.GROUP))
    owner = owner_of(fields)
    owned = _owned(value, fields) if owner[0] else ()
    if owned or (keys[1].lower() == _MEMBERS and owner[0]):
        parsed.members.append(MemberRow(line, group, *owner, assignment=owned))
    if owned and (strategy := _text(fields, Field.STRATEGY)):
        parsed.states.append(StateRow(line, group, strategy))
    if _is_of_burrow(value):
        parsed.format = BURROW_FORMAT
        parsed.notes += [_ON_STOP] if value.get("status") == "STOP" else []
    elif "complete" in value and isinstance(value.get("partitions"), list):
        parsed.states.append(StateRow(line, group))
        parsed.format = BURROW_FORMAT
        _note_missing(value, group, parsed)
    if _MEMBERS in value:
        count = partition(value[_MEMBERS])
        strategy = _text(fields, Field.STRATEGY)
        parsed.states.append(StateRow(line, group, strategy, count, lists_idle=False))
    has_offsets = len(_OFFSETS & fields.keys()) >= _EVIDENCE or _is_of_burrow(value)
    is_named = Field.GROUP in fields or bool(owner[0])
    has_lag = is_named and fields.keys() >= _LAG_ALONE
    is_stated = has_lag and any("partition" in key for key in value)
    has_offsets = has_offsets or is_stated
    is_owned = owner[0] and Field.PARTITION in fields
    if number(fields.get(Field.PARTITION)) == _NO_PARTITION or not (has_offsets or is_owned):
        return
    topic = _text(fields, Field.TOPIC)
    if not topic and cells.is_partition(keys[1]):
        parsed.format, topic = _KEYED, keys[0]
    number_ = partition(fields.get(Field.PARTITION, keys[1]))
    if not topic or number_ is None:
        parsed.note_unreadable("a partition", [line] if has_offsets else [])
    elif has_offsets:
        parsed.rows.append(row_of(line, group, (topic, number_), fields, number))
    else:
        parsed.members.append(MemberRow(line, group, *owner, assignment=((topic, number_),)))


def _owned(value: Mapping[str, Json], fields: _Fields) -> tuple[tuple[str, int], ...]:
    """Return the partitions that an object lists: numbers, names, or numbers by topic."""
    lists = [item for key, item in value.items() if key.upper().replace("_", "") in _ASSIGNED]
    topic = _text(fields, Field.TOPIC)
    owned: list[tuple[str, int]] = []
    for listed in lists:
        by_topic = listed if isinstance(listed, dict) else {topic: listed}
        for name_, numbers in by_topic.items():
            items = numbers if isinstance(numbers, list) else [numbers] if name_ == topic else []
            owned += [(name_, n) for item in items if name_ and (n := partition(item)) is not None]
            texts = [item for item in items if isinstance(item, str) and partition(item) is None]
            owned += [named for text in texts for named in listed_in(text)]
    return tuple(owned)


def _text(fields: Mapping[Field, Json], field: Field) -> str:
    return name({field: fields.get(field)}, field)


def _note_missing(status: _Object, group: GroupKey, parsed: Parsed) -> None:
    listed, total = status.get("partitions"), number(status.get("partition_count"))
    count = len(listed) if isinstance(listed, list) else 0
    if total is not None and count < total:
        parsed.notes.append(
            f"Burrow lists {count} of {total} partitions of {group.name!r}: /status leaves out "
            "healthy partitions. Paste the answer of /lag to see all."
        )
