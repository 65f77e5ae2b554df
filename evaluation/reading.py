"""A group as a source gave it: the one record of what is known of it before anything is stated."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Self

from assignors.kinds import GroupKind, refusal
from assignors.model import Group
from evaluation.assuming.assumed import NOTHING, Assumed, SubscriptionSource
from evaluation.assuming.subscriptions import with_subscriptions
from evaluation.judging import Measure
from evaluation.kinds.forecast import KindGroup
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.rebalance.member_log import LoggedRebalance
from evaluation.rebalancing import Rebalancing


class ReadAgain(Enum):
    """How a further snapshot of a group comes."""

    BY_COMMAND = "somebody runs a command again and adds its output"
    ON_REQUEST = "somebody has the cluster read again"
    BY_ITSELF = "the group is watched"


@dataclass(frozen=True, eq=False, kw_only=True)
class Reading:
    """One group with all that its source tells of it, and how it was read.

    Group JSON keeps what is told (``sources.group_fields``), not how it was read.
    """

    group: Group
    strategy: str | None = None
    """The strategy that the source names, as the client calls it or as we do."""
    history: OffsetHistory | None = None
    """Offsets over time, oldest first, if the source has them."""
    hosts: Mapping[str, str] = field(default_factory=dict)
    """The host of each member whose host is known."""
    weighed: Measure | None = None
    """What the leader that logged the group weighed; None if no leader did."""
    kind: GroupKind = GroupKind.CONSUMER
    """What kind of group it is, which decides whether a strategy of consumer groups assigns."""
    as_kind: KindGroup | None = None
    """The group as the assignors of its kind see it; None for consumer groups, and where the
    source does not tell enough."""
    state: str | None = None
    """As Kafka's tools write it: Stable, PreparingRebalance, Empty; None if unknown."""
    rebalancing: Rebalancing | None = None
    """The rebalance that was under way; None without one, as far as the source tells."""
    logged: tuple[LoggedRebalance, ...] = ()
    """The rebalances that logs of its consumers tell, one consumer's after another's."""
    lacking: str = ""
    """What every prediction needs and the source does not tell, with the command that tells it;
    empty if nothing is lacking."""
    name_above: str = ""
    """The group's name in a command or heading above a table without it, or its cluster where
    several have a group of its name."""
    assumed: Assumed = NOTHING
    """What the source leaves open, and what is taken for it."""

    format: str = ""
    """The format of the text by its usual name, ``kafka-consumer-groups --describe``; empty of a
    group that was not read of any."""
    rows: int = 0
    """Data rows of this group: partitions (idle consumers' rows of dashes not counted)."""
    ignored: tuple[tuple[int, str], ...] = ()
    """Lines that could not be used: line number (from 1) and text; the same for every
    group of one text."""
    notes: tuple[str, ...] = ()
    """Sentences on assumptions and oddities, such as lag that contradicts offsets."""
    is_live: bool = False
    """Whether it was read from a running cluster, not from a text."""
    is_watched: bool = False
    """Whether it is read again and again, so that the next snapshot comes by itself."""
    taken_s: float = math.nan
    """When the snapshot on screen was taken, as its text states; NaN if unknown. Seconds since the
    epoch, as if in UTC where no zone is named; of a clock without a day, since midnight."""
    pasted_s: float = math.nan
    """When its text was pasted, in seconds since the epoch; NaN if it was not."""

    def with_group(self, group: Group) -> Self:
        """Return the reading with its group as edited; the same for its own group.

        What the source told of that one moment no longer holds of an edited group.
        """
        if group is self.group:
            return self
        return replace(self, group=group, as_kind=None, state=None, rebalancing=None)

    def with_subscriptions(self, source: SubscriptionSource) -> Self:
        """Return the reading with another assumption of who subscribes to what, as stated.

        ``ALL_READ_ALL`` or ``UNEQUAL_INFERRED``; what is stated is no longer assumed.
        """
        group = with_subscriptions(self.group, source)
        stated = SubscriptionSource.STATED
        assumed = replace(self.assumed, subscriptions=stated, why="", alternatives=())
        return replace(self, group=group, assumed=assumed)

    @property
    def name(self) -> str:
        """The group's name; "" if unknown."""
        if self.group.id and self.name_above:
            return f"{self.group.id} ({self.name_above})"
        return self.group.id or self.name_above

    @property
    def hindrance(self) -> str:
        """Why no strategy of consumer groups is predicted, in one sentence; "" if it can be."""
        if not self.kind.runs_consumer_strategies:
            return refusal(self.kind, self.name)
        return self.lacking

    @property
    def again(self) -> ReadAgain:
        """How a further snapshot comes."""
        if self.is_watched:
            return ReadAgain.BY_ITSELF
        return ReadAgain.ON_REQUEST if self.is_live else ReadAgain.BY_COMMAND
