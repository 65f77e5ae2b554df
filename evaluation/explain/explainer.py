"""Why does this consumer own that partition? A strategy's own trace of its decisions, in words."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group
from assignors.strategy import Strategy
from assignors.trace.events import Trace
from evaluation.explain.names import Names, Step
from evaluation.explain.replay import Replay
from evaluation.explain.words import steps
from evaluation.wording import plural

MOST_WALKED: Final = 2_000
"""Larger groups are explained one partition at a time, not as a whole."""


class Explanation(NamedTuple):
    """Why one partition has its owner under one strategy."""

    partition: int
    owner: int
    """``UNOWNED`` if nobody subscribes to the topic."""
    steps: tuple[Step, ...]
    """In the order of the strategy's decisions."""
    decision: str
    """The deciding sentence."""


class Explainer:
    """Explains one strategy's assignment of one group after all rounds.

    The strategy tells its trace once; a partition then costs time linear in the group. Where a
    strategy tells nothing that leads to its result, the facts are said.

    >>> from assignors.registry import STRATEGIES
    >>> group = Group.fresh({"t": 3}, members=["C0", "C1"])
    >>> for step in Explainer(group, STRATEGIES["range"]).explain(2).steps:
    ...     print(f"{step.rule}: {step.text}")
    Candidates: 2 of 2 consumers subscribe to t: C0 and C1.
    Order: In order they are C0 and C1 (by consumer id).
    Quota: t is cut on its own: 3 partitions ÷ 2 subscribers = 1 each, one more for C0.
    Block: Partition 2 is in the 2nd block, 2 alone, which goes to C1, 2nd in order.
    """

    def __init__(self, group: Group, strategy: Strategy) -> None:
        self._group, self._strategy, self._names = group, strategy, Names(group, strategy)
        self._owners, self._next_round, trace = group.nobody(), None, Trace()
        if group.is_wanted.any():
            self._owners = strategy.settle(group)
            self._next_round = strategy.assign(group) if strategy.target else None
            if strategy.traced:
                strategy.traced(group, trace=trace)
        self._replay = Replay(group, trace.events)
        self._told = self._replay.owners_before(len(trace.events))

    @property
    def order(self) -> list[int]:
        """The partitions as their owners become final, if told; unwanted ones last."""
        told = self._replay.order
        rest = np.setdiff1d(np.arange(self._group.partition_count), told)
        is_wanted = self._group.is_wanted[rest]
        return [*told.tolist(), *rest[is_wanted].tolist(), *rest[~is_wanted].tolist()]

    def explain(self, partition: int) -> Explanation:
        """Say step by step how one partition got its owner."""
        owner = int(self._owners[partition])
        if not self._group.is_wanted[partition]:
            topic = self._names.topic(partition)
            nobody = Step("Candidates", f"Nobody subscribes to {topic}, so nobody gets it.")
            return Explanation(partition, UNOWNED, (nobody,), nobody.text)
        found = [self._candidates(partition)]
        if self._told[partition] == owner:
            told = [(m, steps(m, self._names)) for m in self._replay.of(partition)]
            found += [step for _, own in told for step in own]
            decision = [own for moment, own in told if not moment.is_about_all][-1][-1].text
        else:
            found += self._facts(partition, owner)
            decision = found[-1].text
        if self._next_round is not None and self._next_round[partition] == UNOWNED:
            text = (
                "In the coming round nobody gets it: it is claimed, and must be given up first. "
                f"The round after gives it to {self._names.member(owner)}."
            )
            found.append(Step("Two rounds", text))
        return Explanation(partition, owner, tuple(found), decision)

    def walk(self) -> Iterator[Explanation]:
        """Explain every partition, in the order of the strategy's decisions."""
        return map(self.explain, self.order)

    def _candidates(self, partition: int) -> Step:
        subscribers = self._names.subscribers(partition)
        names, topic = self._names.members(subscribers), self._names.topic(partition)
        if subscribers.size == 1:
            return Step("Candidates", f"{names} alone subscribes to {topic}.")
        of_all = plural(self._group.member_count, "consumer")
        text = f"{subscribers.size:,} of {of_all} subscribe to {topic}: {names}."
        return Step("Candidates", text)

    def _facts(self, partition: int, owner: int) -> list[Step]:
        """State a strategy's goals and its result, if its trace does not lead there."""
        held, present = int(np.count_nonzero(self._owners == owner)), self._group.present_owners
        text = (
            f"It goes to {self._names.member(owner)}, which ends with {plural(held, 'partition')}; "
            f"{self._names.member(present[partition])} owns it now. What decided about each "
            "partition is not explained for this strategy."
        )
        goals = [f"{self._strategy.label} strives for {', then '.join(self._strategy.goals)}."]
        return [
            *(Step("Goals", goal) for goal in goals if self._strategy.goals),
            Step("Result", text),
        ]
