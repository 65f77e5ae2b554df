"""The contract of a strategy of another kind of group: Streams, Connect, share groups.

There every release has one strategy, so none is ranked; a user asks what it will do, and how
certain that is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from assignors.certainty import Certainty
from assignors.kinds import GroupKind
from assignors.placements import Placement

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class KindPromise(Enum):
    """What a strategy of another kind of group guarantees; tests check every promise."""

    EVERY_TASK_ONCE = "Every task runs once."
    NOBODY_OVER_SHARE = "Nobody runs more tasks than an even share, rounded up."
    COPIES_APART = "No instance has a task and its copy, or two copies."
    ALL_COPIES = (
        "Every task with state has as many standbys as are asked for, at most one on an instance."
    )
    READERS_BOUNDED = (
        "With equal subscriptions, no partition has more consumers than those of the group divided "
        "by all partitions, rounded up."
    )
    COUNTS_BOUNDED = (
        "With equal subscriptions, nobody reads more than an even share of all such places, "
        "rounded up."
    )
    EVEN_SORTS = (
        "In the end workers' counts of connectors differ by at most one, and so do those of tasks."
    )
    AT_REST = "Nothing moves while nothing changes."
    READS_ALL = "Every member reads every partition that it subscribes to."
    NOTHING_UNREAD = "Every subscribed partition has a member."


@dataclass(frozen=True, kw_only=True, eq=False)
class KindStrategy(Generic[Asked, Answer]):
    """One strategy, and what users see about it."""

    name: str
    label: str
    kind: GroupKind
    releases: str
    """Of Kafka: "4.2 to 4.4"."""
    assign: Callable[[Asked], Answer]
    certainty_for: Callable[[Asked], Certainty]
    """How certain the answer for one group is, by what is known of the group."""
    steps: Callable[[Asked], Sequence[Placement]]
    """What leads to the answer, step by step: added up, they are the answer."""
    promises: frozenset[KindPromise] = frozenset()
    weakness: str = ""
    """One thing it does badly, in one sentence."""
    sources: tuple[str, ...] = ()
    """KIPs and classes that define it."""
