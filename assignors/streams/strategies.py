"""The strategies of Streams, and how certain each is by what is known of a group."""

from functools import partial
from typing import Final, TypeAlias

from assignors.certainty import EXACT, Certainty, Known
from assignors.kind_strategy import KindPromise, KindStrategy
from assignors.kinds import GroupKind
from assignors.streams.application import StreamsApplication, StreamsRound
from assignors.streams.broker_group import StreamsGroup
from assignors.streams.broker_sticky import sticky, sticky_4_3
from assignors.streams.high_availability import high_availability
from assignors.streams.legacy_sticky import fallback_prior, legacy_sticky
from assignors.streams.rounds import classic_round, classic_steps
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
    steps=lambda group: sticky(group).placements,
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
    steps=lambda group: sticky_4_3(group).placements,
    certainty_for=lambda _: EXACT,
    promises=_PROMISES,
    weakness=_WEAKNESS,
    sources=("KIP-1071", "StickyTaskAssignor"),
)
BROKER_STRATEGIES: Final = (STICKY, STICKY_4_3)
"""Newest first."""


ClassicStrategy: TypeAlias = KindStrategy[StreamsApplication, StreamsRound]

WITHOUT_OFFSET_SUMS: Final = Certainty(
    Known.COUNTS_ONLY,
    "Which instance runs what in the end is exact; which of its threads, and what happens on the "
    "way, hangs on where state lies, which no tool prints but threads report to their leader.",
)
WITHOUT_PROCESSES: Final = Certainty(
    Known.DISTRIBUTION,
    "Process ids order the instances, and client ids that are set hide them: it is certain how "
    "many instances get how many tasks.",
)
AS_REPORTED: Final = Certainty(
    Known.ONE_OF_SEVERAL,
    "Threads report their state only when they join: what each instance gets holds if the copies "
    "that it keeps have caught up since, and state left on its disk is reported by whichever of "
    "its threads locks the directory first.",
)
RACK_AWARE: Final = Certainty(
    Known.COUNTS_ONLY,
    "rack.aware.assignment.strategy moves tasks along the cheapest flow over racks, which is not "
    "modelled: counts are exact.",
)


def _of_classic(application: StreamsApplication) -> Certainty:
    """Without stateful tasks neither offsets nor what ran where decides anything."""
    if application.settings.is_rack_aware and len(application.instances) > 1:
        return RACK_AWARE
    if not application.knows_processes and len(application.instances) > 1:
        return WITHOUT_PROCESSES
    if application.stateful and not application.knows_offsets:
        return WITHOUT_OFFSET_SUMS
    return AS_REPORTED if application.stateful and application.is_as_reported else EXACT


HIGH_AVAILABILITY: Final = ClassicStrategy(
    name="streams-high-availability",
    label="High availability (Streams)",
    kind=GroupKind.STREAMS,
    releases="3.4 to 4.4",
    assign=classic_round,
    steps=partial(classic_steps, place=high_availability),
    certainty_for=_of_classic,
    promises=frozenset(
        {KindPromise.EVERY_TASK_ONCE, KindPromise.COPIES_APART, KindPromise.ALL_COPIES}
    ),
    weakness="Tasks with state move only once their copy is caught up, max.warmup.replicas at a "
    "time, one probing rebalance each 10 minutes.",
    sources=("KIP-441", "HighAvailabilityTaskAssignor"),
)
LEGACY_STICKY: Final = ClassicStrategy(
    name="streams-legacy-sticky",
    label="Legacy sticky (Streams)",
    kind=GroupKind.STREAMS,
    releases="3.4 to 4.4",
    assign=partial(classic_round, place=legacy_sticky),
    steps=partial(classic_steps, place=legacy_sticky),
    certainty_for=_of_classic,
    promises=frozenset(
        {KindPromise.EVERY_TASK_ONCE, KindPromise.COPIES_APART, KindPromise.ALL_COPIES}
    ),
    weakness="A task moves at once and stops until its state is restored.",
    sources=("LegacyStickyTaskAssignor",),
)
FALLBACK_PRIOR: Final = ClassicStrategy(
    name="streams-fallback-prior",
    label="Prior owners (Streams, offsets unknown)",
    kind=GroupKind.STREAMS,
    releases="3.4 to 4.4",
    assign=partial(classic_round, place=fallback_prior),
    steps=partial(classic_steps, place=fallback_prior),
    certainty_for=_of_classic,
    promises=frozenset(
        {KindPromise.EVERY_TASK_ONCE, KindPromise.COPIES_APART, KindPromise.ALL_COPIES}
    ),
    weakness="Nothing is evened out until the leader can read the ends of the changelogs.",
    sources=("FallbackPriorTaskAssignor",),
)
CLASSIC_STRATEGIES: Final = (HIGH_AVAILABILITY, LEGACY_STICKY, FALLBACK_PRIOR)
"""The default first; the last is what the leader uses while it cannot read offsets."""
