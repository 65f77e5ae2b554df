"""What a change brings a group that is no consumer group, in words, whatever its kind."""

from assignors.connect.cluster import ConnectCluster
from assignors.share.group import ShareGroup
from evaluation.kinds.connect_words import connect_words
from evaluation.kinds.said import KindWords
from evaluation.kinds.settings import setting_for_now, settings_of
from evaluation.kinds.share_words import share_words
from evaluation.kinds.streams_words import streams_words
from evaluation.kinds.view import KindView
from evaluation.severity import Severity
from evaluation.wording import plural


def change_words(view: KindView) -> KindWords:
    """Return what another number of members brings, and the settings that matter then."""
    if view.what_if.without and all(each.is_gone for each in view.then.holders):
        return _nobody_left(view)
    if isinstance(view.group, ConnectCluster):
        said = connect_words(view)
    elif isinstance(view.group, ShareGroup):
        said = share_words(view, view.group)
    else:
        said = streams_words(view)
    setting = setting_for_now(view)
    action = said.action or (f"Set {setting.said}" if setting is not None else "")
    return said._replace(action=action, advice=settings_of(view))


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
