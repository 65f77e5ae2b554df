"""When the events of a series happen, and which events a slow restart consists of."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from assignors.model import Group
from evaluation.rebalance.draws import SEED
from evaluation.rebalance.events import ComeBack, Event, Join, Leave, after
from evaluation.rebalance.regroup import subscriptions
from evaluation.rebalance.timing import Timing
from evaluation.stated import require
from evaluation.wording import without_uuid


@dataclass(frozen=True)
class Planned:
    """An event and its time."""

    event: Event
    wait_s: float
    """After the start of the previous event; longer if the group is still rebalancing."""
    unnoticed_s: float = 0.0
    """Until the coordinator notices members that left without a LeaveGroup request."""


def planned(
    group: Group,
    events: Iterable[Event],
    timing: Timing,
    *,
    apart_s: float,
    is_crash: bool = False,
) -> list[Planned]:
    """Return the events ``apart_s`` apart, with restarts as the group experiences them.

    A dynamic consumer whose restart outlasts a round leaves and later joins; so does a static one
    whose session times out. Shorter restarts stay single events. A consumer that leaves sends
    LeaveGroup unless it is static or crashes: then its session times out first. Raises
    InvalidEventError for an impossible event, InvalidNumberError for an impossible time.
    """
    require("the time between events", apart_s, "s")
    steps: list[Planned] = []
    wait_s = apart_s
    for event in events:
        silence_s = timing.session_timeout_s if _is_silent(group, event, is_crash=is_crash) else 0.0
        first, *rest = _as_it_goes(group, Planned(event, wait_s, silence_s), timing)
        steps.extend((first, *rest))
        wait_s = max(apart_s - timing.restart_s, 0.0) if rest else apart_s
        for part in (first, *rest):
            group = after(group, part.event)
    return steps


def rolling_restart(group: Group, *, is_static: bool) -> list[Event]:
    """Return one restart per consumer, in order, each with a new member id.

    Like Kafka's, the id is the client's name and a UUID, drawn, but the same for equal groups. For
    consumers without static ids, use the group without them (``dynamic``).
    """
    chance = random.Random(SEED)  # noqa: S311 -- no secret
    return [
        ComeBack(
            member,
            f"{without_uuid(member)}-{UUID(int=chance.getrandbits(128), version=4)}",
            (group.layout.instance_ids[number] or f"static {member}") if is_static else None,
        )
        for number, member in enumerate(group.members)
    ]


def dynamic(group: Group) -> Group:
    """Return the group without static ids."""
    return replace(group, layout=replace(group.layout, instance_ids=(None,) * group.member_count))


def _as_it_goes(group: Group, entry: Planned, timing: Timing) -> tuple[Planned, ...]:
    """Split a restart that outlasts the group's patience into leaving and joining."""
    event = entry.event
    if not isinstance(event, ComeBack) or event.old_id not in group.members:
        return (entry,)
    member = group.members.index(event.old_id)
    instance_id = event.instance_id or group.layout.instance_ids[member]
    is_noticed = timing.is_restart_noticed if instance_id else timing.restart_s > timing.pause_s
    if not is_noticed:
        return (entry,)
    rack = int(group.layout.member_racks[member])
    join = Join(
        ids=(event.new_id,),
        topics=tuple(group.topics[t] for t in subscriptions(group)[member]),
        racks=(group.layout.racks[rack],) if rack >= 0 else (),
        instance_ids=(instance_id,) if instance_id else (),
    )
    unnoticed_s = timing.session_timeout_s if instance_id else 0.0
    leave = Planned(Leave((event.old_id,)), entry.wait_s, unnoticed_s)
    return (leave, Planned(join, timing.restart_s))


def _is_silent(group: Group, event: Event, *, is_crash: bool) -> bool:
    """Return whether members leave without a LeaveGroup request, so that a session times out."""
    if not isinstance(event, Leave):
        return False
    static = {group.members[m] for m, name in enumerate(group.layout.instance_ids) if name}
    return is_crash or not static.isdisjoint(event.ids)
