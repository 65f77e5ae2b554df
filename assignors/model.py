"""The input, the output and the contract of a strategy: ``Group``, ``Owners`` and ``Assignor``.

One class, longer than other files, so that all a strategy can ask of a group is found in it.
Topics, partitions and members are numbered once, in the order the protocol visits them, so
that strategies work on arrays and ties go to the smaller number:

- topics in Java's string order; their partitions form one flat range, topic after topic;
- members in Java's string order of their ids;
- subscription classes: members with equal subscriptions share one.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, Self, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from assignors import ragged
from assignors.audiences import Audiences, audiences_of
from assignors.contradictions import contradictions
from assignors.java import hash_order, strings
from assignors.memo import claimless_property, memo_property

_Number = TypeVar("_Number", bound=np.generic)
IntArray: TypeAlias = npt.NDArray[np.int32]
LongArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
Owners: TypeAlias = npt.NDArray[np.int32]
"""One member number, or ``UNOWNED``, for each partition; shape (partitions,)."""

UNOWNED: Final = -1
"""The owner of a partition that nobody owns."""
UNKNOWN: Final = int(np.iinfo(np.int64).min)
"""An unknown lag or offset; not zero."""
NO_RACK: Final = -1
NO_GENERATION: Final = -1
"""The generation of a member that never joined, as in Kafka."""


_SIZED: Final = (
    *("topic_starts", "class_of_member", "arrival", "instance_ids", "member_racks", "generations"),
    *("claim_starts", "replica_racks", "lags", "topic_ids"),
)


class InvalidGroupError(ValueError):
    """A group that contradicts itself; the message names the field and what to give instead."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Group:
    """A consumer group at one moment: the input of a strategy.

    Build one with ``Group.of`` (arrays), ``Group.fresh`` (a few names) or
    ``numbering.group_of`` (records of names). Every array is read-only.
    P partitions, T topics, M members, C subscription classes, R racks.
    """

    id: str
    topics: tuple[str, ...]
    """T names, ascending in Java's order; one without partitions may be unknown to the cluster."""
    members: tuple[str, ...]
    """M member ids, ascending in Java's string order."""
    topic_starts: LongArray
    """(T + 1,) topic t holds the partitions topic_starts[t] to topic_starts[t + 1] - 1."""
    class_of_member: IntArray
    """(M,) the subscription class of each member."""
    class_starts: LongArray
    """(C + 1,) class c subscribes to class_topics[class_starts[c]:class_starts[c + 1]]."""
    class_topics: IntArray
    """Topic numbers, ascending within a class; a topic that a member lists twice appears twice."""
    arrival: IntArray
    """(M,) member numbers in the order given, which is the order Kafka inserts them."""
    instance_ids: tuple[str | None, ...]
    """(M,) ``group.instance.id`` (KIP-345); None for dynamic members."""
    racks: tuple[str, ...]
    """R rack names."""
    member_racks: IntArray
    """(M,) rack number or ``NO_RACK``."""
    replica_racks: BoolArray
    """(P, R) whether the rack holds a replica of the partition."""
    claim_starts: LongArray
    """(M + 1,) member m claims the partitions claims[claim_starts[m]:claim_starts[m + 1]]."""
    claims: IntArray
    """Partition numbers, in the order in which each member lists them."""
    generations: LongArray
    """(M,) the generation of each member's claims, or ``NO_GENERATION``."""
    lags: LongArray
    """(P,) records behind the end, or ``UNKNOWN``; negative if a tool printed it so."""
    begin_offsets: LongArray | None = None
    """(P,) ``UNKNOWN`` where unknown, as are the other offsets."""
    end_offsets: LongArray | None = None
    committed_offsets: LongArray | None = None
    """(P,) ``UNKNOWN`` where nothing is committed."""
    auto_offset_reset: str = "latest"
    leader_topics: tuple[str, ...] = ()
    """The topics of the first member, in the order in which it lists them, if known."""
    lists_alike: bool = True
    """Whether all members list the same topics with partitions, in the same order."""
    known_to_leader: tuple[str, ...] | None = None
    """Topics with partitions that the leader's metadata has, read or not; None if not known. With
    subscriptions by pattern those are all topics of the cluster."""
    vanished: tuple[tuple[str, str, int], ...] = ()
    """Claims on partitions that do not exist: member, topic, number. No strategy here counts them,
    but clients do."""
    topic_ids: tuple[str | None, ...] = ()
    """(T,) as Kafka's tools print them, None where unknown; () if none is known."""
    subscription_type: str | None = None
    """"Homogeneous" or "Heterogeneous" if a broker's verdict on the subscriptions is known."""
    rates: FloatArray | None = None
    """(P,) records produced per second, NaN if unknown; for capacity planning."""
    throughput: FloatArray | None = None
    """(M,) records a member can consume per second, NaN if unknown; for capacity planning."""
    partition_count: int = field(init=False)
    """P."""
    member_count: int = field(init=False)
    """M."""

    def __post_init__(self) -> None:
        """Make every array read-only and check that the shapes agree."""
        for value in self.__dict__.values():
            if type(value) is np.ndarray:
                value.setflags(write=False)
        topics, members = len(self.topics), len(self.members)
        partitions = int(self.topic_starts[-1])
        self.__dict__.update(partition_count=partitions, member_count=members)
        known_ids = topics if self.topic_ids else 0
        per_member = (members,) * 5
        expected = topics + 1, *per_member, members + 1, partitions, partitions, known_ids
        for name, size in zip(_SIZED, expected, strict=True):
            if len(getattr(self, name)) != size:
                actual = len(getattr(self, name))
                message = f"{name} has {actual} entries where this group needs {size}"
                raise InvalidGroupError(message)

    @classmethod
    def of(  # noqa: PLR0913 -- one argument a field; all but the first three have a default
        cls,
        topics: Sequence[str],
        partitions: npt.ArrayLike,
        members: Sequence[str],
        *,
        id: str = "",  # noqa: A002 -- the field is named so in every Kafka tool
        class_of_member: npt.ArrayLike | None = None,
        class_topics: Sequence[npt.ArrayLike] | None = None,
        owners: npt.ArrayLike | None = None,
        claims: Sequence[npt.ArrayLike] | None = None,
        generations: npt.ArrayLike | None = None,
        lags: npt.ArrayLike | None = None,
        arrival: npt.ArrayLike | None = None,
        instance_ids: Sequence[str | None] | None = None,
        racks: Sequence[str] = (),
        member_racks: npt.ArrayLike | None = None,
        replica_racks: npt.ArrayLike | None = None,
        begin_offsets: npt.ArrayLike | None = None,
        end_offsets: npt.ArrayLike | None = None,
        committed_offsets: npt.ArrayLike | None = None,
        auto_offset_reset: str = "latest",
        leader_topics: Sequence[str] = (),
        lists_alike: bool = True,
        vanished: Sequence[tuple[str, str, int]] = (),
        topic_ids: Sequence[str | None] = (),
        rates: npt.ArrayLike | None = None,
        throughput: npt.ArrayLike | None = None,
    ) -> Self:
        """Build a group from arrays; names must ascend in Java's order.

        ``partitions`` counts the partitions of each topic. By default every member subscribes to
        every topic. ``owners`` (P,) become claims in partition order; ``claims`` has one row per
        member instead. Lags default to unknown.

        Raises InvalidGroupError when names repeat or descend, shapes disagree, or an owner or a
        claimed partition does not exist.
        """
        if not strings.is_sorted(topics) or not strings.is_sorted(members):
            message = "topics and members must be distinct and ascend in Java's string order"
            raise InvalidGroupError(message)
        starts = ragged.starts_of(np.asarray(partitions, np.int64))
        count, total = len(members), int(starts[-1])
        if class_topics is None:
            class_starts = np.array([0, len(topics)], np.int64)
            flat_topics = np.arange(len(topics), dtype=np.int32)
        else:
            class_starts, flat_topics = ragged.flatten(class_topics)
        if claims is not None:
            claim_starts, flat_claims = ragged.flatten(claims)
            _require_partitions(flat_claims, total)
        elif owners is not None:
            claim_starts, flat_claims = _claims_of(np.asarray(owners, np.int32), count, total)
        else:
            claim_starts, flat_claims = np.zeros(count + 1, np.int64), np.zeros(0, np.int32)
        return cls(
            id=id,
            topics=tuple(topics),
            members=tuple(members),
            topic_starts=starts,
            class_of_member=_or_filled(class_of_member, count, 0, np.int32),
            class_starts=class_starts,
            class_topics=flat_topics,
            arrival=np.array(arrival, np.int32)
            if arrival is not None
            else np.arange(count, dtype=np.int32),
            instance_ids=(None,) * count if instance_ids is None else tuple(instance_ids),
            racks=tuple(racks),
            member_racks=_or_filled(member_racks, count, NO_RACK, np.int32),
            replica_racks=_or_filled(replica_racks, (total, len(racks)), 0, np.bool_),
            claim_starts=claim_starts,
            claims=flat_claims,
            generations=_or_filled(generations, count, NO_GENERATION, np.int64),
            lags=_or_filled(lags, total, UNKNOWN, np.int64),
            begin_offsets=_if_known(begin_offsets, np.int64),
            end_offsets=_if_known(end_offsets, np.int64),
            committed_offsets=_if_known(committed_offsets, np.int64),
            auto_offset_reset=auto_offset_reset,
            leader_topics=tuple(leader_topics),
            lists_alike=lists_alike,
            vanished=tuple(vanished),
            topic_ids=tuple(topic_ids),
            rates=_if_known(rates, np.float64),
            throughput=_if_known(throughput, np.float64),
        )

    @classmethod
    def fresh(
        cls,
        topics: Mapping[str, int],
        members: Sequence[str] | Mapping[str, Sequence[str]],
        lags: Mapping[str, Sequence[int]] | None = None,
    ) -> Self:
        """Build a small group without owners from partition counts and member ids.

        ``members`` is a list of ids that subscribe to everything, or id -> topics.

        Raises InvalidGroupError for a name that is not among the topics, an id or a name that
        repeats, a negative count, or lags that are not one for each partition.

        >>> Group.fresh({"t": 2}, members=["c1", "c0"]).members
        ('c0', 'c1')
        """
        message = next(contradictions(topics, members, lags), None)
        if message is not None:
            raise InvalidGroupError(message)
        names = [list(topics)[t] for t in strings.string_order(list(topics))]
        given = list(members)
        order = strings.string_order(given)
        number = {name: t for t, name in enumerate(names)}
        wanted = members if isinstance(members, Mapping) else dict.fromkeys(given, names)
        return cls.of(
            names,
            [topics[name] for name in names],
            [given[m] for m in order],
            class_of_member=np.arange(len(given)),
            class_topics=[sorted(number[name] for name in wanted[given[m]]) for m in order],
            lags=None if lags is None else np.concatenate([lags[name] for name in names]),
            arrival=np.argsort(order),
        )

    def owned_by(self, owners: Owners, generation: int = 0) -> Self:
        """Return the group after a rebalance with these owners.

        Copies nothing but the claims, and keeps all memoized results that do not depend on them.

        Raises InvalidGroupError for an owner that is not a member.
        """
        claim_starts, claims = _claims_of(owners, self.member_count, self.partition_count)
        generations = np.full(self.member_count, generation, np.int64)
        for values in (claim_starts, claims, generations):
            values.setflags(write=False)
        after = object.__new__(type(self))
        after.__dict__.update(
            {name: value for name, value in self.__dict__.items() if name not in _OF_CLAIMS},
            claim_starts=claim_starts,
            claims=claims,
            generations=generations,
            vanished=(),
            claimless_memo=self.claimless_memo,
        )
        return after

    @memo_property
    def memo(self) -> dict[str, Any]:
        """Memoized results for this group, by name; see ``assignors.memo``."""
        return {}

    @memo_property
    def claimless_memo(self) -> dict[str, Any]:
        """Memoized results that do not depend on the claims; ``owned_by`` passes them on."""
        return {}

    @claimless_property
    def topic_sizes(self) -> LongArray:
        """(T,) partitions of each topic."""
        return self.topic_starts[1:] - self.topic_starts[:-1]

    @claimless_property
    def topic_of_partition(self) -> IntArray:
        """(P,) the topic of each partition."""
        return ragged.row_of_each(self.topic_starts)

    @claimless_property
    def number_in_topic(self) -> IntArray:
        """(P,) each partition's number within its topic."""
        return ragged.place_in_row(self.topic_sizes).astype(np.int32)

    @claimless_property
    def subscribes(self) -> BoolArray:
        """(C, T) whether a subscription class subscribes to a topic."""
        wanted = np.zeros((len(self.topics), self.class_starts.size - 1), np.bool_)
        wanted[self.class_topics, ragged.row_of_each(self.class_starts)] = True
        return wanted.T

    @claimless_property
    def has_equal_subscriptions(self) -> bool:
        """Whether all members subscribe to the same topics."""
        if len(self.subscribes) == 1:
            return True
        subscribes = self.subscribes[np.unique(self.class_of_member)]
        return bool((subscribes == subscribes[:1]).all())

    @claimless_property
    def wants_everything(self) -> bool:
        """Whether there are members and all of them subscribe to every topic."""
        return bool(self.members) and bool(self.subscribes.all())

    @claimless_property
    def audiences(self) -> Audiences:
        """The subscribers of every topic."""
        return audiences_of(self.subscribes, self.class_of_member)

    @claimless_property
    def is_wanted(self) -> BoolArray:
        """(P,) whether the partition's topic has a subscriber."""
        return (self.audiences.of_topic >= 0)[self.topic_of_partition]

    @claimless_property
    def wanted(self) -> LongArray:
        """The partitions that have a subscriber, ascending."""
        return self.is_wanted.nonzero()[0]

    @claimless_property
    def wanted_topics(self) -> LongArray:
        """The topics that have partitions and subscribers, ascending."""
        return np.flatnonzero((self.audiences.of_topic >= 0) & (self.topic_sizes > 0))

    def wanted_slices(self) -> Iterator[tuple[slice, IntArray]]:
        """Yield the partitions and the subscribers, ascending, of each wanted topic."""
        for topic in self.wanted_topics.tolist():
            yield self.topic_span(topic), self.subscribers(topic)

    def topic_span(self, topic: int) -> slice:
        """Return where a topic's partitions stand among all partitions."""
        return slice(*self.topic_starts[topic : topic + 2].tolist())

    def subscribers(self, topic: int) -> IntArray:
        """Return the members that subscribe to a topic that has any, ascending."""
        return self.audiences.members_of(self.audiences.of_topic[topic])

    def partitions_of(self, topics: LongArray | IntArray) -> LongArray:
        """Return the partitions of the topics, topic after topic in the given order."""
        return ragged.spans(self.topic_starts[topics], self.topic_starts[topics + 1])

    def runs(self, partitions: LongArray) -> Iterator[tuple[int, LongArray]]:
        """Yield consecutive partitions with the same subscribers, and their audience."""
        topics = self.topic_of_partition[partitions]
        starts = np.flatnonzero(ragged.changes(topics))
        audiences = self.audiences.of_topic[topics[starts]]
        is_new = ragged.changes(audiences)
        cuts = [*starts[is_new].tolist(), partitions.size]
        for audience, cut in zip(audiences[is_new].tolist(), pairwise(cuts), strict=True):
            yield audience, partitions[slice(*cut)]

    @claimless_property
    def static_first(self) -> IntArray:
        """(M,) member numbers: static members by instance id, then dynamic ones by member id."""
        if self.instance_ids.count(None) == self.member_count:
            return np.arange(self.member_count, dtype=np.int32)
        keys = [(name is None, strings.string_key(name or "")) for name in self.instance_ids]
        return np.array(sorted(range(self.member_count), key=keys.__getitem__), np.int32)

    @claimless_property
    def hash_map_order(self) -> IntArray:
        """(M,) member numbers in the order in which Kafka's client iterates its subscriptions."""
        arrived = [self.members[m] for m in self.arrival.tolist()]
        return self.arrival.take(hash_order.hash_map_order(arrived))

    @memo_property
    def member_of_claim(self) -> IntArray:
        """(claims,) the claiming member."""
        return ragged.row_of_each(self.claim_starts)

    @memo_property
    def last_claimants(self) -> Owners:
        """(P,) the largest member number that claims each partition."""
        owners = self.nobody()
        owners[self.claims] = self.member_of_claim
        return owners

    @memo_property
    def is_contested(self) -> bool:
        """Whether any partition is claimed more than once."""
        return int(np.count_nonzero(self.last_claimants != UNOWNED)) < self.claims.size

    @memo_property
    def is_newest_claim(self) -> BoolArray:
        """(claims,) whether no claim on its partition is of a higher generation."""
        generations = self.generations[self.member_of_claim]
        newest = np.full(self.partition_count, UNKNOWN)
        np.maximum.at(newest, self.claims, generations)
        is_newest: BoolArray = generations == newest[self.claims]
        return is_newest

    @memo_property
    def present_owners(self) -> Owners:
        """(P,) the member that owns each partition now.

        The claim of the highest generation wins; between equal generations nobody owns the
        partition, as in the sticky assignors (KAFKA-12984, KAFKA-14639).
        """
        if not self.is_contested:
            return self.last_claimants
        claims, members = (
            self.claims[self.is_newest_claim],
            self.member_of_claim[self.is_newest_claim],
        )
        owners = self.nobody()
        owners[claims] = members
        owners[claims[owners[claims] != members]] = UNOWNED
        return owners

    @memo_property
    def fit_owners(self) -> Owners:
        """(P,) the present owners that still subscribe; read-only."""
        return self.fit(self.present_owners)

    @property
    def has_claims(self) -> bool:
        """Whether any partition is owned at present."""
        return bool(self.claims.size)

    @claimless_property
    def counted_lags(self) -> LongArray:
        """(P,) lags as strategies and sums count them: unknown and negative ones as 0."""
        return np.maximum(self.lags, 0)

    @claimless_property
    def is_lag_known(self) -> BoolArray:
        """(P,) whether the lag is known."""
        return np.not_equal(self.lags, UNKNOWN)

    def may_own(self, members: IntArray, partitions: IntArray | LongArray) -> BoolArray:
        """Return for each pair whether the member subscribes to the partition's topic."""
        return self.subscribes[self.class_of_member[members], self.topic_of_partition[partitions]]

    def fit(self, owners: Owners) -> Owners:
        """Return the owners that subscribe, in a new array."""
        owners = owners.copy()
        if not self.wants_everything:
            held = np.flatnonzero(owners != UNOWNED)
            owners[held[~self.may_own(owners[held], held)]] = UNOWNED
        return owners

    def nobody(self) -> Owners:
        """Return a new assignment in which nobody owns anything."""
        owners = np.empty(self.partition_count, np.int32)
        owners.fill(UNOWNED)
        return owners

    def seated(self, seats: IntArray, subscribers: IntArray) -> Owners:
        """Return the assignment in which each partition goes to one subscriber of its topic.

        ``subscribers`` is laid out like ``audiences.members``; ``seats`` (P,) index each topic's
        own subscribers. Topics without subscribers have seat 0 and stay unowned.
        """
        audiences = self.audiences
        first = audiences.starts[audiences.of_topic].astype(np.int32)
        # Audience -1 starts at the entry appended here.
        index = first[self.topic_of_partition] + seats
        return np.append(subscribers, np.int32(UNOWNED)).take(index)

    def partition_name(self, partition: int) -> str:
        """Return ``topic-3``, as Kafka writes a partition."""
        topic = self.topics[self.topic_of_partition[partition]]
        return f"{topic}-{self.number_in_topic[partition]}"

    def named(self, owners: Owners) -> dict[str, tuple[str, ...]]:
        """Return every member's partitions by name; for examples and messages."""
        starts, partitions = ragged.rows_by_key(owners, self.member_count)
        return {
            member: tuple(self.partition_name(p) for p in partitions[starts[m] : starts[m + 1]])
            for m, member in enumerate(self.members)
        }


