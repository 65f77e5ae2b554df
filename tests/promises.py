"""The checks of each promise of the registry on random groups."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain, combinations
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from hypothesis import strategies as st

from assignors.model import UNOWNED, Group, LongArray, Owners
from assignors.naming import assignment_of, member_records, topic_records
from assignors.numbering import group_of
from assignors.roundrobin import roundrobin
from assignors.strategy import Promise, Strategy
from evaluation.rebalance.rounds import rebalance_rounds
from tests.groups import equal_groups, groups

Proof: TypeAlias = Callable[[Strategy, Group, st.DataObject], bool]
"""Whether the promise holds for one group; draws further data as needed."""


class Trial(NamedTuple):
    """The groups on which a promise is checked, and the check."""

    groups: st.SearchStrategy[Group]
    is_held: Proof


def _is_balanced(strategy: Strategy, group: Group, _: st.DataObject) -> bool:
    return _spread(_counts(group, strategy.settle(group))) <= 1


def _is_balanced_per_topic(strategy: Strategy, group: Group, _: st.DataObject) -> bool:
    owners = strategy.settle(group)
    return all(
        _spread(np.bincount(owners[partitions], minlength=group.member_count)[subscribers]) <= 1
        for partitions, subscribers in group.wanted_slices()
    )


def _is_stable(strategy: Strategy, group: Group, data: st.DataObject) -> bool:
    if not group.member_count:
        return True
    group, owners = _without_racks(group), group.nobody()
    order = data.draw(st.permutations(np.flatnonzero(group.is_wanted).tolist()))
    owners[order] = np.arange(len(order)) % group.member_count

    return bool(np.array_equal(strategy.settle(group.owned_by(owners, generation=3)), owners))


def _moves_no_more_than_balance_demands(
    strategy: Strategy, group: Group, data: st.DataObject
) -> bool:
    group, owners = _without_racks(group), group.nobody()
    wanted = np.flatnonzero(group.is_wanted)
    owner = st.integers(UNOWNED, group.member_count - 1)
    owners[wanted] = data.draw(st.lists(owner, min_size=wanted.size, max_size=wanted.size))
    counts = _counts(group, owners)
    quota, extras = divmod(wanted.size, max(group.member_count, 1))

    stayed = np.count_nonzero(
        (strategy.settle(group.owned_by(owners)) == owners)[owners != UNOWNED]
    )

    return bool(stayed == np.minimum(counts, quota).sum() + min(extras, (counts > quota).sum()))


def _is_co_partitioned(strategy: Strategy, group: Group, _: st.DataObject) -> bool:
    owners = strategy.settle(group)
    seen: dict[tuple[object, int], list[int]] = {}
    for partitions, subscribers in group.wanted_slices():
        held = owners[partitions].tolist()
        if seen.setdefault((subscribers.tobytes(), len(held)), held) != held:
            return False
    return True


def _is_restart_safe(strategy: Strategy, group: Group, _: st.DataObject) -> bool:
    restarted = {
        member.id: f"back{number}" if member.instance_id else member.id
        for number, member in enumerate(reversed(member_records(group)))
    }
    members = [member._replace(id=restarted[member.id]) for member in member_records(group)]
    group_after = group_of(topic_records(group), members)

    before = assignment_of(group, strategy.settle(group))
    after = assignment_of(group_after, strategy.settle(group_after))

    return all(after[restarted[member]] == held for member, held in before.items())


def _has_the_least_max_count(strategy: Strategy, group: Group, _: st.DataObject) -> bool:
    """By Hall's theorem: the largest count that some set of topics forces on its subscribers."""
    topics = [(p.stop - p.start, set(members)) for p, members in group.wanted_slices()]
    chosen = chain.from_iterable(combinations(topics, size + 1) for size in range(len(topics)))
    forced = [
        -(-sum(count for count, _ in some) // len(set().union(*(members for _, members in some))))
        for some in chosen
    ]
    return int(_counts(group, strategy.settle(group)).max(initial=0)) == max(forced, default=0)


def _is_nearly_balanced(strategy: Strategy, group: Group, _: st.DataObject) -> bool:
    return _spread(_counts(group, strategy.settle(group))) <= 3


def _beats_roundrobin(strategy: Strategy, group: Group, _: st.DataObject) -> bool:
    return _largest_lag(group, strategy.settle(group)) <= _largest_lag(group, roundrobin(group))


def _moves_few(strategy: Strategy, group: Group, _: st.DataObject) -> bool:
    can_stay = [p for p, m in enumerate(group.present_owners) if m in _subscribers(group, p)]
    keepers = {int(group.present_owners[p]) for p in can_stay}
    members = {m for _, subscribers in group.wanted_slices() for m in subscribers.tolist()}
    share = math.ceil(group.wanted.size / max(len(members), 1))
    owners = strategy.settle(group)

    moved = sum(owners[p] != group.present_owners[p] for p in can_stay)

    return bool(moved <= math.ceil(len(can_stay) / 10) + share * len(members - keepers))


def _is_no_fuller(strategy: Strategy, group: Group, data: st.DataObject) -> bool:
    group = group.with_lags(np.maximum(group.lags, 0))
    owners = _drawn_owners(group, data)

    after = strategy.settle(group.owned_by(owners))

    return _largest_load(group, after) <= _largest_load(group, owners)


def _leaves_nobody_idle(strategy: Strategy, group: Group, data: st.DataObject) -> bool:
    group = group.owned_by(_drawn_owners(group, data)) if data.draw(st.booleans()) else group

    counts = _counts(group, strategy.settle(group))

    return bool(group.wanted.size < group.member_count or (counts > 0).all())


def _is_at_rest(strategy: Strategy, group: Group, _: st.DataObject) -> bool:
    """However often the budget cuts a rebalance short, the one that is not comes soon."""
    owners = strategy.settle(group)
    for _again in range(50):
        before, owners = owners, strategy.settle(group.owned_by(owners, generation=4))
        if np.array_equal(owners, before):
            return True
    return False


def _takes_two_rounds(strategy: Strategy, group: Group, _: st.DataObject) -> bool:
    rounds = rebalance_rounds(group, strategy)

    is_target = np.array_equal(rounds[-1].owners, strategy.settle(group))

    return is_target and len(rounds) <= 2


def _drawn_owners(group: Group, data: st.DataObject) -> Owners:
    owners = group.nobody()
    for partition in np.flatnonzero(group.is_wanted).tolist():
        owners[partition] = data.draw(st.sampled_from(_subscribers(group, partition)))
    return owners


def _subscribers(group: Group, partition: int) -> list[int]:
    audience = group.audiences.of_topic[group.topic_of_partition[partition]]
    return group.audiences.members_of(audience).tolist() if audience >= 0 else []


def _largest_load(group: Group, owners: np.ndarray) -> int:
    loads = [0] * (group.member_count + 1)  # the last one: partitions without an owner
    for owner, lag in zip(owners, group.lags.tolist(), strict=True):
        loads[owner] += lag + 1
    return max(loads[:-1], default=0)


def _largest_lag(group: Group, owners: np.ndarray) -> int:
    lags = [0] * (group.member_count + 1)  # the last one: partitions without an owner
    for owner, lag in zip(owners, group.counted_lags.tolist(), strict=True):
        lags[owner] += lag
    return max(lags[:-1], default=0)


def _counts(group: Group, owners: np.ndarray) -> LongArray:
    return np.bincount(owners[owners != UNOWNED], minlength=group.member_count)


def _spread(counts: LongArray) -> int:
    return int(np.ptp(counts)) if counts.size else 0


def _without_racks(group: Group) -> Group:
    return replace(
        group, layout=replace(group.layout, replica_racks=np.zeros_like(group.layout.replica_racks))
    )


TRIALS: Final[Mapping[Promise, Trial]] = {
    Promise.BALANCED: Trial(equal_groups(), _is_balanced),
    Promise.BALANCED_PER_TOPIC: Trial(groups(), _is_balanced_per_topic),
    Promise.STABLE: Trial(equal_groups(), _is_stable),
    Promise.FEWEST_MOVES: Trial(equal_groups(), _moves_no_more_than_balance_demands),
    Promise.CO_PARTITIONED: Trial(groups(), _is_co_partitioned),
    Promise.RESTART_SAFE: Trial(groups(), _is_restart_safe),
    Promise.LEAST_MAX_COUNT: Trial(groups(), _has_the_least_max_count),
    Promise.NEARLY_BALANCED: Trial(equal_groups(), _is_nearly_balanced),
    Promise.BEATS_ROUNDROBIN: Trial(equal_groups(), _beats_roundrobin),
    Promise.FEW_MOVES: Trial(groups(), _moves_few),
    Promise.NEVER_WORSE: Trial(groups(), _is_no_fuller),
    Promise.NOBODY_IDLE: Trial(equal_groups(), _leaves_nobody_idle),
    Promise.AT_REST: Trial(groups(), _is_at_rest),
    Promise.TWO_ROUNDS: Trial(groups(), _takes_two_rounds),
}
