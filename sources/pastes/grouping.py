"""Sort what a text has of partitions, members and states by group: one ``Reading`` each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from assignors.kinds import GroupKind
from assignors.model import Group
from assignors.naming import assignment_of
from assignors.numbering import Topic
from assignors.share.group import ShareGroup
from assignors.streams.application import StreamsApplication
from evaluation.reading import Reading
from evaluation.wording import listed
from sources.assuming import assume
from sources.budget import Budget
from sources.errors import SourceError
from sources.pastes.kind_groups import application_of, share_group_of
from sources.pastes.kinds import key_named, listed_kinds
from sources.pastes.notes import notes_on_timeouts, notes_on_unused
from sources.pastes.one_group import reading_of
from sources.pastes.owners import take_out_cut_names, with_last_owners
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, GroupRecords, MemberRow, Parsed, Row, StateRow, TopicRow
from sources.pastes.rebalance_log import logs_in
from sources.pastes.refusals import notes_on_nameless
from sources.pastes.snapshots import apart
from sources.pastes.stamps import Stamp, stamps_in
from sources.pastes.topic_settings import topic_settings_in
from sources.pastes.topology import topology_in, topology_lines

_MOST_NAMES: Final = 5
_SAID_OF_GONE: Final = (
    "{} is Dead: the cluster has no consumer group of this name, or has just removed it (tools "
    "before 4.0 show share groups and streams groups alike); kafka-groups --list names all"
)


def readings(page: Page, parsed: Parsed) -> tuple[Reading, ...]:
    """Return one reading per group, in order of first appearance.

    Topics alone make one group. Raises SourceError if the groups together
    exceed the limits.
    """
    if not parsed.has_groups:
        return (_topics_reading(page, parsed),) if parsed.topics else ()
    take_out_cut_names(parsed)
    groups = _by_group(page, parsed)
    gone = _gone(groups)
    groups = {key: records for key, records in groups.items() if key not in gone}
    budget = Budget(page.limits)
    budget.take("groups", len(groups))
    listed_ = _listed_topics(parsed, groups)
    stamps = stamps_in(page, parsed.used)
    home = _homes(parsed)
    merged = {home[key] for key in parsed.merged}
    found: dict[GroupKey, Reading] = {}
    for key, records in groups.items():
        separated = with_last_owners(
            apart(records, page, parsed.used, stamps),
            parsed.inactive.get(key.name or key.hint, 0),
        )
        reading = reading_of(key.name, separated, parsed.format, listed_, budget)
        if key in merged:
            reading = replace(reading, assumed=replace(reading.assumed, members_unknown=True))
        found[key] = replace(
            reading,
            group=_with_ids(reading.group, parsed.topics),
            as_kind=records.as_kind
            or _shared(reading, separated, parsed)
            or _application(reading, separated, page),
        )
    return _with_what_stands_beside(page, parsed, found, stamps, gone.values())


def _with_what_stands_beside(
    page: Page,
    parsed: Parsed,
    read: Mapping[GroupKey, Reading],
    stamps: Sequence[Stamp],
    gone: Iterable[str],
) -> tuple[Reading, ...]:
    """Return the groups with what the text says outside their tables, and what of it is not used.

    Settings of topics, logs of consumers, and notes on the whole text.
    """
    topics = {topic for each in read.values() for topic in each.group.topics}
    settings, logs = topic_settings_in(page, topics), logs_in(page)
    repeats = len(parsed.rows) > len({(row.group, row.topic, row.partition) for row in parsed.rows})
    of_snapshots = {stamp.line for stamp in stamps} if repeats else set()
    beside = settings.lines | logs.lines | of_snapshots | topology_lines(page)
    ignored = page.ignored(parsed.used | beside)
    notes = (*_on_the_text(page, parsed, gone), *notes_on_unused(ignored))
    names = Counter(key.name for key in read)
    found = []
    for key, reading in read.items():
        above = "" if key.name and names[key.name] == 1 else key.hint
        of_cluster = (f"This group is of the cluster {above!r}.",) if key.name and above else ()
        found.append(
            replace(
                reading,
                history=settings.added_to(reading.history, reading.group.topics),
                logged=logs.of_group(reading.group.id, is_only=len(read) == 1),
                ignored=ignored,
                notes=(*of_cluster, *reading.notes, *notes),
                name_above=above,
            )
        )
    return tuple(found)


def _on_the_text(page: Page, parsed: Parsed, gone: Iterable[str]) -> Iterator[str]:
    yield from page.notes
    yield from page.notes_on_documents(parsed.used)
    yield from dict.fromkeys(parsed.notes)
    yield from notes_on_nameless(page, parsed.used)
    yield from notes_on_timeouts(page)
    yield from map(_SAID_OF_GONE.format, gone)


def _gone(groups: Mapping[GroupKey, GroupRecords]) -> dict[GroupKey, str]:
    """Return the groups that are Dead, which no cluster keeps, by name.

    Raises SourceError if there is no other.
    """
    gone = {
        key: key.name or "the group"
        for key, records in groups.items()
        if records.states and {row.state for row in records.states} == {"Dead"}
        if not any(snapshot.rows or snapshot.members for snapshot in records.all)
    }
    if gone and len(gone) == len(groups):
        raise SourceError(_SAID_OF_GONE.format(listed([*gone.values()], most=_MOST_NAMES)))
    return gone


def _shared(reading: Reading, records: GroupRecords, parsed: Parsed) -> ShareGroup | None:
    """Return a share group with the listed ids of its topics; None for others."""
    if reading.kind is not GroupKind.SHARE:
        return None
    sizes = dict(zip(reading.group.topics, reading.group.topic_sizes.tolist(), strict=True))
    return share_group_of(records, sizes, parsed.topics)


def _application(reading: Reading, records: GroupRecords, page: Page) -> StreamsApplication | None:
    """Return a Streams application whose topology stands in the text; None for others."""
    if reading.kind is not GroupKind.STREAMS or not (topology := topology_in(page)):
        return None
    group = reading.group
    rows: list[Row | MemberRow] = [*records.rows, *records.members]
    return application_of(
        reading.name,
        {
            member: [(topic, number) for topic, number in partitions]
            for member, partitions in assignment_of(group, group.present_owners).items()
        },
        {row.member: row.client for row in rows if row.client},
        dict(zip(group.topics, group.topic_sizes.tolist(), strict=True)),
        topology,
    )


def _topics_reading(page: Page, parsed: Parsed) -> Reading:
    """Return a group of the listed topics without members."""
    sizes = _sizes(parsed.topics)
    budget = Budget(page.limits)
    budget.take_partitions(sizes)
    topics = {name: Topic(size, owner_unknown=[True] * size) for name, size in sizes.items()}
    group, assumed = assume(_with_ids(budget.group_of(topics, []), parsed.topics))
    return Reading(
        group=group,
        assumed=assumed,
        format=parsed.format,
        rows=sum(row.is_partition for row in parsed.topics),
        ignored=page.ignored(parsed.used),
        notes=(
            *page.notes,
            *page.notes_on_documents(parsed.used),
            *parsed.notes,
            "The text lists only topics: add consumers and lags.",
        ),
    )


def _with_ids(group: Group, topics: Iterable[TopicRow]) -> Group:
    """Return the group with the listed topic ids."""
    ids = {row.topic: row.id for row in topics if row.id}
    if not ids.keys() & set(group.topics):
        return group
    return replace(
        group, layout=replace(group.layout, topic_ids=tuple(ids.get(name) for name in group.topics))
    )


def _by_group(page: Page, parsed: Parsed) -> dict[GroupKey, GroupRecords]:
    """Sort the rows by group; tables without a name belong to the named group."""
    home = _homes(parsed)
    groups: dict[GroupKey, GroupRecords] = {
        key: GroupRecords() for key in dict.fromkeys(home.values())
    }
    for row in parsed.rows:
        groups[home[row.group]].rows.append(row)
    for member_row in parsed.members:
        groups[home[member_row.group]].members.append(member_row)
    for state_row in parsed.states:
        groups[home[state_row.group]].states.append(state_row)
    _tell_kinds(page, parsed, groups, home)
    return groups


def _tell_kinds(
    page: Page,
    parsed: Parsed,
    groups: Mapping[GroupKey, GroupRecords],
    home: Mapping[GroupKey, GroupKey],
) -> None:
    """Set what tables, lists and messages say of each group's kind and state."""
    for line, name, kind in listed_kinds(page):
        parsed.used.add(line)
        if (key := key_named(name, list(groups))) and kind is not GroupKind.CONSUMER:
            groups[key].kind = kind
    for key, kind in parsed.kinds.items():
        groups[home[key]].kind = kind
    for key, as_kind in parsed.as_kinds.items():
        groups[home[key]].as_kind = as_kind
    for key, records in groups.items():
        names = {key.name, key.hint} - {""}
        records.is_inactive = not names.isdisjoint(parsed.inactive)
        records.is_rebalancing = not names.isdisjoint(parsed.rebalancing)


