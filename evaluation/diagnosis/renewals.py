"""What the owners of a partition tell since its committed offset stands. P partitions."""

from collections.abc import Sequence
from typing import NamedTuple, Self

import numpy as np

from assignors.model import UNOWNED, BoolArray, Group, LongArray
from evaluation.diagnosis.sums import commits
from evaluation.diagnosis.turnover import OFTEN_S
from evaluation.measuring.offset_history import Held, OffsetHistory, by_partition


class Renewals(NamedTuple):
    """Who has owned each partition (P,) since its committed offset stands."""

    owners: LongArray
    """How many consumers, by id; 0 if that is unknown."""
    restarts: LongArray
    """How often its owner was gone and a consumer that is new owned it."""
    lately: LongArray
    """How often in the last half hour: twice there is again and again, twice in days is not."""
    gone: LongArray
    """How often in the last half hour its owner was gone, whoever owned it then."""
    is_reader_gone: BoolArray
    """Whether who read up to there was gone at the first snapshot at which it stood, likewise."""
    stands: BoolArray
    """Whether it stands since the snapshot before the last or longer."""
    taken_at: LongArray
    """The place of the first snapshot from which its present owner has owned it, whether it stands
    or not; 0 if from the first, or if that is unknown."""

    @classmethod
    def of(cls, group: Group, history: OffsetHistory) -> Self:
        """Find them in the snapshots that tell who owns what."""
        committed = commits(group, history)
        moved = committed != committed[-1]
        stood_from = np.where(moved.any(axis=0), len(moved) - np.argmax(moved[::-1], axis=0), 0)
        told = [(k, each.held) for k, each in enumerate(history.moments) if each.held is not None]
        owners, is_there = _numbered(group, [held for _, held in told])
        places = np.array([k for k, _ in told], np.int64)
        stands = (places[:, None] >= stood_from) & (owners != UNOWNED)
        gone, came = is_there[:-1] & ~is_there[1:], is_there[1:] & ~is_there[:-1]
        is_owner_gone = np.take_along_axis(gone, owners[:-1], axis=1)
        is_gone = stands[:-1] & is_owner_gone
        came_to_stand = (places[:-1, None] < stood_from) & (places[1:, None] >= stood_from)
        is_restarted = is_gone & np.take_along_axis(came, owners[1:], axis=1)
        is_late = ~(history.times_s[-1] - history.times_s[places[1:]] > 2 * OFTEN_S)  # NaN is
        since = np.sort(np.where(stands, owners, UNOWNED), axis=0)
        is_another = np.diff(since, axis=0, prepend=UNOWNED) != 0
        return cls(
            np.count_nonzero(is_another, axis=0),
            np.count_nonzero(is_restarted, axis=0),
            np.count_nonzero(is_restarted & is_late[:, None], axis=0),
            np.count_nonzero(is_gone & is_late[:, None], axis=0),
            (came_to_stand & is_owner_gone & is_late[:, None]).any(axis=0),
            stood_from < len(moved) - 1,
            _taken_at(owners, places),
        )

    def with_readers_of_one(self, is_behind: BoolArray) -> Self:
        """Return these without readers that are gone, unless one alone that is behind stands."""
        is_one = np.count_nonzero(self.stands & is_behind) == 1
        return self._replace(is_reader_gone=self.is_reader_gone & is_one)

    def is_new(self, history: OffsetHistory, within_s: float) -> BoolArray:
        """Return whether the owner of each partition (P,) owns it for less than these seconds.

        Without times, whether it does at the last snapshot alone.
        """
        owned_s = history.times_s[-1] - history.times_s[self.taken_at]
        is_last = self.taken_at == len(history.moments) - 1
        return np.asarray(
            (self.taken_at > 0) & np.where(np.isnan(owned_s), is_last, owned_s < within_s)
        )


def _taken_at(owners: LongArray, places: LongArray) -> LongArray:
    """Return at which place owners (T, P) became those of the last snapshot; 0 if they were."""
    is_same = np.logical_and.accumulate((owners == owners[-1:])[::-1], axis=0)
    count = np.count_nonzero(is_same, axis=0)
    is_known = (count < len(owners)) & (count > 0)
    at = np.append(places, 0)[np.where(is_known, len(owners) - count, -1)]
    return np.asarray(np.where(is_known & (owners[-1:] != UNOWNED).all(axis=0), at, 0))


def _numbered(group: Group, told: Sequence[Held]) -> tuple[LongArray, BoolArray]:
    """Return owners (T, P) and who is there (T, N + 1) at T snapshots, by the number of an id.

    N ids are numbered once; the last column is of ``UNOWNED``, who never is.
    """
    number_of: dict[str, int] = {}
    members = [
        np.array([number_of.setdefault(each, len(number_of)) for each in held.members], np.int64)
        for held in told
    ]
    owners = np.full((len(told), group.partition_count), UNOWNED, np.int64)
    is_there = np.zeros((len(told), len(number_of) + 1), np.bool_)
    for row, (held, numbers) in enumerate(zip(told, members, strict=True)):
        places = np.nan_to_num(by_partition(group, held.owners), nan=UNOWNED).astype(np.int64)
        owners[row] = np.append(numbers, UNOWNED)[places]
        is_there[row, numbers] = True
    return owners, is_there
