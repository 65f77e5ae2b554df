"""What is said of a Connect cluster with other workers."""

from evaluation.kinds.board import Role
from evaluation.kinds.forecast import RoundCause
from evaluation.kinds.said import KindWords, more_of, spread_over, verb
from evaluation.kinds.view import KindView
from evaluation.severity import Severity
from evaluation.wording import duration, listed, plural


def connect_words(view: KindView) -> KindWords:
    """Return what another number of workers brings."""
    what = view.what_if
    counts = spread_over(list(view.then.counts().values()), "worker", "tasks")
    if what.without:
        stopped = [
            b.name
            for each in view.then.holders
            if each.is_gone
            for b in each.runs
            if b.role is Role.TASK
        ]
        waits_s = view.session_s + view.found.wait_s
        who = listed(list(what.without))
        delay = next((s for s in view.found.stages if s.cause is RoundCause.DELAY), None)
        waits = (
            f"then wait {duration(delay.at_s)} (scheduled.rebalance.max.delay.ms) for it. "
            "A leader that is lost is not waited for."
            if delay
            else "and place its work at once: the leader's memory is gone with it."
        )
        return KindWords(
            Severity.WARNING,
            f"Without {who}, {plural(len(stopped), 'task')} {verb('stand', len(stopped))} still "
            f"for {duration(waits_s)}.",
            f"The others notice after {duration(view.session_s)}, {waits} "
            f"{plural(view.found.rounds, 'round')} in all, then {counts}. REST says RUNNING "
            "meanwhile.",
            "Set scheduled.rebalance.max.delay.ms to what a restart of a worker takes."
            if delay
            else "",
        )
    moved = [
        each for each in view.then.holders for b in each.runs if b.is_new and b.role is Role.TASK
    ]
    return KindWords(
        Severity.FINE,
        f"With {more_of(what.more, 'worker')}, {plural(len(moved), 'task')} "
        f"{'moves' if len(moved) == 1 else 'move'} in {plural(view.found.rounds, 'round')}.",
        f"Then {counts}. What moves stops in the first round and starts in the second.",
        "",
    )
