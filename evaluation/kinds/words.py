"""The answer on a group that is no consumer group, in words: one door for every kind."""

from assignors.connect.cluster import ConnectCluster
from assignors.share.group import ShareGroup
from evaluation.kinds.connect_words import connect_words
from evaluation.kinds.said import KindWords
from evaluation.kinds.share_words import share_words
from evaluation.kinds.streams_words import streams_words
from evaluation.kinds.view import KindView
from evaluation.severity import Severity
from evaluation.wording import plural


def words_in(view: KindView) -> KindWords:
    """Return the verdict on a group as it is, or on what another number of members brings."""
    if view.what_if.without and all(each.is_gone for each in view.then.holders):
        return _nobody_left(view)
    if isinstance(view.group, ConnectCluster):
        return connect_words(view, view.group)
    if isinstance(view.group, ShareGroup):
        return share_words(view, view.group)
    return streams_words(view, view.group)


def _nobody_left(view: KindView) -> KindWords:
    """Return what is said where the only instance, worker or consumer leaves."""
    who, what = "instance", "task"
    if isinstance(view.group, ConnectCluster):
        who = "worker"
    elif isinstance(view.group, ShareGroup):
        who, what = "consumer", "partition"
    still = sum(each.items for each in view.then.parts)
    return KindWords(
        Severity.ALARM,
        f"Nobody is left: {plural(still, what)} {'stands' if still == 1 else 'stand'} still.",
        f"No other {who} can take over until one starts.",
        f"Run a second {who}.",
    )


def size_said(view: KindView) -> list[str]:
    """Return how large a group is, in the words of its kind: "2 instances", "4 threads"."""
    board, items = view.now, sum(each.items for each in view.now.parts)
    if isinstance(view.group, ConnectCluster):
        counts = (
            (len(board.holders), "worker"),
            (len(board.parts), "connector"),
            (items, "task"),
        )
    elif isinstance(view.group, ShareGroup):
        counts = (
            (len(board.holders), "consumer"),
            (len(board.parts), "topic"),
            (items, "partition"),
        )
    else:
        parts = len(board.parts)
        said = [plural(len(board.homes), "instance"), plural(len(board.holders), "thread")]
        said.append("1 sub-topology" if parts == 1 else f"{parts:,} sub-topologies")
        return [*said, plural(items, "task")]
    return [plural(*each) for each in counts]