_OF_CLAIMS: Final = frozenset(
    name
    for name, value in vars(Group).items()
    if isinstance(value, memo_property) and not isinstance(value, claimless_property)
)
"""The memoized properties that depend on claims, which ``owned_by`` drops."""

Assignor: TypeAlias = Callable[[Group], Owners]
"""A strategy: a pure function from a group to its owners."""


def _claims_of(owners: Owners, members: int, partitions: int) -> tuple[LongArray, IntArray]:
    """Return the partitions of each member, in partition order."""
    claim_starts, claims = ragged.rows_by_key(owners, members)
    if claim_starts.size != members + 1:
        partition = int(np.argmax(owners >= members))
        message = (
            f"partition {partition} is owned by member {owners[partition]}, but there are "
            f"{members} members, numbered from 0; {UNOWNED} means nobody"
        )
        raise InvalidGroupError(message)
    if owners.size != partitions:
        message = f"owners has {owners.size} entries where this group needs {partitions}"
        raise InvalidGroupError(message)
    return claim_starts, claims


def _require_partitions(claims: IntArray, partitions: int) -> None:
    if claims.size and not 0 <= claims.min() <= claims.max() < partitions:
        wrong = next(each for each in claims.tolist() if not 0 <= each < partitions)
        message = f"partition {wrong} is claimed, but there are {partitions}, numbered from 0"
        raise InvalidGroupError(message)


def _or_filled(
    values: npt.ArrayLike | None,
    shape: int | tuple[int, int],
    fill: int,
    dtype: type[_Number],
) -> npt.NDArray[_Number]:
    if values is not None:
        return np.array(values, dtype)
    array = np.empty(shape, dtype)
    array.fill(fill)  # a quarter of what np.full takes
    return array


def _if_known(values: npt.ArrayLike | None, dtype: type[_Number]) -> npt.NDArray[_Number] | None:
    return None if values is None else np.array(values, dtype)
