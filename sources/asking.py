"""A reading and what is stated of it, as an answer starts from it."""

from typing import Final

from assignors.model import Group
from evaluation.answering.given import Given, Statements
from evaluation.assuming.clients import CLIENTS, JAVA, Client
from sources.reading import Reading

_NOTHING: Final = Statements()


def given_of(
    reading: Reading,
    stated: Statements = _NOTHING,
    client: Client | None = None,
    group: Group | None = None,
) -> Given:
    """Return what an answer on a reading starts from.

    ``client`` is the one that somebody names; None takes the one that the text gives away, else
    Java's. ``group`` is the reading's own after edits.
    """
    return Given(
        group=reading.group if group is None else group,
        history=reading.history,
        client=client or client_of(reading),
        strategy=reading.strategy,
        weighed=reading.weighed,
        hosts=reading.hosts,
        name=reading.name,
        kind=reading.kind,
        lacking=reading.lacking,
        rebalancing=reading.rebalancing if group in {None, reading.group} else None,
        assumed=reading.assumed,
        stated=stated,
        as_kind=reading.as_kind if group in {None, reading.group} else None,
    )


def client_of(reading: Reading) -> Client:
    """Return the client library that a reading gives away, else Java's."""
    return CLIENTS.get(reading.assumed.client, JAVA)
