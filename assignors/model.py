"""The input, the output and the contract of a strategy: ``Group``, ``Owners`` and ``Assignor``.

Topics, partitions and members are numbered once, in the order the protocol visits them, so
that strategies work on arrays and ties go to the smaller number:

- topics in Java's string order; their partitions form one flat range, topic after topic;
- members in Java's string order of their ids;
- subscription classes: members with equal subscriptions share one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, TypeAlias

import numpy as np
import numpy.typing as npt

from assignors.arrays import (
    NO_GENERATION,
    NO_RACK,
    UNKNOWN,
    UNOWNED,
    BoolArray,
    FloatArray,
    IntArray,
    InvalidGroupError,
    LongArray,
    Owners,
    if_known,
    read_only,
    require_sizes,
    whole_numbers,
)
from assignors.audiences import Audiences
from assignors.claims import Claims
from assignors.contradictions import contradictions
from assignors.java import strings
from assignors.layout import Layout, SubscriptionClasses
from assignors.load_settings import USUAL, LoadSettings
from assignors.offsets import Offsets

__all__ = [
    "NO_GENERATION",
    "NO_RACK",
    "UNKNOWN",
    "UNOWNED",
    "Assignor",
    "BoolArray",
    "Claims",
    "FloatArray",
    "Group",
    "IntArray",
    "InvalidGroupError",
    "Layout",
    "LongArray",
    "Offsets",
    "Owners",
]


@dataclass(frozen=True, eq=False, kw_only=True)
class Group:
    """A consumer group at one moment: the input of a strategy.

    Build one with ``Group.fresh`` (a few names), ``numbering.group_of`` (records of names),
    ``Group.of`` (arrays) or from its three parts, each of which has an ``of`` (arrays, all that a
    source may tell). Every array is read-only. A group with other owners
    or other lags shares the layout, and with it all that was computed from it.
    P partitions, T topics, M members. The properties are what most callers ask the parts for.
    """

    id: str
    layout: Layout
    """Topics, members, subscriptions, racks."""
    claims: Claims
    """Who says that it owns what."""
    offsets: Offsets
    """Lags, weights, and the offsets, rates and throughputs that no strategy sees."""
    load_settings: LoadSettings = USUAL

    def __post_init__(self) -> None:
        """Check that the parts are of one size."""
        members, partitions = self.layout.member_count, self.layout.partition_count
        lags, of = self.offsets.lags, self.offsets
        require_sizes(
            [
                ("generations", self.claims.generations, members),
                ("owners", range(self.claims.partition_count), partitions),
                ("lags", lags, partitions),
                ("weights", lags if of.weights is None else of.weights, partitions),
                ("begin_offsets", lags if of.begin is None else of.begin, partitions),
                ("end_offsets", lags if of.end is None else of.end, partitions),
                ("committed_offsets", lags if of.committed is None else of.committed, partitions),
                ("rates", lags if of.rates is None else of.rates, partitions),
                ("throughput", range(members) if of.throughput is None else of.throughput, members),
            ]
        )

    def __repr__(self) -> str:
        sizes = f"partitions={self.partition_count}, members={self.member_count}"
        return f"<Group {self.id!r}: topics={len(self.topics)}, {sizes}>"

    @classmethod
    def of(  # noqa: PLR0913 -- three that name the group; the others have a default
        cls,
        topics: Sequence[str],
        partitions: npt.ArrayLike,
        members: Sequence[str],
        *,
        id: str = "",  # noqa: A002 -- the field is named so in every Kafka tool
        owners: npt.ArrayLike | None = None,
        lags: npt.ArrayLike | None = None,
        rates: npt.ArrayLike | None = None,
    ) -> Self:
        """Build a group whose members subscribe to every topic; names must ascend in Java's order.

        ``partitions`` (T,) counts the partitions of each topic. Lags (P,) default to unknown,
        owners (P,) to nobody.

        Raises InvalidGroupError when names repeat or descend, shapes disagree, an owner or a lag is
        no whole number, or an owner does not exist.
        """
        layout = Layout.of(topics, partitions, members)
        return cls.with_layout(layout, id=id, owners=owners, lags=lags, rates=rates)

    @classmethod
    def with_layout(
        cls,
        layout: Layout,
        *,
        id: str = "",  # noqa: A002 -- the field is named so in every Kafka tool
        owners: npt.ArrayLike | None = None,
        lags: npt.ArrayLike | None = None,
        rates: npt.ArrayLike | None = None,
    ) -> Self:
        """Build a group on a layout, with owners, lags and rates (P,) where they are known.

        Raises InvalidGroupError as ``of`` does.
        """
        claims = Claims.of(layout, owners=owners)
        return cls(
            id=id, layout=layout, claims=claims, offsets=Offsets.of(layout, lags=lags, rates=rates)
        )

    @classmethod
    def fresh(
        cls,
        topics: Mapping[str, int],
        members: Sequence[str] | Mapping[str, Sequence[str]],
        lags: Mapping[str, Sequence[int | None]] | None = None,
        owned: Mapping[str, Sequence[tuple[str, int]]] | None = None,
    ) -> Self:
        """Build a small group from partition counts and member ids, in any order.

        ``members`` is a list of ids that subscribe to everything, or id -> topics. ``lags`` have
        None where unknown. ``owned`` is id -> partitions; what nobody is said to own, nobody owns.

        Raises InvalidGroupError for a name that is not among the topics or members, an id or a name
        that repeats, a negative count, a partition that does not exist or has two owners, or lags
        that are not one for each partition.

        >>> group = Group.fresh({"t": 2}, members=["c1", "c0"], owned={"c1": [("t", 0)]})
        >>> group.members, group.named(group.present_owners)
        (('c0', 'c1'), {'c0': (), 'c1': ('t-0',)})
        """
        message = next(contradictions(topics, members, lags, owned), None)
        if message is not None:
            raise InvalidGroupError(message)
        names = [list(topics)[t] for t in strings.string_order(list(topics))]
        given = list(members)
        order = strings.string_order(given)
        number = {name: t for t, name in enumerate(names)}
        wanted = members if isinstance(members, Mapping) else dict.fromkeys(given, names)
        classes = [sorted(number[name] for name in wanted[given[m]]) for m in order]
        layout = Layout.of(
            names,
            [topics[name] for name in names],
            [given[m] for m in order],
            subscriptions=SubscriptionClasses(np.arange(len(given)), classes),
            arrival=np.argsort(order),
        )
        flat = None if lags is None else [lag for name in names for lag in lags[name]]
        known = None if flat is None else [UNKNOWN if lag is None else lag for lag in flat]
        owners = None if owned is None else _owners_of(layout, owned)
        return cls.with_layout(layout, lags=known, owners=owners)

    def owned_by(self, owners: npt.ArrayLike, generation: int = 0) -> Self:
        """Return the group after a rebalance with these owners (P,).

        Raises InvalidGroupError for an owner that is not the number of a member.
        """
        generations = np.full(self.member_count, generation, np.int64)
        numbers = whole_numbers("owners", owners)
        claims = Claims.of_owners(numbers, generations, self.partition_count)
        return replace(self, claims=claims)

    def claimed_by(
        self, rows: Sequence[npt.ArrayLike], generations: npt.ArrayLike | None = None
    ) -> Self:
        """Return the group whose members claim these partitions, one row each.

        Raises InvalidGroupError for a partition that does not exist, or another number of rows.
        """
        claims = Claims.of(self.layout, rows=rows, generations=generations)
        return replace(self, claims=claims)

    def with_offsets(
        self,
        *,
        begin: npt.ArrayLike | None = None,
        end: npt.ArrayLike | None = None,
        committed: npt.ArrayLike | None = None,
    ) -> Self:
        """Return the group with these offsets (P,), None where unknown; lags stay as they are."""
        offsets = replace(
            self.offsets,
            begin=if_known(begin, np.int64),
            end=if_known(end, np.int64),
            committed=if_known(committed, np.int64),
        )
        return replace(self, offsets=offsets)

    def with_lags(self, lags: npt.ArrayLike) -> Self:
        """Return the group with other lags (P,), which are its weights too.

        Its offsets stay as they were. Raises InvalidGroupError for a lag that is no whole number.
        """
        numbers = whole_numbers("lags", lags)
        return replace(self, offsets=replace(self.offsets, lags=numbers, weights=None))

    def with_weights(self, weights: npt.ArrayLike | None) -> Self:
        """Return the group with other weights (P,) to balance, None for the lags.

        Raises InvalidGroupError for a weight that is no whole number.
        """
        numbers = None if weights is None else whole_numbers("weights", weights)
        return replace(self, offsets=replace(self.offsets, weights=numbers))

    def with_rates(self, rates: FloatArray | None) -> Self:
        """Return the group with other arrivals (P,) in records/s, NaN where unknown."""
        return replace(self, offsets=replace(self.offsets, rates=rates))

    def with_throughput(self, throughput: npt.ArrayLike | None) -> Self:
        """Return the group whose members can read so much (M,) in records/s, NaN where unknown."""
        speeds = if_known(throughput, np.float64)
        return replace(self, offsets=replace(self.offsets, throughput=speeds))

    @property
    def topics(self) -> tuple[str, ...]:
        """T names, ascending in Java's string order."""
        return self.layout.topics

    @property
    def members(self) -> tuple[str, ...]:
        """M member ids, ascending in Java's string order."""
        return self.layout.members

    @property
    def partition_count(self) -> int:
        """P."""
        return self.layout.partition_count

    @property
    def member_count(self) -> int:
        """M."""
        return self.layout.member_count

    @property
    def topic_sizes(self) -> LongArray:
        """(T,) partitions of each topic."""
        return self.layout.topic_sizes

    @property
    def topic_of_partition(self) -> IntArray:
        """(P,) the topic of each partition."""
        return self.layout.topic_of_partition

    @property
    def number_in_topic(self) -> IntArray:
        """(P,) each partition's number within its topic."""
        return self.layout.number_in_topic

    @property
    def subscribes(self) -> BoolArray:
        """(C, T) whether a subscription class subscribes to a topic."""
        return self.layout.subscribes

    @property
    def audiences(self) -> Audiences:
        """The subscribers of every topic."""
        return self.layout.audiences

    @property
    def wanted(self) -> LongArray:
        """The partitions that have a subscriber, ascending."""
        return self.layout.wanted

    @property
    def is_wanted(self) -> BoolArray:
        """(P,) whether the partition's topic has a subscriber."""
        return self.layout.is_wanted

    @property
    def present_owners(self) -> Owners:
        """(P,) the member that owns each partition now."""
        return self.claims.owners

    @cached_property
    def is_owner_unknown(self) -> BoolArray:
        """(P,) whether the source does not say who owns the partition, if anybody.

        ``UNOWNED`` means nobody where this is False; see ``Claims.is_owner_unknown``.
        """
        if self.claims.is_owner_unknown is None:
            return read_only(np.zeros(self.partition_count, np.bool_))
        is_unclaimed = self.claims.last_claimants == UNOWNED
        return read_only(self.claims.is_owner_unknown & is_unclaimed)

    @property
    def has_claims(self) -> bool:
        """Whether any partition is owned at present."""
        return bool(self.claims.partitions.size)

    @property
    def lags(self) -> LongArray:
        """(P,) records behind the end, or ``UNKNOWN``."""
        return self.offsets.lags

    @property
    def counted_lags(self) -> LongArray:
        """(P,) lags as sums count them: unknown and negative ones as 0."""
        return self.offsets.counted_lags

    @property
    def weights(self) -> LongArray:
        """(P,) what strategies balance and loads sum, or ``UNKNOWN``; by default the lags."""
        return self.offsets.lags if self.offsets.weights is None else self.offsets.weights

    @property
    def counted_weights(self) -> LongArray:
        """(P,) weights as strategies and sums count them: unknown and negative ones as 0."""
        return self.offsets.counted_weights

    @property
    def is_weight_known(self) -> BoolArray:
        """(P,) whether the weight is known."""
        return self.offsets.is_weight_known

    @property
    def is_lag_known(self) -> BoolArray:
        """(P,) whether the lag is known."""
        return self.offsets.is_lag_known

    @cached_property
    def fit_owners(self) -> Owners:
        """(P,) the present owners that still subscribe."""
        return read_only(self.layout.fit(self.present_owners))

    def wanted_slices(self) -> Iterator[tuple[slice, IntArray]]:
        """Yield the partitions and the subscribers, ascending, of each wanted topic."""
        return self.layout.wanted_slices()

    def topic_span(self, topic: int) -> slice:
        """Return where a topic's partitions stand among all partitions."""
        return self.layout.topic_span(topic)

    def subscribers(self, topic: int) -> IntArray:
        """Return the members that subscribe to a topic that has any, ascending."""
        return self.layout.subscribers(topic)

    def nobody(self) -> Owners:
        """Return a new assignment in which nobody owns anything."""
        return self.layout.nobody()

    def partition_name(self, partition: int) -> str:
        """Return ``topic-3``, as Kafka writes a partition."""
        return self.layout.partition_name(partition)

    def named(self, owners: Owners) -> dict[str, tuple[str, ...]]:
        """Return every member's partitions by name; for examples and messages."""
        return self.layout.named(owners)


def _owners_of(layout: Layout, owned: Mapping[str, Sequence[tuple[str, int]]]) -> Owners:
    """Return the owners (P,) by what each member is said to own."""
    owners = layout.nobody()
    starts = dict(zip(layout.topics, layout.topic_starts.tolist(), strict=False))
    number = {name: m for m, name in enumerate(layout.members)}
    for member, partitions in owned.items():
        for topic, partition in partitions:
            owners[starts[topic] + partition] = number[member]
    return owners


Assignor: TypeAlias = Callable[[Group], Owners]
"""A strategy: a pure function from a group to its owners."""
