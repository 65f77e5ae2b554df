"""The incident in sentences: who is behind, since when, why, what to do now, when it is over."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st

from assignors.model import FloatArray, Group
from evaluation.consumer_labels import labels_of
from evaluation.facts import Facts, Source
from evaluation.incident import (
    STRATEGY_HELPS,
    Cause,
    Finding,
    Glance,
    diagnose,
    glance,
    read_alone,
)
from evaluation.lag_in_time import seconds_to_catch_up
from evaluation.offset_history import OffsetHistory
from evaluation.rebalance.fluid import Flow, seconds_to_catch_up_each
from evaluation.wording import amount, duration, listed, percent, plural
from ui import facts
from ui.lag_in_time.view import conclusion_line
from ui.scenario import Scenario
from ui.untrusted import verbatim

_NAMED: Final = 4
_LONG_S: Final = 900.0
"""From here on, waiting is not all that can be done."""
_TOPICS: Final = 3
_HOW: Final = "One snapshot does not tell why: paste two, a minute apart."
_HOW_EXACTLY: Final = (
    "Run the same command again in a minute and paste both outputs, one below the other, with "
    "`date` before each."
)


def findings_in(current: Scenario) -> tuple[Finding, ...]:
    """Return why the group on screen is behind, as far as its snapshots tell."""
    history = facts.history_of(current) or OffsetHistory()
    group = current.group
    times = facts.times_in(group, history)
    found = diagnose(group, history, times, facts.facts_in(current))
    if current.is_edited or current.origin:  # what nobody owns there, the next rebalance gives away
        found = tuple(f for f in found if f.cause is not Cause.NOBODY or not group.member_count)
    return found


def sentences(current: Scenario) -> list[str]:
    """Return a sentence for each cause, as Markdown."""
    found, group, hosts = facts.facts_in(current), current.group, current.reading.hosts
    return [sentence_of(finding, group, found, hosts) for finding in findings_in(current)]


def show(current: Scenario, findings: Sequence[Finding]) -> None:
    """Show a sentence for each cause, or how to get a second snapshot."""
    for said in sentences(current):
        st.markdown(said)
    if not findings and _lacks_a_second(current):
        seen = glance(current.group)
        words = glance_words(seen, current.group, current.reading.hosts) if seen else ""
        lead = f":material/emergency: {words} " if words else ""
        st.markdown(
            f"{lead}:small[{_HOW}]", help=_HOW_EXACTLY
        )  # one line, to leave the pictures on the first screen


def show_with_time(current: Scenario) -> None:
    """Show on another page why the group is behind, and for how long."""
    findings = findings_in(current)
    for said in sentences(current):
        st.markdown(said)
    if not any(finding.cause is Cause.CATCHING_UP for finding in findings):
        conclusion_line(current)


def hindrance(findings: Sequence[Finding], group: Group) -> str:
    """Return why no strategy helps, to stand behind "while"; "" if one may."""
    for finding in findings:
        if finding.cause not in STRATEGY_HELPS:
            return _while(finding, group)
    return ""


def glance_words(seen: Glance, group: Group, hosts: Mapping[str, str]) -> str:
    """Return what a single snapshot tells, as Markdown: who is behind, and what that may mean."""
    who = _who(seen.members, group, hosts)
    if seen.partition is not None:
        return (
            f"**{verbatim(group.partition_name(seen.partition))}**, read by {who}, holds "
            f"**{percent(seen.share)} of the lag**: it gets more than the others, or its consumer "
            "or one record of it stands."
        )
    has = "has" if len(seen.members) == 1 else "have"
    if 2 * len(seen.members) <= np.unique(group.present_owners[group.present_owners >= 0]).size:
        it = "it stands still or gets" if len(seen.members) == 1 else "they stand still or get"
        return f"{who} {has} **{percent(seen.share)} of the lag**: {it} more than the others."
    return (
        f"Records wait for **{len(seen.members):,} of {plural(group.member_count, 'consumer')}**: "
        "too few or too slow for what arrives, or back after a break."
    )


def sentence_of(
    finding: Finding, group: Group, found: Facts, hosts: Mapping[str, str] | None = None
) -> str:
    """Return one finding as Markdown."""
    said = {
        Cause.NOBODY: _nobody,
        Cause.REBALANCING: _rebalancing,
        Cause.STILL: _still,
        Cause.RECORD: _record,
        Cause.TOO_HOT: _too_hot,
        Cause.HOT: _hot,
        Cause.SLOWER: _full,
        Cause.MORE: _full,
        Cause.FULL: _full,
        Cause.UNEVEN: _uneven,
        Cause.CATCHING_UP: _catching_up,
        Cause.LOST: _lost,
    }[finding.cause]
    return f":material/emergency: {said(finding, group, found, hosts or {})}"


def _nobody(finding: Finding, group: Group, _: Facts, __: Mapping[str, str]) -> str:
    lags = np.zeros(group.partition_count)
    lags[list(finding.partitions)] = group.counted_lags[list(finding.partitions)]
    by_topic = np.bincount(group.topic_of_partition, lags, len(group.topics))
    most = np.argsort(-by_topic, kind="stable")
    topics = [
        f"{verbatim(group.topics[t])} {amount(by_topic[t])}" for t in most.tolist() if by_topic[t]
    ]
    since = "" if np.isnan(finding.since_s) else f", {_since(finding)}"
    deleted = finding.deleted_s
    lost = "" if np.isnan(deleted) else f" The first of them are deleted in {duration(deleted)}."
    if deleted == 0:
        lost = " The first of them are being deleted now."
    waiting = f"{_records(finding.lag)} wait ({listed(topics, _TOPICS + 1)}).{lost}"
    if not group.member_count:
        return f"**Nobody reads**{since}: {waiting} Start the consumers."
    count = plural(len(finding.partitions), "partition")
    return (
        f"**Nobody reads {count}**{since}: {waiting} Look whether any consumer subscribes to the "
        "topic and has joined."
    )


def _rebalancing(finding: Finding, _: Group, __: Facts, ___: Mapping[str, str]) -> str:
    return (
        f"**The group keeps rebalancing**: owners changed {finding.changes:,} times in "
        f"{duration(finding.since_s)}. Look for consumers that restart or take longer than "
        "`max.poll.interval.ms`; nothing else helps before that stops."
    )


def _still(finding: Finding, group: Group, found: Facts, hosts: Mapping[str, str]) -> str:
    is_one = len(finding.members) == 1
    arrive = (
        f" while {_per_s(finding.arriving)} arrive for {'it' if is_one else 'them'}"
        if finding.arriving
        else ""
    )
    return (
        f"{_who(finding.members, group, hosts)} **{'reads' if is_one else 'read'} nothing**, "
        f"{_since(finding)}{arrive}: {_records(finding.lag)} wait. "
        f"Restart {'it' if is_one else 'them'}: no strategy helps "
        f"{'a consumer that stands' if is_one else 'consumers that stand'} still."
        f"{_over_after_restart(finding, found, group)}"
    )


def _over_after_restart(finding: Finding, found: Facts, group: Group) -> str:
    """Return when the last of these consumers is done if they read as others do; "" if unknown."""
    if found.speed.source is Source.GUESS or not np.isfinite(found.speed.records_s):
        return ""
    held = np.isin(np.arange(group.partition_count), finding.partitions)
    flow = Flow(
        group.counted_lags[held].astype(np.float64),
        np.nan_to_num(found.arriving[held]),
        group.present_owners[held],
        np.full(group.member_count, found.speed.records_s),
        np.inf if found.partition_cap is None else found.partition_cap,
    )
    is_behind = np.bincount(flow.readers, flow.lags, group.member_count) > 0
    longest = float(seconds_to_catch_up_each(flow)[is_behind].max(initial=0.0))
    if not np.isfinite(longest):
        return ""
    most = "at most " if found.speed.is_least else "about "
    rate = _per_s(found.speed.records_s)
    return f" Over {most}{duration(longest)} after that, at {rate} a consumer."


def _record(finding: Finding, group: Group, _: Facts, hosts: Mapping[str, str]) -> str:
    partition = finding.partitions[0]
    committed = group.offsets.committed
    at = "" if committed is None else f" **at offset {int(committed[partition]):,}**"
    return (
        f"**{verbatim(group.partition_name(partition))}** stands{at}, {_since(finding)}, while "
        f"{_who(finding.members, group, hosts)} reads its other partitions: probably a record that "
        f"fails again and again. {_records(finding.lag)} wait behind it. Mend the consumer or skip "
        "the record; no strategy helps."
    )


def _too_hot(finding: Finding, group: Group, found: Facts, hosts: Mapping[str, str]) -> str:
    alone = read_alone(group, found, np.array(finding.partitions))
    each = "it" if len(finding.partitions) == 1 else "each of them"
    return (
        f"{_far_more(finding, group, found, hosts)} {_most_read(alone, found)}, so a consumer for "
        f"{each} alone is not enough{_still_grows(finding, alone)}. It takes faster consumers or "
        "more partitions, not another strategy."
    )


def _hot(finding: Finding, group: Group, found: Facts, hosts: Mapping[str, str]) -> str:
    gets, is_one = _far_more(finding, group, found, hosts), len(finding.partitions) == 1
    if found.speed.is_least or not is_one:
        return f"{gets} Fewer other partitions beside {'it' if is_one else 'them'} would help."
    (alone,) = read_alone(group, found, np.array(finding.partitions)).tolist()
    over_s = finding.lag / (alone - finding.arriving)
    return f"{gets} Alone on a consumer it would be over in {duration(over_s)}."


def _far_more(finding: Finding, group: Group, found: Facts, hosts: Mapping[str, str]) -> str:
    """Return which partitions get far more than the others, and who reads how much of it."""
    names = listed([f"**{verbatim(group.partition_name(p))}**" for p in finding.partitions], _NAMED)
    others = np.delete(found.arriving, list(finding.partitions))
    usual = float(np.nanmedian(others)) if np.isfinite(others).any() else 0.0
    beside = f" (the others {_per_s(usual)} at the median)" if others.size else ""
    return (
        f"{names} {'gets' if len(finding.partitions) == 1 else 'get'} "
        f"{_per_s(finding.arriving)}{beside}; "
        f"{_per_s(finding.reading)} are read by {_who(finding.members, group, hosts)}."
    )


def _most_read(of_each: FloatArray, found: Facts) -> str:
    alone = float(of_each.max())
    if found.partition_cap is not None and alone >= found.partition_cap:
        return f"At most {_per_s(alone)} can be read of one partition"
    if alone > found.speed.records_s:
        usual = _per_s(found.speed.records_s)
        which = "Its consumer" if of_each.size == 1 else "The fastest of their consumers"
        return f"{which} reads {_per_s(alone)} in all, the median one {usual}"
    return f"One consumer reads {_per_s(alone)}"


def _still_grows(finding: Finding, alone: FloatArray) -> str:
    """Return by how much one partition's backlog grows with a consumer of its own, and now."""
    if len(finding.partitions) > 1:
        return _grows(finding)
    grows, now = finding.arriving - float(alone[0]), finding.arriving - finding.reading
    if grows <= 0:
        return ": its backlog would not shrink, under any strategy"
    today = f"; now it grows by {_per_s(now)}" if round(now, 1) > round(grows, 1) else ""
    return f": it would still grow by {_per_s(grows)}, under every strategy{today}"


