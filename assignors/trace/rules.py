"""The rules by which strategies decide; notes say what the next events go by.

What an event implies, such as how many partitions a member holds at that point, follows from the
events before it, so a rule carries only what does not.
"""

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from assignors.model import IntArray, LongArray, Owners

Numbers: TypeAlias = IntArray | LongArray | Sequence[int]


class Because(NamedTuple):
    """A rule in the words of the strategy itself, for strategies from outside."""

    title: str
    """The subject in a word or two: "Night shift"."""
    text: str
    """One sentence, with its full stop."""


class Alone(NamedTuple):
    """The only member subscribes to everything."""


# Range, and whatever else divides topic by topic.


class Division(NamedTuple):
    """A note: each of these topics is divided among its subscribers, members of the note in order.

    A member that counts twice appears twice.
    """

    is_cut: bool = True
    """Whether into blocks; else in turn."""
    is_rounded_down: bool = False
    """Whether cuts are at the even shares rounded down; else the first blocks are the larger."""


class Block(NamedTuple):
    """Contiguous blocks of each topic, one for each place in the order of its subscribers."""

    places: IntArray
    """Of each partition of the event."""


class TurnInTopic(NamedTuple):
    """In turn, from the first subscriber of each topic on."""

    subscribers: int


class CoPartitioned(NamedTuple):
    """A note: these topics get the same cut, and a rack counts if it matches in all of them."""

    topics: LongArray


class MatchedInOrder(NamedTuple):
    """Members in order take what matches their rack; number by number if topics go together."""

    topics: LongArray


class Unmatched(NamedTuple):
    """A note: nobody that has room matches these partitions, in any of the topics."""

    topics: LongArray | None = None


class LeftByRacks(NamedTuple):
    """What the rack pass left, cut into blocks for those with room."""


# One partition after another.


class Walk(Enum):
    """The order in which a strategy visits partitions."""

    BY_TOPIC = "topic by topic"
    BY_TEXT = "in the order of their names as text, 10 before 2"
    AS_LISTED = "topic by topic, as the leader lists the topics"


class InTurn(NamedTuple):
    """To the next member of the circle that subscribes."""

    circle: IntArray
    walk: Walk


class FewestOfAll(NamedTuple):
    """To the subscriber with the fewest of all topics, scarce topics first."""


class FewestOfTopic(NamedTuple):
    """To the subscriber with the fewest, then the least lag, of the topic; most lag first."""


# Quotas of members that subscribe alike.


class Shares(NamedTuple):
    """A note: how many partitions each member gets: ``least``, and ``extras`` of them one more."""

    least: int
    extras: int


class Claimed(NamedTuple):
    """A note: whose claim on each partition counts."""

    holder: Owners
    is_newest_only: bool
    """Whether older generations count for nothing, the rule before KAFKA-12984."""


class Disputed(NamedTuple):
    """Claims of one generation cancel each other; given up by nobody in particular."""


class OffRack(NamedTuple):
    """No replica is in the member's rack."""


class Unsubscribed(NamedTuple):
    """The member no longer subscribes to the topic."""


class Listing(Enum):
    """The order in which a member's partitions count towards its quota."""

    BY_NUMBER = "the first by partition, then topic"
    AS_LISTED = "the first in the order it lists them"
    ASCENDING = "the first ones"
    BY_BUCKET = "the first ones in the order of the broker's hash set of their numbers"


class WithinQuota(NamedTuple):
    """A member keeps its first partitions, as many as it may, and gives up the others."""

    listed: Numbers
    """The partitions of all members; the other arrays say something of each of these."""
    place: LongArray
    """Among those of its member, from 0."""
    held: LongArray
    """How many its member holds."""
    allowed: LongArray
    """How many its member may keep."""
    listing: Listing
    shares: Shares | None = None
    """Where some members may keep one more than others that hold as much."""
    larger: int = 0
    """How many those are."""


class Queue(NamedTuple):
    """A note: the partitions that are assigned next, in order."""

    is_by_racks: bool = False
    """Whether those with the fewest members nearby come first."""


