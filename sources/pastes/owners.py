"""A group's members and their partitions, merged from all tables."""

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from assignors.java.hash_order import coordinator_order
from assignors.numbering import Member
from evaluation.consumer_labels import RANDOM_ID
from sources.cells import is_cut_out
from sources.pastes.parsed import GroupRecords, MemberRow, Parsed, Row, Snapshot, at_lines


def members_in(records: GroupRecords, rows: Sequence[Row], read: tuple[str, ...]) -> list[Member]:
    """Return the members in order of first appearance, with their partitions.

    Members of a broker-side group are in the coordinator's order, which decides who gets an extra
    partition; tools sort them by partition count.
    ``rows`` has each partition once. Owners in rows of partitions take precedence over
    assignments. Every member subscribes to the topics that any of them reads: texts tell what
    a member owns, not what it subscribes to. Unnamed members come last, with placeholder names.
    """
    owned, instances = _named(records)
    lines: list[MemberRow | Row] = [*records.rows, *records.members]
    clients = {line.member: line.client for line in lines if line.client}
    _add_owned(owned, records, rows)
    placeholders = placeholder_names(owned, unnamed_count(records))
    names = list(owned)
    if all(map(RANDOM_ID.fullmatch, names)):
        names = [names[place] for place in coordinator_order(names)]
    return [
        Member(
            id=name,
            topics=read,
            instance_id=instances.get(name),
            owned=owned[name],
            client_id=clients.get(name),
        )
        for name in names
    ] + [Member(name, read) for name in placeholders]


def take_out_cut_names(parsed: Parsed) -> None:
    """Make owners unknown whose names were cut out of the text: several may look alike."""
    lines: list[Row | MemberRow] = [*parsed.rows, *parsed.members]
    cut = [line for line in lines if is_cut_out(line.member)]
    if not cut:
        return
    numbers = sorted({line.line for line in cut})
    parsed.notes.append(f"{at_lines(numbers)}: names were cut out; these owners are unknown.")
    parsed.merged |= {line.group for line in cut}
    parsed.members = [row for row in parsed.members if not is_cut_out(row.member)]
    parsed.rows = [
        row._replace(member="", instance="", says_nobody=None) if is_cut_out(row.member) else row
        for row in parsed.rows
    ]
    listed = {(row.group, row.topic, row.partition) for row in parsed.rows}
    parsed.rows += [
        Row(row.line, row.group, topic, partition)
        for row in cut
        if isinstance(row, MemberRow)
        for topic, partition in row.assignment
        if (row.group, topic, partition) not in listed
    ]


def placeholder_names(named: Collection[str], count: int) -> list[str]:
    """Return names for this many unnamed members.

    >>> placeholder_names(["app-1", "member-3"], 2)
    ['member-4', 'member-5']
    """
    numbers = itertools.count(len(named) + 1)
    return list(itertools.islice((n for k in numbers if (n := f"member-{k}") not in named), count))


def with_last_owners(records: GroupRecords, line: int) -> GroupRecords:
    """Return a group's records with the newest owners above a line as past ones, not members.

    Those of earlier snapshots stay: they were members then. If the newest names none, the last
    snapshot that does tells who was.
    """
    rows = records.rows
    last = _owners_above(records.all[-1], line)
    for snapshot in reversed(records.all[:-1]):
        last = last or _owners_above(snapshot, line)
    past = [
        row._replace(member="", instance="", says_nobody=True) if row.line < line else row
        for row in rows
    ]
    members = [member for member in records.members if member.line >= line]
    newest = records.all[-1]._replace(rows=past, members=members)
    is_back = bool(members) or any(row.member for row in past)
    last_owners = {} if is_back else last
    return replace(records, all=[*records.all[:-1], newest], last_owners=last_owners)


def _owners_above(snapshot: Snapshot, line: int) -> dict[str, list[tuple[str, int]]]:
    owners: dict[str, list[tuple[str, int]]] = {}
    for member in snapshot.members:
        if member.line < line:
            owners.setdefault(member.member, []).extend(member.assignment)
    for row in snapshot.rows:
        if row.member and row.line < line:
            owners.setdefault(row.member, []).append((row.topic, row.partition))
    return owners


def _add_owned(
    owned: dict[str, list[tuple[str, int]]], records: GroupRecords, rows: Iterable[Row]
) -> None:
    shown = set()
    for row in rows:
        if row.member:
            shown.add((row.topic, row.partition))
            owned[row.member].append((row.topic, row.partition))
    for member in records.members:
        listed = [named for named in dict.fromkeys(member.assignment) if named not in shown]
        owned[member.member] += listed
        shown.update(listed)


def unnamed_count(records: GroupRecords) -> int:
    """Return the number of unnamed members in the text.

    0 if it names some, unless it names only those with partitions.
    """
    named = names_in(records)
    counted = [s.members or 0 for s in records.states if not (named and s.lists_idle)]
    return max(0, max(counted, default=0) - len(named))


def names_in(records: GroupRecords) -> set[str]:
    """Return the names of the members."""
    named = {row.member for row in records.rows} | {member.member for member in records.members}
    return named - {""}


def _named(records: GroupRecords) -> tuple[dict[str, list[tuple[str, int]]], dict[str, str]]:
    """Return every member in order of first appearance, and the instance ids of static ones."""
    lines: list[MemberRow | Row] = [*records.members, *_first_rows(records.rows)]
    owned: dict[str, list[tuple[str, int]]] = {}
    instances: dict[str, str] = {}
    for line in sorted(lines, key=lambda row: row.line):
        owned.setdefault(line.member, [])
        if line.instance:
            instances[line.member] = line.instance
    return owned, instances


def _first_rows(rows: Iterable[Row]) -> list[Row]:
    first: dict[str, Row] = {}
    for row in rows:
        if row.member:
            first.setdefault(row.member, row)
    return list(first.values())
