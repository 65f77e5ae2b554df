"""What the leader of a group decides: target, promises, fallback. No client, no clock."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from assignors.lag.load_sticky import load_sticky
from assignors.load_settings import LoadSettings
from assignors.model import UNKNOWN, UNOWNED, BoolArray, Group, Owners
from assignors.numbering import Member, Topic, group_of
from assignors.rules import check
from assignors.sticky.kafka import sticky
from kafka_assignments_plugins.joined import (
    Joined,
    generation_of_claims,
    has_newcomer,
    promised_owners,
)
from kafka_assignments_plugins.offsets import OffsetsRead, column
from kafka_assignments_plugins.user_data import Partition

LOG: Final = logging.getLogger("kafka_assignments_plugins")


class Settings(NamedTuple):
    """What a consumer's owner may set; every consumer of a group needs the same."""

    group_id: str
    auto_offset_reset: str = "latest"
    timeout_s: float = 2.0
    """For all reading of one assignment together."""
    horizon_s: float = 300.0
    """What arrived within it counts as load; 0 counts lag alone."""
    moves_share: float = 0.1
    """Of the partitions that could stay, the share that may move."""
    tolerance: float = 0.05
    """Nothing moves off a consumer within this share of an even load."""
    log_inputs: bool = False
    """Whether to log all that the leader saw, as group JSON."""

    def checked(self) -> "Settings":
        """Return these settings. Raises ValueError, which fails the consumer's start."""
        if not self.group_id:
            message = "load-sticky needs the group_id of the consumer, found none"
            raise ValueError(message)
        if self.auto_offset_reset not in {"latest", "earliest"}:
            message = f"auto_offset_reset must be latest or earliest, not {self.auto_offset_reset}"
            raise ValueError(message)
        if not 0 < self.timeout_s <= 2:  # noqa: PLR2004 -- heartbeats wait meanwhile
            message = f"timeout_s must be above 0 and at most 2, not {self.timeout_s}"
            raise ValueError(message)
        if not (0 <= self.moves_share <= 1 and 0 <= self.tolerance <= 1 and self.horizon_s >= 0):
            message = "moves_share and tolerance must be from 0 to 1, and horizon_s at least 0"
            raise ValueError(message)
        return self

    @property
    def of_group(self) -> LoadSettings:
        """What the strategy is told, in the units in which it counts."""
        return LoadSettings(int(1000 * self.moves_share + 0.5), int(1e6 * self.tolerance + 0.5))


class MemberShare(NamedTuple):
    """What one member gets: partitions now, and a promise of more."""

    partitions: tuple[Partition, ...]
    promised: tuple[Partition, ...]


def decide(
    sizes: Mapping[str, int],
    members: Mapping[str, Joined],
    read: Callable[[Sequence[Partition]], OffsetsRead],
    settings: Settings,
    *,
    is_cooperative: bool,
) -> dict[str, MemberShare]:
    """Return each member's share; never raises.

    ``sizes`` has the partition count of each known topic. ``read`` is not called in a round that
    only keeps promises. Without any load the target is that of Kafka's sticky assignors.
    """
    group = _group(sizes, members, settings)
    names = partitions_of(group)
    promised = promised_owners(group, names, members)
    try:
        target = check(group, _target(group, members, promised, read, settings, is_cooperative))
    except Exception:
        LOG.exception("load-sticky failed; assigning as Kafka's sticky assignors do")
        target = sticky(group)
    withheld = _withheld(group, target) if is_cooperative else np.zeros(target.size, np.bool_)
    now, later = np.where(withheld, UNOWNED, target), np.where(withheld, target, UNOWNED)
    shares = {}
    for number, member in enumerate(group.members):
        held, meant = (np.flatnonzero(owners == number).tolist() for owners in (now, later))
        shares[member] = MemberShare(tuple(names[p] for p in held), tuple(names[p] for p in meant))
    return shares


def partitions_of(group: Group) -> list[Partition]:
    """Return topic and number of each partition."""
    topics = group.topic_of_partition.tolist()
    return [
        (group.topics[t], n) for t, n in zip(topics, group.number_in_topic.tolist(), strict=True)
    ]


def _group(sizes: Mapping[str, int], members: Mapping[str, Joined], settings: Settings) -> Group:
    generations = generation_of_claims(members)
    records = [
        Member(
            id=member,
            topics=sorted(set(joined.topics)),
            instance_id=joined.instance_id,
            rack=joined.rack,
            owned=list(dict.fromkeys(joined.owned)),
            generation=generations[member],
        )
        for member, joined in members.items()
    ]
    topics = {name: Topic(count) for name, count in sizes.items()}
    reset = settings.auto_offset_reset
    group = group_of(topics, records, id=settings.group_id, auto_offset_reset=reset)
    return replace(group, load_settings=settings.of_group)