def _grows(finding: Finding) -> str:
    grows = finding.arriving - finding.reading
    return f", and the backlog grows by {_per_s(grows)}" if grows > 0 else ""


def _full(finding: Finding, group: Group, found: Facts, _: Mapping[str, str]) -> str:
    now = f"{_per_s(finding.arriving)} arrive, {_per_s(finding.reading)} are read{_grows(finding)}"
    since = "" if np.isnan(finding.since_s) else f" for {duration(finding.since_s)}"
    if finding.cause is Cause.SLOWER:
        return (
            f"**Every consumer reads more slowly than before**{since}: {_per_s(finding.before)} "
            f"then, {_per_s(finding.reading)} now, while {_per_s(finding.arriving)} arrive. Look "
            f"at what "
            "they wait for, a database or a service; another strategy does not help."
        )
    lead = "**Every consumer is busy**"
    if finding.cause is Cause.MORE:
        lead = f"**More arrives than before**{since}, {_per_s(finding.before)} then"
    said = f"{lead}: {now}."
    if found.speed.most_seen:
        fastest = _per_s(found.speed.most_seen)
        said = f"{said} One reads {fastest}: find out what slows the others."
    if finding.needed is None:
        return said
    enough = f"About {plural(finding.needed, 'consumer')} of {_per_s(found.speed.records_s)} could"
    if finding.needed > group.partition_count:
        most = plural(group.partition_count, "partition")
        return f"{said} {enough} read that, more than the {most}: make consumers faster."
    return f"{said} {enough} read that, {group.member_count:,} do now."


