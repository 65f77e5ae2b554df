"""What is said of a group of another kind, from its view alone."""

from typing import Final

from assignors.connect.cluster import ConnectCluster
from assignors.kinds import GroupKind
from assignors.share.group import ShareGroup
from assignors.streams.application import StreamsApplication
from assignors.streams.broker_group import StreamsGroup
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.given import Given
from evaluation.answering.of_kind import said_of
from evaluation.kinds.said import KindWords
from evaluation.kinds.view import KindView

_KINDS: Final = {
    ConnectCluster: GroupKind.CONNECT,
    ShareGroup: GroupKind.SHARE,
    StreamsApplication: GroupKind.STREAMS,
    StreamsGroup: GroupKind.STREAMS_BROKER,
}


def answer_in(view: KindView) -> Answer:
    """Return the answer on a group as it is."""
    kind = _KINDS[type(view.group)]
    given = Given(group=view.read, kind=kind, as_kind=view.group, kind_stated=view.said)
    return answer_of(given)


def said_in(view: KindView) -> KindWords:
    """Return what every door says of it."""
    return said_of(view, answer_in(view))
