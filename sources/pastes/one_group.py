"""Turn the records of one group into its ``Reading``."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from assignors.model import Group
from assignors.numbering import Topic
from evaluation.assuming.running import is_broker_side
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.reading import Reading
from evaluation.rebalancing import NOT_READY, TARGETS_SHOWN, UNDER_WAY, UNSEEN, Rebalancing
from evaluation.wording import plural
from sources.assuming import REPORTED, assume, notes_on_assumed
from sources.budget import Budget
from sources.cells import is_cut_out
from sources.notes import notes_on_lookalikes
from sources.owner_changes import notes_on_changes
from sources.pastes import consumer_groups
from sources.pastes.kinds import kind_of
from sources.pastes.notes import lacking_in, notes_on_rows, tool_of
from sources.pastes.owners import members_in, unnamed_count
from sources.pastes.ownership import Ownership, once_each
from sources.pastes.parsed import GroupRecords, MemberRow, Row
from sources.pastes.snapshots import history_of
from sources.pastes.targets import rebalancing_in, with_targets
from sources.rows import topics_of_rows


def reading_of(
    name: str, records: GroupRecords, format_: str, listed: Mapping[str, int], budget: Budget
) -> Reading:
    """Return a group as its rows, members and states tell it.

    ``listed`` has the sizes of topics whose partitions are all in the text. Raises SourceError if
    the group exceeds the budget.
    """
    sizes = _group_sizes(records, listed)
    budget.take_partitions(sizes)
    budget.limits.check("members", unnamed_count(records))
    settled = with_targets(records)
    latest = once_each(settled.rows)
    owners = Ownership.of(settled, latest)
    members = members_in(settled, latest, owners.read(sizes))
    group = budget.group_of(_topics(latest, sizes, owners), members, id=name)
    kind = kind_of(name, records)
    strategy = _strategy(records, group) if kind.runs_consumer_strategies else None
    under_way = rebalancing_in(records, group)
    state = next((row.state for row in reversed(records.states) if row.state), None)
    is_empty = owners.is_empty and under_way is None  # else they are only not shown
    group, assumed = assume(group, strategy, lists_members=is_empty or records.lists_members)
    misfits = 0 if under_way else assumed.misfits
    assumed = replace(assumed, has_epochs=records.has_epochs, misfits=misfits)
    history = history_of(records.all, sizes, budget)
    return Reading(
        group=group,
        format=format_.replace("kafka-consumer-groups", tool_of(kind)),
        rows=_counted_rows(records, format_),
        kind=kind,
        state=state,
        rebalancing=under_way,
        notes=(
            *_on_rebalance(group, under_way),
            *_on_state(state),
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


def _strategy(records: GroupRecords, group: Group) -> str | None:
    """Return the first strategy that a table of states names; None if it is none of ours.

    Both protocols have a ``range``; ids or epochs tell which of them is meant.
    """
    other, likely = "consumer", "classic"
    if records.has_epochs or is_broker_side(group):
        other, likely = likely, other
    names = {**REPORTED[other], **REPORTED[likely]}
    reported = (row.strategy.lower() for row in records.states)
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


def _on_state(state: str | None) -> Iterator[str]:
    if state == NOT_READY:
        yield (
            "The group is not ready: the broker places no tasks until all topics of the topology "
            "exist and its members agree on it; the application's log names what is missing."
        )


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
