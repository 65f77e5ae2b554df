"""What is taken for what a source does not say, and the notes on it."""

from collections.abc import Iterator, Mapping
from typing import Final

from assignors.model import Group
from evaluation.assuming.assumed import Assumed, SubscriptionSource
from evaluation.assuming.clients import CLIENTS, JAVA, recognised
from evaluation.assuming.running import misfits
from evaluation.assuming.subscriptions import Inferred, inferred
from evaluation.wording import sentence

REPORTED: Final[Mapping[str, Mapping[str, str]]] = {
    "classic": {
        **{name: name for name in ("range", "roundrobin", "sticky", "cooperative-sticky")},
        "roundrobinassigner": "kafkajs-roundrobin",
    },
    "consumer": {"uniform": "uniform-kafka-18688", "range": "server-range"},
}
"""Our names of the strategies that coordinators report, in small letters, by the group's protocol.

``uniform`` assigns differently since Kafka 4.0.1; the later one is meant.
"""


def assume(
    group: Group,
    strategy: str | None = None,
    *,
    lists_members: bool = False,
    knows_racks: bool = False,
    are_listed: bool = False,
) -> tuple[Group, Assumed]:
    """Return a group whose source tells no subscriptions, and what is assumed of it.

    All its members subscribe to all topics that any of them reads; the owners may suggest others.
    ``strategy`` is the one that the source names; ``lists_members``, whether it tells all members,
    if only that there are none; ``knows_racks``, whether it tells racks; ``are_listed``, whether
    it tells subscriptions after all.
    """
    client = recognised(group, strategy)
    clients = CLIENTS.values() if client is None else (client.client,)
    settable = dict.fromkeys(each for of in clients for each in of.settable)
    named = (JAVA if client is None else client.client).strategy_called(strategy or "")
    found = (
        Inferred(group, SubscriptionSource.READ) if are_listed else inferred(group, tuple(settable))
    )
    are_owners_unknown = bool(group.is_owner_unknown.any())
    return found.group, Assumed(
        subscriptions=found.source,
        why=found.why,
        alternatives=found.alternatives,
        racks_unknown=not knows_racks,
        owners_unknown=are_owners_unknown,
        members_unknown=not lists_members and (are_owners_unknown or not group.member_count),
        misfits=0 if named is None else misfits(found.group, named),
        client="" if client is None else client.client.name,
        client_why="" if client is None else client.why,
    )


def notes_on_assumed(assumed: Assumed) -> Iterator[str]:
    """Yield a sentence on each assumption that a prediction may hang on."""
    if assumed.why:
        yield sentence(
            f"{assumed.why}: each consumer is taken to read only the topics that it owns"
        )
    elif assumed.alternatives:
        yield (
            "The text does not say who subscribes to what: all consumers are taken to read all "
            "topics."
        )
