"""What the owners of a partition tell since its committed offset stands. P partitions."""

from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np

from assignors.model import UNOWNED, Group, LongArray
from evaluation.diagnosis.sums import commits
from evaluation.measuring.offset_history import Held, OffsetHistory, by_partition


class Renewals(NamedTuple):
    """Who has owned each partition (P,) since its committed offset stands."""

    owners: LongArray
    """How many consumers, by id."""
    restarts: LongArray
    """How often its owner was gone and a consumer that is new owned it."""

    @classmethod
    def of(cls, group: Group, history: OffsetHistory) -> Self:
        """Count both over the snapshots that tell who owns what."""
        committed = commits(group, history)
        moved = committed != committed[-1]
        stood_from = np.where(moved.any(axis=0), len(moved) - np.argmax(moved[::-1], axis=0), 0)
        told = [(k, each.held) for k, each in enumerate(history.moments) if each.held is not None]
        owners = np.full((len(told), group.partition_count), "", np.object_)
        for row, (_, held) in enumerate(told):
            owners[row] = _owners(group, held)
        places = np.array([k for k, _ in told], np.int64)
        stands = (places[:, None] >= stood_from) & (owners != "")
        restarts = np.zeros(group.partition_count, np.int64)
        for row, ((_, one), (_, other)) in enumerate(pairwise(told)):
            gone, came = (
                [*set(a.members) - set(b.members)] for a, b in ((one, other), (other, one))
            )
            restarts += stands[row] & np.isin(owners[row], gone) & np.isin(owners[row + 1], came)
        counts = [len({*ids[mask]}) for ids, mask in zip(owners.T, stands.T, strict=True)]
        return cls(np.array(counts, np.int64), restarts)


def _owners(group: Group, held: Held) -> list[str]:
    """Return the id of the owner of each partition (P,), or ""."""
    places = np.nan_to_num(by_partition(group, held.owners), nan=UNOWNED).astype(np.int64)
    return [held.members[place] if place != UNOWNED else "" for place in places.tolist()]
