"""Members of every snapshot of a batch as flat arrays: M members of U snapshots."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assignors.model import UNOWNED, BoolArray, IntArray, LongArray, Owners
from pipeline.replay.coding import one_array, split
from pipeline.replay.layout import NONE, Layout, holds_for_all, linked
from pipeline.replay.names import NOBODY, numbered
from pipeline.replay.sorting import Numbers

_ABOUT_MEMBERS = ("client_id", "host", "group_instance_id", "rack", "subscribed_topics")


@dataclass(frozen=True, eq=False, kw_only=True)
class Membership:
    """Who is in every snapshot; members run by snapshot, then Java's order of their ids."""

    name: IntArray
    """(M,) numbers of member ids."""
    unit: LongArray
    """(M,)"""
    starts: LongArray
    """(U + 1,) snapshot u has the members from entry u to entry u + 1."""
    after: LongArray
    """(M + 1,) the same member in the next snapshot, or ``NONE``; the last one: nobody."""
    before: LongArray
    """(M,) the same member in the snapshot before, or ``NONE``."""
    owner: LongArray
    """(P,) the member found as the owner of each partition, or ``NONE``."""
    chain_owners: LongArray
    """Members that the chain names as owners, row after row, or ``NONE``."""
    about: pa.Table
    """(M,) what the rows say of each member; null where none does."""
    list_of_member: LongArray
    """(M,) a number for each distinct list of subscriptions, ``NONE`` without one."""
    lists: tuple[LongArray, ...]
    """The topics of each such list, ascending; one listed twice stands twice."""
    list_topics: pa.StringArray
    """Topics by number, as the lists have them: those of the batch, then all others."""
    instance: IntArray
    """(M,) numbers of instance ids, ``NOBODY`` for dynamic members."""
    instance_names: pa.StringArray

    @cached_property
    def is_as_before(self) -> BoolArray:
        """(U,) whether members, subscriptions and static ids are those of the snapshot before."""
        is_same = (
            (self.before != NONE)
            & (self.list_of_member == self.list_of_member[self.before])
            & (self.instance == self.instance[self.before])
        )
        return holds_for_all(is_same, self.starts)

    def numbered(self, owners: Owners, starts: LongArray) -> LongArray:
        """Return owners, numbered within each snapshot, as numbers over the batch; (P,)."""
        shift = np.repeat(self.starts[:-1], np.diff(starts))
        return np.where(owners == UNOWNED, NONE, owners + shift)


def membership_of(rows: pa.Table, numbers: Numbers, layout: Layout) -> Membership:
    """Give numbers to the members of every snapshot, owners and idle ones."""
    key, chain_key = _keys(numbers, layout)
    named = np.flatnonzero(key != NONE)
    distinct, found = np.unique(
        np.concatenate([key[named], chain_key[chain_key != NONE]]), return_inverse=True
    )
    unit, name = np.divmod(distinct, max(len(numbers.members), 1))
    member_of_row = np.full(layout.rows.size, NONE, np.int64)
    member_of_row[named] = found[: named.size]
    chain_owners = np.full(chain_key.size, NONE, np.int64)
    chain_owners[chain_key != NONE] = found[named.size :]
    owner = np.full(layout.partition_count, NONE, np.int64)
    owner[layout.partition_of_row] = member_of_row[layout.partition_rows]
    before, after = _links(name, unit, layout)
    about = _about(rows, layout.rows, member_of_row, distinct.size)
    list_of_member, lists, list_topics = _lists(about["subscribed_topics"], numbers.topics)
    instance_names, (instance,) = numbered([about["group_instance_id"]])
    return Membership(
        name=name.astype(np.int32),
        unit=unit,
        starts=np.searchsorted(unit, np.arange(layout.unit_count + 1)),
        after=after,
        before=before,
        owner=owner,
        chain_owners=chain_owners,
        about=about,
        list_of_member=list_of_member,
        lists=lists,
        list_topics=list_topics,
        instance=instance,
        instance_names=instance_names,
    )


