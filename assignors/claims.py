"""``Claims``: what each member says that it owns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from assignors import ragged
from assignors.arrays import (
    NO_GENERATION,
    UNKNOWN,
    UNOWNED,
    BoolArray,
    IntArray,
    InvalidGroupError,
    LongArray,
    Owners,
    if_known,
    make_read_only,
    or_filled,
    read_only,
    require_sizes,
    whole_numbers,
)
from assignors.layout import Layout


@dataclass(frozen=True, eq=False, kw_only=True)
class Claims:
    """The partitions that each of M members claims, of P, and in which generation."""

    partition_count: int
    """P."""
    starts: LongArray
    """(M + 1,) member m claims partitions[starts[m]:starts[m + 1]]."""
    partitions: IntArray
    """Partition numbers, in the order in which each member lists them."""
    generations: LongArray
    """(M,) the generation of each member's claims, or ``NO_GENERATION``."""
    vanished: tuple[tuple[str, str, int], ...] = ()
    """Claims on partitions that do not exist: member, topic, number. No strategy here counts them,
    but clients do."""
    is_owner_unknown: BoolArray | None = None
    """(P,) which unclaimed partitions may have an owner that the source does not give; None if
    there are none. A claim on such a partition makes its owner known. No strategy sees this."""

    def __post_init__(self) -> None:
        """Make every array read-only and check that the sizes agree."""
        make_read_only(self)
        require_sizes((("claim_starts", self.starts, self.generations.size + 1),))
        if self.is_owner_unknown is not None:
            require_sizes((("is_owner_unknown", self.is_owner_unknown, self.partition_count),))

    @classmethod
    def of(  # noqa: PLR0913 -- one argument a field; all but the first have a default
        cls,
        layout: Layout,
        *,
        owners: npt.ArrayLike | None = None,
        rows: Sequence[npt.ArrayLike] | None = None,
        generations: npt.ArrayLike | None = None,
        vanished: Sequence[tuple[str, str, int]] = (),
        is_owner_unknown: npt.ArrayLike | None = None,
    ) -> Self:
        """Take ``owners`` (P,), claimed in partition order, or one row of partitions a member.

        Without either nobody claims anything; without ``generations`` (M,) nobody ever joined.
        Raises InvalidGroupError as ``of_owners`` and ``of_rows`` do.
        """
        joined = or_filled(generations, layout.member_count, NO_GENERATION, np.int64)
        unknown = if_known(is_owner_unknown, np.bool_)
        if rows is not None:
            return cls.of_rows(rows, joined, layout.partition_count, vanished, unknown)
        if owners is None:
            return cls(
                partition_count=layout.partition_count,
                starts=np.zeros(joined.size + 1, np.int64),
                partitions=np.zeros(0, np.int32),
                generations=joined,
                vanished=tuple(vanished),
                is_owner_unknown=unknown,
            )
        numbers = whole_numbers("owners", owners).astype(np.int32)
        claims = cls.of_owners(numbers, joined, layout.partition_count)
        return claims if unknown is None else replace(claims, is_owner_unknown=unknown)

    @classmethod
    def of_owners(cls, owners: Owners, generations: LongArray, partition_count: int) -> Self:
        """Let each member claim what it owns, in partition order.

        Raises InvalidGroupError for an owner that is not a member, or too few or many owners.
        """
        members = generations.size
        starts, partitions = ragged.rows_by_key(owners, members)
        if starts.size != members + 1:
            partition = int(np.argmax(owners >= members))
            message = (
                f"partition {partition} is owned by member {owners[partition]}, but there are "
                f"{members} members, numbered from 0; {UNOWNED} means nobody"
            )
            raise InvalidGroupError(message)
        require_sizes((("owners", owners, partition_count),))
        claims = cls(
            partition_count=partition_count,
            starts=starts,
            partitions=partitions,
            generations=generations,
        )
        known: dict[str, object] = {
            "last_claimants": read_only(owners.astype(np.int32)),
            "is_contested": False,
        }
        claims.__dict__.update(known)
        return claims

    @classmethod
    def of_rows(
        cls,
        rows: Sequence[npt.ArrayLike],
        generations: LongArray,
        partition_count: int,
        vanished: Sequence[tuple[str, str, int]] = (),
        is_owner_unknown: BoolArray | None = None,
    ) -> Self:
        """Take one row of partitions for each member.

        Raises InvalidGroupError for a partition that does not exist.
        """
        require_sizes((("claims", rows, generations.size),))
        starts, partitions = ragged.flatten(rows)
        wrong = partitions[(partitions < 0) | (partitions >= partition_count)]
        if wrong.size:
            message = (
                f"partition {wrong[0]} is claimed, but there are {partition_count}, numbered from 0"
            )
            raise InvalidGroupError(message)
        return cls(
            partition_count=partition_count,
            starts=starts,
            partitions=partitions,
            generations=generations,
            vanished=tuple(vanished),
            is_owner_unknown=is_owner_unknown,
        )

    @cached_property
    def members(self) -> IntArray:
        """(claims,) the claiming member."""
        return read_only(ragged.row_of_each(self.starts))

    @cached_property
    def last_claimants(self) -> Owners:
        """(P,) the largest member number that claims each partition."""
        owners = np.full(self.partition_count, UNOWNED, np.int32)
        owners[self.partitions] = self.members
        return read_only(owners)

    @cached_property
    def is_contested(self) -> bool:
        """Whether any partition is claimed more than once."""
        return int(np.count_nonzero(self.last_claimants != UNOWNED)) < self.partitions.size

    @cached_property
    def is_newest(self) -> BoolArray:
        """(claims,) whether no claim on its partition is of a higher generation."""
        generations = self.generations[self.members]
        newest = np.full(self.partition_count, UNKNOWN)
        np.maximum.at(newest, self.partitions, generations)
        is_newest: BoolArray = generations == newest[self.partitions]
        return read_only(is_newest)

    @cached_property
    def owners(self) -> Owners:
        """(P,) the member that owns each partition now.

        The claim of the highest generation wins; between equal generations nobody owns the
        partition, as in the sticky assignors (KAFKA-12984, KAFKA-14639).
        """
        if not self.is_contested:
            return self.last_claimants
        claimed, members = self.partitions[self.is_newest], self.members[self.is_newest]
        owners = np.full(self.partition_count, UNOWNED, np.int32)
        owners[claimed] = members
        owners[claimed[owners[claimed] != members]] = UNOWNED
        return read_only(owners)
