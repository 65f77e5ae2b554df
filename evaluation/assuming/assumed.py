"""What a source leaves open of a group, and what is taken for it instead."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from assignors.certainty import Certainty, Known, joined
from assignors.model import UNOWNED, Group
from assignors.strategy import Sees, Strategy
from evaluation.metrics import topics_per_member
from evaluation.wording import listed


class SubscriptionSource(Enum):
    """Where it comes from which consumer reads which topics."""

    READ = "the source lists them"
    STATED = "you state it"
    ALL_READ_ALL = "all consumers read all topics"
    UNEQUAL_INFERRED = "each consumer reads only the topics it owns"


_NAMED: Final = 2
"""The most topics that a condition names."""
IF_ALL_READ_ALL: Final = "if all consumers read all topics"
IF_NO_RACKS: Final = "if no racks are set"
IF_UNOWNED: Final = "if nobody owns what has no known owner"
IF_ALONE: Final = "if there are no other consumers"
IF_ALL_SHOWN: Final = "if the source shows all that decides"
OTHERS_UNKNOWN: Final = Certainty(
    Known.NOT_PREDICTABLE,
    "The text does not say which consumers there are, so nothing can be said of what each gets.",
)
_CONDITIONS: Final = {
    SubscriptionSource.ALL_READ_ALL: IF_ALL_READ_ALL,
    SubscriptionSource.UNEQUAL_INFERRED: "if consumers read only the topics they own",
}


@dataclass(frozen=True, kw_only=True)
class Assumed:
    """What the source of a group does not say; without arguments, it says everything."""

    subscriptions: SubscriptionSource = SubscriptionSource.READ
    why: str = ""
    """The evidence for ``UNEQUAL_INFERRED``, in one sentence."""
    alternatives: tuple[SubscriptionSource, ...] = ()
    """What the subscriptions may be instead, where that matters."""
    racks_unknown: bool = False
    """Whether the source never tells racks."""
    owners_unknown: bool = False
    """Whether the source does not say of some partitions who owns them, if anybody."""
    members_unknown: bool = False
    """Whether the source does not say which consumers there are."""
    has_epochs: bool = False
    """Whether the source tells epochs, as only groups in which the broker assigns have them."""
    misfits: int = 0
    """Partitions to which the strategy that the source names would have given another owner: a
    rebalance is due, or something that the source does not show decides."""
    client: str = ""
    """The client library that ids or a named strategy give away, as ``CLIENTS`` names it."""
    client_why: str = ""
    """What gives the client away, in brackets: "ids begin with rdkafka-"."""

    def condition(self, group: Group, strategy: Strategy) -> str:
        """Return on which condition a prediction is exact: "if ..."; "" if on none.

        A condition is left out where it cannot matter: that on subscriptions with one topic, or if
        every consumer owns a partition of each.
        """
        conditions = []
        if self.subscriptions in _CONDITIONS and subscriptions_matter(group):
            conditions.append(_CONDITIONS[self.subscriptions])
        if self.subscriptions in _CONDITIONS and (unread := _unread(group)):
            conditions.append(f"if no consumer reads {listed(unread, most=_NAMED)}")
        if self.members_unknown:
            conditions.append(IF_ALONE)
        if self.misfits:
            conditions.append(IF_ALL_SHOWN)
        if self.owners_unknown and Sees.OWNERS in strategy.sees:
            conditions.append(IF_UNOWNED)
        if self.racks_unknown and Sees.RACKS in strategy.sees and group.member_count > 1:
            conditions.append(IF_NO_RACKS)
        return joined(*conditions)

    def is_predictable(self, group: Group) -> bool:
        """Return whether enough of the consumers is known to predict what each gets.

        It is not where the source tells nothing of them, of one alone while others own the rest,
        or where more partitions have an unknown owner than a known one.
        """
        unknown = int(np.count_nonzero(group.is_owner_unknown & group.is_wanted))
        known = int(np.count_nonzero(group.present_owners != UNOWNED))
        if not self.members_unknown or not group.partition_count:
            return True
        return group.member_count > 1 and known >= unknown

    def qualified(self, certainty: Certainty, group: Group, strategy: Strategy) -> Certainty:
        """Return a strategy's certainty for this group, on the condition that it hangs on."""
        if not self.is_predictable(group):
            return OTHERS_UNKNOWN
        return certainty.on(self.condition(group, strategy))


def _unread(group: Group) -> list[str]:
    """Return the topics that no member subscribes to, as far as anything tells."""
    if not group.member_count:
        return []
    is_unread = (group.audiences.of_topic < 0) & (group.topic_sizes > 0)
    return [group.topics[topic] for topic in np.flatnonzero(is_unread)]


NOTHING: Final = Assumed()
"""Of a source that says everything."""


def subscriptions_matter(group: Group) -> bool:
    """Return whether owners leave open who subscribes to what, so that a prediction may differ.

    They do not with one topic, or if every consumer owns a partition of each.
    """
    topics = group.layout.wanted_topics.size
    if topics < 2:  # noqa: PLR2004 -- nothing to differ in
        return False
    return bool((topics_per_member(group, group.fit_owners) < topics).any())
