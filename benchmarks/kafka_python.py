"""kafka-python's assignors, called as its group leader calls them."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module, metadata
from typing import Any, Final, NamedTuple

from assignors import naming, numbering
from assignors.model import Group
from benchmarks.measuring import (
    Budget,
    Competitor,
    Measured,
    UnavailableError,
    claims_by_topic,
    medians,
    owners_of,
    repeated,
    timed,
)
from benchmarks.workloads import KAFKA_PYTHON

_ASSIGNORS: Final = {
    "range": ("range", "RangePartitionAssignor"),
    "roundrobin": ("roundrobin", "RoundRobinPartitionAssignor"),
    "sticky": ("sticky.sticky_assignor", "StickyPartitionAssignor"),
    "cooperative-sticky": ("cooperative_sticky", "CooperativeStickyAssignor"),
}
"""Module and class of each strategy."""
_EAGER: Final = 0
"""The version of an assignment's wire form; it has no owned partitions."""


class _Cluster(NamedTuple):
    """What the assignors ask of kafka-python's ClusterMetadata."""

    sizes: dict[str, int]

    def topics(self) -> set[str]:
        """Return every topic's name."""
        return set(self.sizes)

    def partitions_for_topic(self, topic: str) -> set[int] | None:
        """Return the topic's partition numbers, as ever in a new set."""
        return set(range(self.sizes[topic])) if topic in self.sizes else None


class _Member(NamedTuple):
    """One member as the leader finds it in the JoinGroup response."""

    member_id: str
    group_instance_id: str | None
    metadata: Any


@contextmanager
def competitor() -> Iterator[Competitor]:
    """Yield kafka-python.

    Raises UnavailableError if it is not installed.
    """
    try:
        version = metadata.version("kafka-python")
    except metadata.PackageNotFoundError as error:
        message = "the package kafka-python is not installed"
        raise UnavailableError(message) from error
    yield Competitor(KAFKA_PYTHON, version, frozenset(_ASSIGNORS), _measure)


def _measure(strategy: str, group: Group, budget: Budget) -> Measured:
    """Return the medians of a new assignor's ``assign`` on decoded subscriptions."""
    sizes = dict(zip(group.topics, group.topic_sizes.tolist(), strict=True))
    module, name = _ASSIGNORS[strategy]
    assignor_of = getattr(import_module(f"kafka.coordinator.assignors.{module}"), name)
    members = [_joined(assignor_of(), member) for member in naming.member_records(group)]

    def assign() -> dict[str, Any]:
        answer: dict[str, Any] = assignor_of().assign(_Cluster(sizes), members)
        return answer

    runs = list(repeated(partial(timed, assign), budget))
    owners = owners_of(
        group,
        (
            (member, topic, partitions)
            for member, assignment in runs[0][1].items()
            for topic, partitions in assignment.assigned_partitions
        ),
    )
    return Measured(medians([cost for cost, _ in runs]), len(runs), owners)


def _joined(assignor: Any, member: numbering.Member) -> _Member:  # noqa: ANN401 -- untyped there
    """Let the member's own assignor say what it owns; take that through the wire form."""
    wire = import_module("kafka.protocol.consumer.metadata")
    if member.owned:
        owned = wire.ConsumerProtocolAssignment(_EAGER, claims_by_topic(member), b"")
        assignor.on_assignment(owned, member.generation)
    sent = assignor.metadata(member.topics).encode()
    return _Member(member.id, member.instance_id, wire.ConsumerProtocolSubscription.decode(sent))
