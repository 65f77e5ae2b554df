"""Why does this consumer own that partition? Every strategy's decisions in words.

The owner an explanation arrives at is derived from the strategy's own stages, with the
figures of the group, and not read off its answer; the tests hold the two to each other.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from assignors.clients.registry import ALL_STRATEGIES
from assignors.model import UNOWNED, Group
from assignors.registry import Strategy
from assignors.sticky.eager import is_constrained
from evaluation.explain import in_turn, range_
from evaluation.explain.lag import LagSticky, derive_lag_skew
from evaluation.explain.reasoning import Derivation, Reasoning, Step, Words, subscribers_of
from evaluation.explain.sticky_equal import Kafka9987, Kafka12464, StickyEqual
from evaluation.explain.sticky_unequal import StickyUnequal
from evaluation.explain.uniform import derive_uniform, derive_uniform_kafka_18688
from evaluation.wording import plural

_DerivationOf: TypeAlias = Callable[[Group], Derivation]
MOST_WALKED: Final = 2_000
"""Of larger groups one partition at a time is explained, not the whole assignment."""


class Explanation(NamedTuple):
    """Why one partition has its owner under one strategy."""

    partition: int
    owner: int
    """``UNOWNED`` if nobody subscribes to the topic."""
    steps: tuple[Step, ...]
    """In the order of the derivation."""
    decision: str
    """The sentence that decides."""


class Explainer:
    """Explains one strategy's assignment of one group, where cooperative rounds end.

    The strategy's stages are computed once; a partition then costs at most time linear in
    the group.

    >>> group = Group.fresh({"t": 3}, members=["C0", "C1"])
    >>> for step in Explainer(group, "range").explain(2).steps:
    ...     print(f"{step.rule}: {step.text}")
    Candidates: 2 of 2 consumers subscribe to t: C0 and C1.
    Order: In order they are C0 and C1 (by consumer id).
    Quota: t is cut alone: 3 partitions ÷ 2 subscribers = 1 each, and C0 one more.
    Block: The 2nd block, partition 2, holds number 2, and C1 is 2nd in order.
    """

    def __init__(self, group: Group, name: str) -> None:
        self._group, self._words, strategy = group, Words(group), ALL_STRATEGIES[name]
        has_wanted = bool(group.is_wanted.any())
        self._derivation = derivation_of(group, strategy) if has_wanted else None
        has_rounds = has_wanted and strategy.target is not None
        self._next_round = strategy.assign(group) if has_rounds else None

    @property
    def order(self) -> list[int]:
        """The partitions in the order in which the strategy decides; unwanted ones last."""
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
        """Explain every partition, in the order in which the strategy decides."""
        return map(self.explain, self.order)

    def _candidates(self, partition: int) -> Step:
        subscribers = subscribers_of(self._group, partition)
        names, topic = self._words.members(subscribers), self._words.topic(partition)
        if subscribers.size == 1:
            return Step("Candidates", f"{names} alone subscribes to {topic}.")
        of_all = plural(self._group.member_count, "consumer")
        text = f"{subscribers.size:,} of {of_all} subscribe to {topic}: {names}."
        return Step("Candidates", text)


def derivation_of(group: Group, strategy: Strategy) -> Derivation:
    """Return what derives the strategy's decisions about a group with wanted partitions."""
    found = DERIVATIONS.get(strategy.name)
    return found(group) if found else _OutcomeOnly(group, strategy)


class _OutcomeOnly:
    """Says what a strategy strives for and what it came to, where no derivation exists."""

    def __init__(self, group: Group, strategy: Strategy) -> None:
        self._words, self._present = Words(group), group.present_owners
        self._strategy, self._owners = strategy, strategy.settle(group)
        self.order = np.flatnonzero(group.is_wanted)

    def reason(self, partition: int) -> Reasoning:
        """State the owner of one wanted partition."""
        owner = int(self._owners[partition])
        held = int(np.count_nonzero(self._owners == owner))
        goals = f"{self._strategy.label} strives for {', then '.join(self._strategy.goals)}."
        text = (
            f"It goes to {self._words.member(owner)}, which ends with {plural(held, 'partition')}; "
            f"{self._words.member(self._present[partition])} owns it now. What decided about each "
            "partition is not told for this strategy."
        )
        return Reasoning(owner, (Step("Goals", goals), Step("Outcome", text)))


def _sticky(where_equal: _DerivationOf) -> _DerivationOf:
    """Return the derivation of a sticky strategy, by whether subscriptions are equal."""
    return lambda group: where_equal(group) if is_constrained(group) else StickyUnequal(group)


DERIVATIONS: Final[Mapping[str, _DerivationOf]] = MappingProxyType(
    {
        "range": range_.derive_range,
        "server-range": partial(range_.derive_range, sees_racks=False),
        "roundrobin": in_turn.derive_roundrobin,
        "fair": in_turn.Fair,
        "lag-based": in_turn.LagBased,
        "sticky": _sticky(StickyEqual),
        "cooperative-sticky": _sticky(StickyEqual),
        "sticky-kafka-12464": _sticky(Kafka12464),
        "sticky-kafka-9987": _sticky(Kafka9987),
        "uniform": derive_uniform,
        "uniform-kafka-18688": derive_uniform_kafka_18688,
        "lag-capped": partial(derive_lag_skew, skew=0),
        "lag-skew": partial(derive_lag_skew, skew=2),
        "lag-sticky": LagSticky,
        "librdkafka-range": range_.derive_librdkafka_range,
        "librdkafka-roundrobin": in_turn.derive_librdkafka_roundrobin,
        "kafka-go-range": partial(range_.derive_kafka_go, in_turn=False),
        "kafka-go-roundrobin": partial(range_.derive_kafka_go, in_turn=True),
        "kafkajs-roundrobin": in_turn.derive_kafkajs_roundrobin,
        "aiokafka-range": range_.derive_range_by_id,
        "aiokafka-roundrobin": in_turn.derive_aiokafka_roundrobin,
        "sarama-range": range_.derive_range_by_id,
        "sarama-roundrobin": in_turn.derive_sarama_roundrobin,
        "franz-go-range": range_.derive_franz_go_range,
        "franz-go-roundrobin": in_turn.derive_franz_go_roundrobin,
    }
)
"""What derives each strategy's decisions, by the strategy's name."""
