"""Each cause in a sentence: who is behind, since when, why, what to do now, when it is over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, assert_never

import numpy as np

from assignors.model import Group
from evaluation.consumer_labels import labels_of
from evaluation.diagnosis.findings import (
    CatchingUp,
    CrashLoop,
    Finding,
    Full,
    Hot,
    IdleConsumers,
    KeepsRebalancing,
    LagConcentrated,
    LagSpread,
    LeftUnread,
    MoreArrives,
    NobodyReads,
    OffByOne,
    OwnersUnknown,
    ReadOutside,
    RebalanceUnderWay,
    RecordsLost,
    Slower,
    Stopped,
    StuckRecord,
    TooHot,
    TopicLeft,
    Uneven,
)
from evaluation.facts import Facts, Source
from evaluation.lag_in_time import seconds_to_catch_up
from evaluation.rebalance.fluid import Flow, seconds_to_catch_up_each
from evaluation.wording import amount, duration, listed, percent, plural, rate_amount
from ui.untrusted import verbatim

_NAMED: Final = 4
_LONG_S: Final = 900.0
"""From here on, waiting is not all that can be done."""
_LESS: Final = 0.95
"""More consumers help if they leave no more than this share of the time."""


@dataclass(frozen=True, eq=False)
class _Case:
    """The group of a finding, its facts, and where its consumers run."""

    group: Group
    facts: Facts
    hosts: Mapping[str, str]
    is_rest: bool
    """Whether another finding stands before it."""

    def who(self, finding: Finding) -> str:
        """Return the consumers, with what tells where they run."""
        return _who(finding.members, self.group, self.hosts)

    def what(self, finding: Finding) -> str:
        """Return the partitions by name."""
        return partitions_of(finding, self.group, "**")


def sentence_of(
    finding: Finding,
    group: Group,
    facts: Facts,
    hosts: Mapping[str, str] | None = None,
    *,
    is_rest: bool = False,
) -> str:
    """Return one finding as Markdown; ``is_rest`` if another one stands before it."""
    return f":material/emergency: {_said(finding, _Case(group, facts, hosts or {}, is_rest))}"


def _said(finding: Finding, case: _Case) -> str:  # noqa: C901, PLR0911, PLR0912 -- one row a cause
    match finding:
        case NobodyReads():
            return _nobody(finding, case)
        case ReadOutside():
            return _outside(finding)
        case OwnersUnknown():
            said = "**Who owns what is not told**, so only the flow of all is known"
            return f"{said}{_flow(finding)}"
        case TopicLeft():
            return _topic_left(finding)
        case RebalanceUnderWay():
            return (
                f"**A rebalance is under way**: {_records(finding.lag)} wait, and nobody owns "
                "anything at this moment. Describe the group again; if it still rebalances then, "
                "a consumer does not come back from `poll()`."
            )
        case KeepsRebalancing():
            return (
                f"**The group keeps rebalancing**: owners changed {finding.changes:,} times in "
                f"{duration(finding.since_s)}. Look for consumers that restart or take longer than "
                "`max.poll.interval.ms`; nothing else helps until that stops."
            )
        case CrashLoop():
            return (
                f"**Every consumer restarts again and again**: all have new ids, and nothing has "
                f"been read{_lasting(finding)}; {_records(finding.lag)} wait. Look at the "
                "consumers' logs, at liveness probes and memory limits, and at "
                "`max.poll.interval.ms`; no strategy helps."
            )
        case Stopped():
            return _stopped(finding, case)
        case StuckRecord():
            return _record(finding, case)
        case LeftUnread():
            return _left_unread(finding, case)
        case TooHot():
            return _too_hot(finding, case)
        case Hot():
            return _hot(finding, case)
        case Slower():
            return _slower(finding)
        case MoreArrives():
            before = per_s(finding.before)
            return _full(
                finding, case, f"**More arrives than before**{_lasting(finding)}, {before} then"
            )
        case Full():
            return _full(finding, case, "**Every consumer is busy**")
        case Uneven():
            return _uneven(finding, case)
        case CatchingUp():
            return _catching_up(finding, case)
        case RecordsLost():
            was = "was" if finding.lost == 1 else "were"
            return (
                f"{_records(finding.lost)} of **{partitions_of(finding, case.group)}** {was} "
                "**deleted before they were read**: the log starts after the committed offset."
            )
        case LagConcentrated():
            return _concentrated(finding, case)
        case LagSpread():
            behind, active = len(finding.members), plural(finding.active, "consumer")
            has_room = case.group.member_count < int(np.count_nonzero(case.group.is_wanted))
            few = "too few or too slow" if has_room else "too slow"
            return (
                f"Records wait for **{behind:,} of {active}**: {few} for what arrives, or back "
                "after a break."
            )
        case OffByOne():
            return (
                f"One record seems to wait in {_each_of(finding)}, and **nothing does**: the "
                "client commits the last record in place of the next one, or the last entry is a "
                "transaction's marker."
            )
        case IdleConsumers():
            count = plural(case.group.member_count, "consumer")
            return (
                f"**{finding.surplus:,} of {count}** can never have work: there are more consumers "
                "than partitions."
            )
        case _:
            assert_never(finding)


def consumers_of(finding: Finding, group: Group) -> str:
    """Return the consumers of a finding by name, as Markdown."""
    return _names(finding.members, group)


def partitions_of(finding: Finding, group: Group, emphasis: str = "") -> str:
    """Return the partitions of a finding by name, as Markdown."""
    names = [verbatim(group.partition_name(p)) for p in finding.partitions]
    return listed([f"{emphasis}{name}{emphasis}" for name in names], _NAMED)


def since(finding: NobodyReads | CrashLoop | Stopped | StuckRecord | LeftUnread) -> str:
    """Return for how long it has been so; "" if unknown."""
    if np.isnan(finding.since_s):
        return ""
    return f" for {'at least ' if finding.is_older else ''}{duration(finding.since_s)}"


def per_s(rate: float) -> str:
    """Return a rate in records per second."""
    return f"{rate_amount(rate)}/s"


def _nobody(finding: NobodyReads, case: _Case) -> str:
    group = case.group
    lags = np.zeros(group.partition_count)
    lags[list(finding.partitions)] = group.counted_lags[list(finding.partitions)]
    by_topic = np.bincount(group.topic_of_partition, lags, len(group.topics))
    most = np.argsort(-by_topic, kind="stable")
    topics = [
        f"{verbatim(group.topics[t])} {amount(by_topic[t])}" for t in most.tolist() if by_topic[t]
    ]
    lasting = f",{since(finding)}" if since(finding) else ""
    deleted = finding.deleted_s
    lost = "" if np.isnan(deleted) else f" The first of them are deleted in {duration(deleted)}."
    if deleted == 0:
        lost = " The first of them are being deleted now."
    waiting = f"{_records(finding.lag)} wait ({listed(topics, _NAMED)}).{lost}"
    if finding.is_group_empty:
        if lasting:
            return f"**Nobody reads**{lasting}: {waiting} Start the consumers."
        return (
            f"**No consumer is active**: {waiting} Start the consumers, or describe it again in a "
            "minute: moving offsets prove a reader."
        )
    count = plural(len(finding.partitions), "partition")
    return (
        f"**Nobody reads {count}**{lasting}: {waiting} Check that a consumer subscribes to the "
        "topic and has joined the group."
    )


def _outside(finding: ReadOutside) -> str:
    said = "**Read outside the group**: it has no members, but its offsets advance, as with Flink, "
    return f"{said}Spark, MirrorMaker 2 or `assign()`{_flow(finding)}"


def _flow(finding: ReadOutside | OwnersUnknown) -> str:
    """Return what arrives, is read and waits of the group as a whole, to stand at the end."""
    if np.isnan(finding.reading):
        return f"; {_records(finding.lag)} wait."
    behind = "" if np.isnan(finding.behind_s) else f", {duration(finding.behind_s)} behind"
    over = ""
    if finding.over_s > 0:
        is_endless = np.isinf(finding.over_s)
        end = "does not end" if is_endless else f"is read in {duration(finding.over_s)}"
        over = f" The backlog {end} at these rates."
    return (
        f": {per_s(finding.arriving)} arrive, {per_s(finding.reading)} are read, "
        f"{_records(finding.lag)} wait{behind}.{over}"
    )


def _topic_left(finding: TopicLeft) -> str:
    names = listed([verbatim(name) for name in finding.topics], _NAMED)
    return (
        f"Nobody reads **{names}**, and nothing is committed there: {_records(finding.lag)}. As a "
        "rule the group has left the topic (delete its offsets), else a consumer is missing."
    )


def _stopped(finding: Stopped, case: _Case) -> str:
    is_one = len(finding.members) == 1
    it, arrive = "it" if is_one else "them", ""
    if finding.arriving > 0:
        arrive = f" while {per_s(finding.arriving)} arrive for {it}"
    elif np.isnan(finding.arriving) and finding.arrived:
        arrive = f" while {_records(finding.arrived)} arrived for {it}"
    whom = "a stalled consumer" if is_one else "stalled consumers"
    return (
        f"{case.who(finding)} **{'has' if is_one else 'have'} read nothing**{since(finding)}"
        f"{arrive}: {_records(finding.lag)} wait. Restart {it}: no strategy helps {whom}."
        f"{_over_after_restart(finding, case)}"
    )


def _over_after_restart(finding: Stopped, case: _Case) -> str:
    """Return when the last of these consumers is done if they read as others do; "" if unknown."""
    group, facts = case.group, case.facts
    if facts.speed.source is Source.GUESS or not np.isfinite(facts.speed.records_s):
        return ""
    held = np.isin(np.arange(group.partition_count), finding.partitions)
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
    catch = "It catches" if len(finding.members) == 1 else "They catch"
    return f" {catch} up {most}{duration(longest)} after that, at {rate} a consumer."


def _record(finding: StuckRecord, case: _Case) -> str:
    at = f" **at offset {finding.offset:,}**" if finding.offset >= 0 else ""
    return (
        f"{case.what(finding)} has been stuck{at}{since(finding)}, while {case.who(finding)} reads "
        f"its other partitions: probably a record that keeps failing. {_records(finding.lag)} wait "
        "behind it. Look at that record and at the consumer's log, then fix the consumer or move "
        "the record to a dead-letter topic: skipping loses it. No strategy helps."
    )


def _left_unread(finding: LeftUnread, case: _Case) -> str:
    has = "has" if len(finding.members) == 1 else "have"
    return (
        f"{case.who(finding)} {has} read nothing of {case.what(finding)}{since(finding)}, and "
        f"everything else: **paused or never read by the application**, or a record that fails on "
        f"each. {_records(finding.lag)} wait there; no strategy helps."
    )


def _too_hot(finding: TooHot, case: _Case) -> str:
    each = "it" if len(finding.partitions) == 1 else "each of them"
    return (
        f"{_far_more(finding, case)} {_most_read(finding, case.facts)}, so a consumer for {each} "
        f"alone is not enough{_still_grows(finding)}. It takes faster consumers or more "
        "partitions, not another strategy."
    )


def _hot(finding: Hot, case: _Case) -> str:
    is_single = len(finding.partitions) == 1
    if np.isnan(finding.over_alone_s) or not is_single:
        its = "its consumer" if is_single else "their consumers"
        return f"{_far_more(finding, case)} Fewer other partitions on {its} would help."
    return (
        f"{_far_more(finding, case)} Alone on a consumer it would catch up in "
        f"{duration(finding.over_alone_s)}."
    )


def _far_more(finding: Hot | TooHot, case: _Case) -> str:
    """Return which partitions get far more than the others, and who reads how much of it."""
    has_others = len(finding.partitions) < case.group.partition_count
    usual = per_s(float(np.nan_to_num(finding.usual)))
    beside = f" (the others {usual} at the median)" if has_others else ""
    return (
        f"{case.what(finding)} {'gets' if len(finding.partitions) == 1 else 'get'} "
        f"{per_s(finding.arriving)}{beside}; {per_s(finding.reading)} are read by "
        f"{case.who(finding)}."
    )


def _most_read(finding: TooHot, facts: Facts) -> str:
    alone = finding.alone
    if facts.partition_cap is not None and alone >= facts.partition_cap:
        return f"At most {per_s(alone)} can be read of one partition"
    if alone > facts.speed.records_s:
        usual = per_s(facts.speed.records_s)
        is_one = len(finding.partitions) == 1
        which = "Its consumer" if is_one else "The fastest of their consumers"
        return f"{which} reads {per_s(alone)} in all, the median one {usual}"
    return f"One consumer reads {per_s(alone)}"


def _still_grows(finding: TooHot) -> str:
    """Return by how much one partition's backlog grows with a consumer of its own, and now."""
    if len(finding.partitions) > 1:
        return _grows(finding)
    grows, now = finding.arriving - finding.alone, finding.arriving - finding.reading
    if grows <= 0:
        return ": its backlog would not shrink, under any strategy"
    today = f"; now it grows by {per_s(now)}" if round(now, 1) > round(grows, 1) else ""
    return f": it would still grow by {per_s(grows)}, under every strategy{today}"


