"""The plan of a block of groups as flat arrays: lifetimes, rates, health.

Numbers count within the block. A member that restarts under a new id is another member
on the same seat. Topics ascend by name within their group, members by id.
"""

from typing import Final

import numpy as np

from assignors import ragged
from assignors.model import FloatArray, LongArray
from pipeline.generating.members import members_of
from pipeline.generating.names import topic_names
from pipeline.generating.traits import NEVER, Traits

# Share of a troubled group's partitions, or topics:
_STUCK: Final = 0.01
_RECREATED: Final = 0.02


class FleetPlan:
    """G groups with T topics, P partitions over all times, and M members, for K snapshots.

    Draws everything that is drawn once; noise between snapshots comes later. Group g has topics
    ``topic_starts[g]`` to ``topic_starts[g + 1] - 1``, and partitions and members likewise. Events
    that never happen are at ``NEVER``.
    """

    def __init__(self, traits: Traits, snapshots: int, random: np.random.Generator) -> None:
        self.traits = traits
        names = zip(traits["name"], traits["topics"].tolist(), strict=True)
        self.topics = [topic for name, count in names for topic in topic_names(name, count)]
        self.topic_starts = ragged.starts_of(traits["topics"])
        topic_group = ragged.row_of_each(self.topic_starts).astype(np.int64)
        sizes = _topic_sizes(traits, self.topic_starts, topic_group, random)
        # A topic grows only while nothing else happens to its group.
        grows = random.random(sizes.size) < 0.1 * traits["churn"][topic_group]
        grown = sizes + np.where(grows, (sizes + 1) // 2, 0)
        grown_at = random.integers(1, max(2, snapshots), sizes.size)
        self.topic = np.arange(sizes.size).repeat(grown)
        """(P,) the topic of each partition."""
        self.number = ragged.place_in_row(grown)
        """(P,) within the topic."""
        self.group = topic_group[self.topic]
        self.partition_starts = _starts(self.group, traits)
        self.born = np.where(self.number < sizes[self.topic], 0, grown_at[self.topic])
        """(P,) the first snapshot with the partition; 0 unless it is added later."""
        self._decide(topic_group, snapshots, random)

    def _decide(self, topic_group: LongArray, snapshots: int, random: np.random.Generator) -> None:
        """Draw the events of these topics and partitions, and their consumers."""
        traits, group, count = self.traits, self.group, self.group.size
        is_stuck = random.random(count) < _STUCK * traits["is_troubled"][group]
        stuck_from = random.integers(0, snapshots, count)
        is_recreated = random.random(len(self.topics)) < _RECREATED
        is_recreated &= traits["is_troubled"][topic_group]
        self.rate = _rates(traits, group, random)
        """(P,) records/s averaged over the day."""
        self.never_commits = random.random(count) < traits["uncommitted"][group]
        is_scripted = (self.number == 0) & (self.topic == self.topic_starts[group])
        scripted = np.where(is_scripted, traits["stuck_at"][group], NEVER)
        self.stuck_from = np.where(is_stuck, stuck_from, scripted)
        """(P,) the snapshot from which the committed offset stays the same."""
        stuck_to = stuck_from + random.integers(2, 2 + snapshots, count)
        self.stuck_to = np.where(is_stuck, stuck_to, NEVER)
        self.silence = traits["unanswered"][topic_group]
        """(T,) probability that its offsets are missing."""
        recreated_at = random.integers(1, max(2, snapshots), len(self.topics))
        self.recreated_at = np.where(is_recreated, recreated_at, NEVER)
        """(T,) the snapshot at which the topic is recreated."""
        self.members = members_of(traits, snapshots, random)
        self.member_starts = _starts(self.members["group"], traits)


def _starts(group: LongArray, traits: Traits) -> LongArray:
    return ragged.starts_of(np.bincount(group, minlength=len(traits)))


def _topic_sizes(
    traits: Traits, topic_starts: LongArray, topic_group: LongArray, random: np.random.Generator
) -> LongArray:
    """Divide each group's partitions among its topics, at least one each, the rest to the first."""
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
