"""The incident in sentences: who is behind, since when, why, what to do now, when it is over."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import streamlit as st

from assignors.model import Group
from evaluation.facts import Facts
from evaluation.incident import STRATEGY_HELPS, Cause, Finding, diagnose
from evaluation.wording import amount, duration, listed, plural, without_uuids
from ui import facts
from ui.scenario import Scenario
from ui.untrusted import verbatim

_NAMED: Final = 4
_TOPICS: Final = 3
_HOW: Final = (
    "One snapshot does not tell why: run the same command again in a minute and paste both "
    "outputs, one below the other, with `date` before each."
)


def findings_in(current: Scenario) -> tuple[Finding, ...]:
    """Return why the group on screen is behind, as far as its snapshots tell."""
    history = facts.history_of(current)
    if history is None:
        return ()
    group = current.group
    times = facts.times_in(group, history)
    return diagnose(group, history, times, facts.facts_in(current))


def show(current: Scenario, findings: Sequence[Finding]) -> None:
    """Show a sentence for each cause, or how to get a second snapshot."""
    found = facts.facts_in(current)
    for finding in findings:
        st.markdown(sentence_of(finding, current.group, found, current.reading.hosts))
    if not findings and _lacks_a_second(current):
        st.markdown(f":small[{_HOW}]")


def hindrance(findings: Sequence[Finding], found: Facts, group: Group) -> str:
    """Return why no strategy helps, to stand behind "while"; "" if one may."""
    for finding in findings:
        if finding.cause in STRATEGY_HELPS:
            continue
        if finding.cause is Cause.HOT and not _is_too_hot(finding, found, group):
            continue
        return _while(finding, group)
    return ""


def sentence_of(
    finding: Finding, group: Group, found: Facts, hosts: Mapping[str, str] | None = None
) -> str:
    """Return one finding as Markdown."""
    said = {
        Cause.NOBODY: _nobody,
        Cause.REBALANCING: _rebalancing,
        Cause.STILL: _still,
        Cause.RECORD: _record,
        Cause.HOT: _hot,
        Cause.SLOWER: _full,
        Cause.MORE: _full,
        Cause.FULL: _full,
        Cause.UNEVEN: _uneven,
        Cause.CATCHING_UP: _catching_up,
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
    return (
        f"**Nobody reads**: {_records(finding.lag)} wait ({listed(topics, _TOPICS + 1)}). "
        "Start the consumers."
    )


def _rebalancing(finding: Finding, _: Group, __: Facts, ___: Mapping[str, str]) -> str:
    return (
        f"**The group keeps rebalancing**: owners changed {finding.changes:,} times in "
        f"{duration(finding.since_s)}. Look for consumers that restart or take longer than "
        "`max.poll.interval.ms`; nothing else helps before that stops."
    )


def _still(finding: Finding, group: Group, _: Facts, hosts: Mapping[str, str]) -> str:
    is_one = len(finding.members) == 1
    arrive = f" while {_per_s(finding.arriving)} arrive for them" if finding.arriving else ""
    return (
        f"{_who(finding, group, hosts)} **{'reads' if is_one else 'read'} nothing**, "
        f"{_since(finding)}{arrive}: {_records(finding.lag)} wait. "
        f"Restart {'it' if is_one else 'them'}: no strategy helps "
        f"{'a consumer that stands' if is_one else 'consumers that stand'} still."
    )


def _record(finding: Finding, group: Group, _: Facts, hosts: Mapping[str, str]) -> str:
    partition = finding.partitions[0]
    committed = group.committed_offsets
    at = "" if committed is None else f" **at offset {int(committed[partition]):,}**"
    return (
        f"**{verbatim(group.partition_name(partition))}** stands{at}, {_since(finding)}, while "
        f"{_who(finding, group, hosts)} reads its other partitions: probably a record that fails "
        "again and again. Mend the consumer or skip the record; no strategy helps."
    )


def _hot(finding: Finding, group: Group, found: Facts, hosts: Mapping[str, str]) -> str:
    names = listed([f"**{verbatim(group.partition_name(p))}**" for p in finding.partitions], _NAMED)
    is_one = len(finding.partitions) == 1
    gets = (
        f"{names} {'gets' if is_one else 'get'} {_per_s(finding.arriving)}, far more than the "
        f"other partitions; {_per_s(finding.reading)} are read by {_who(finding, group, hosts)}."
    )
    speed = found.speed
    if _is_too_hot(finding, found, group):
        return (
            f"{gets} One consumer reads {_per_s(speed.records_s)}, so a consumer for it alone is "
            "not enough: faster consumers or more partitions, not another strategy."
        )
    if speed.is_least or not is_one:
        return f"{gets} Fewer other partitions beside {'it' if is_one else 'them'} would help."
    over_s = finding.lag / (speed.records_s - finding.arriving)
    return f"{gets} Alone on a consumer it would be over in {duration(over_s)}."


def _full(finding: Finding, group: Group, found: Facts, _: Mapping[str, str]) -> str:
    now = f"{_per_s(finding.arriving)} arrive, {_per_s(finding.reading)} are read"
    if finding.cause is Cause.SLOWER:
        return (
            f"**Every consumer reads more slowly than before**: {_per_s(finding.before)} then, "
            f"{_per_s(finding.reading)} now, while {_per_s(finding.arriving)} arrive. Look at what "
            "they wait for, a database or a service; another strategy does not help."
        )
    lead = "**Every consumer is busy**"
    if finding.cause is Cause.MORE:
        lead = f"**More arrives than before**, {_per_s(finding.before)} then"
    said = f"{lead}: {now}."
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
        f"{_who(finding, group, hosts)} {'has' if is_one else 'have'} **more to read than "
        f"{'it' if is_one else 'they'} can** ({_per_s(finding.arriving)} arrive, "
        f"{_per_s(finding.reading)} are read), while others keep up: other owners help."
    )


def _catching_up(finding: Finding, _: Group, __: Facts, ___: Mapping[str, str]) -> str:
    if not np.isfinite(finding.over_s):
        return f"{_records(finding.lag)} wait, and the backlog shrinks."
    return (
        f"**Over in {duration(finding.over_s)}** at the present rates: {_records(finding.lag)} "
        "wait, and more are read than arrive. Waiting is enough."
    )


def _while(finding: Finding, group: Group) -> str:
    is_one = len(finding.members) == 1
    who = listed(_names(finding, group), _NAMED)
    names = listed([verbatim(group.partition_name(p)) for p in finding.partitions], _NAMED)
    return {
        Cause.REBALANCING: "the group keeps rebalancing",
        Cause.STILL: f"{who} {'stands' if is_one else 'stand'} still",
        Cause.RECORD: f"{names} stands at one offset",
        Cause.HOT: f"{names} gets more than one consumer reads",
        Cause.SLOWER: "every consumer reads more slowly than before",
        Cause.MORE: "more arrives than all consumers read",
        Cause.FULL: "more arrives than all consumers read",
    }[finding.cause]


def _is_too_hot(finding: Finding, found: Facts, group: Group) -> bool:
    """Return whether one of the partitions gets more than a consumer is known to read."""
    if found.speed.is_least:
        return False
    own = np.zeros(0) if group.throughput is None else group.throughput
    fastest = float(np.fmax.reduce(own, initial=found.speed.records_s))
    return bool((found.arriving[list(finding.partitions)] >= fastest).any())


def _who(finding: Finding, group: Group, hosts: Mapping[str, str]) -> str:
    names = _names(finding, group)
    at = dict.fromkeys(
        hosts[group.members[m]].strip("/") for m in finding.members if group.members[m] in hosts
    )
    where = f" ({listed([verbatim(host) for host in at], _NAMED)})" if at else ""
    return f"**{listed(names, _NAMED + 1)}**{where}"


def _names(finding: Finding, group: Group) -> list[str]:
    short = without_uuids(group.members)
    return [verbatim(short[m]) for m in finding.members]


def _since(finding: Finding) -> str:
    return f"for {'at least ' if finding.is_older else ''}{duration(finding.since_s)}"


def _records(lag: float) -> str:
    return "1 record" if lag == 1 else f"{amount(lag)} records"


def _per_s(rate: float) -> str:
    return f"{amount(round(rate, 1))}/s"


def _lacks_a_second(current: Scenario) -> bool:
    """Return whether a single pasted or uploaded snapshot leaves the reason open."""
    history = current.reading.history
    is_single = history is None or len(history.moments) < 2  # noqa: PLR2004 -- two tell rates
    has_offsets = current.group.end_offsets is not None
    return (
        is_single and has_offsets and not current.origin and bool(current.group.counted_lags.any())
    )
