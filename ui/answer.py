"""The answer in a sentence or two: who comes closest, and what it would take."""

from collections.abc import Sequence
from typing import Final

from evaluation.compare import NOW, Outcome
from ui.words import above, amount, plural

_NEARLY: Final = 1.1
"""Within a tenth of the best is nearly as good, if far fewer partitions move."""
_FAR_FEWER: Final = 0.5
_NAMED: Final = 3


def answer(outcomes: Sequence[Outcome], bound: int | None) -> str:
    """Return the conclusion of a comparison, by partition counts where no lag is known.

    Empty without strategies.
    """
    candidates = [o for o in outcomes if o.name != NOW and o.figures.max_lag is not None]
    if not candidates:
        return _by_count([o for o in outcomes if o.name != NOW])
    best = min(candidates, key=_lag)
    now = next((o for o in outcomes if o.name == NOW and o.figures.max_lag is not None), None)
    sentences = [_closest(best, candidates, bound)]
    if now is not None and best.figures.moved is not None:
        sentences.append(
            f"As it is now it has {amount(_lag(now))}; "
            f"{best.label} would move {plural(best.figures.moved, 'partition')}"
        )
        cheaper = _nearly_as_good(best, candidates)
        if cheaper is not None:
            sentences[-1] += (
                f", **{cheaper.label}** {plural(cheaper.figures.moved or 0, 'partition')} "
                f"for {amount(_lag(cheaper))}"
            )
    return ". ".join(sentences) + "."


def _closest(best: Outcome, candidates: Sequence[Outcome], bound: int | None) -> str:
    least = amount(_lag(best))
    worst = max(candidates, key=_lag)
    if _lag(worst) == _lag(best):
        return f"All strategies chosen leave the fullest consumer with **{least}** records"
    even = [o.label for o in candidates if _lag(o) == _lag(best)]
    return (
        f"{_come(even)} closest: the fullest consumer has "
        f"**{least}** records, {above(_lag(best), bound)} the best possible; "
        f"**{worst.label}** is furthest with {amount(_lag(worst))}"
    )


def _by_count(candidates: Sequence[Outcome]) -> str:
    if not candidates:
        return ""
    best = min(candidates, key=_count)
    worst = max(candidates, key=_count)
    idle = plural(best.figures.idle, "consumer")
    left = f", and {idle} without a partition" if best.figures.idle else ""
    most = f"the fullest consumer **{plural(_count(best), 'partition')}**{left}"
    if _count(worst) == _count(best):
        return f"No lag is known, so counts decide: all strategies chosen give {most}."
    even = [o.label for o in candidates if _count(o) == _count(best)]
    return (
        f"No lag is known, so counts decide: {_come(even)} closest to even and "
        f"{'gives' if len(even) == 1 else 'give'} {most}; "
        f"**{worst.label}** is furthest with {plural(_count(worst), 'partition')}."
    )


def _come(labels: Sequence[str]) -> str:
    """Return "**A, B and C** come", or "**A, B and 5 more** come"."""
    if len(labels) == 1:
        return f"**{labels[0]}** comes"
    listed = [*labels]
    if len(labels) > _NAMED:
        listed = [*labels[: _NAMED - 1], f"{len(labels) - _NAMED + 1} more"]
    return f"**{', '.join(listed[:-1])} and {listed[-1]}** come"


def _count(outcome: Outcome) -> int:
    return outcome.figures.max_count


def _nearly_as_good(best: Outcome, candidates: Sequence[Outcome]) -> Outcome | None:
    """Return the strategy that is nearly as good for the fewest moves, if that is far fewer."""
    most_moves = _FAR_FEWER * (best.figures.moved or 0)
    near = [
        o
        for o in candidates
        if _lag(o) <= _NEARLY * _lag(best)
        and o.figures.moved is not None
        and o.figures.moved < most_moves
    ]
    return min(near, key=lambda o: (o.figures.moved or 0, _lag(o)), default=None)


def _lag(outcome: Outcome) -> int:
    return outcome.figures.max_lag or 0