def _uneven(finding: Finding, group: Group, _: Facts, hosts: Mapping[str, str]) -> str:
    is_one = len(finding.members) == 1
    return (
        f"{_who(finding.members, group, hosts)} {'has' if is_one else 'have'} **more to read than "
        f"{'it' if is_one else 'they'} can** ({_per_s(finding.arriving)} arrive, "
        f"{_per_s(finding.reading)} are read{_grows(finding)}), while others keep up: "
        "a matter of who owns what."
    )


def _catching_up(finding: Finding, group: Group, found: Facts, _: Mapping[str, str]) -> str:
    if finding.reading <= finding.arriving:
        where = plural(len(finding.partitions), "partition")
        return (
            f"{_records(finding.lag)} wait in {where}, and as many are read as arrive: the backlog "
            "stays."
        )
    if not np.isfinite(finding.over_s):
        return f"{_records(finding.lag)} wait, and the backlog shrinks."
    said = (
        f"**Over in {duration(finding.over_s)}** at the present rates: {_records(finding.lag)} "
        "wait, and more are read than arrive."
    )
    more = _with_twice_as_many(group, found)
    return f"{said} {more}" if more and finding.over_s > _LONG_S else f"{said} Waiting is enough."


def _with_twice_as_many(group: Group, found: Facts) -> str:
    """Return how long twice as many consumers would take at the speed measured; "" if unknown."""
    count = min(2 * group.member_count, int(np.count_nonzero(group.is_wanted)))
    if found.speed.source is Source.GUESS or found.speed.is_least or count <= group.member_count:
        return ""
    spare = count * found.speed.records_s - found.total_arriving
    slowest = found.partition_speed - found.arriving
    alone = seconds_to_catch_up(
        group.counted_lags.astype(np.float64), np.zeros(group.partition_count), slowest
    )
    total = float(group.counted_lags.sum())
    over_s = max(total / spare if spare > 0 else np.inf, float(np.nanmax(alone, initial=0.0)))
    if not np.isfinite(over_s):
        return ""
    today = f"{count:,} consumers instead of {group.member_count:,}"
    return f"{today} would take {duration(over_s)} at best."


