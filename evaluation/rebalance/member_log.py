"""Rebalances as the log of one consumer tells them: who caused them, what it gave up and got back.

One log does not tell what the other consumers did, so whether a partition that went to another had
to go there is unknown. That one was given up and came straight back is known to be needless.
"""

import math
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

_Partition: TypeAlias = tuple[str, int]


class LogTrigger(Enum):
    """What caused a rebalance, by the first reason that the consumer logged before it."""

    POLL_TIMEOUT = "no poll within max.poll.interval.ms"
    FENCED = "another consumer has its group.instance.id"
    DROPPED = "the coordinator had dropped it"
    CLOSED = "closed or unsubscribed"
    STARTED = "first to join"
    TOPICS = "topics changed"
    COORDINATOR = "coordinator lost"
    OTHERS = "others"
    """The group was rebalancing already: another consumer came, went or changed."""
    UNTOLD = "not told"

    @property
    def is_own(self) -> bool:
        """Whether this very consumer caused it."""
        return self in _OWN


_OWN = {
    LogTrigger.POLL_TIMEOUT,
    LogTrigger.FENCED,
    LogTrigger.DROPPED,
    LogTrigger.CLOSED,
    LogTrigger.STARTED,
}


@dataclass(frozen=True, kw_only=True)
class LoggedRebalance:
    """One rebalance in the log of one consumer; partitions are a topic and a number."""

    consumer: str
    """The client.id."""
    at: str
    """When it was over, as the log writes it; "" without a time."""
    trigger: LogTrigger
    strategy: str = ""
    """The protocol that the coordinator chose; "" if not told."""
    generation: int | None = None
    """After it; None if not told."""
    given_up: frozenset[_Partition] = frozenset()
    """What the consumer revoked, or lost."""
    added: frozenset[_Partition] = frozenset()
    """What it was assigned and did not own at that moment."""
    owned: int = 0
    """How many partitions it owns since, as far as the log goes back."""
    rounds: int = 1
    """Two where a cooperative assignor had to wait for partitions that were given up."""
    stopped_s: float = math.nan
    """Seconds from the first partition given up until the assignment; NaN if none was, or the
    log has no times."""

    @property
    def back(self) -> frozenset[_Partition]:
        """What it gave up and got straight back: stopped for nothing."""
        return self.given_up & self.added

    @property
    def gone(self) -> frozenset[_Partition]:
        """What it gave up and another consumer, or nobody, has since."""
        return self.given_up - self.added

    @property
    def came(self) -> frozenset[_Partition]:
        """What it had not owned before."""
        return self.added - self.given_up
