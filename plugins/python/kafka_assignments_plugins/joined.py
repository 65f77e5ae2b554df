"""What members own and were promised, by their own words when they joined."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from assignors.model import NO_GENERATION, UNKNOWN, UNOWNED, Group, Owners
from kafka_assignments_plugins.user_data import Partition, UserData


class Joined(NamedTuple):
    """One member by its own words when it joined."""

    topics: Sequence[str]
    owned: Sequence[Partition] = ()
    generation: int = NO_GENERATION
    """By the protocol. A consumer whose SyncGroup came too late (error REBALANCE_IN_PROGRESS) may
    join again with a generation that it never heard the end of, and what it owned before."""
    told: UserData = UserData()
    """What its assignor said; its generation is of what the member heard of last."""
    instance_id: str | None = None
    rack: str | None = None


def generation_of_claims(members: Mapping[str, Joined]) -> dict[str, int]:
    """Return the generation of what each member claims to own."""
    if _is_newest_ours(members):
        return {member: joined.told.generation for member, joined in members.items()}
    return {member: joined.generation for member, joined in members.items()}


def promised_owners(
    group: Group, partitions: Sequence[Partition], members: Mapping[str, Joined]
) -> Owners:
    """Return the member that each partition is promised to, while the promise stands.

    It stands if it is of the newest generation, the member subscribes, and the partition has been
    nobody's in that generation or since; an older claim is that of a member that missed a round.
    ``partitions`` has their names by number.
    """
    too_new = _newest(members) if _is_newest_ours(members) else UNKNOWN
    claims, claimed = group.claims, group.nobody()
    claimed[claims.partitions[claims.generations[claims.members] >= too_new]] = 0
    promised = group.nobody()
    number = {partition: p for p, partition in enumerate(partitions)}
    member_of = {member: m for m, member in enumerate(group.members)}
    for member, meant in _promises(members):
        for partition in meant if member in member_of else ():
            p = number.get(partition, UNOWNED)
            if p != UNOWNED and claimed[p] == UNOWNED:
                promised[p] = member_of[member]
    return group.layout.fit(promised)


def has_newcomer(group: Group, members: Mapping[str, Joined], promised: Owners) -> bool:
    """Return whether a member has nothing because the newest assignment did not know it."""
    newest = _newest(members)
    return any(
        not members[name].owned and members[name].told.generation != newest
        for m, name in enumerate(group.members)
        if not np.any(promised == m)
    )


def _promises(members: Mapping[str, Joined]) -> Iterator[tuple[str, Sequence[Partition]]]:
    """Yield what members, and leaders of all members, say that is meant for whom."""
    newest = _newest(members)
    for member, joined in members.items():
        if joined.told.generation == newest != NO_GENERATION:
            yield member, joined.told.promised
            yield from joined.told.planned.items()


def _newest(members: Mapping[str, Joined]) -> int:
    """Return the newest generation whose assignment a member got from an assignor of this kind."""
    return max((each.told.generation for each in members.values()), default=NO_GENERATION)


def _is_newest_ours(members: Mapping[str, Joined]) -> bool:
    """Return whether no assignor of another kind can have assigned since."""
    newest = _newest(members)
    return all(each.generation <= newest for each in members.values())
