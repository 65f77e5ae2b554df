"""Each cause in a sentence: who is behind, since when, why, what to do now, when it is over."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from assignors.model import FloatArray, Group
from evaluation.consumer_labels import labels_of
from evaluation.facts import Facts, Source
from evaluation.incident import Cause, Finding, Glance, read_alone
from evaluation.lag_in_time import seconds_to_catch_up
from evaluation.rebalance.fluid import Flow, seconds_to_catch_up_each
from evaluation.wording import amount, duration, listed, percent, plural
from ui.untrusted import verbatim

_NAMED: Final = 4
_LONG_S: Final = 900.0
"""From here on, waiting is not all that can be done."""


@dataclass(frozen=True, eq=False)
class _Case:
    """A finding, the group and its facts, and what nearly every sentence needs of them."""

    finding: Finding
    group: Group
    facts: Facts
    hosts: Mapping[str, str]

    @property
    def is_one(self) -> bool:
        """Whether it is about a single consumer."""
        return len(self.finding.members) == 1

    @property
    def is_single(self) -> bool:
        """Whether it is about a single partition."""
        return len(self.finding.partitions) == 1

    @property
    def who(self) -> str:
        """The consumers, with what tells where they run."""
        return _who(self.finding.members, self.group, self.hosts)

    @property
    def lag(self) -> str:
        """The records that wait."""
        return _records(self.finding.lag)

    @property
    def since(self) -> str:
        """For how long."""
        return since(self.finding)

    @property
    def grows(self) -> str:
        """By how much the backlog grows, to stand at the end; "" if it does not."""
        grows = self.finding.arriving - self.finding.reading
        return f", and the backlog grows by {per_s(grows)}" if grows > 0 else ""


def sentence_of(
    finding: Finding, group: Group, facts: Facts, hosts: Mapping[str, str] | None = None
) -> str:
    """Return one finding as Markdown."""
    said = _SENTENCES[finding.cause](_Case(finding, group, facts, hosts or {}))
    return f":material/emergency: {said}"


def glance_words(seen: Glance, group: Group, hosts: Mapping[str, str]) -> str:
    """Return what a single snapshot tells, as Markdown: who is behind, and what that may mean."""
    who = _who(seen.members, group, hosts)
    if seen.partition is not None:
        return (
            f"**{verbatim(group.partition_name(seen.partition))}**, read by {who}, holds "
            f"**{percent(seen.share)} of the lag**: it gets more than the others, or its consumer "
            "or one of its records is stuck."
        )
    has = "has" if len(seen.members) == 1 else "have"
    if 2 * len(seen.members) <= np.unique(group.present_owners[group.present_owners >= 0]).size:
        it = "it has stalled or gets" if len(seen.members) == 1 else "they have stalled or get"
        return f"{who} {has} **{percent(seen.share)} of the lag**: {it} more than the others."
    return (
        f"Records wait for **{len(seen.members):,} of {plural(group.member_count, 'consumer')}**: "
        "too few or too slow for what arrives, or back after a break."
    )


def consumers_of(finding: Finding, group: Group) -> str:
    """Return the consumers of a finding by name, as Markdown."""
    return _names(finding.members, group)


def partitions_of(finding: Finding, group: Group, emphasis: str = "") -> str:
    """Return the partitions of a finding by name, as Markdown."""
    names = [verbatim(group.partition_name(p)) for p in finding.partitions]
    return listed([f"{emphasis}{name}{emphasis}" for name in names], _NAMED)


def since(finding: Finding) -> str:
    """Return for how long it has been so."""
    return f"for {'at least ' if finding.is_older else ''}{duration(finding.since_s)}"


def per_s(rate: float) -> str:
    """Return a rate in records per second."""
    return f"{amount(round(rate, 1))}/s"


def _nobody(case: _Case) -> str:
    finding, group = case.finding, case.group
    lags = np.zeros(group.partition_count)
    lags[list(finding.partitions)] = group.counted_lags[list(finding.partitions)]
    by_topic = np.bincount(group.topic_of_partition, lags, len(group.topics))
    most = np.argsort(-by_topic, kind="stable")
    topics = [
        f"{verbatim(group.topics[t])} {amount(by_topic[t])}" for t in most.tolist() if by_topic[t]
    ]
    lasting = "" if np.isnan(finding.since_s) else f", {case.since}"
    deleted = finding.deleted_s
    lost = "" if np.isnan(deleted) else f" The first of them are deleted in {duration(deleted)}."
    if deleted == 0:
        lost = " The first of them are being deleted now."
    waiting = f"{case.lag} wait ({listed(topics, _NAMED)}).{lost}"
    if not group.member_count:
        return f"**Nobody reads**{lasting}: {waiting} Start the consumers."
    count = plural(len(finding.partitions), "partition")
    return (
        f"**Nobody reads {count}**{lasting}: {waiting} Check that a consumer subscribes to the "
        "topic and has joined the group."
    )


def _rebalancing(case: _Case) -> str:
    return (
        f"**The group keeps rebalancing**: owners changed {case.finding.changes:,} times in "
        f"{duration(case.finding.since_s)}. Look for consumers that restart or take longer than "
        "`max.poll.interval.ms`; nothing else helps until that stops."
    )


def _still(case: _Case) -> str:
    it, arriving = "it" if case.is_one else "them", case.finding.arriving
    arrive = f" while {per_s(arriving)} arrive for {it}" if arriving else ""
    whom = "a stalled consumer" if case.is_one else "stalled consumers"
    return (
        f"{case.who} **{'has' if case.is_one else 'have'} read nothing** {case.since}{arrive}: "
        f"{case.lag} wait. Restart {it}: no strategy helps {whom}."
        f"{_over_after_restart(case)}"
    )


def _over_after_restart(case: _Case) -> str:
    """Return when the last of these consumers is done if they read as others do; "" if unknown."""
    group, facts = case.group, case.facts
    if facts.speed.source is Source.GUESS or not np.isfinite(facts.speed.records_s):
        return ""
    held = np.isin(np.arange(group.partition_count), case.finding.partitions)
    flow = Flow(
        group.counted_lags[held].astype(np.float64),
        np.nan_to_num(facts.arriving[held]),
        group.present_owners[held],
        np.full(group.member_count, facts.speed.records_s),
        np.inf if facts.partition_cap is None else facts.partition_cap,
    )
    is_behind = np.bincount(flow.readers, flow.lags, group.member_count) > 0
    longest = float(seconds_to_catch_up_each(flow)[is_behind].max(initial=0.0))
    if not np.isfinite(longest):
        return ""
    most = "at most " if facts.speed.is_least else "about "
    rate = per_s(facts.speed.records_s)
    catch = "It catches" if case.is_one else "They catch"
    return f" {catch} up {most}{duration(longest)} after that, at {rate} a consumer."


def _record(case: _Case) -> str:
    committed = case.group.offsets.committed
    at = ""
    if committed is not None:
        at = f" **at offset {int(committed[case.finding.partitions[0]]):,}**"
    return (
        f"{partitions_of(case.finding, case.group, '**')} has been stuck{at} {case.since}, while "
        f"{case.who} reads its other partitions: probably a record that keeps failing. "
        f"{case.lag} wait behind it. Fix the consumer or skip the record; no strategy helps."
    )


def _too_hot(case: _Case) -> str:
    alone = read_alone(case.group, case.facts, np.array(case.finding.partitions))
    each = "it" if case.is_single else "each of them"
    return (
        f"{_far_more(case)} {_most_read(alone, case.facts)}, so a consumer for {each} alone is not "
        f"enough{_still_grows(case, alone)}. It takes faster consumers or more partitions, not "
        "another strategy."
    )


def _hot(case: _Case) -> str:
    finding = case.finding
    if case.facts.speed.is_least or not case.is_single:
        its = "its consumer" if case.is_single else "their consumers"
        return f"{_far_more(case)} Fewer other partitions on {its} would help."
    (alone,) = read_alone(case.group, case.facts, np.array(finding.partitions)).tolist()
    over_s = finding.lag / (alone - finding.arriving)
    return f"{_far_more(case)} Alone on a consumer it would catch up in {duration(over_s)}."


def _far_more(case: _Case) -> str:
    """Return which partitions get far more than the others, and who reads how much of it."""
    finding = case.finding
    others = np.delete(case.facts.arriving, list(finding.partitions))
    usual = float(np.nanmedian(others)) if np.isfinite(others).any() else 0.0
    beside = f" (the others {per_s(usual)} at the median)" if others.size else ""
    return (
        f"{partitions_of(finding, case.group, '**')} {'gets' if case.is_single else 'get'} "
        f"{per_s(finding.arriving)}{beside}; {per_s(finding.reading)} are read by {case.who}."
    )


def _most_read(of_each: FloatArray, facts: Facts) -> str:
    alone = float(of_each.max())
    if facts.partition_cap is not None and alone >= facts.partition_cap:
        return f"At most {per_s(alone)} can be read of one partition"
    if alone > facts.speed.records_s:
        usual = per_s(facts.speed.records_s)
        which = "Its consumer" if of_each.size == 1 else "The fastest of their consumers"
        return f"{which} reads {per_s(alone)} in all, the median one {usual}"
    return f"One consumer reads {per_s(alone)}"


def _still_grows(case: _Case, alone: FloatArray) -> str:
    """Return by how much one partition's backlog grows with a consumer of its own, and now."""
    if not case.is_single:
        return case.grows
    finding = case.finding
    grows, now = finding.arriving - float(alone[0]), finding.arriving - finding.reading
    if grows <= 0:
        return ": its backlog would not shrink, under any strategy"
    today = f"; now it grows by {per_s(now)}" if round(now, 1) > round(grows, 1) else ""
    return f": it would still grow by {per_s(grows)}, under every strategy{today}"