def _grows(finding: TooHot | Full | MoreArrives | Uneven) -> str:
    """Return by how much the backlog grows, to stand at the end; "" if it does not."""
    grows = finding.arriving - finding.reading
    return f", and the backlog grows by {per_s(grows)}" if grows > 0 else ""


def _slower(finding: Slower) -> str:
    return (
        f"**Every consumer reads more slowly than before**{_lasting(finding)}: "
        f"{per_s(finding.before)} then, {per_s(finding.reading)} now, while "
        f"{per_s(finding.arriving)} arrive. Look at what they wait for, a database or a service; "
        "another strategy does not help."
    )


def _full(finding: Full | MoreArrives, case: _Case, lead: str) -> str:
    group, speed = case.group, case.facts.speed
    said = (
        f"{lead}: {per_s(finding.arriving)} arrive, {per_s(finding.reading)} are read"
        f"{_grows(finding)}."
    )
    if speed.most_seen:
        said += f" One reads {per_s(speed.most_seen)}: find out what slows the others down."
    if finding.too_heavy:
        names = listed([verbatim(group.partition_name(p)) for p in finding.too_heavy], _NAMED)
        one = "gets" if len(finding.too_heavy) == 1 else "each get"
        return (
            f"{said} No number of consumers is enough: {names} {one} more than one reads. Make "
            "consumers faster, or take more partitions."
        )
    if finding.needed is None:
        return said
    enough = f"About {plural(finding.needed, 'consumer')} at {per_s(speed.records_s)} each could"
    return (
        f"{said} {enough} keep pace, and clearing the backlog may take more; there are "
        f"{group.member_count:,} now."
    )