def _homes(parsed: Parsed) -> dict[GroupKey, GroupKey]:
    """Return the group of each key, in the order of the text.

    A table without a name belongs to the group in a command above it; without a command, to the
    named group if there is only one; else all such tables are one group.
    """
    first_rows: dict[GroupKey, Row] = {}
    for row in parsed.rows:
        first_rows.setdefault(row.group, row)
    records: list[Row | MemberRow | StateRow] = [
        *parsed.members,
        *parsed.states,
        *first_rows.values(),
    ]
    keys = dict.fromkeys(each.group for each in sorted(records, key=lambda each: each.line))
    named = {key.name: key for key in keys if key.name}
    home: dict[GroupKey, GroupKey] = {}
    for key in keys:
        if key.name:
            home[key] = key
        elif key.hint in named:
            home[key] = named[key.hint]
        elif len(named) == 1 and not key.hint:
            home[key] = next(iter(named.values()))
        else:
            home[key] = key
    return home


def _sizes(topics: Iterable[TopicRow]) -> dict[str, int]:
    sizes: dict[str, int] = {}
    for row in topics:
        sizes[row.topic] = max(sizes.get(row.topic, 0), row.partitions + row.is_partition)
    return sizes


def _listed_topics(parsed: Parsed, groups: Mapping[GroupKey, GroupRecords]) -> dict[str, int]:
    """Return the sizes of listed topics that concern a group, and note the others.

    If a single group mentions no topic, it gets all listed ones except Kafka's internal topics.
    """
    sizes = _sizes(parsed.topics)
    mentioned = {row.topic for row in parsed.rows}
    mentioned.update(topic for row in parsed.members for topic, _ in row.assignment)
    if not mentioned and len(groups) == 1:
        mentioned = {name for name in sizes if not name.startswith("__")}
    others = [name for name in sizes if name not in mentioned]
    if others:
        listed = ", ".join(others[:_MOST_NAMES]) + (", ..." if others[_MOST_NAMES:] else "")
        parsed.notes.append(f"Topics that no group in the text consumes were left out: {listed}.")
    return {name: size for name, size in sizes.items() if name in mentioned}
