"""A rebalance that was under way, in group JSON: so that a shared group is as far as it was."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from assignors.model import Group, Owners
from assignors.naming import assignment_of
from evaluation.rebalancing import Rebalancing, owners_by_name

_Epoch = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
_Partition = tuple[str, Annotated[int, Meta(ge=0, le=2**31 - 1)]]
_HeldBy = Mapping[str, list[_Partition]]


class RebalancingJson(Struct, omit_defaults=True):
    """How far it was, by consumers' ids; null where the source did not tell."""

    group_epoch: _Epoch | None = None
    target_epoch: _Epoch | None = None
    member_epochs: dict[str, _Epoch] = {}
    now: dict[str, list[_Partition]] | None = None
    """Who held which partitions."""
    target: dict[str, list[_Partition]] | None = None
    """Who will hold them."""


def as_json(rebalancing: Rebalancing, group: Group) -> RebalancingJson:
    """Return what a file keeps of it."""
    return RebalancingJson(
        group_epoch=rebalancing.group_epoch,
        target_epoch=rebalancing.target_epoch,
        member_epochs=dict(rebalancing.member_epochs),
        now=_by_member(group, rebalancing.now),
        target=_by_member(group, rebalancing.target),
    )


def rebalancing_of(kept: RebalancingJson, group: Group) -> Rebalancing:
    """Return the rebalance of a group from a file; names that the group lacks are passed over."""
    return Rebalancing(
        group_epoch=kept.group_epoch,
        target_epoch=kept.target_epoch,
        member_epochs=kept.member_epochs,
        now=_owners(group, kept.now),
        target=_owners(group, kept.target),
    )


def _by_member(group: Group, owners: Owners | None) -> dict[str, list[_Partition]] | None:
    return None if owners is None else assignment_of(group, owners)


def _owners(group: Group, held: _HeldBy | None) -> Owners | None:
    return None if held is None else owners_by_name(group, held)