def _lost(finding: Finding, group: Group, found: Facts, _: Mapping[str, str]) -> str:
    names = [verbatim(group.partition_name(p)) for p in finding.partitions]
    count = float(np.nansum(found.lost[list(finding.partitions)]))
    return (
        f"{_records(count)} of **{listed(names, _NAMED)}** {'was' if count == 1 else 'were'} "
        "**deleted before they were read**: the log starts after the committed offset."
    )


def _while(finding: Finding, group: Group) -> str:
    is_one = len(finding.members) == 1
    who = listed(_names(finding.members, group), _NAMED)
    names = listed([verbatim(group.partition_name(p)) for p in finding.partitions], _NAMED)
    is_single = len(finding.partitions) == 1
    return {
        Cause.REBALANCING: "the group keeps rebalancing",
        Cause.STILL: f"{who} {'stands' if is_one else 'stand'} still",
        Cause.RECORD: f"{names} stands at one offset",
        Cause.TOO_HOT: f"{names} {'gets' if is_single else 'each get'} more than one consumer "
        "reads",
        Cause.SLOWER: "every consumer reads more slowly than before",
        Cause.MORE: "more arrives than all consumers read",
        Cause.FULL: "more arrives than all consumers read",
    }[finding.cause]


def _who(members: Sequence[int], group: Group, hosts: Mapping[str, str]) -> str:
    names, ids = labels_of(group), [group.members[m] for m in members]
    clients = dict.fromkeys(
        client
        for m, client in zip(members, map(group.layout.client_ids.get, ids), strict=True)
        if client and not names[m].startswith(client)
    )
    at = dict.fromkeys(hosts[id_].strip("/") for id_ in ids if id_ in hosts)
    where = " at ".join(
        listed([verbatim(each) for each in found], _NAMED) for found in (clients, at) if found
    )
    who = f"**{listed(_names(members, group), _NAMED + 1)}**"
    return f"{who} ({where})" if where else who


def _names(members: Sequence[int], group: Group) -> list[str]:
    short = labels_of(group)
    return [verbatim(short[m]) for m in members]


def _since(finding: Finding) -> str:
    return f"for {'at least ' if finding.is_older else ''}{duration(finding.since_s)}"


def _records(lag: float) -> str:
    return "1 record" if lag == 1 else f"{amount(lag)} records"


def _per_s(rate: float) -> str:
    return f"{amount(round(rate, 1))}/s"


def _lacks_a_second(current: Scenario) -> bool:
    """Return whether a single pasted or uploaded snapshot leaves the reason open."""
    history = current.reading.history
    is_single = history is None or not history.has_several
    has_offsets = current.group.offsets.end is not None
    return (
        is_single and has_offsets and not current.origin and bool(current.group.counted_lags.any())
    )
