"""The strategies of share groups, and how certain each is by what is known of a group."""

from typing import Final, TypeAlias

from assignors.certainty import EXACT, Certainty, Known
from assignors.kind_strategy import KindPromise, KindStrategy
from assignors.kinds import GroupKind
from assignors.share.group import ShareAssignment, ShareGroup
from assignors.share.preview import all_to_all, hashed
from assignors.share.simple import simple

ShareStrategy: TypeAlias = KindStrategy[ShareGroup, ShareAssignment]

WITHOUT_TOPIC_IDS: Final = Certainty(
    Known.COUNTS_ONLY,
    "The random ids of topics decide who reads what. A live group and kafka-topics --describe "
    "give them; without them it is certain how many partitions each consumer reads.",
)
HELD_WITHOUT_TOPIC_IDS: Final = Certainty(
    Known.COUNTS_ONLY,
    "The random ids of topics decide who reads what, and in 1 of 100 rebalances that a partition "
    "stays one consumer short. A live group and kafka-topics --describe give them.",
    share=0.99,
)
HASHED_WITHOUT_TOPIC_IDS: Final = Certainty(
    Known.NOT_PREDICTABLE,
    "The random ids of topics decide who keeps which partition, and with it how many consumers "
    "read one; kafka-topics --describe gives them.",
)


def _of_simple(group: ShareGroup) -> Certainty:
    """Without ids an answer is exact where partitions are hashed by number: topic by topic."""
    if group.has_ids or not group.has_equal_subscriptions or len(group.members) <= 1:
        return EXACT
    if simple(group).members == {each.id: each.held for each in group.members}:
        return EXACT  # all is kept, whatever the order
    is_new = not any(member.held for member in group.members)
    return WITHOUT_TOPIC_IDS if is_new else HELD_WITHOUT_TOPIC_IDS


def _of_hashed(group: ShareGroup) -> Certainty:
    """Ids decide nothing where nobody holds anything yet, or everyone may keep all it holds."""
    is_new = not any(member.held for member in group.members)
    is_exact = group.has_ids or is_new or not group.has_equal_subscriptions
    return EXACT if is_exact else HASHED_WITHOUT_TOPIC_IDS


SIMPLE: Final = ShareStrategy(
    name="simple",
    label="Simple",
    kind=GroupKind.SHARE,
    releases="4.2 to 4.4",
    assign=simple,
    steps=lambda group: simple(group).placements,
    certainty_for=_of_simple,
    promises=frozenset(
        {
            KindPromise.NOTHING_UNREAD,
            KindPromise.READERS_BOUNDED,
            KindPromise.COUNTS_BOUNDED,
            KindPromise.AT_REST,
        }
    ),
    weakness="Lag plays no part, and after 1 rebalance in 100 a partition is one consumer short: "
    "those with room read it already.",
    sources=("KIP-932", "SimpleAssignor"),
)
SIMPLE_4_1: Final = ShareStrategy(
    name="simple-4.1",
    label="Simple (Kafka 4.1)",
    kind=GroupKind.SHARE,
    releases="4.1",
    assign=hashed,
    steps=lambda group: hashed(group).placements,
    certainty_for=_of_hashed,
    promises=frozenset({KindPromise.NOTHING_UNREAD}),
    weakness="Hashes of ids choose partitions, so several consumers may meet at one while others "
    "have one each; some groups it cannot assign at all.",
    sources=("KIP-932", "SimpleAssignor"),
)
SIMPLE_4_0: Final = ShareStrategy(
    name="simple-4.0",
    label="Simple (Kafka 4.0)",
    kind=GroupKind.SHARE,
    releases="4.0",
    assign=all_to_all,
    steps=lambda group: all_to_all(group).placements,
    certainty_for=lambda _: EXACT,
    promises=frozenset({KindPromise.NOTHING_UNREAD, KindPromise.READS_ALL, KindPromise.AT_REST}),
    weakness="Every consumer fetches from every partition, whatever their numbers.",
    sources=("KIP-932", "SimpleAssignor"),
)
SHARE_STRATEGIES: Final = (SIMPLE, SIMPLE_4_1, SIMPLE_4_0)
"""Newest first."""