def carried(
    owners: Owners,
    before: LongArray,
    member_after: LongArray,
    first_members: tuple[int | LongArray, int | LongArray],
) -> Owners:
    """Return the owners of partitions at the snapshot before, as members of this one.

    ``before`` says where each partition stood, ``first_members`` how members of the batch
    become numbers within the snapshot before and this one. Who is gone owns nothing.
    """
    earlier, now = first_members
    held = np.where(before == NONE, UNOWNED, owners[before]) if owners.size else owners
    member = member_after[np.where(held == UNOWNED, NONE, held + earlier)]
    return np.where(member == NONE, UNOWNED, member - now).astype(np.int32)


def _keys(numbers: Numbers, layout: Layout) -> tuple[LongArray, LongArray]:
    """Return snapshot and member as one number, for every row and for owners in the chain."""
    count = max(len(numbers.members), 1)
    member = numbers.member[layout.rows]
    key = np.where(member == NOBODY, NONE, layout.unit_of_row * count + member)
    unit = np.zeros(numbers.chain_rows, np.int64)
    first_chain_row = numbers.at.size - numbers.chain_rows
    is_chain = layout.rows >= first_chain_row
    unit[layout.rows[is_chain] - first_chain_row] = layout.unit_of_row[is_chain]
    chain_member = numbers.chain_members
    width = chain_member.size // max(numbers.chain_rows, 1)
    chain_key = np.where(
        chain_member == NOBODY, NONE, np.repeat(unit, width) * count + chain_member
    )
    return key, chain_key


def _links(name: LongArray, unit: LongArray, layout: Layout) -> tuple[LongArray, LongArray]:
    group_of_unit = np.cumsum(~layout.follows) - 1
    names = int(name.max(initial=0)) + 1
    order, follows_on = linked(group_of_unit[unit] * names + name, unit)
    later = np.flatnonzero(follows_on)
    before = np.full(name.size, NONE, np.int64)
    before[order[later]] = order[later - 1]
    after = np.full(name.size + 1, NONE, np.int64)
    after[order[later - 1]] = order[later]
    return before, after


def _about(
    rows: pa.Table, kept: LongArray, member_of_row: LongArray, member_count: int
) -> pa.Table:
    """Return for each member and column what the first of its rows says that says anything."""
    return pa.table(
        {
            name: rows[name].take(_first_known(rows[name], kept, member_of_row, member_count))
            for name in _ABOUT_MEMBERS
        }
    )


def _first_known(
    column: pa.ChunkedArray, kept: LongArray, member_of_row: LongArray, member_count: int
) -> pa.Array:
    """Return for each member its first row in which the column is not null, or null."""
    is_known = member_of_row != NONE
    if column.null_count:
        is_known = is_known & pc.is_valid(column).to_numpy()[kept]
    last_to_first = np.flatnonzero(is_known)[::-1]
    first = np.full(member_count, NONE, np.int64)
    first[member_of_row[last_to_first]] = kept[last_to_first]
    return pa.array(first, mask=first == NONE)


def _lists(
    subscribed: pa.ChunkedArray, topics: pa.StringArray
) -> tuple[LongArray, tuple[LongArray, ...], pa.StringArray]:
    """Give numbers to distinct lists of subscriptions, whatever order they name topics in."""
    codes = one_array(subscribed)
    if codes.null_count == len(codes):
        return np.full(len(codes), NONE, np.int64), (), topics
    used = pc.unique(codes.indices).drop_null()
    listed = split(codes.dictionary.take(used))
    number = {topic: place for place, topic in enumerate(topics.to_pylist())}
    numbers = [sorted(number.setdefault(t, len(number)) for t in each) for each in listed]
    seen: dict[tuple[int, ...], int] = {}
    found = [seen.setdefault(tuple(each), len(seen)) for each in numbers]
    list_of_code = np.full(len(codes.dictionary) + 1, NONE, np.int64)  # the last one: null
    list_of_code[used.to_numpy()] = found
    lists = tuple(np.array(each, np.int64) for each in seen)
    names = pa.array(list(number), pa.string())
    return list_of_code[codes.indices.fill_null(NONE).to_numpy()], lists, names
