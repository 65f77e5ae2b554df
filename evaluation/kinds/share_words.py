"""What is said of a share group with other consumers, and who reads what in any."""

from collections import Counter

from assignors.share.group import ShareGroup
from evaluation.kinds.board import Board
from evaluation.kinds.said import KindWords, more_of
from evaluation.kinds.view import KindView
from evaluation.severity import Severity
from evaluation.wording import listed, plural


def share_words(view: KindView, group: ShareGroup) -> KindWords:
    """Return what another number of consumers brings."""
    partitions = sum(each.partitions for each in group.topics.values())
    readers, consumers = readers_of(view.then), sum(not e.is_gone for e in view.then.holders)
    return KindWords(
        Severity.FINE,
        f"{_subject(view)}, {shared_said(readers, partitions)}.",
        queue_or_partitions(consumers, partitions),
        "",
    )


def queue_or_partitions(consumers: int, partitions: int) -> str:
    """Return whether a share group does what a consumer group of as many partitions cannot."""
    if consumers > partitions:
        return (
            f"A consumer group would leave {consumers - partitions:,} of {consumers:,} idle until "
            f"there are {consumers:,} partitions; here all read, and the order within a partition "
            "is lost."
        )
    return (
        f"Up to {partitions:,} consumers a consumer group reads these as well, and in order; "
        "beyond that only a share group lets all of them read."
    )


def readers_of(board: Board) -> Counter[str]:
    """Return how many consumers read each partition."""
    return Counter(b.name for each in board.holders if not each.is_gone for b in each.runs)


def shared_said(readers: Counter[str], partitions: int) -> str:
    """Return how many consumers the partitions have."""
    counts = Counter(readers.values())
    if not counts:
        return "nobody reads"
    if len(counts) == 1:
        (each,) = counts
        whose = plural(each, "consumer")
        return f"every partition has {whose}"
    most = max(counts)
    return f"{counts[most]:,} of {plural(partitions, 'partition')} have {plural(most, 'consumer')}"


def _subject(view: KindView) -> str:
    what, said = view.what_if, []
    if what.more:
        said.append(f"with {more_of(what.more, 'consumer')}")
    if what.without:
        gone = [each.label for each in view.then.holders if each.is_gone]
        said.append(f"without {listed(gone)}")
    text = " and ".join(said)
    return text[0].upper() + text[1:]
