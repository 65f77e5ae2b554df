"""The members of a block of groups over time: who joins, leaves and restarts, and when."""

from ipaddress import IPv4Address
from typing import Final, TypeAlias
from uuid import UUID

import numpy as np
import numpy.typing as npt

from assignors import ragged
from pipeline.generating.traits import FleetEvent, Traits

Members: TypeAlias = npt.NDArray[np.void]
"""(M,) members, group by group, ascending by id.

``born`` is the first snapshot at which a member is there, ``gone`` the first at which it is not any
more. A restart is a second member on the same ``seat``. Who ``is_partial`` subscribes to the first
half of the topics only; ``throughput`` is the records/s it can read.
"""
NAMES: Final = ("member_id", "client_id", "host", "group_instance_id", "rack")
"""The columns that telemetry has as well."""
_COLUMNS: Final = np.dtype(
    [
        *((name, "i8") for name in ("group", "seat", "born", "gone")),
        *((name, "O") for name in NAMES),
        *(("is_partial", "?"), ("throughput", "f8")),
    ]
)
_ZONES: Final = np.array(["zone-a", "zone-b", "zone-c"])
_NOTHING: Final = np.array(None)
_FIRST_HOST: Final = int(IPv4Address("10.0.0.0"))
_ODDS: Final = (0.25, 0.2, 0.3, 0.2, 0.05)
"""Probability of each random ``Event``."""


def members_of(traits: Traits, snapshots: int, random: np.random.Generator) -> Members:
    """Draw each member's lifetime, name and throughput."""
    lifetimes = np.array(_lifetimes(traits, snapshots, random), np.int64)
    members = np.zeros(len(lifetimes), _COLUMNS)
    for name, column in zip(("group", "seat", "born", "gone"), lifetimes.T, strict=True):
        members[name] = column
    its = traits[members["group"]]
    seats = members["seat"].tolist()
    members["client_id"] = [f"{name}-{seat}" for name, seat in zip(its["name"], seats, strict=True)]
    bits = random.bytes(16 * members.size)
    members["member_id"] = [
        f"{client_id}-{UUID(bytes=bits[16 * m : 16 * m + 16])}"
        for m, client_id in enumerate(members["client_id"])
    ]
    places = (its["number"] * 37 + members["seat"]) % 2**24
    members["host"] = [f"/{IPv4Address(_FIRST_HOST + place)}" for place in places.tolist()]
    members["group_instance_id"] = np.where(its["is_static"], members["client_id"], _NOTHING)
    members["rack"] = np.where(its["has_racks"], _ZONES[members["seat"] % len(_ZONES)], _NOTHING)
    members["is_partial"] = its["is_mixed"] & (members["seat"] % 3 == 1)
    members["throughput"] = its["rate"] * its["headroom"] / its["members"]
    key = list(zip(members["group"].tolist(), members["member_id"], strict=True))
    members = members[sorted(range(members.size), key=key.__getitem__)]
    members["throughput"] *= random.lognormal(0.0, 0.15, members.size)
    return members


def _lifetimes(traits: Traits, snapshots: int, random: np.random.Generator) -> list[list[int]]:
    """Return the group, seat, ``born`` and ``gone`` of each member, in no order.

    A group has at most one event per snapshot, and none at the first.
    """
    starts = ragged.starts_of(traits["members"])
    columns = (ragged.row_of_each(starts), ragged.place_in_row(traits["members"]))
    everyone = [[group, seat, 0, snapshots] for group, seat in np.transpose(columns).tolist()]
    counts = np.minimum(random.poisson(traits["churn"] * snapshots), snapshots - 1)
    for g in np.flatnonzero((counts > 0) | traits["script"].astype(np.bool_)).tolist():
        times = 1 + random.choice(snapshots - 1, counts[g], replace=False)
        kinds = random.choice(len(_ODDS), counts[g], p=_ODDS)
        events = dict(zip(times.tolist(), map(FleetEvent, kinds.tolist()), strict=True))
        present = everyone[starts[g] : starts[g + 1]]
        everyone += _joined(present, sorted((events | dict(traits["script"][g])).items()), random)
    return everyone


def _joined(
    present: list[list[int]], events: list[tuple[int, FleetEvent]], random: np.random.Generator
) -> list[list[int]]:
    """Return who joins by these events; record in place who leaves, and when.

    An empty group can only restart.
    """
    group, _, _, snapshots = present[0]
    next_seat, joined, left = len(present), list[list[int]](), list[list[int]]()
    for at, event in events:
        leaving: list[list[int]] = []
        if not present:
            seats = [seat for _, seat, _, _ in left]
        elif event is FleetEvent.JOIN:
            seats, next_seat = [next_seat], next_seat + 1
        else:
            is_one = event in {FleetEvent.LEAVE, FleetEvent.RESTART}
            leaving = [present[int(random.integers(len(present)))]] if is_one else present
            is_back = event in {FleetEvent.RESTART, FleetEvent.DEPLOY}
            seats = [seat for _, seat, _, _ in leaving] if is_back else []
        left = leaving or left
        for member in leaving:
            member[-1] = at
        joining = [[group, seat, at, snapshots] for seat in seats]
        present = [member for member in present if member[-1] > at] + joining
        joined += joining
    return joined
