"""Members of every snapshot of a batch as flat arrays: M members of S snapshots."""

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assignors.model import UNOWNED, BoolArray, IntArray, LongArray, Owners
from pipeline.encoding import numbered, one_array, split
from pipeline.replay.layout import NONE, BatchLayout, entry_before, holds_for_all
from pipeline.replay.ordering import Numbers

_ABOUT_MEMBERS = ("client_id", "host", "group_instance_id", "rack", "subscribed_topics")


@dataclass(frozen=True, eq=False, kw_only=True)
class Membership:
    """The members of every snapshot, ordered by snapshot, then by id in Java's order."""

    name: IntArray
    """(M,) numbers of member ids."""
    snapshot: LongArray
    """(M,)"""
    starts: LongArray
    """(S + 1,) snapshot s has the members from entry s to entry s + 1."""
    before: LongArray
    """(M,) the same member in the previous snapshot, or ``NONE``."""
    owner: LongArray
    """(P,) the member that owns each partition, or ``NONE``."""
    checkpoint_owners: LongArray
    """The owners in the checkpoint, row by row, or ``NONE``."""
    about: pa.Table
    """(M,) the columns about members; null where no row has a value."""
    list_of_member: LongArray
    """(M,) the number of the member's subscription list, ``NONE`` without one."""
    lists: tuple[LongArray, ...]
    """The topics of each distinct list, ascending; one listed twice appears twice."""
    list_topics: pa.StringArray
    """The topics that lists refer to, by number: those of the batch, then all others."""
    instance: IntArray
    """(M,) numbers of instance ids, ``NOBODY`` for dynamic members."""
    instance_names: pa.StringArray

    @cached_property
    def after(self) -> LongArray:
        """(M + 1,) the same member in the next snapshot, or ``NONE``, as the last entry is."""
        after = np.full(self.before.size + 1, NONE, np.int64)
        later = np.flatnonzero(self.before != NONE)
        after[self.before[later]] = later
        return after

    @cached_property
    def is_as_before(self) -> BoolArray:
        """(S,) whether members, subscriptions and static ids equal the previous snapshot's."""
        is_same = (
            (self.before != NONE)
            & (self.list_of_member == self.list_of_member[self.before])
            & (self.instance == self.instance[self.before])
        )
        return holds_for_all(is_same, self.starts)


def membership_of(rows: pa.Table, numbers: Numbers, layout: BatchLayout) -> Membership:
    """Assign numbers to the members of every snapshot, owners and idle ones."""
    row_key, checkpoint_key = _keys(numbers, layout)
    keys = np.concatenate([row_key, checkpoint_key])
    is_named = keys != NONE
    distinct, rank = np.unique(keys[is_named], return_inverse=True)
    members = np.full(keys.size, NONE, np.int64)
    members[is_named] = rank
    member_of_row, checkpoint_owners = np.split(members, [row_key.size])
    snapshot, name = np.divmod(distinct, max(len(numbers.members), 1))
    owner = np.full(layout.partition_count, NONE, np.int64)
    owner[layout.partition_of_row] = member_of_row[layout.partition_rows]
    group = (np.cumsum(~layout.follows) - 1)[snapshot]
    first = partial(_first_known, kept=layout.rows, members=member_of_row, count=distinct.size)
    about = pa.table({name: rows[name].take(first(rows[name])) for name in _ABOUT_MEMBERS})
    list_of_member, lists, list_topics = _lists(about["subscribed_topics"], numbers.topics)
    instance_names, (instance,) = numbered([about["group_instance_id"]])
    return Membership(
        name=name.astype(np.int32),
        snapshot=snapshot,
        starts=np.searchsorted(snapshot, np.arange(layout.snapshot_count + 1)),
        before=entry_before(group * max(len(numbers.members), 1) + name, snapshot),
        owner=owner,
        checkpoint_owners=checkpoint_owners,
        about=about,
        list_of_member=list_of_member,
        lists=lists,
        list_topics=list_topics,
        instance=instance,
        instance_names=instance_names,
    )


def previous_owners(
    owners: Owners,
    before: LongArray,
    member_after: LongArray,
    first_members: tuple[int | LongArray, int | LongArray],
) -> Owners:
    """Return the owners of partitions at the previous snapshot, as members of this one.

    ``before`` maps each partition to its position then; ``first_members`` are the offsets that turn
    members of the batch into numbers within either snapshot. Departed members own nothing.
    """
    earlier, now = first_members
    held = np.where(before == NONE, UNOWNED, owners[before]) if owners.size else owners
    member = member_after[np.where(held == UNOWNED, NONE, held + earlier)]
    return np.where(member == NONE, UNOWNED, member - now).astype(np.int32)


def _keys(numbers: Numbers, layout: BatchLayout) -> tuple[LongArray, LongArray]:
    """Return snapshot and member as one number, for every row and for the checkpoint's owners."""
    snapshot = np.zeros(numbers.checkpoint_rows, np.int64)
    is_checkpoint = layout.rows >= numbers.new_rows
    snapshot[layout.rows[is_checkpoint] - numbers.new_rows] = layout.snapshot_of_row[is_checkpoint]
    width = numbers.checkpoint_members.size // max(numbers.checkpoint_rows, 1)

    def key(snapshot: LongArray, member: IntArray) -> LongArray:
        number = snapshot * max(len(numbers.members), 1) + member
        return np.where(member == NONE, NONE, number)

    return (
        key(layout.snapshot_of_row, numbers.member[layout.rows]),
        key(np.repeat(snapshot, width), numbers.checkpoint_members),
    )


def _first_known(
    column: pa.ChunkedArray, kept: LongArray, members: LongArray, count: int
) -> pa.Array:
    """Return for each member its first row with a value in the column, or null."""
    is_known = (members != NONE) & pc.is_valid(column).to_numpy()[kept]
    last_to_first = np.flatnonzero(is_known)[::-1]
    first = np.full(count, NONE, np.int64)
    first[members[last_to_first]] = kept[last_to_first]
    return pa.array(first, mask=first == NONE)


def _lists(
    subscribed: pa.ChunkedArray, topics: pa.StringArray
) -> tuple[LongArray, tuple[LongArray, ...], pa.StringArray]:
    """Assign numbers to the distinct subscription lists, whatever the order of their topics."""
    codes = one_array(subscribed)
    if codes.null_count == len(codes):
        return np.full(len(codes), NONE, np.int64), (), topics
    used = pc.unique(codes.indices).drop_null()
    number = {topic: place for place, topic in enumerate(topics.to_pylist())}
    seen: dict[tuple[int, ...], int] = {}
    list_of_code = np.full(len(codes.dictionary) + 1, NONE, np.int64)  # the last one: null
    for code, listed in zip(used.to_pylist(), split(codes.dictionary.take(used)), strict=True):
        numbers = tuple(sorted(number.setdefault(topic, len(number)) for topic in listed))
        list_of_code[code] = seen.setdefault(numbers, len(seen))
    lists = tuple(np.array(each, np.int64) for each in seen)
    names = pa.array(list(number), pa.string())
    return list_of_code[codes.indices.fill_null(NONE).to_numpy()], lists, names
