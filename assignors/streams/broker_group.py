"""A Streams group on the broker's protocol (KIP-1071), as its task assignor sees it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from assignors.java.hash_order import in_hash_map_order
from assignors.streams.tasks import Subtopology, Task


class StreamsMember(NamedTuple):
    """One thread of an instance."""

    id: str
    process: str
    """The id of its instance: all threads of one ``KafkaStreams`` share it."""
    active: frozenset[Task] = frozenset()
    standby: frozenset[Task] = frozenset()
    """What it holds (4.4); to 4.2 and 4.3, what the group's target gives it."""
    offsets: Mapping[Task, int] | None = None
    """Sums of the changelog offsets on its instance's disk, as it reports them; None if unknown."""


@dataclass(frozen=True)
class StreamsGroup:
    """Sub-topologies and members, in whatever order."""

    subtopologies: Sequence[Subtopology]
    members: Sequence[StreamsMember]
    standbys: int = 0
    """``streams.num.standby.replicas`` of the group."""
    tasks: list[Task] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        tasks = [task for each in self.subtopologies for task in each.tasks]
        object.__setattr__(self, "tasks", tasks)

    @cached_property
    def members_in_order(self) -> list[StreamsMember]:
        """The members as a ``HashMap`` of their ids iterates them."""
        return in_hash_map_order(self.members)
