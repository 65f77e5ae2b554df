"""A cause in brief: the title of a slide, why no strategy helps, and what to do about it."""

from collections.abc import Sequence
from typing import NamedTuple

from assignors.model import Group
from evaluation.incident import Cause, Finding
from evaluation.wording import amount
from ui.incident.sentences import consumers_of, partitions_of, per_s, since


class Brief(NamedTuple):
    """What is said of a cause where there is little room, as Markdown."""

    title: str
    hindrance: str = ""
    """Why no strategy helps, to stand behind "while"; "" if one may."""
    first_aid: str = ""
    """What we should do; "" where a strategy may help."""


def hindrance(findings: Sequence[Finding], group: Group) -> str:
    """Return why no strategy helps, to stand behind "while"; "" if one may."""
    return next(filter(None, (brief_of(each, group).hindrance for each in findings)), "")


def first_aid(findings: Sequence[Finding], group: Group) -> str:
    """Return what to do about the first finding that no strategy helps."""
    return next(filter(None, (brief_of(each, group).first_aid for each in findings)), "wait")


def brief_of(finding: Finding, group: Group) -> Brief:
    """Return what is said of a finding in brief."""
    who, what = consumers_of(finding, group), partitions_of(finding, group)
    is_one, is_single = len(finding.members) == 1, len(finding.partitions) == 1
    has, gets = "has" if is_one else "have", "gets" if is_single else "each get"
    rates = f"{per_s(finding.arriving)} arrive, {per_s(finding.reading)} are read"
    waits = f"{amount(finding.lag)} records wait"
    shrinks = "shrinks" if finding.reading > finding.arriving else "stays"
    backlog = "The backlog of other partitions" if finding.is_rest else "The backlog"
    too_little = "more arrives than all consumers read"
    add = "add consumers or make them faster"
    return {
        Cause.NOBODY: Brief(f"Nobody reads: {waits}."),
        Cause.REBALANCING: Brief(
            f"Owners changed {finding.changes:,} times: the group keeps rebalancing.",
            "the group keeps rebalancing",
            "find out which consumers restart or take too long, and stop that",
        ),
        Cause.STILL: Brief(
            f"{who} {has} read nothing {since(finding)}: {waits}.",
            f"{who} {has} stalled",
            f"restart {who}",
        ),
        Cause.RECORD: Brief(
            f"{what} has been stuck at one offset {since(finding)}, while {who} reads the others.",
            f"{what} is stuck at one offset",
            f"fix or skip the record at which {what} is stuck",
        ),
        Cause.TOO_HOT: Brief(
            f"{what} {gets} more than one consumer reads: {rates}.",
            f"{what} {gets} more than one consumer reads",
            f"make consumers faster or spread what goes into {what} over more partitions",
        ),
        Cause.HOT: Brief(f"{what} {gets} far more than the others: {rates}."),
        Cause.SLOWER: Brief(
            f"Every consumer reads more slowly than before: {rates}.",
            "every consumer reads more slowly than before",
            "look at what every consumer waits for",
        ),
        Cause.MORE: Brief(f"More arrives than before: {rates}.", too_little, add),
        Cause.FULL: Brief(f"Every consumer is busy: {rates}.", too_little, add),
        Cause.UNEVEN: Brief(f"{who} {has} more to read than others: {rates}."),
        Cause.CATCHING_UP: Brief(f"{backlog} {shrinks}: {rates}."),
        Cause.LOST: Brief(f"Records of {what} were deleted before they were read."),
    }[finding.cause]
