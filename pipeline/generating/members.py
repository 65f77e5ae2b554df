"""The members of a block of groups over time: who joins, leaves and restarts, and when."""

from dataclasses import dataclass

import numpy as np

from assignors import ragged
from assignors.model import BoolArray, FloatArray, LongArray
from pipeline.generating.lifetimes import lifetimes
from pipeline.generating.names import ZONES, random_ids
from pipeline.generating.traits import Traits


@dataclass(frozen=True, eq=False, kw_only=True)
class Members:
    """M members; those of a group stand together, ascending by id."""

    starts: LongArray
    """(G + 1,) group g has members starts[g] to starts[g + 1] - 1."""
    group: LongArray
    """(M,)"""
    born: LongArray
    """(M,) the first snapshot at which it is there."""
    gone: LongArray
    """(M,) the first at which it is not any more."""
    ids: list[str]
    clients: list[str]
    hosts: list[str]
    instances: list[str | None]
    racks: list[str | None]
    is_partial: BoolArray
    """(M,) subscribes to the first half of the topics only."""
    throughput: FloatArray
    """(M,) records/s it can read."""


def members_of(traits: Traits, snapshots: int, random: np.random.Generator) -> Members:
    """Draw each member's lifetime, name and throughput."""
    seats = lifetimes(traits, snapshots, random)
    group, seat = np.array(seats.group, np.int64), np.array(seats.seat, np.int64)
    clients = [f"{traits.names[g]}-{s}" for g, s in zip(seats.group, seats.seat, strict=True)]
    ids = [
        f"{client}-{unique}"
        for client, unique in zip(clients, random_ids(len(clients), random), strict=True)
    ]
    order = sorted(range(len(ids)), key=lambda m: (seats.group[m], ids[m]))
    group, seat = group[order], seat[order]
    share = traits.rate[group] * traits.headroom[group] / traits.members[group]
    has_rack = traits.has_racks[group].tolist()
    hosts = (traits.number[group] * 37 + seat).tolist()
    return Members(
        starts=ragged.starts_of(np.bincount(group, minlength=len(traits))),
        group=group,
        born=np.array(seats.born, np.int64)[order],
        gone=np.array(seats.gone, np.int64)[order],
        ids=[ids[m] for m in order],
        clients=[clients[m] for m in order],
        hosts=[f"/10.{h // 65536 % 256}.{h // 256 % 256}.{h % 256}" for h in hosts],
        instances=[
            clients[m] if static else None
            for m, static in zip(order, traits.is_static[group].tolist(), strict=True)
        ],
        racks=[
            ZONES[s % len(ZONES)] if known else None
            for s, known in zip(seat.tolist(), has_rack, strict=True)
        ],
        is_partial=traits.is_mixed[group] & (seat % 3 == 1),
        throughput=share * random.lognormal(0.0, 0.15, group.size),
    )
