"""Which partitions have a replica in a member's rack (KIP-881)."""

from typing import NamedTuple, Self

import numpy as np

from assignors.model import NO_RACK, UNOWNED, BoolArray, Group, IntArray, LongArray, Owners


class Racks(NamedTuple):
    """The racks of a group in which they make a difference."""

    of_member: IntArray
    """(M,) rack number or ``NO_RACK``."""
    of_replicas: BoolArray
    """(P, R) whether the rack holds a replica of the partition."""
    rackless_match: bool = True
    """Whether a member without a rack matches every partition, or none."""

    @classmethod
    def that_matter(cls, group: Group) -> Self | None:
        """Return the racks, or None if matching them could not change the result.

        They matter if a member's rack holds a replica of a wanted partition, and not every wanted
        partition has replicas in all the racks.
        """
        if not group.layout.racks:
            return None
        used = np.unique(group.layout.member_racks[group.layout.member_racks != NO_RACK])
        if not used.size:
            return None
        wanted = group.layout.replica_racks[group.is_wanted]
        anywhere: BoolArray = np.any(wanted, axis=0)
        if not anywhere[used].any() or (wanted == anywhere).all():
            return None
        return cls(group.layout.member_racks, group.layout.replica_racks)

    def mismatch(self, members: IntArray, partitions: IntArray | LongArray) -> BoolArray:
        """Return for each pair whether the member does not match the partition."""
        racks = self.of_member[members]
        of_racks = ~self.of_replicas[partitions, racks]
        return np.where(racks == NO_RACK, not self.rackless_match, of_racks)

    def matching(self, owners: Owners) -> Owners:
        """Return the owners (P,) that have no mismatch, in a new array."""
        owners, held = owners.copy(), np.flatnonzero(owners != UNOWNED)
        owners[held[self.mismatch(owners[held], held)]] = UNOWNED
        return owners

    def members_near(self, partitions: IntArray) -> LongArray:
        """Return how many members are in a rack with a replica of each partition."""
        members_in_rack = np.bincount(
            self.of_member[self.of_member != NO_RACK], minlength=self.of_replicas.shape[1]
        )
        near: LongArray = self.of_replicas[partitions] @ members_in_rack
        return near