class Near(NamedTuple):
    """To a member in a rack with a replica: below ``least`` in turn, else the next in the queue."""

    least: int


class Filled(NamedTuple):
    """In turn to the members below ``least``."""

    least: int


class Extra(NamedTuple):
    """One more for the first in the queue."""

    least: int
    queue: IntArray


class TurnBelowShare(NamedTuple):
    """In turn to all members below their share."""


class FilledUp(NamedTuple):
    """Members are filled one after another; free partitions come first, or those of ``least``."""

    least: int | None = None
    """Up to which they are filled with free partitions by number, if only up to that."""


class FromFull(NamedTuple):
    """The last partition of the next full member, as none is free for a member below ``least``."""

    least: int


class HandedOut(NamedTuple):
    """One each to the members below ``most``, once all hold ``least``."""

    least: int
    most: int


class OneMore(NamedTuple):
    """A note: the members that get one partition more."""

    is_stable: bool
    """Whether members that own fewer pass it on (KAFKA-18688)."""


class PresentOwner(NamedTuple):
    """A note: who owns each partition now, and whether it still subscribes."""


# Subscriptions that differ.


class Unequal(NamedTuple):
    """A note: the subscriptions differ, and what the strategy therefore does."""

    is_broker: bool


class StillSubscribes(NamedTuple):
    """The member subscribes to the topic as before."""


class Emptiest(NamedTuple):
    """To the emptiest subscriber, topics that are listed least often first."""

    is_near: bool
    """Whether its rack has to match."""


class EmptiestOfTopic(NamedTuple):
    """To the emptiest subscriber; equals keep their order at the start of the topic."""

    is_hashed: bool
    """Whether members come in the order of the broker's hash map; else by id."""


class Improved(NamedTuple):
    """A move towards even counts, on one pass over the partitions."""

    number: int
    """Of the pass, from 1."""
    instead_of: int
    """The partition that was to move."""
    is_return: bool
    """Whether the taker is the previous owner of that."""


class Reverted(NamedTuple):
    """A note: moves were tried, and all undone."""


class EvenedOut(NamedTuple):
    """A move between subscribers of a topic, in one pass over the topics."""

    number: int
    """Of the pass, from 1."""


# Lag and load.


class Counts(NamedTuple):
    """A note: the fewest and the most partitions each member may hold."""

    fewest: int
    most: int


class LeastLag(NamedTuple):
    """To the least lag of those with room within these counts, most lag first."""

    fewest: int
    most: int


class EvenCounts(NamedTuple):
    """A note: counts (M,) as ``fair`` gives them, and evened out by moves."""

    fair: LongArray
    even: LongArray


class Seats(NamedTuple):
    """A note: how many partitions of the audience each member of the note takes."""

    taken: LongArray


class Batches(NamedTuple):
    """Batch after batch, one each to those with the least lag of the members with seats left."""

    starts: LongArray
    """Where batches start among the partitions of the event, and where the last one ends."""
    free: list[IntArray]
    """For each batch the members with seats left, those with the least lag first."""


class TurnsInstead(NamedTuple):
    """In turn, because the search ends lower from there."""


class Search(NamedTuple):
    """A note: how many exchanges follow."""

    steps: int


class Exchange(NamedTuple):
    """One step of a search: a move or swap off the busiest member, at once."""

    number: int
    """From 1."""


class NothingByChoice(NamedTuple):
    """A note: the lag of some partitions is unknown, so nothing moves by choice."""


class AtRest(NamedTuple):
    """A note: no step relieves anybody."""


class Placed(NamedTuple):
    """To the least loaded in a rack nearby if there is room, else to the least loaded."""

    is_near: list[bool]
    """Whether each partition of the event went by racks."""


class Relief(NamedTuple):
    """One step towards even load, at once."""

    number: int
    """From 1."""
    is_gift: bool
    """Whether it serves a member that held nothing."""


class OverBudget(NamedTuple):
    """A note: a step that would have moved these partitions to these members, but comes too late.

    ``first`` is the step that exceeds the budget, and ``moved`` what it would have made of it.
    """

    number: int
    budget: int
    first: int
    moved: int