def _target(  # noqa: PLR0913, PLR0917 -- one decision, made of all of them
    group: Group,
    members: Mapping[str, Joined],
    promised: Owners,
    read: Callable[[Sequence[Partition]], OffsetsRead],
    settings: Settings,
    is_cooperative: bool,
) -> Owners:
    owed = np.where(promised == UNOWNED, group.fit_owners, promised)
    is_complete = (promised != UNOWNED).any() and not (owed[group.wanted] == UNOWNED).any()
    if is_cooperative and is_complete and not has_newcomer(group, members, promised):
        return owed
    partitions = partitions_of(group)
    offsets = read([partitions[p] for p in group.wanted.tolist()])
    loads = offsets.loads(partitions, settings.auto_offset_reset)
    unknown = int(np.count_nonzero(loads[group.wanted] == UNKNOWN))
    if settings.log_inputs:
        name = "load-sticky" if is_cooperative else "load-sticky-eager"
        LOG.info("%s saw %s", name, json.dumps(_seen(name, group, owed, offsets, settings)))
    if unknown:
        LOG.warning(
            "load-sticky could not read the load of %d of %d partitions of %s: %s",
            *(unknown, group.wanted.size, settings.group_id, offsets.problem or "no offsets"),
        )
    if unknown == group.wanted.size:
        return sticky(group.owned_by(owed))
    return load_sticky(group.owned_by(owed).with_weights(loads))


def _withheld(group: Group, target: Owners) -> BoolArray:
    """Return which partitions somebody else must give up first, or several claim."""
    present = group.present_owners
    is_contested = (group.claims.last_claimants != UNOWNED) & (present == UNOWNED)
    withheld: BoolArray = is_contested | ((present != UNOWNED) & (present != target))
    withheld &= target != UNOWNED
    return withheld


def _seen(
    name: str, group: Group, owed: Owners, offsets: OffsetsRead, settings: Settings
) -> dict[str, Any]:
    """Return all that decides, as the group JSON that assign.py and the page read."""
    partitions, spans = partitions_of(group), range(len(group.topics))

    def by_topic(values: Sequence[Any]) -> dict[str, list[Any]]:
        return {group.topics[t]: list(values[group.topic_span(t)]) for t in spans}

    def known(values: Any) -> list[int | None]:  # noqa: ANN401 -- an array
        return [None if value == UNKNOWN else value for value in values.tolist()]

    arrived = known(column(offsets.arrived, partitions))
    has_rates = settings.horizon_s > 0
    rates = [None if a is None or not has_rates else a / settings.horizon_s for a in arrived]
    columns = {
        field: by_topic(known(column(values, partitions)))
        for field, values in (
            ("begin", offsets.begin),
            ("end", offsets.end),
            ("committed", offsets.committed or {}),
        )
    }
    return {
        "id": group.id,
        "strategy": name,
        "auto_offset_reset": group.offsets.reset,
        "topics": {
            topic: int(size) for topic, size in zip(group.topics, group.topic_sizes, strict=True)
        },
        "members": [
            _member(group, m, [partitions[p] for p in np.flatnonzero(owed == m).tolist()])
            for m in range(group.member_count)
        ],
        "lags": by_topic(known(offsets.lags(partitions, settings.auto_offset_reset))),
        "arrived": by_topic(arrived),
        "horizon_ms": round(1000 * settings.horizon_s),
        "moves_share": settings.of_group.moves_permille / 1000,
        "tolerance": settings.of_group.tolerance / 1e6,
        "rates": by_topic(rates),
        "offsets": {
            topic: {field: columns[field][topic] for field in columns} for topic in group.topics
        },
    }


def _member(group: Group, number: int, owned: Sequence[tuple[str, int]]) -> dict[str, Any]:
    """Return a member with what it is said to own."""
    layout, rack = group.layout, int(group.layout.member_racks[number])
    reads = layout.subscribes[layout.class_of_member[number]]
    return {
        "id": group.members[number],
        "instance_id": layout.instance_ids[number],
        "rack": layout.racks[rack] if rack >= 0 else None,
        "topics": [topic for topic, is_read in zip(group.topics, reads, strict=True) if is_read],
        "owned": [list(each) for each in owned],
        "generation": int(group.claims.generations.max()),
    }
