"""What is said of a share group."""

from collections import Counter

from assignors.share.group import ShareGroup
from evaluation.kinds.board import Board
from evaluation.kinds.said import KindWords, SettingAdvice, more_of, spread_said
from evaluation.kinds.view import KindView
from evaluation.severity import Severity
from evaluation.wording import amount, listed, plural


def share_words(view: KindView, group: ShareGroup) -> KindWords:
    """Return the verdict on a share group, or on what another number of consumers brings."""
    partitions = [f"{topic}-{p}" for topic, p in group.partitions(sorted(group.topics))]
    board = view.then if view.is_changed else view.now
    readers = readers_of(board)
    unread = [name for name in partitions if not readers[name]]
    consumers = sum(not each.is_gone for each in board.holders)
    if unread and not view.is_changed:
        return KindWords(
            Severity.ALARM,
            f"Nobody reads {len(unread):,} of {plural(len(partitions), 'partition')}.",
            f"No consumer has {listed(unread)}.",
            "Look for consumers that do not subscribe to the topic.",
        )
    finding = (
        f"{plural(consumers, 'consumer')} {'reads' if consumers == 1 else 'read'} "
        f"{plural(len(partitions), 'partition')}, {spread_said(list(board.counts().values()))}."
    )
    if view.is_changed:
        finding = f"{_subject(view)}, {_shared_said(readers, len(partitions))}."
    waits = sum(each.behind or 0 for each in board.parts)
    evidence = (
        [] if view.is_changed else [f"{_shared_said(readers, len(partitions)).capitalize()}."]
    )
    if waits and not view.is_changed:
        evidence.insert(0, f"{amount(waits)} records wait.")
    return KindWords(
        Severity.FINE,
        finding,
        " ".join([*evidence, queue_or_partitions(consumers, len(partitions))]),
        "Nothing to do."
        if not waits
        else "Add consumers: each reads, also beyond the number of partitions.",
        _ADVICE,
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


def _shared_said(readers: Counter[str], partitions: int) -> str:
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


_ADVICE = (
    SettingAdvice(
        "group.share.partition.max.record.locks",
        "what all consumers of a partition work on at once",
        "bounds the records of a partition that are in flight.",
    ),
    SettingAdvice(
        "group.share.record.lock.duration.ms",
        "longer than one record takes",
        "a record that is not acknowledged in time comes again.",
    ),
)
