"""Small groups with snapshots, to work advice out by hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from assignors.model import Group
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.engine import Glance
from evaluation.answering.given import Given, Knowledge, Statements, known_of
from evaluation.answering.verdicts import Verdict
from evaluation.answering.words import words_of
from evaluation.diagnosis.diagnose import diagnose
from evaluation.diagnosis.findings import Finding, hindering
from evaluation.measuring.facts import Facts
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.measuring.partition_times import PartitionTimes
from evaluation.verdict_kinds import VerdictKind

MINUTE_S = 60.0


@dataclass(frozen=True, eq=False)
class Case:
    """A group with its snapshots, and what is stated of it."""

    group: Group
    history: OffsetHistory
    stated: Statements = field(default_factory=Statements)
    hosts: Mapping[str, str] = field(default_factory=dict)

    def capped(self, records_s: float | None) -> "Case":
        """Return the case where no more than this can be read of one partition."""
        return replace(self, stated=replace(self.stated, partition_cap=records_s))

    def at_speed(self, records_s: float) -> "Case":
        """Return the case where somebody states what one consumer reads."""
        return replace(self, stated=replace(self.stated, speed=records_s))

    @property
    def given(self) -> Given:
        return Given(group=self.group, history=self.history, stated=self.stated, hosts=self.hosts)

    @cached_property
    def known(self) -> Knowledge:
        return known_of(self.given)

    @property
    def times(self) -> PartitionTimes:
        return self.known.times

    @property
    def facts(self) -> Facts:
        return self.known.facts

    @cached_property
    def answer(self) -> Answer:
        """The answer at a glance: no strategy is simulated."""
        return answer_of(self.given, Glance())

    @property
    def findings(self) -> tuple[Finding, ...]:
        return diagnose(self.group, self.history, self.times, self.facts)

    @property
    def causes(self) -> tuple[type[Finding], ...]:
        """The kinds of the findings, in their order."""
        return tuple(type(finding) for finding in self.findings)

    @property
    def hindrance(self) -> type[Finding] | None:
        """The first cause that no strategy helps."""
        first = hindering(self.findings)
        return None if first is None else type(first)

    @property
    def said(self) -> str:
        """The answer's sentences."""
        words = words_of(self.answer)
        return " ".join(filter(None, (words.headline, words.evidence, words.action)))

    def cause(self, kind: VerdictKind) -> Verdict:
        """Return what the one finding of a kind says for itself."""
        (found,) = (each for each in self.answer.causes if each.kind is kind)
        return found


def figures(of: Verdict, *names: str) -> list[float | None]:
    """Return figures of a verdict by name."""
    return [of.figures.known().get(name) for name in names]


def case(
    owners: Sequence[int],
    *moments: tuple[Sequence[int], Sequence[int]],
    members: int | None = None,
    hosts: Mapping[str, str] | None = None,
    apart_s: float = MINUTE_S,
) -> Case:
    """Return consumers with these end and committed offsets of one topic, a minute apart."""
    names = [f"c{m}" for m in range(max(owners, default=-1) + 1 if members is None else members)]
    groups = [
        Group.of(
            ["t"],
            [len(ends)],
            names,
            owners=owners if names else None,
            lags=np.subtract(ends, read),
        ).with_offsets(end=ends, committed=read)
        for ends, read in moments
    ]
    each = (Moment.of(group, 1_000.0 + apart_s * k) for k, group in enumerate(groups))
    return Case(groups[-1], OffsetHistory(tuple(each)), hosts=hosts or {})
