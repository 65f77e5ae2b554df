"""The plan of a block of groups as flat arrays: lifetimes, rates, health.

Numbers count within the block. A member that restarts under a new id is another member
on the same seat. Topics ascend by name within their group, members by id.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import BoolArray, FloatArray, LongArray
from pipeline.generating.members import Members, members_of
from pipeline.generating.names import topic_names
from pipeline.generating.traits import NEVER, Traits

# How many partitions, or topics, of a troubled group:
_STUCK: Final = 0.01
_RECREATED: Final = 0.02


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """G groups with T topics, P partitions over all times, and their members, for K snapshots."""

    traits: Traits
    topics: list[str]
    """(T,) topic names."""
    topic_starts: LongArray
    """(G + 1,) group g has topics topic_starts[g] to topic_starts[g + 1] - 1."""
    partition_starts: LongArray
    member_starts: LongArray
    topic: LongArray
    """(P,) whose partition it is."""
    number: LongArray
    """(P,) within the topic."""
    group: LongArray
    """(P,)"""
    born: LongArray
    """(P,) the snapshot at which it is first there; 0 for all but those added later."""
    rate: FloatArray
    """(P,) records/s at a mean hour."""
    never_commits: BoolArray
    """(P,)"""
    stuck_from: LongArray
    """(P,) its committed offset stands still from this snapshot on; huge: never."""
    stuck_to: LongArray
    silence: FloatArray
    """(T,) how often its offsets are missing."""
    recreated_at: LongArray
    """(T,) the topic begins anew at this snapshot; huge: never."""
    members: Members


def plan_of(traits: Traits, snapshots: int, random: np.random.Generator) -> Plan:
    """Decide everything that chance decides once; noise from snapshot to snapshot comes later."""
    topic_starts = ragged.starts_of(traits["topics"])
    topic_group = ragged.row_of_each(topic_starts).astype(np.int64)
    sizes = _topic_sizes(traits, topic_starts, topic_group, random)
    # A topic grows while nothing else happens to its group.
    grows = random.random(sizes.size) < 0.1 * traits["churn"][topic_group]
    grown = sizes + np.where(grows, (sizes + 1) // 2, 0)
    grown_at = random.integers(1, max(2, snapshots), sizes.size)
    topic = np.arange(sizes.size).repeat(grown)
    number, group = ragged.place_in_row(grown), topic_group[topic]
    is_stuck = traits["is_troubled"][group] & (random.random(topic.size) < _STUCK)
    stuck_from = random.integers(0, snapshots, topic.size)
    is_scripted = (number == 0) & (topic == topic_starts[group])
    is_recreated = traits["is_troubled"][topic_group] & (random.random(sizes.size) < _RECREATED)
    rate = _rates(traits, group, random)
    never_commits = random.random(topic.size) < traits["uncommitted"][group]
    stuck_to = stuck_from + random.integers(2, 2 + snapshots, topic.size)
    recreated_at = random.integers(1, max(2, snapshots), sizes.size)
    names = zip(traits["name"], traits["topics"].tolist(), strict=True)
    members = members_of(traits, snapshots, random)
    return Plan(
        traits=traits,
        topics=[topic for name, count in names for topic in topic_names(name, count)],
        topic_starts=topic_starts,
        partition_starts=_starts(group, traits),
        member_starts=_starts(members["group"], traits),
        topic=topic,
        number=number,
        group=group,
        born=np.where(number < sizes[topic], 0, grown_at[topic]),
        rate=rate,
        never_commits=never_commits,
        stuck_from=np.where(
            is_stuck, stuck_from, np.where(is_scripted, traits["stuck_at"][group], NEVER)
        ),
        stuck_to=np.where(is_stuck, stuck_to, NEVER),
        silence=traits["unanswered"][topic_group],
        recreated_at=np.where(is_recreated, recreated_at, NEVER),
        members=members,
    )


def _starts(group: LongArray, traits: Traits) -> LongArray:
    return ragged.starts_of(np.bincount(group, minlength=len(traits)))


def _topic_sizes(
    traits: Traits, topic_starts: LongArray, topic_group: LongArray, random: np.random.Generator
) -> LongArray:
    """Share each group's partitions among its topics, one at least; what is left to the first."""
    weights = random.gamma(2.0, 1.0, topic_group.size) + 0.2
    whole = np.add.reduceat(weights, topic_starts[:-1])
    spare = traits["partitions"] - traits["topics"]
    sizes: LongArray = 1 + (weights / whole[topic_group] * spare[topic_group]).astype(np.int64)
    sizes[topic_starts[:-1]] += traits["partitions"] - np.add.reduceat(sizes, topic_starts[:-1])
    return sizes


def _rates(traits: Traits, group: LongArray, random: np.random.Generator) -> FloatArray:
    """Spread each group's rate over its partitions, lognormally."""
    weights = np.exp(random.standard_normal(group.size) * traits["skew"][group])
    whole = np.bincount(group, weights, minlength=len(traits))
    rates: FloatArray = traits["rate"][group] * weights / whole[group]
    return rates