def _slower(case: _Case) -> str:
    finding = case.finding
    return (
        f"**Every consumer reads more slowly than before**{_lasting(case)}: "
        f"{per_s(finding.before)} then, {per_s(finding.reading)} now, while "
        f"{per_s(finding.arriving)} arrive. Look at what they wait for, a database or a service; "
        "another strategy does not help."
    )


def _more(case: _Case) -> str:
    before = per_s(case.finding.before)
    return _full(case, f"**More arrives than before**{_lasting(case)}, {before} then")


def _full(case: _Case, lead: str = "**Every consumer is busy**") -> str:
    finding, group, speed = case.finding, case.group, case.facts.speed
    said = (
        f"{lead}: {per_s(finding.arriving)} arrive, {per_s(finding.reading)} are read{case.grows}."
    )
    if speed.most_seen:
        said += f" One reads {per_s(speed.most_seen)}: find out what slows the others down."
    if finding.needed is None:
        return said
    enough = f"About {plural(finding.needed, 'consumer')} at {per_s(speed.records_s)} each could"
    if finding.needed > group.partition_count:
        most = plural(group.partition_count, "partition")
        return f"{said} {enough} keep pace, more than the {most}: make consumers faster."
    return (
        f"{said} {enough} keep pace, and clearing the backlog may take more; there are "
        f"{group.member_count:,} now."
    )


