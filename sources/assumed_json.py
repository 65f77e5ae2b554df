"""What a reading assumes, in group JSON: so that a saved or shared group stays as uncertain."""

from collections.abc import Mapping
from typing import Final, Literal

from msgspec import Struct

from assignors.model import Group
from evaluation.assuming.assumed import Assumed, SubscriptionSource
from evaluation.assuming.clients import recognised

_Name = Literal["listed", "stated", "all", "owned"]
_SOURCES: Final[Mapping[SubscriptionSource, _Name]] = {
    SubscriptionSource.READ: "listed",
    SubscriptionSource.STATED: "stated",
    SubscriptionSource.ALL_READ_ALL: "all",
    SubscriptionSource.UNEQUAL_INFERRED: "owned",
}
"""How the command line and files call each source of subscriptions."""
_CALLED: Final[Mapping[str, SubscriptionSource]] = {
    name: source for source, name in _SOURCES.items()
}


class AssumedJson(Struct, omit_defaults=True):
    """What the source did not say."""

    subscriptions: _Name = "listed"
    why: str = ""
    otherwise: tuple[_Name, ...] = ()
    racks_unknown: bool = False
    members_unknown: bool = False
    has_epochs: bool = False
    misfits: int = 0


def source_called(name: str) -> SubscriptionSource:
    """Return the source of subscriptions of this name; KeyError for another."""
    return _CALLED[name]


def name_of(source: SubscriptionSource) -> str:
    """Return how files and the command line call a source of subscriptions."""
    return _SOURCES[source]


def as_json(assumed: Assumed) -> AssumedJson | None:
    """Return what a file keeps of it; None if the source says everything.

    Unknown owners are written with the topics, and the client is recognised again by ids.
    """
    kept = AssumedJson(
        subscriptions=_SOURCES[assumed.subscriptions],
        why=assumed.why,
        otherwise=tuple(_SOURCES[each] for each in assumed.alternatives),
        racks_unknown=assumed.racks_unknown,
        members_unknown=assumed.members_unknown,
        has_epochs=assumed.has_epochs,
        misfits=assumed.misfits,
    )
    return None if kept == AssumedJson() else kept


def assumed_of(kept: AssumedJson | None, group: Group, strategy: str | None) -> Assumed:
    """Return what is assumed of a group from a file."""
    kept = kept or AssumedJson()
    client = recognised(group, strategy)
    return Assumed(
        subscriptions=_CALLED[kept.subscriptions],
        why=kept.why,
        alternatives=tuple(_CALLED[each] for each in kept.otherwise),
        racks_unknown=kept.racks_unknown,
        owners_unknown=bool(group.is_owner_unknown.any()),
        members_unknown=kept.members_unknown,
        has_epochs=kept.has_epochs,
        misfits=kept.misfits,
        client="" if client is None else client.client.name,
        client_why="" if client is None else client.why,
    )
