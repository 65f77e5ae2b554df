"""The members of a block of groups over time: who restarts, leaves and comes back, and when."""

from base64 import urlsafe_b64encode
from ipaddress import IPv4Address
from typing import Final, TypeAlias
from uuid import UUID

import numpy as np
import numpy.typing as npt

from assignors import ragged
from assignors.registry import STRATEGIES
from assignors.strategy import Protocol
from pipeline.generating.traits import Traits

Members: TypeAlias = npt.NDArray[np.void]
"""(M,) members, group by group, ascending by id.

``born`` is the first snapshot at which a member is there, ``gone`` the first at which it is not any
more. A restart is a second member on the same ``seat``. ``throughput`` is what it can read, in
records/s.
"""
NAMES: Final = ("member_id", "client_id", "host", "group_instance_id", "rack")
"""The columns that telemetry has as well."""
_COLUMNS: Final = np.dtype(
    [
        *((name, "i8") for name in ("group", "seat", "born", "gone")),
        *((name, "O") for name in NAMES),
        ("throughput", "f8"),
    ]
)
_ZONES: Final = np.array(["zone-a", "zone-b", "zone-c"])
_NOTHING: Final = np.array(None)
_FIRST_HOST: Final = int(IPv4Address("10.0.0.0"))
_OF_ALL: Final = 0.25
"""The share of events that concern all members of a group, not one."""


def members_of(traits: Traits, snapshots: int, random: np.random.Generator) -> Members:
    """Draw each member's lifetime, name and throughput."""
    lifetimes = np.array(_lifetimes(traits, snapshots, random), np.int64)
    members = np.zeros(len(lifetimes), _COLUMNS)
    for name, column in zip(("group", "seat", "born", "gone"), lifetimes.T, strict=True):
        members[name] = column
    its, seats = traits[members["group"]], members["seat"]
    client_ids = [f"{name}-{seat}" for name, seat in zip(its["name"], seats, strict=True)]
    members["client_id"] = client_ids
    members["member_id"] = [
        _member_id(strategy, client_id, UUID(bytes=random.bytes(16), version=4))
        for strategy, client_id in zip(its["strategy"], client_ids, strict=True)
    ]
    hosts = _FIRST_HOST + (its["number"] * 37 + seats) % 2**24
    members["host"] = [f"/{IPv4Address(host)}" for host in hosts.tolist()]
    members["group_instance_id"] = np.where(its["is_static"], members["client_id"], _NOTHING)
    members["rack"] = np.where(its["has_racks"], _ZONES[seats % len(_ZONES)], _NOTHING)
    mean = its["rate"] * its["headroom"] / its["members"]
    members["throughput"] = mean * random.lognormal(0.0, 0.15, members.size)
    key = list(zip(members["group"].tolist(), members["member_id"], strict=True))
    return members[sorted(range(members.size), key=key.__getitem__)]


def _member_id(strategy: str, client_id: str, random: UUID) -> str:
    """Return an id as the group's protocol gives it; one that a broker assigns in is random alone.

    Kafka never begins a random id with a hyphen.
    """
    if STRATEGIES[strategy].protocol is not Protocol.BROKER:
        return f"{client_id}-{random}"
    text = urlsafe_b64encode(random.bytes).decode().rstrip("=")
    return f"A{text[1:]}" if text.startswith("-") else text


def _lifetimes(traits: Traits, snapshots: int, random: np.random.Generator) -> list[list[int]]:
    """Return the group, seat, ``born`` and ``gone`` of each member, in no order.

    A group has at most one event per snapshot, and none at the first. A consumer, or all of them,
    restarts under a new id; or leaves, and a later event brings it back.
    """
    starts = ragged.starts_of(traits["members"])
    columns = (ragged.row_of_each(starts), ragged.place_in_row(traits["members"]))
    everyone = [[group, seat, 0, snapshots] for group, seat in np.transpose(columns).tolist()]
    counts = np.minimum(random.poisson(traits["churn"] * snapshots), snapshots - 1)
    for g in np.flatnonzero(counts).tolist():
        present = dict(enumerate(everyone[starts[g] : starts[g + 1]]))
        for at in sorted(1 + random.choice(snapshots - 1, counts[g], replace=False)):
            concerns_all, restarts = random.random(2) < (_OF_ALL, 0.5)
            seats = range(traits["members"][g])
            for seat in seats if concerns_all else [int(random.integers(len(seats)))]:
                before = present.pop(seat, None)
                if before:
                    before[-1] = at
                if restarts or not (before or concerns_all):
                    present[seat] = [g, seat, at, snapshots]
                    everyone.append(present[seat])
    return everyone
