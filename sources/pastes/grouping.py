"""Turn rows of partitions, members, groups and topics into one ``Reading`` per group."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from assignors.kinds import GroupKind
from assignors.model import Group
from assignors.naming import assignment_of
from assignors.numbering import Topic
from assignors.share.group import ShareGroup
from assignors.streams.application import StreamsApplication
from evaluation.assuming.running import is_broker_side
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.rebalancing import TARGETS_SHOWN, UNDER_WAY, UNSEEN, Rebalancing
from evaluation.wording import listed, plural
from sources.assuming import assume, notes_on_assumed
from sources.budget import Budget
from sources.cells import is_cut_out
from sources.errors import SourceError
from sources.owner_changes import notes_on_changes
from sources.pastes import consumer_groups
from sources.pastes.kind_groups import application_of, share_group_of
from sources.pastes.kinds import key_named, kind_of, listed_kinds
from sources.pastes.notes import (
    lacking_in,
    notes_on_rows,
    notes_on_timeouts,
    tool_of,
)
from sources.pastes.owners import (
    members_in,
    take_out_cut_names,
    unnamed_count,
    without_members_before,
)
from sources.pastes.ownership import Ownership, once_each
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, GroupRecords, MemberRow, Parsed, Row, StateRow, TopicRow
from sources.pastes.refusals import notes_on_nameless
from sources.pastes.snapshots import apart, history_of
from sources.pastes.stamps import stamps_in
from sources.pastes.targets import rebalancing_in, with_targets
from sources.pastes.topology import topology_in, topology_lines
from sources.reading import REPORTED, Reading, notes_on_lookalikes, topics_of_rows

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
    listed = _listed_topics(parsed, groups)
    nameless = notes_on_nameless(page, parsed.used)
    notes = (
        *page.notes,
        *page.notes_on_documents(parsed.used),
        *dict.fromkeys(parsed.notes),
        *nameless,
        *notes_on_timeouts(page),
        *map(_SAID_OF_GONE.format, gone.values()),
    )
    repeats = len(parsed.rows) > len({(row.group, row.topic, row.partition) for row in parsed.rows})
    stamps = stamps_in(page, parsed.used)
    of_snapshots = {stamp.line for stamp in stamps} if repeats else set()
    described = topology_lines(page)
    ignored = page.ignored(parsed.used | of_snapshots | described)
    names = Counter(key.name for key in groups)
    home = _homes(parsed)
    merged = {home[key] for key in parsed.merged}
    readings_ = []
    for key, records in groups.items():
        separated = apart(records, page, parsed.used, stamps)
        reading = _reading(key.name, separated, parsed.format, listed, budget)
        group = _with_ids(reading.group, parsed.topics)
        if key in merged:
            reading = replace(reading, assumed=replace(reading.assumed, members_unknown=True))
        notes_of_both = (*reading.notes, *notes)
        above = "" if key.name and names[key.name] == 1 else key.hint
        if key.name and above:
            notes_of_both = (f"This group is of the cluster {above!r}.", *notes_of_both)
        readings_.append(
            replace(
                reading,
                group=group,
                as_kind=records.as_kind
                or _shared(reading, records, parsed)
                or _application(reading, records, page),
                logged=parsed.logged.get(reading.group.id, ()),
                ignored=ignored,
                notes=notes_of_both,
                name_above=above,
            )
        )
    return tuple(readings_)


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
    groups = {
        key: without_members_before(records, parsed.inactive.get(key.name or key.hint, 0))
        for key, records in groups.items()
    }
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


def _reading(
    name: str, records: GroupRecords, format_: str, listed: Mapping[str, int], budget: Budget
) -> Reading:
    sizes = _group_sizes(records, listed)
    budget.take_partitions(sizes)
    budget.limits.check("members", unnamed_count(records))
    settled = with_targets(records)
    latest = once_each(settled.rows)
    owners = Ownership.of(settled, latest)
    members = members_in(settled, latest, owners.read(sizes))
    group = budget.group_of(_topics(latest, sizes, owners), members, id=name)
    kind, strategy, has_epochs = kind_of(name, records), None, records.has_epochs
    if kind.runs_consumer_strategies:
        names = [row.strategy.lower() for row in records.states]
        strategy = _strategy(names, of_broker=has_epochs or is_broker_side(group))
    under_way = rebalancing_in(records, group)
    is_empty = owners.is_empty and under_way is None  # else they are only not shown
    group, assumed = assume(group, strategy, lists_members=is_empty or records.lists_members)
    misfits = 0 if under_way else assumed.misfits
    assumed = replace(assumed, has_epochs=has_epochs, misfits=misfits)
    history = history_of(records.all, sizes, budget)
    return Reading(
        group=group,
        format=format_.replace("kafka-consumer-groups", tool_of(kind)),
        rows=_counted_rows(records, format_),
        kind=kind,
        state=next((row.state for row in reversed(records.states) if row.state), None),
        rebalancing=under_way,
        notes=(
            *_on_rebalance(group, under_way),
            *_on_snapshots(records, history),
            *notes_on_changes(group, history, kind),
            *notes_on_rows(records, sizes, listed),
            *(notes_on_assumed(assumed) if kind.runs_consumer_strategies else ()),
            *notes_on_lookalikes(group),
        ),
        lacking=lacking_in(name, records, kind) if not sizes else "",
        history=history,
        taken_s=records.all[-1].at_s,
        hosts=_hosts(records),
        strategy=strategy,
        assumed=assumed,
    )


def _strategy(reported: Sequence[str], *, of_broker: bool) -> str | None:
    """Return the first strategy that a table of states names; None if it is none of ours.

    Both protocols have a ``range``; ids or epochs tell which of them is meant.
    """
    other, likely = "consumer", "classic"
    if of_broker:
        other, likely = likely, other
    names = {**REPORTED[other], **REPORTED[likely]}
    return next((names[word] for word in reported if word in names), None)


def _hosts(records: GroupRecords) -> dict[str, str]:
    both: list[Row | MemberRow] = [*records.rows, *records.members]
    hosts = {each.member: each.host for each in both if each.member and each.host}
    return {member: host for member, host in hosts.items() if not is_cut_out(host)}


def _on_rebalance(group: Group, rebalancing: Rebalancing | None) -> Iterator[str]:
    if rebalancing is None:
        return
    if not group.member_count:
        yield UNSEEN
    elif rebalancing.target is None:
        yield UNDER_WAY.format(state="")
    else:
        yield TARGETS_SHOWN


def _on_snapshots(records: GroupRecords, history: OffsetHistory | None) -> Iterator[str]:
    given = len(records.all)
    if given == 1:
        return
    if history is None or not history.has_several:
        yield f"{given} snapshots of the group with the same offsets: they count as one."
        return
    kept = history.moments
    dated = [not math.isnan(moment.at_s) for moment in kept]
    timed = ", with their times" if all(dated) else ""
    yield f"{len(kept)} snapshots of the group{timed}; the newest is on screen."
    if len(kept) < given:
        yield f"{plural(given - len(kept), 'more snapshot')} told nothing else and was left out."
    if records.on_times:
        yield records.on_times


def _counted_rows(records: GroupRecords, format_: str) -> int:
    if format_ == consumer_groups.STATE_FORMAT:
        return len(records.states)
    return sum(row.format == format_ for row in records.members) or len(records.rows)


def _group_sizes(records: GroupRecords, listed: Mapping[str, int]) -> dict[str, int]:
    """Return every topic's partition count: the highest mentioned number plus one.

    Topics never shrink: earlier snapshots count too, as the newest may have been cut off. A group
    with only members has the listed topics.
    """
    sizes: dict[str, int] = {}
    for row in records.rows:
        if row.partition >= sizes.get(row.topic, 0):
            sizes[row.topic] = row.partition + 1
    for named in (
        *(member.assignment for member in records.members),
        *(member.target or () for member in records.members),
        *records.last_owners.values(),
    ):
        for topic, partition in named:
            sizes[topic] = max(sizes.get(topic, 0), partition + 1)
    if not sizes:
        return dict(listed)
    for row in chain.from_iterable(snapshot.rows for snapshot in records.all[:-1]):
        if row.partition >= sizes.get(row.topic, math.inf):
            sizes[row.topic] = row.partition + 1
    return {name: max(size, listed.get(name, 0)) for name, size in sizes.items()}


def _topics(rows: Sequence[Row], sizes: Mapping[str, int], owners: Ownership) -> dict[str, Topic]:
    is_unknown = owners.is_unknown(sizes)
    topics = topics_of_rows(
        sizes,
        [(row.topic, row.partition) for row in rows],
        {
            "lags": [row.lag for row in rows],
            "begin": [row.begin for row in rows],
            "committed": [row.committed for row in rows],
            "end": [row.end for row in rows],
        },
    )
    return {
        name: topic._replace(owner_unknown=is_unknown[name]) if any(is_unknown[name]) else topic
        for name, topic in topics.items()
    }


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
