"""How certain a prediction is before the rebalance, and why."""

from enum import Enum
from typing import Final, NamedTuple

import numpy as np

from assignors.java.hash_order import FEWEST_BUCKETS
from assignors.model import Group
from assignors.topic_ids import has_ids, ids_share_buckets


class Known(Enum):
    """How much is known of a prediction, best first."""

    EXACT = "exact"
    CONDITIONAL = "exact if"
    """Exact, if what the source does not say is as assumed."""
    LIKELY = "nearly exact"
    ONE_OF_SEVERAL = "one of several"
    COUNTS_ONLY = "counts only"
    DISTRIBUTION = "distribution only"
    """How many consumers get how many partitions, not which."""
    NOT_PREDICTABLE = "not predictable"
    BREAKS_THE_RULES = "breaks the rules"
    FAILS = "fails"


class Certainty(NamedTuple):
    """What is known of one assignment, or of a strategy's assignments at worst."""

    known: Known
    why: str = ""
    """One sentence; empty if exact."""
    answers: int = 0
    """How many assignments are possible, if known."""
    share: float | None = None
    """In which share of random groups what is known came true; None if in all."""
    condition: str = ""
    """What must be so, although the source does not say it: "if all consumers read all topics"."""

    @property
    def text(self) -> str:
        """The label that users see: "exact", "one of 2", "distribution, 95 %".

        What holds on a condition names it: "if all consumers read all topics", "one of 2, if …".
        """
        if self.known is Known.CONDITIONAL:
            return self.condition
        label = self.known.value
        if self.answers:
            label = f"one of {self.answers}"
        elif self.share is not None:
            label = f"{label.removesuffix(' only')}, {self.share:.0%}".replace("%", " %")
        return f"{label}, {self.condition}" if self.condition else label

    def on(self, condition: str) -> "Certainty":
        """Return this certainty where it hangs on a condition; as it is if that is empty.

        >>> EXACT.on("if no racks are set").text
        'if no racks are set'
        """
        if not condition or self.is_fault or self.known is Known.NOT_PREDICTABLE:
            return self
        known = Known.CONDITIONAL if self.known is Known.EXACT else self.known
        return self._replace(known=known, condition=condition)

    @property
    def is_fault(self) -> bool:
        """Whether the client is known to do what the protocol forbids, or to fail."""
        return self.known in {Known.BREAKS_THE_RULES, Known.FAILS}

    @property
    def as_data(self) -> dict[str, object]:
        """The fields for programs, those without a value left out."""
        data = {
            "kind": self.known.name.lower(),
            "text": self.text,
            "why": self.why,
            "answers": 1 if self.known is Known.EXACT else self.answers,
            "share": self.share,
            "condition": self.condition,
        }
        return {name: value for name, value in data.items() if value}


EXACT: Final = Certainty(Known.EXACT)
HASHED_MEMBERS: Final = Certainty(
    Known.COUNTS_ONLY,
    "Kafka 4.0.0 assigns extra partitions in the order of a hash map of consumers, here in the "
    "order of their ids: with equal subscriptions counts are exact, owners are not.",
)
AS_MERGED: Final = Certainty(
    Known.COUNTS_ONLY,
    "No release assigns as the code merged for KAFKA-12464 did; clients 3.0 to 3.7.0 come closest. "
    "With equal subscriptions it is certain how many consumers get how many partitions.",
)
AS_DESCRIBED: Final = Certainty(
    Known.COUNTS_ONLY,
    "This is what KAFKA-9987 describes; clients 2.5.1 to 2.8.2 take a full consumer's first "
    "partition, not its last. With equal subscriptions it is certain how many consumers get how "
    "many partitions.",
)
VANISHED: Final = Certainty(
    Known.NOT_PREDICTABLE,
    "A consumer claims a partition that does not exist, perhaps of a topic recreated with fewer. "
    "Clients count it as owned, or fail; here it is ignored.",
)
WITHOUT_TOPIC_IDS: Final = Certainty(
    Known.COUNTS_ONLY,
    "With several topics, their random ids decide who gets what. A live group and "
    "kafka-topics --describe give the ids; without them counts are exact, owners are not.",
)
LARGE_TOPICS: Final = Certainty(
    Known.LIKELY,
    f"In a topic of more than {FEWEST_BUCKETS} partitions the order of past rebalances can decide "
    "what a consumer gives up: about 1 prediction in 20 names another owner.",
)
SHARED_BUCKETS: Final = Certainty(
    Known.LIKELY,
    "The ids of two topics share a hash bucket, where the order of past rebalances can decide: "
    "about 1 prediction in 25 names another owner.",
)


def of_uniform(group: Group) -> Certainty:
    """Return how certain a broker's uniform assignment of this group is."""
    sizes = group.topic_sizes[group.layout.wanted_topics]
    if sizes.size > 1 and not has_ids(group.layout):
        return WITHOUT_TOPIC_IDS
    if int(np.max(sizes, initial=0)) > FEWEST_BUCKETS and group.has_claims:
        return LARGE_TOPICS
    if sizes.size > 1 and ids_share_buckets(group.layout):
        return SHARED_BUCKETS
    return EXACT


def if_unequal(certainty: Certainty, group: Group) -> Certainty:
    """Return this certainty if members subscribe to different topics, else ``EXACT``."""
    return EXACT if group.layout.has_equal_subscriptions else certainty


def joined(*conditions: str) -> str:
    """Return conditions in one phrase, each of which begins with "if"; "" if all are empty.

    >>> joined("if no racks are set", "", "if all read all")
    'if no racks are set and all read all'
    """
    first, *rest = [each for each in conditions if each] or [""]
    *others, last = [first, *(each.removeprefix("if ") for each in rest)]
    return f"{', '.join(others)} and {last}" if others else last
