"""The gallery's surprises of groups that are no consumer groups: what happens is forecast."""

from pathlib import Path
from typing import Final, NamedTuple

from assignors.kinds import GroupKind
from evaluation.answering.compose import answer_of
from evaluation.answering.of_kind import said_of
from evaluation.kinds.forecast import OtherMembers
from evaluation.kinds.view import KindView, view_of
from evaluation.reading import Reading
from sources.asking import given_of
from sources.group_json import decode

_FOLDER: Final = Path(__file__).parent.parent / "sample_data" / "kinds"


class KindCard(NamedTuple):
    """One surprise; its figures come from the forecast."""

    id: str
    """The group's file in ``sample_data/kinds``."""
    kind: GroupKind
    surprise: str
    what_if: OtherMembers
    why: str
    instead: str


KIND_CARDS: Final = (
    KindCard(
        "streams-classic",
        GroupKind.STREAMS,
        "A new instance of Kafka Streams waits half an hour for its share.",
        OtherMembers(more=1),
        "Tasks with state move only once a copy of their state is caught up, two at a time "
        "(max.warmup.replicas), and Streams looks every ten minutes whether one is.",
        "Raise max.warmup.replicas, lower probing.rebalance.interval.ms, or keep standbys.",
    ),
    KindCard(
        "streams-broker",
        GroupKind.STREAMS_BROKER,
        "On the broker's protocol one more instance stops a task that ran.",
        OtherMembers(more=1),
        "Its assignor has no warm-ups yet: a task moves at once, and where no standby is, its "
        "state is restored while the task is stopped.",
        "Add the instance when a pause hurts least, or keep a standby where it will start.",
    ),
    KindCard(
        "connect-clump",
        GroupKind.CONNECT,
        "All tasks of a connector sit on one worker, and Connect calls it balanced.",
        OtherMembers(),
        "Counts are even over all connectors together; which tasks make up a worker's share, and "
        "what they weigh, plays no part.",
        "Give a heavy connector a cluster of its own.",
    ),
    KindCard(
        "share-queue",
        GroupKind.SHARE,
        "Twenty consumers more than partitions, and none of them is idle.",
        OtherMembers(more=20),
        "A share group hands out records, not partitions: several consumers read one partition.",
        "Take a share group where records need no order; a consumer group needs more partitions.",
    ),
)


class FilledKindCard(NamedTuple):
    """A card with what happens, as forecast."""

    card: KindCard
    reading: Reading
    view: KindView
    happens: str


def filled_kind(card: KindCard) -> FilledKindCard:
    """Read a card's group and forecast what the card tells of."""
    reading = decode((_FOLDER / f"{card.id}.json").read_bytes())
    if reading.as_kind is None:
        message = f"the sample {card.id} has no as_kind"
        raise ValueError(message)
    view = view_of(reading.as_kind, reading.group, None, card.what_if)
    words = said_of(view, answer_of(given_of(reading)))
    return FilledKindCard(card, reading, view, f"{words.finding} {words.evidence}")
