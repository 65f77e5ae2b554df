"""JSON whose keys are column names: Confluent's CLI and REST API, kafbat UI, AKHQ and the like.

An object with offsets is a partition; its group, topic and owner may stand in an object around
it. The ConsumerGroupLag tool names topic and partition by the keys around each object.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from sources import cells
from sources.columns import Field, field_of
from sources.pastes.documents import Document, Json, name, number, offset, partition
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, MemberRow, Parsed, Row, StateRow

FORMAT: Final = "JSON, one object a partition"
_KEYED: Final = "ConsumerGroupLag JSON"
_OFFSETS: Final = frozenset({Field.COMMITTED, Field.END, Field.LAG})
_EVIDENCE: Final = 2
"""So many of these make a partition: a record consumed has an offset too."""
_OWNER: Final = (Field.MEMBER, Field.INSTANCE, Field.HOST, Field.CLIENT)
_ABOUT_OWNER: Final = ("member", "instance", "host", "client")
_MEMBERS: Final = "members"
_Fields: TypeAlias = dict[Field, Json]


class _Place(NamedTuple):
    """A value, the keys of the two objects around it, and what the objects around it say."""

    value: Json
    keys: tuple[str, str]
    around: _Fields


def read_json_rows(page: Page) -> Parsed:
    """Return the groups that the objects describe; they may leave the group unnamed."""
    parsed = Parsed(FORMAT)
    for document in page.documents:
        before = parsed.record_count
        _read(document, parsed)
        if parsed.record_count > before:
            parsed.used.update(document.lines)
    if not parsed.rows:
        return Parsed(FORMAT)
    owners = {(m.group, place): m for m in parsed.members for place in m.assignment}
    parsed.rows = [_with_owner(row, owners) for row in parsed.rows]
    return parsed


def _with_owner(row: Row, owners: Mapping[tuple[GroupKey, tuple[str, int]], MemberRow]) -> Row:
    """Return a row with the member to which the text assigns it elsewhere."""
    owner = owners.get((row.group, (row.topic, row.partition)))
    if row.member or owner is None:
        return row
    return row._replace(**{name: getattr(owner, name) for name in _ABOUT_OWNER})


def _read(document: Document, parsed: Parsed) -> None:
    waiting = [_Place(document.value, ("", ""), {})]
    while waiting:
        place = waiting.pop()
        if isinstance(place.value, list):
            waiting += [place._replace(value=item) for item in reversed(place.value)]
        elif isinstance(place.value, dict):
            fields = _fields(place)
            _add(document.lines.start, place, fields, parsed)
            waiting += [
                _Place(inner, (place.keys[1], key), _for_inner(fields))
                for key, inner in reversed(place.value.items())
            ]


def _fields(place: _Place) -> _Fields:
    """Return what an object and those around it say, by column; the object's own word counts."""
    value = place.value if isinstance(place.value, dict) else {}
    own: _Fields = {}
    for key, item in value.items():
        field = field_of(key)
        if field is not None and not isinstance(item, dict | list):
            own.setdefault(field, item)
    if _MEMBERS in value and "id" in value:
        own.setdefault(Field.GROUP, value["id"])
    elif place.keys[1] == _MEMBERS and "id" in value:
        own.setdefault(Field.MEMBER, value["id"])
    return place.around | own


def _for_inner(fields: _Fields) -> _Fields:
    """Return what holds for objects inside; a host alone may be a broker's."""
    owner = _OWNER if Field.MEMBER in fields else ()
    return {f: fields[f] for f in (Field.GROUP, Field.TOPIC, *owner) if f in fields}


def _add(line: int, place: _Place, fields: _Fields, parsed: Parsed) -> None:
    group = GroupKey(_text(fields, Field.GROUP))
    value = place.value if isinstance(place.value, dict) else {}
    if place.keys[1] == _MEMBERS and (member := _owner(fields)[0]):
        parsed.members.append(MemberRow(line, group, member, *_owner(fields)[1:]))
    if isinstance(count := value.get(_MEMBERS), int) and cells.is_partition(str(count)):
        strategy = _text(fields, Field.STRATEGY)
        parsed.states.append(StateRow(line, group, strategy, count, lists_idle=False))
    has_offsets = len(_OFFSETS & fields.keys()) >= _EVIDENCE
    if not has_offsets and not (Field.MEMBER in fields and Field.PARTITION in fields):
        return
    topic = _text(fields, Field.TOPIC)
    if not topic and cells.is_partition(place.keys[1]):
        parsed.format, topic = _KEYED, place.keys[0]
    number_ = partition(fields.get(Field.PARTITION, place.keys[1]))
    if not topic or number_ is None:
        parsed.note_unreadable("a partition", [line] if has_offsets else [])
    elif has_offsets:
        parsed.rows.append(_row(line, group, (topic, number_), fields))
    else:
        owner = _owner(fields)
        parsed.members.append(MemberRow(line, group, *owner, assignment=((topic, number_),)))


def _row(line: int, group: GroupKey, place: tuple[str, int], fields: _Fields) -> Row:
    begin, committed, end = (
        offset(fields.get(field)) for field in (Field.BEGIN, Field.COMMITTED, Field.END)
    )
    lag = number(fields.get(Field.LAG))
    if Field.LAG not in fields and committed is not None and end is not None:
        lag = max(end - committed, 0)
    return Row(line, group, *place, begin, committed, end, lag, *_owner(fields))


def _owner(fields: _Fields) -> tuple[str, str, str, str]:
    """Return member, instance id, host and client, "" for what is not known."""
    member, instance, host, client = (cells.member(_text(fields, field)) for field in _OWNER)
    return member, instance, host, client


def _text(fields: Mapping[Field, Json], field: Field) -> str:
    return name({field: fields.get(field)}, field)
