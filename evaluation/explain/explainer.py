"""Why does this consumer own that partition? Every strategy's decisions in words.

The owner an explanation arrives at is derived from the strategy's own stages, with the
figures of the group, and not read off its answer; the tests hold the two to each other.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from assignors.model import UNOWNED, Group, Owners
from assignors.registry import STRATEGIES, Strategy
from assignors.sticky.eager import is_constrained
from evaluation.explain.greedy import fair_account, lag_based_account
from evaluation.explain.lag import lag_skew_account, lag_sticky_account
from evaluation.explain.range_ import range_account, server_range_account
from evaluation.explain.reasoning import Account, Reasoning, Step, Words
from evaluation.explain.roundrobin import roundrobin_account
from evaluation.explain.sticky_earlier import kafka_9987_account, kafka_12464_account
from evaluation.explain.sticky_equal import equal_account
from evaluation.explain.sticky_unequal import unequal_account
from evaluation.explain.uniform import uniform_account, uniform_kafka_18688_account
from evaluation.wording import plural

_AccountOf: TypeAlias = Callable[[Group], Account]
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
    """

    def __init__(self, group: Group, name: str) -> None:
        self._group = group
        self._strategy = STRATEGIES[name]
        self._words = Words(group)
        wanted = bool(group.is_wanted.any())
        self._account = account_of(group, self._strategy) if wanted else None
        self._in_round = _withheld(group, self._strategy) if wanted else None

    @property
    def order(self) -> list[int]:
        """The partitions in the order in which the strategy decides; unwanted ones last."""
        wanted = [] if self._account is None else self._account.order.tolist()
        return [*wanted, *np.flatnonzero(~self._group.is_wanted).tolist()]

    def explain(self, partition: int) -> Explanation:
        """Derive the owner of one partition, step by step."""
        if self._account is None or not self._group.is_wanted[partition]:
            topic = self._words.topic(partition)
            nobody = Step("Candidates", f"Nobody subscribes to {topic}, so nobody gets it.")
            return Explanation(partition, UNOWNED, (nobody,), nobody.text)
        reasoning = self._account.reason(partition)
        steps = (self._candidates(partition), *reasoning.steps)
        if self._in_round is not None and self._in_round[partition] == UNOWNED:
            steps = (*steps, _next_round(self._words.member(reasoning.owner)))
        return Explanation(partition, reasoning.owner, steps, reasoning.steps[-1].text)

    def walk(self) -> Iterator[Explanation]:
        """Explain every partition, in the order in which the strategy decides."""
        return map(self.explain, self.order)

    def _candidates(self, partition: int) -> Step:
        audiences, topic = self._group.audiences, self._group.topic_of_partition[partition]
        subscribers = audiences.heard_by(audiences.of_topic[topic]).tolist()
        who, name = self._words.members(subscribers), self._group.topics[topic]
        if len(subscribers) == 1:
            return Step("Candidates", f"{who} alone subscribes to {name}.")
        of_all = plural(self._group.member_count, "consumer")
        return Step("Candidates", f"{len(subscribers):,} of {of_all} subscribe to {name}: {who}.")


def explain(group: Group, name: str, partition: int) -> Explanation:
    """Return why one partition has its owner under the named strategy.

    >>> group = Group.fresh({"t": 3}, members=["C0", "C1"])
    >>> for step in explain(group, "range", 2).steps:
    ...     print(f"{step.rule}: {step.text}")
    Candidates: 2 of 2 consumers subscribe to t: C0 and C1.
    Order: In order they are C0 and C1 (by consumer id).
    Quota: t is cut alone: 3 partitions ÷ 2 subscribers = 1 each, and C0 one more.
    Block: The 2nd block, partition 2, holds number 2, and C1 is 2nd in order.
    """
    return Explainer(group, name).explain(partition)


def account_of(group: Group, strategy: Strategy) -> Account:
    """Return what derives the strategy's decisions about a group with wanted partitions."""
    found = ACCOUNTS.get(strategy.name)
    return found(group) if found else _outcome_only(group, strategy)


def _outcome_only(group: Group, strategy: Strategy) -> Account:
    """Say what the strategy strives for and what it came to, where no derivation exists."""
    owners, words = strategy.settle(group), Words(group)
    goals = Step("Goals", f"{strategy.label} strives for {', then '.join(strategy.goals)}.")

    def reason(partition: int) -> Reasoning:
        owner = int(owners[partition])
        held = int(np.count_nonzero(owners == owner))
        present = words.member(int(group.present_owners[partition]))
        text = (
            f"It goes to {words.member(owner)}, which ends with {plural(held, 'partition')}; "
            f"{present} owns it now. The search behind it weighs the assignment as a whole, so "
            "there is no single decision about this partition."
        )
        return Reasoning(owner, (goals, Step("Outcome", text)))

    return Account(np.flatnonzero(group.is_wanted), reason)


def _withheld(group: Group, strategy: Strategy) -> Owners | None:
    """Return the coming round's answer, if that is not yet the target."""
    return None if strategy.target is None else strategy.assign(group)


def _next_round(owner: str) -> Step:
    """Say that the owner gets the partition a round later."""
    text = (
        f"In the coming round nobody gets it: it is claimed, and must be given up first. The "
        f"round after gives it to {owner}."
    )
    return Step("Two rounds", text)


def _sticky(group: Group) -> Account:
    return equal_account(group) if is_constrained(group) else unequal_account(group)


def _kafka_12464(group: Group) -> Account:
    return kafka_12464_account(group) if is_constrained(group) else unequal_account(group)


def _kafka_9987(group: Group) -> Account:
    return kafka_9987_account(group) if is_constrained(group) else unequal_account(group)


ACCOUNTS: Final[Mapping[str, _AccountOf]] = MappingProxyType(
    {
        "range": range_account,
        "server-range": server_range_account,
        "roundrobin": roundrobin_account,
        "fair": fair_account,
        "lag-based": lag_based_account,
        "sticky": _sticky,
        "cooperative-sticky": _sticky,
        "sticky-kafka-12464": _kafka_12464,
        "sticky-kafka-9987": _kafka_9987,
        "uniform": uniform_account,
        "uniform-kafka-18688": uniform_kafka_18688_account,
        "lag-capped": partial(lag_skew_account, skew=0),
        "lag-skew": partial(lag_skew_account, skew=2),
        "lag-sticky": lag_sticky_account,
    }
)
"""What derives each strategy's decisions, by the strategy's name."""
