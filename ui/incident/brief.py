"""A cause in brief: the title of a slide, why no strategy helps, and what to do about it."""

from collections.abc import Sequence
from typing import assert_never

from assignors.model import Group
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
    hindering,
)
from evaluation.wording import amount, listed, percent, plural
from ui.incident.sentences import consumers_of, partitions_of, per_s, since


def hindrance(findings: Sequence[Finding], group: Group) -> str:
    """Return why no strategy helps, to stand behind "while"; "" if one may."""
    first = hindering(findings)
    return "" if first is None else hindrance_of(first, group)


def hindrance_of(finding: Finding, group: Group) -> str:  # noqa: C901, PLR0911 -- one row a cause
    """Return a cause that no strategy helps, to stand behind "while", as Markdown."""
    who, what = consumers_of(finding, group), partitions_of(finding, group)
    has = "has" if len(finding.members) == 1 else "have"
    gets = "gets" if len(finding.partitions) == 1 else "each get"
    match finding:
        case ReadOutside():
            return "something outside the group reads"
        case RebalanceUnderWay():
            return "a rebalance is under way"
        case KeepsRebalancing():
            return "the group keeps rebalancing"
        case CrashLoop():
            return "every consumer restarts again and again"
        case Stopped():
            return f"{who} {has} stalled"
        case StuckRecord():
            return f"{what} is stuck at one offset"
        case LeftUnread():
            return f"{who} {has} read nothing of {what}"
        case TooHot():
            return f"{what} {gets} more than one consumer reads"
        case Slower():
            return "every consumer reads more slowly than before"
        case MoreArrives() | Full():
            return "more arrives than all consumers read"
        case (
            NobodyReads()
            | TopicLeft()
            | Hot()
            | Uneven()
            | CatchingUp()
            | RecordsLost()
            | LagConcentrated()
            | LagSpread()
            | OffByOne()
            | OwnersUnknown()
            | IdleConsumers()
        ):
            return title_of(finding, group)
        case _:
            assert_never(finding)


def first_aid(findings: Sequence[Finding], group: Group) -> str:
    """Return what to do about the first finding that no strategy helps."""
    first = hindering(findings)
    return "wait" if first is None else aid_of(first, group)


def aid_of(finding: Finding, group: Group) -> str:  # noqa: C901, PLR0911, PLR0912 -- one row a cause
    """Return what we should do, as Markdown."""
    who, what = consumers_of(finding, group), partitions_of(finding, group)
    match finding:
        case NobodyReads():
            return "start the consumers" if finding.is_group_empty else "find out who should read"
        case TopicLeft():
            return "delete the offsets of topics that the group has left"
        case RebalanceUnderWay() | ReadOutside() | CatchingUp() | OffByOne():
            return "wait"
        case KeepsRebalancing():
            return "find out which consumers restart or take too long, and stop that"
        case CrashLoop():
            return "find out from the consumers' logs why they restart"
        case Stopped():
            return f"restart {who}"
        case StuckRecord():
            return f"look at the record at which {what} is stuck, before we fix or skip it"
        case LeftUnread():
            return f"find out why {who} does not read {what}"
        case TooHot():
            return f"make consumers faster or spread what goes into {what} over more partitions"
        case Slower():
            return "look at what every consumer waits for"
        case MoreArrives() | Full():
            is_beyond = bool(finding.too_heavy)
            return "make consumers faster" if is_beyond else "add consumers or make them faster"
        case Hot() | Uneven():
            return f"give {who} less to read"
        case RecordsLost():
            return "keep records for longer than we take to read them"
        case LagConcentrated() | LagSpread():
            return "look again in a minute"
        case OwnersUnknown():
            return "describe the group with its members"
        case IdleConsumers():
            return "take the idle consumers away"
        case _:
            assert_never(finding)


def title_of(  # noqa: C901, PLR0911, PLR0912 -- one row a cause
    finding: Finding, group: Group, *, is_rest: bool = False
) -> str:
    """Return a cause as a title, as Markdown; ``is_rest`` if another one stands before it."""
    who, what = consumers_of(finding, group), partitions_of(finding, group)
    has = "has" if len(finding.members) == 1 else "have"
    gets = "gets" if len(finding.partitions) == 1 else "each get"
    waits = f"{amount(finding.lag)} records wait"
    match finding:
        case NobodyReads():
            return f"Nobody reads: {waits}."
        case ReadOutside():
            return f"Something outside the group reads: {waits}."
        case TopicLeft():
            return f"The group has left {listed(finding.topics, 4)}: {waits} there."
        case RebalanceUnderWay():
            return f"A rebalance is under way: {waits}."
        case KeepsRebalancing():
            return f"Owners changed {finding.changes:,} times: the group keeps rebalancing."
        case CrashLoop():
            return f"Every consumer restarts again and again: {waits}."
        case Stopped():
            return f"{who} {has} read nothing{since(finding)}: {waits}."
        case StuckRecord():
            return f"{what} has been stuck at one offset{since(finding)}; {who} reads the others."
        case LeftUnread():
            return f"{who} {has} read nothing of {what}{since(finding)}, and everything else."
        case TooHot():
            return f"{what} {gets} more than one consumer reads: {_rates(finding)}."
        case Hot():
            return f"{what} {gets} far more than the others: {_rates(finding)}."
        case Slower():
            return f"Every consumer reads more slowly than before: {_rates(finding)}."
        case MoreArrives():
            return f"More arrives than before: {_rates(finding)}."
        case Full():
            return f"Every consumer is busy: {_rates(finding)}."
        case Uneven():
            return f"{who} {has} more to read than others: {_rates(finding)}."
        case CatchingUp():
            backlog = "The backlog of other partitions" if is_rest else "The backlog"
            shrinks = "shrinks" if finding.reading > finding.arriving else "stays"
            return f"{backlog} {shrinks}: {_rates(finding)}."
        case RecordsLost():
            return f"Records of {what} were deleted before they were read."
        case LagConcentrated():
            return f"{who} {has} {percent(finding.share)} of the lag."
        case LagSpread():
            return f"Records wait for {len(finding.members):,} of {finding.active:,} consumers."
        case OffByOne():
            return "One record seems to wait in each partition, and none does."
        case OwnersUnknown():
            return f"Who owns what is unknown: {waits}."
        case IdleConsumers():
            return f"{plural(finding.surplus, 'consumer')} can never have work."
        case _:
            assert_never(finding)


def _rates(finding: TooHot | Hot | Slower | MoreArrives | Full | Uneven | CatchingUp) -> str:
    return f"{per_s(finding.arriving)} arrive, {per_s(finding.reading)} are read"
