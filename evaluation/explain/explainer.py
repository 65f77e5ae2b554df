"""Why does this consumer own that partition? Every strategy's decisions in words.

The owner of an explanation is derived from the strategy's own stages and the group's figures, not
read off its result; tests compare the two.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from assignors.clients.range_roundrobin import PerTopic, RoundRobin
from assignors.model import UNOWNED, Group
from assignors.sticky.kafka import is_constrained
from assignors.strategy import Strategy
from evaluation.explain import in_turn, range_
from evaluation.explain.by_moves import (
    derive_sticky_unequal,
    derive_uniform,
    derive_uniform_kafka_18688,
)
from evaluation.explain.by_quota import derive_kafka_9987, derive_kafka_12464, derive_sticky
from evaluation.explain.lag import derive_lag_skew
from evaluation.explain.load_sticky import derive_load_sticky
from evaluation.explain.reasoning import Derivation, Reasoning, Step, Words
from evaluation.wording import plural

_DerivationOf: TypeAlias = Callable[[Group], Derivation]
MOST_WALKED: Final = 2_000
"""Larger groups are explained one partition at a time, not as a whole."""


class Explanation(NamedTuple):
    """Why one partition has its owner under one strategy."""

    partition: int
    owner: int
    """``UNOWNED`` if nobody subscribes to the topic."""
    steps: tuple[Step, ...]
    """In the order of the derivation."""
    decision: str
    """The deciding sentence."""


class Explainer:
    """Explains one strategy's assignment of one group after all rounds.

    The strategy's stages are computed once; a partition then costs time linear in the group.

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
        self._group, self._words = group, Words(group)
        has_wanted = bool(group.is_wanted.any())
        self._derivation = derivation_of(group, strategy) if has_wanted else None
        has_rounds = has_wanted and strategy.target is not None
        self._next_round = strategy.assign(group) if has_rounds else None

    @property
    def order(self) -> list[int]:
        """The partitions in the order of the strategy's decisions, unwanted ones last."""
        wanted = [] if self._derivation is None else self._derivation.order.tolist()
        return [*wanted, *np.flatnonzero(~self._group.is_wanted).tolist()]

    def explain(self, partition: int) -> Explanation:
        """Derive the owner of one partition, step by step."""
        if self._derivation is None or not self._group.is_wanted[partition]:
            topic = self._words.topic(partition)
            nobody = Step("Candidates", f"Nobody subscribes to {topic}, so nobody gets it.")
            return Explanation(partition, UNOWNED, (nobody,), nobody.text)
        reasoning = self._derivation.reason(partition)
        steps = (self._candidates(partition), *reasoning.steps)
        if self._next_round is not None and self._next_round[partition] == UNOWNED:
            text = (
                "In the coming round nobody gets it: it is claimed, and must be given up first. "
                f"The round after gives it to {self._words.member(reasoning.owner)}."
            )
            steps = (*steps, Step("Two rounds", text))
        return Explanation(partition, reasoning.owner, steps, reasoning.steps[-1].text)

    def walk(self) -> Iterator[Explanation]:
        """Explain every partition, in the order of the strategy's decisions."""
        return map(self.explain, self.order)

    def _candidates(self, partition: int) -> Step:
        subscribers = self._words.subscribers(partition)
        names, topic = self._words.members(subscribers), self._words.topic(partition)
        if subscribers.size == 1:
            return Step("Candidates", f"{names} alone subscribes to {topic}.")
        of_all = plural(self._group.member_count, "consumer")
        text = f"{subscribers.size:,} of {of_all} subscribe to {topic}: {names}."
        return Step("Candidates", text)


def derivation_of(group: Group, strategy: Strategy) -> Derivation:
    """Return the derivation of the strategy's decisions about a group with wanted partitions."""
    derive = DERIVATIONS.get(strategy.name)
    if derive:
        return derive(group)
    if isinstance(strategy.assign, RoundRobin):
        return in_turn.derive_round_robin(group, strategy.assign)
    if isinstance(strategy.assign, PerTopic):
        return range_.derive_per_topic(group, strategy.assign)
    return _outcome_only(group, strategy)


def _outcome_only(group: Group, strategy: Strategy) -> Derivation:
    """State a strategy's goals and its result, if no derivation exists."""
    words, owners, present = Words(group), strategy.settle(group), group.present_owners
    goals = f"{strategy.label} strives for {', then '.join(strategy.goals)}."

    def reason(partition: int) -> Reasoning:
        owner = int(owners[partition])
        held = int(np.count_nonzero(owners == owner))
        text = (
            f"It goes to {words.member(owner)}, which ends with {plural(held, 'partition')}; "
            f"{words.member(present[partition])} owns it now. What decided about each "
            "partition is not explained for this strategy."
        )
        return Reasoning(owner, (Step("Goals", goals), Step("Outcome", text)))

    return Derivation(np.flatnonzero(group.is_wanted), reason)


def _sticky(where_equal: _DerivationOf) -> _DerivationOf:
    """Return the derivation of a sticky strategy, by whether subscriptions are equal."""
    return lambda group: (where_equal if is_constrained(group) else derive_sticky_unequal)(group)


DERIVATIONS: Final[Mapping[str, _DerivationOf]] = MappingProxyType(
    {
        "range": range_.derive_range,
        "server-range": partial(range_.derive_range, sees_racks=False),
        "roundrobin": partial(in_turn.derive_round_robin, strategy=in_turn.KAFKA_ROUND_ROBIN),
        "fair": in_turn.derive_fair,
        "lag-based": in_turn.derive_lag_based,
        "sticky": _sticky(derive_sticky),
        "cooperative-sticky": _sticky(derive_sticky),
        "sticky-kafka-12464": _sticky(derive_kafka_12464),
        "sticky-kafka-9987": _sticky(derive_kafka_9987),
        "uniform": derive_uniform,
        "uniform-kafka-18688": derive_uniform_kafka_18688,
        "lag-capped": partial(derive_lag_skew, skew=0),
        "lag-skew": partial(derive_lag_skew, skew=2),
        "load-sticky": derive_load_sticky,
        "librdkafka-range": range_.derive_librdkafka_range,
    }
)
"""The derivation of each strategy's decisions, by name; those of other clients share two."""