def _lasting(finding: Slower | MoreArrives | CrashLoop) -> str:
    seconds = finding.since_s
    return "" if np.isnan(seconds) else f" for {duration(seconds)}"


def _uneven(finding: Uneven, case: _Case) -> str:
    is_one = len(finding.members) == 1
    return (
        f"{case.who(finding)} {'has' if is_one else 'have'} **more to read than "
        f"{'it' if is_one else 'they'} can** ({per_s(finding.arriving)} arrive, "
        f"{per_s(finding.reading)} are read{_grows(finding)}), while others keep up: "
        "a matter of who owns what."
    )


def _catching_up(finding: CatchingUp, case: _Case) -> str:
    where, lag = plural(len(finding.partitions), "partition"), _records(finding.lag)
    if finding.reading <= finding.arriving:
        return f"{lag} wait in {where}, and as many are read as arrive: the backlog stays."
    if not np.isfinite(finding.over_s):
        return f"{lag} wait in {where}, and the backlog shrinks."
    if case.is_rest:
        others = plural(len(finding.partitions), "other partition")
        is_single = len(finding.partitions) == 1
        catch, them = ("catches", "it") if is_single else ("catch", "them")
        return (
            f"{others} **{catch} up in {duration(finding.over_s)}** at the present rates: "
            f"{lag} wait there, and more are read than arrive. Waiting is enough for {them}."
        )
    said = (
        f"**Caught up in {duration(finding.over_s)}** at the present rates: {lag} wait, and "
        "more are read than arrive."
    )
    more = _with_twice_as_many(finding, case.group, case.facts)
    return f"{said} {more}" if more and finding.over_s > _LONG_S else f"{said} Waiting is enough."


def _with_twice_as_many(finding: CatchingUp, group: Group, facts: Facts) -> str:
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
    if over_s > _LESS * finding.over_s:
        return "More consumers would not help: one partition alone takes that long."
    today = f"{count:,} consumers instead of {group.member_count:,}"
    return f"{today} would take {duration(over_s)} at best."


def _concentrated(finding: LagConcentrated, case: _Case) -> str:
    who = case.who(finding)
    if finding.partition is not None:
        return (
            f"**{verbatim(case.group.partition_name(finding.partition))}**, read by {who}, holds "
            f"**{percent(finding.share)} of the lag**: it gets more than the others, or its "
            "consumer or one of its records is stuck."
        )
    is_one = len(finding.members) == 1
    it = "it has stalled or gets" if is_one else "they have stalled or get"
    has = "has" if is_one else "have"
    return f"{who} {has} **{percent(finding.share)} of the lag**: {it} more than the others."


def _each_of(finding: OffByOne) -> str:
    count = len(finding.partitions)
    return "the partition" if count == 1 else f"each of {count:,} partitions"


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
