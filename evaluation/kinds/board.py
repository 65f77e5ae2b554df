"""Who holds what in a group that is no consumer group, as rows of blocks; the same for each kind.

A part is what belongs together: a sub-topology, a connector, a topic of a share group.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, NamedTuple

from assignors.connect.cluster import ConnectCluster
from assignors.model import Group
from assignors.share.group import ShareGroup
from assignors.streams.application import StreamsApplication
from assignors.streams.broker_group import StreamsGroup
from evaluation.kinds.forecast import Forecast, Held, KindGroup
from evaluation.wording import natural

_SHORT_PROCESS: Final = 8


class Role(Enum):
    """What a block is."""

    STATELESS = "stateless"
    STATEFUL = "stateful"
    STANDBY = "standby"
    WARM_UP = "warm-up"
    CONNECTOR = "connector"
    TASK = "task"
    READ = "read"


_RUN: Final = frozenset({"active", "reads"})
"""Roles, in what members hold, of what is run and has a lag."""
_COPIES: Final = frozenset({Role.STANDBY, Role.WARM_UP})


class WorkBlock(NamedTuple):
    """A task, a copy of one, a connector, a partition."""

    name: str
    part: str
    role: Role
    is_new: bool = False
    """Whether its holder does not hold it now."""
    behind: int | None = None
    """Records behind in it; None if unknown, and of a copy."""

    @property
    def is_copy(self) -> bool:
        """Whether it is a standby or a warm-up."""
        return self.role in _COPIES


class Holder(NamedTuple):
    """A thread, a worker, a consumer, with what it holds."""

    id: str
    label: str
    home: str
    """Its instance; "" where it is none's."""
    blocks: tuple[WorkBlock, ...]
    behind: int | None = None
    """Records behind in what it runs; None if unknown."""
    is_gone: bool = False
    """Whether it has left: its blocks are what it ran."""

    @property
    def runs(self) -> tuple[WorkBlock, ...]:
        """What it runs itself."""
        return tuple(each for each in self.blocks if not each.is_copy)

    @property
    def copies(self) -> tuple[WorkBlock, ...]:
        """Standbys and warm-ups."""
        return tuple(each for each in self.blocks if each.is_copy)


class WorkPart(NamedTuple):
    """A sub-topology, a connector or a topic."""

    name: str
    reads: str
    items: int
    is_stateful: bool = False
    behind: int | None = None


class Board(NamedTuple):
    """All holders, in the order of their names, and all parts."""

    holders: tuple[Holder, ...]
    parts: tuple[WorkPart, ...]

    @property
    def is_lag_known(self) -> bool:
        """Whether it is known how far every part is behind."""
        return all(each.behind is not None for each in self.parts)

    @property
    def homes(self) -> list[str]:
        """The instances that are there."""
        return list(dict.fromkeys(each.home for each in self.holders if not each.is_gone))

    def counts(self) -> dict[str, int]:
        """How much each instance, worker or consumer runs; connectors themselves not counted."""
        found: Counter[str] = Counter()
        for each in self.holders:
            if not each.is_gone:
                runs = sum(block.role is not Role.CONNECTOR for block in each.runs)
                found[each.home or each.label] += runs
        return dict(found)


def board_of(
    group: KindGroup,
    found: Forecast,
    shown: Mapping[str, Held],
    read: Group,
) -> Board:
    """Return the members with what they hold at one stage, those that left with what they ran.

    ``read`` is the group as its partitions were read, which has lags and client ids.
    """
    lags = lags_of(group, read)
    parts = _parts_of(group, lags)
    stateful = {each.name for each in parts if each.is_stateful}
    holders = []
    for name in dict.fromkeys([*found.now, *shown]):
        held, before = shown.get(name), found.now.get(name, {})
        here = {item for items in before.values() for item in items}
        blocks = tuple(
            WorkBlock(
                item,
                part_of(group, item),
                _role(group, role, is_stateful=part_of(group, item) in stateful),
                is_new=held is not None and item not in here,
                behind=lags.get(item) if role in _RUN else None,
            )
            for role, items in (before if held is None else held).items()
            for item in items
        )
        runs = [lags.get(each.name) for each in blocks if not each.is_copy]
        behind = None if None in runs else sum(each or 0 for each in runs)
        home = found.homes.get(name, "")
        client = read.layout.client_ids.get(name, "")
        holders.append(
            Holder(
                name,
                found.labels.get(name) or _label(name, client),
                short_home(home),
                blocks,
                behind,
                is_gone=held is None,
            )
        )
    holders.sort(key=lambda each: (natural(each.home), natural(each.label)))
    return Board(tuple(holders), parts)


