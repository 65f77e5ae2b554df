"""What is said of the sizes of a group that is no consumer group: its bound and its worst loss."""

from collections.abc import Sequence

from assignors.connect.cluster import ConnectCluster
from assignors.share.group import ShareGroup
from evaluation.kinds.choices import KindChoice
from evaluation.kinds.said import KindWords, verb
from evaluation.kinds.settings import setting_for_now
from evaluation.kinds.streams_words import capped
from evaluation.kinds.view import KindView
from evaluation.severity import Severity
from evaluation.wording import duration, plural


def size_words(view: KindView, rows: Sequence[KindChoice]) -> KindWords:
    """Return how many members have work, what one more brings, and what the worst loss stops.

    ``view`` is the group as it is, ``rows`` its sizes as ``choices_of`` returns them.
    """
    more = next((each for each in rows if each.what.more == 1), None)
    losses = [each for each in rows if each.what.without]
    worst = max(losses, key=lambda each: each.still, default=None)
    evidence = (
        []
        if more is None
        else [
            f"{more.label}: {plural(more.moved, _item(view))} {verb('move', more.moved)} at once"
            + (f", {more.warm_up:,} {verb('warm up', more.warm_up)}" if more.warm_up else "")
            + (f", at rest after {duration(more.rest_s)}" if more.rest_s else "")
            + f"; then {more.spread}."
        ]
    )
    severity, action = Severity.FINE, ""
    if worst is not None and worst.still:
        stands = verb("stand", worst.still)
        waits = view.session_s + worst.rest_s if isinstance(view.group, ConnectCluster) else 0
        lasts = f" for {duration(waits)}" if waits else " until restored"
        evidence.append(f"{worst.label}, {plural(worst.still, 'task')} {stands} still{lasts}.")
        severity = Severity.WARNING
        setting = setting_for_now(view)
        action = f"Set {setting.said}" if setting is not None else ""
    elif losses and not isinstance(view.group, ShareGroup):
        evidence.append("After the loss of any one, every task runs again at once.")
    return KindWords(severity, _bound(view), " ".join(evidence), action)


def _bound(view: KindView) -> str:
    """Return how many members can have work."""
    here, items = len(view.now.holders), sum(each.items for each in view.now.parts)
    if isinstance(view.group, ShareGroup):
        return (
            f"{plural(here, 'consumer')} share {plural(items, 'partition')}; any more read, "
            f"beyond {items:,} several to a partition."
        )
    is_connect = isinstance(view.group, ConnectCluster)
    noun, bound = ("worker", "") if is_connect else ("thread", f" {capped(view.now)}")
    busy = sum(any(not block.is_copy for block in each.blocks) for each in view.now.holders)
    return (
        f"{plural(items, 'task')} {'keeps' if items == 1 else 'keep'} at most "
        f"{plural(items, noun)} busy; {busy:,} of {here:,} {'has' if here == 1 else 'have'} work "
        f"now.{bound}"
    ).rstrip()


def _item(view: KindView) -> str:
    return "partition" if isinstance(view.group, ShareGroup) else "task"