def _lasting(case: _Case) -> str:
    seconds = case.finding.since_s
    return "" if np.isnan(seconds) else f" for {duration(seconds)}"


def _uneven(case: _Case) -> str:
    finding = case.finding
    return (
        f"{case.who} {'has' if case.is_one else 'have'} **more to read than "
        f"{'it' if case.is_one else 'they'} can** ({per_s(finding.arriving)} arrive, "
        f"{per_s(finding.reading)} are read{case.grows}), while others keep up: "
        "a matter of who owns what."
    )


def _catching_up(case: _Case) -> str:
    finding = case.finding
    where = plural(len(finding.partitions), "partition")
    if finding.reading <= finding.arriving:
        return f"{case.lag} wait in {where}, and as many are read as arrive: the backlog stays."
    if not np.isfinite(finding.over_s):
        return f"{case.lag} wait in {where}, and the backlog shrinks."
    if finding.is_rest:
        others = plural(len(finding.partitions), "other partition")
        catch, them = ("catches", "it") if case.is_single else ("catch", "them")
        return (
            f"{others} **{catch} up in {duration(finding.over_s)}** at the present rates: "
            f"{case.lag} wait there, and more are read than arrive. Waiting is enough for {them}."
        )
    said = (
        f"**Caught up in {duration(finding.over_s)}** at the present rates: {case.lag} wait, and "
        "more are read than arrive."
    )
    more = _with_twice_as_many(case.group, case.facts)
    return f"{said} {more}" if more and finding.over_s > _LONG_S else f"{said} Waiting is enough."


def _with_twice_as_many(group: Group, facts: Facts) -> str:
    """Return how long twice as many consumers would take at the speed measured; "" if unknown."""
    count = min(2 * group.member_count, int(np.count_nonzero(group.is_wanted)))
    if facts.speed.source is Source.GUESS or facts.speed.is_least or count <= group.member_count:
        return ""
    spare = count * facts.speed.records_s - facts.total_arriving
    slowest = facts.partition_speed - facts.arriving
    alone = seconds_to_catch_up(
        group.counted_lags.astype(np.float64), np.zeros(group.partition_count), slowest
    )
    total = float(group.counted_lags.sum())
    over_s = max(total / spare if spare > 0 else np.inf, float(np.nanmax(alone, initial=0.0)))
    if not np.isfinite(over_s):
        return ""
    today = f"{count:,} consumers instead of {group.member_count:,}"
    return f"{today} would take {duration(over_s)} at best."


def _lost(case: _Case) -> str:
    count = float(np.nansum(case.facts.lost[list(case.finding.partitions)]))
    return (
        f"{_records(count)} of **{partitions_of(case.finding, case.group)}** "
        f"{'was' if count == 1 else 'were'} **deleted before they were read**: the log starts "
        "after the committed offset."
    )


_SENTENCES: Final[Mapping[Cause, Callable[[_Case], str]]] = {
    Cause.NOBODY: _nobody,
    Cause.REBALANCING: _rebalancing,
    Cause.STILL: _still,
    Cause.RECORD: _record,
    Cause.TOO_HOT: _too_hot,
    Cause.HOT: _hot,
    Cause.SLOWER: _slower,
    Cause.MORE: _more,
    Cause.FULL: _full,
    Cause.UNEVEN: _uneven,
    Cause.CATCHING_UP: _catching_up,
    Cause.LOST: _lost,
}


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
    who = f"**{_names(members, group, _NAMED + 1)}**"
    return f"{who} ({where})" if where else who


def _names(members: Sequence[int], group: Group, most: int = _NAMED) -> str:
    short = labels_of(group)
    return listed([verbatim(short[m]) for m in members], most)


def _records(lag: float) -> str:
    return "1 record" if lag == 1 else f"{amount(lag)} records"