def part_of(group: KindGroup, item: str) -> str:
    """Return the sub-topology, the connector or the topic of an item."""
    if isinstance(group, StreamsApplication | StreamsGroup):
        return item.partition("_")[0]
    if isinstance(group, ConnectCluster):
        return item if item in group.configured else item.rpartition("-")[0]
    return item.rpartition("-")[0]


def lags_of(group: KindGroup, read: Group) -> dict[str, int | None]:
    """Return how far each task or partition is behind, by name; None where it is unknown.

    A task is behind by what its partitions are.
    """
    of = {
        (read.topics[int(topic)], int(number)): int(lag) if is_known else None
        for topic, number, lag, is_known in zip(
            read.topic_of_partition,
            read.number_in_topic,
            read.counted_lags,
            read.is_lag_known,
            strict=True,
        )
    }
    if isinstance(group, ShareGroup):
        return {f"{topic}-{number}": lag for (topic, number), lag in of.items()}
    if isinstance(group, ConnectCluster):
        return {}
    sources = {each.id: _topics(each.sources, read) for each in group.subtopologies}
    lags: dict[str, int | None] = {}
    for task in group.tasks:
        known = [
            of[topic, task.partition]
            for topic in sources[task.subtopology]
            if (topic, task.partition) in of
        ]
        lags[task.name] = None if not known or None in known else sum(each or 0 for each in known)
    return lags


def _topics(names: Sequence[str], read: Group) -> list[str]:
    """Return the topics that a topology names; repartition topics bear the application's name."""
    full = [name if name in read.topics else f"{read.id}-{name}" for name in names]
    return [name for name in full if name in read.topics]


def _parts_of(group: KindGroup, lags: Mapping[str, int | None]) -> tuple[WorkPart, ...]:
    if isinstance(group, ConnectCluster):
        return tuple(WorkPart(name, "", count) for name, count in sorted(group.configured.items()))
    if isinstance(group, ShareGroup):
        return tuple(
            WorkPart(name, name, topic.partitions, behind=_sum(lags, f"{name}-", topic.partitions))
            for name, topic in sorted(group.topics.items())
        )
    stateful = _stateful(group)
    sizes = Counter(task.subtopology for task in group.tasks)
    return tuple(
        WorkPart(
            str(each.id),
            ", ".join(each.sources),
            sizes[each.id],
            each.id in stateful,
            _sum(lags, f"{each.id}_", sizes[each.id]),
        )
        for each in group.subtopologies
    )


def _stateful(group: StreamsApplication | StreamsGroup) -> set[int]:
    return {each.id for each in group.subtopologies if each.is_stateful}


def _sum(lags: Mapping[str, int | None], prefix: str, size: int) -> int | None:
    known = [lags.get(f"{prefix}{number}") for number in range(size)]
    return None if None in known else sum(each or 0 for each in known)


def _role(group: KindGroup, role: str, *, is_stateful: bool) -> Role:
    if role == "active":
        return Role.STATEFUL if is_stateful else Role.STATELESS
    if isinstance(group, ConnectCluster):
        return Role.CONNECTOR if role == "connectors" else Role.TASK
    return {"standby": Role.STANDBY, "warm-up": Role.WARM_UP}.get(role, Role.READ)


def _label(name: str, client: str) -> str:
    """Return what a member is called on screen: "thread-1", a worker's address, a client id."""
    _, is_thread, number = (client or name).partition("-StreamThread-")
    if is_thread:
        return f"thread-{number.partition('-')[0]}"
    return client or name


def short_home(home: str) -> str:
    """Return what an instance is called on screen: the first part of its process id, or "new-1"."""
    return home[:_SHORT_PROCESS]
