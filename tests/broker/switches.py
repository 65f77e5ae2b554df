"""Switches of real groups: what was stated before, and what the rolling restarts led to."""

import random
import time
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.comparing.outcomes import at_next_rebalance
from evaluation.comparing.outlook import Outlook, outlook, range_of
from evaluation.metrics import lag_per_member
from evaluation.rebalance.way import restarts_of
from live.cluster import Cluster, connect
from live.groups import describe_groups
from live.model import GroupDescription, NamedPartition
from live.properties import Properties
from live.reading import read_group
from sources.live_groups import reading_of
from sources.text import read_text
from tests.broker.consumers import Client, ToStart

_TIMEOUT_S: Final = 120
_PAUSE_S: Final = 0.3
_REST_S: Final = 4.0
"""Longer than a heartbeat: a rebalance that is about to come has begun by then."""
_NAMES: Final = "abcdefgh"


@dataclass(frozen=True)
class Switch:
    """One group, the strategies before and after, and its consumers' configuration."""

    group: str
    before: Strategy
    after: Strategy
    sizes: tuple[int, ...]
    """Partitions of each topic."""
    members: int = 4
    is_static: bool = False
    has_racks: bool = False
    is_noticed: bool = True
    """Whether a consumer stays away until the group has rebalanced without it."""
    away_s: float = 0.0
    """How long it stays away otherwise."""
    lags: tuple[int, ...] = ()
    """The records of each partition of the first topic; else they are drawn."""

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, all of which every consumer subscribes to."""
        return tuple(f"{self.group}-{number}" for number in range(len(self.sizes)))

    def config(self, consumer: int, listed: tuple[Strategy, ...], servers: str) -> dict[str, str]:
        """Return the properties of a consumer, by number, that lists these strategies."""
        config = {"bootstrap.servers": servers, "group.id": self.group, "client.id": "reader"}
        if self.lags:
            config["client.id"] = f"reader-{_NAMES[consumer]}"
        if listed[0].remote_assignor:
            config["group.protocol"] = "consumer"
            config["group.remote.assignor"] = listed[0].remote_assignor
        else:
            names = (strategy.name.removeprefix("librdkafka-") for strategy in listed)
            config["partition.assignment.strategy"] = ",".join(names)
            # Long enough for a consumer to be back before the others hear of its leaving.
            config["heartbeat.interval.ms"] = "300" if self.is_noticed else "3000"
        if self.is_static:
            config["group.instance.id"] = f"static-{_NAMES[consumer]}"
        if self.has_racks:
            config["client.rack"] = f"rack-{'abc'[consumer % 3]}"
        return config


class Reached(NamedTuple):
    """What a switch was said to bring, and what it brought: the busiest consumer's lag."""

    client: str
    switch: Switch
    stated: Outlook
    exact: int
    """The next rebalance under the strategy after, if the group only ran it already."""
    real: int
    moved: int | None
    """Partitions that another consumer has than before; None where consumers have one name."""
    by_paste: Outlook
    """What is stated of what kafka-consumer-groups --describe prints of the group."""

    @property
    def is_inside(self) -> bool:
        """Whether the real lag is in the stated range."""
        low, high = range_of(self.stated.max_lags)
        return low <= self.real <= high

    @property
    def is_inside_by_paste(self) -> bool:
        """Whether the real lag is in the range that a paste tells."""
        low, high = range_of(self.by_paste.max_lags)
        return low <= self.real <= high

    @property
    def median(self) -> int:
        """The stated middle."""
        return int(self.stated.max_lags[self.stated.draws // 2])


class Stage:
    """One group on a cluster, led through its switch."""

    def __init__(self, switch: Switch, client: Client, servers: str) -> None:
        self._switch, self._client, self._servers = switch, client, servers
        self._running: set[int] = set()
        self._started = 0

    def play(self) -> Reached:
        """Start the group, state what the switch brings, switch; return both."""
        switch, chance = self._switch, random.Random(self._switch.group)  # noqa: S311 -- no secret
        with connect(Properties({"bootstrap.servers": self._servers})) as cluster:
            self._start(range(switch.members), (switch.before,))
            self._settled(cluster, set())
            today = self._group(cluster)
            stated = outlook(today, switch.after, switch.before, is_noticed=switch.is_noticed)
            (reading,) = read_text(described(today))
            by_paste = outlook(
                reading.group, switch.after, switch.before, is_noticed=switch.is_noticed
            )
            (exact,) = at_next_rebalance(today, [switch.after])
            for listed in restarts_of(switch.before, switch.after):
                order = list(range(switch.members))
                chance.shuffle(order)
                for consumer in order:
                    self._restart(cluster, consumer, listed)
            end = self._group(cluster)
            for consumer in list(self._running):
                self._close(consumer)
        real = int(lag_per_member(end, end.present_owners).max())
        moved = _moved(today, end) if switch.lags else None
        next_lag = exact.figures.max_lag or 0
        return Reached(self._client.name, switch, stated, next_lag, real, moved, by_paste)

    def _restart(self, cluster: Cluster, consumer: int, listed: tuple[Strategy, ...]) -> None:
        before = {member.id for member in self._settled(cluster, set()).members}
        self._close(consumer)
        if self._switch.is_noticed and not self._switch.is_static:
            after = self._settled(cluster, set())
            gone = before - {member.id for member in after.members}
        else:
            gone = set()
            time.sleep(self._switch.away_s)
        self._start([consumer], listed)
        self._settled(cluster, gone, newcomer_to=before)

    def _start(self, consumers: list[int] | range, listed: tuple[Strategy, ...]) -> None:
        switch = self._switch
        self._client.start(
            *(
                ToStart(
                    f"{switch.group}/{consumer}",
                    switch.config(consumer, listed, self._servers),
                    switch.topics,
                )
                for consumer in consumers
            )
        )
        self._running |= set(consumers)

    def _close(self, consumer: int) -> None:
        self._client.close(f"{self._switch.group}/{consumer}")
        self._running.remove(consumer)

    def _settled(
        self, cluster: Cluster, gone: set[str], newcomer_to: set[str] | None = None
    ) -> GroupDescription:
        """Wait until all consumers have joined and everything is assigned once."""
        group, until = self._switch.group, time.monotonic() + _TIMEOUT_S
        found: object = None
        while time.monotonic() < until:
            found = describe_groups(cluster, [group])[group]
            if isinstance(found, GroupDescription) and self._is_settled(found, gone, newcomer_to):
                return found
            time.sleep(_PAUSE_S)
        message = f"{group} did not settle: {found}"
        raise AssertionError(message)

    def _is_settled(
        self, found: GroupDescription, gone: set[str], newcomer_to: set[str] | None
    ) -> bool:
        given = _given(found)
        places = [place for held in given.values() for place in held]
        is_replaced = newcomer_to is None or bool(set(given) - newcomer_to)
        return (
            found.state == "Stable"
            and len(given) == len(self._running)
            and is_replaced
            and not gone & set(given)
            and len(set(places)) == len(places) == sum(self._switch.sizes)
        )

    def _group(self, cluster: Cluster) -> Group:
        """Return the group once it is at rest, with racks and the lag of every partition."""
        until = time.monotonic() + _TIMEOUT_S
        before: dict[str, set[NamedPartition]] = {}
        while time.monotonic() < until:
            read = read_group(cluster, self._switch.group)
            told, given = read.description, _given(read.description)
            if given == before and self._is_settled(told, set(), None):
                members = [
                    replace(member, owned=tuple(sorted(given[member.id])), target=None)
                    for member in told.members
                ]
                asked = replace(
                    read,
                    description=replace(told, members=tuple(members)),
                )
                return reading_of(asked, "earliest").group
            before = given
            time.sleep(_REST_S)
        message = f"{self._switch.group} did not come to rest"
        raise AssertionError(message)


def described(group: Group) -> str:
    """Return a group as kafka-consumer-groups --describe prints it."""
    header = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
    lines = [header]
    lags = group.counted_lags.tolist()
    for partition, owner in enumerate(group.present_owners.tolist()):
        topic = group.topics[int(group.topic_of_partition[partition])]
        number, member = int(group.number_in_topic[partition]), group.members[owner]
        client = group.layout.client_ids.get(member, member)
        lines.append(
            f"{group.id} {topic} {number} 0 {lags[partition]} {lags[partition]} {member} "
            f"/127.0.0.1 {client}"
        )
    return "\n".join(lines)


def _moved(before: Group, after: Group) -> int:
    """Return how many partitions another client has."""
    names = [
        [group.layout.client_ids[group.members[m]] for m in group.present_owners.tolist()]
        for group in (before, after)
    ]
    return sum(had != has for had, has in zip(*names, strict=True))


def _given(group: GroupDescription) -> dict[str, set[NamedPartition]]:
    """Return what was assigned to each member: its target assignment, if there is one."""
    return {m.id: set(m.owned if m.target is None else m.target) for m in group.members}
