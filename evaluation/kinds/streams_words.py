"""What is said of a Kafka Streams application with other instances or threads."""

from evaluation.kinds.board import Board, Role
from evaluation.kinds.said import KindWords, more_of, spread_over, spread_said, verb
from evaluation.kinds.streams_course import balanced_s, probing_of, without_copy
from evaluation.kinds.view import KindView
from evaluation.severity import Severity
from evaluation.wording import amount, duration, listed, plural


def streams_words(view: KindView) -> KindWords:
    """Return what another number of instances or threads brings."""
    at_once, then = view.at_once, view.then
    warming = [b.name for each in at_once.holders for b in each.blocks if b.role is Role.WARM_UP]
    bare = without_copy(view)
    moved = len(view.moved)
    finding = f"{_subject(view)}, {plural(moved, 'task')} {verb('move', moved)} at once"
    if warming:
        finding += f", and {len(warming):,} {verb('warm up', len(warming))}"
    counts = list(then.counts().values())
    evidence = []
    if probing := probing_of(view):
        evidence.append(
            f"Balanced after {plural(probing, 'probing rebalance')}, {duration(balanced_s(view))}: "
            f"then {spread_over(counts, 'instance', 'tasks')}."
        )
    else:
        evidence.append(_then_said(then, counts))
    if view.what_if.without and not bare and any(each.is_stateful for each in then.parts):
        evidence.append("Each with state had a copy where it goes.")
    if bare:
        evidence.append(
            f"{listed(bare)} {'starts' if len(bare) == 1 else 'start'} without a copy and "
            f"{'stands' if len(bare) == 1 else 'stand'} still " + _restore_said(view, len(bare))
        )
    elif warming and view.restore_s is not None:
        evidence.append(f"A copy restores in {duration(view.restore_s)}.")
    elif warming and view.restore_records is not None:
        evidence.append(f"The largest copy has {amount(view.restore_records)} records to restore.")
    if idle := sum(not each.is_gone and not each.runs for each in then.holders):
        evidence.append(f"{plural(idle, 'thread')} would run no task. {capped(then)}")
    severity = Severity.WARNING if bare or idle else Severity.FINE
    return KindWords(severity, f"{finding}.", " ".join(evidence), "")


def _then_said(then: Board, counts: list[int]) -> str:
    if len(then.homes) == 1:
        return f"Then all {spread_said(counts)} tasks run on {then.homes[0]}."
    return f"Then {spread_over(counts, 'instance', 'tasks')}."


def capped(board: Board) -> str:
    """Return which sub-topology bounds how many threads can share its work."""
    parts = [each for each in board.parts if each.items]
    if not parts:
        return ""
    least = min(parts, key=lambda each: each.items)
    busy = max(parts, key=lambda each: each.behind or 0)
    part = busy if busy.behind else least
    return (
        f"No more than {plural(part.items, 'thread')} can share sub-topology {part.name}, which "
        f"has {plural(part.items, 'task')}."
    )


def _restore_said(view: KindView, tasks: int) -> str:
    one = view.restore_s
    if one is None and view.restore_records is not None:
        return f"until restored: up to {amount(view.restore_records)} records."
    if one is None:
        return "until its state is restored." if tasks == 1 else "until their state is restored."
    return f"for {duration(one)} or more, until restored."


def _subject(view: KindView) -> str:
    what = view.what_if
    said = []
    if what.more:
        said.append(f"With {more_of(what.more, 'instance')}")
    if what.threads:
        said.append(f"with {more_of(what.threads, 'thread')} per instance")
    if what.without:
        gone = [
            each.home + (f" {each.label}" if each.id in what.without else "")
            for each in view.then.holders
            if each.is_gone
        ]
        said.append(f"without {listed(list(dict.fromkeys(gone)))}")
    text = " and ".join(said)
    return text[0].upper() + text[1:]
