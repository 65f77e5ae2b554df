"""The strategies of Streams, and how certain each is by what is known of a group."""

from typing import Final, TypeAlias

from assignors.certainty import EXACT, Certainty, Known
from assignors.kind_strategy import KindPromise, KindStrategy
from assignors.kinds import GroupKind
from assignors.streams.broker_group import StreamsGroup
from assignors.streams.broker_sticky import sticky, sticky_4_3
from assignors.streams.tasks import TaskAssignment

BrokerStrategy: TypeAlias = KindStrategy[StreamsGroup, TaskAssignment]

WITHOUT_OFFSETS: Final = Certainty(
    Known.ONE_OF_SEVERAL,
    "State on an instance's disk attracts tasks, also those that the instance no longer runs. "
    "Java's describeStreamsGroups reads the offsets that tell; without them the prediction holds "
    "where no instance keeps state of former tasks.",
)


def _of_sticky(group: StreamsGroup) -> Certainty:
    """Offsets decide nothing where no task has state, or one instance has all threads."""
    has_state = any(each.is_stateful for each in group.subtopologies)
    is_told = all(member.offsets is not None for member in group.members)
    return WITHOUT_OFFSETS if has_state and not is_told and len(group.members) > 1 else EXACT


_PROMISES: Final = frozenset(
    {
        KindPromise.EVERY_TASK_ONCE,
        KindPromise.NOBODY_OVER_SHARE,
        KindPromise.COPIES_APART,
        KindPromise.ALL_COPIES,
    }
)
_WEAKNESS: Final = (
    "Lag plays no part, and a task moves before its state is restored: without a standby at the "
    "new owner it stops until then."
)
STICKY: Final = BrokerStrategy(
    name="streams-sticky",
    label="Sticky tasks (broker)",
    kind=GroupKind.STREAMS_BROKER,
    releases="4.4",
    assign=sticky,
    certainty_for=_of_sticky,
    promises=_PROMISES,
    weakness=_WEAKNESS,
    sources=("KIP-1071", "StickyTaskAssignor"),
)
STICKY_4_3: Final = BrokerStrategy(
    name="streams-sticky-4.3",
    label="Sticky tasks (broker, Kafka 4.2 and 4.3)",
    kind=GroupKind.STREAMS_BROKER,
    releases="4.2 to 4.3",
    assign=sticky_4_3,
    certainty_for=lambda _: EXACT,
    promises=_PROMISES,
    weakness=_WEAKNESS,
    sources=("KIP-1071", "StickyTaskAssignor"),
)
BROKER_STRATEGIES: Final = (STICKY, STICKY_4_3)
"""Newest first."""
