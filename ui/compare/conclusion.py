"""The conclusion of a comparison in one sentence, from figures alone."""

import numpy as np

from assignors.model import Group
from evaluation.advice import Advice, load
from evaluation.bounds import deciding_partition
from evaluation.compare import Outcome
from evaluation.metrics import total_lag
from ui.untrusted import verbatim
from ui.words import amount, plural


def conclusion(group: Group, advice: Advice, bound: int | None) -> str:
    """Return the sentence as Markdown: where the group stands and what would improve it."""
    if not group.partition_count:
        return "This group has no partitions: add a topic under **Edit**."
    if not group.member_count:
        return (
            f"**Nobody reads this group**: it has no consumers, and {_backlog(group)} "
            f"in {plural(group.partition_count, 'partition')}."
        )
    if not group.is_wanted.any():
        return "No consumer subscribes to a topic that has partitions: there is nothing to assign."
    said = _why_counts(group, advice) + _present(advice) + _improvements(advice)
    return f"{said[0].upper()}{said[1:]}{_floor(group, advice, bound)}"


def quantity(value: float | None, *, by_lag: bool) -> str:
    """Return a load with its unit: records of lag, or partitions."""
    return f"{amount(value)} records" if by_lag else plural(int(value or 0), "partition")


def _backlog(group: Group) -> str:
    total = total_lag(group)
    if total.known is None:
        return "its lag is unknown"
    if total.known == 0:
        return "no records wait"
    verb = "waits" if total.known == 1 else "wait"
    return f"**{amount(total.known)} {'record' if total.known == 1 else 'records'}** {verb}"


def _why_counts(group: Group, advice: Advice) -> str:
    if advice.by_lag:
        return ""
    known = group.is_lag_known[group.is_wanted]
    if not known.any():
        return "No lag is known, so partition counts decide: "
    reason = "No known lag is above zero" if not known.all() else "There is no lag"
    return f"{reason}, so partition counts decide: "


def _present(advice: Advice) -> str:
    if advice.now is not None:
        held = quantity(load(advice.now, by_lag=advice.by_lag), by_lag=advice.by_lag)
        return f"the busiest consumer has **{held}** now"
    return "nobody owns a partition yet"


def _improvements(advice: Advice) -> str:
    today, custom = advice.settable, advice.custom
    if today is None and custom is None:
        return ", and no strategy does better"
    if advice.now is None:
        return f"; {_first_owners(advice)}"
    parts = []
    if today is not None:
        parts.append(f"**{today.label}** would bring that down to {_reached(today, advice)}")
        if custom is not None:
            parts.append(f"the custom **{custom.label}** to {_reached(custom, advice)}")
    elif custom is not None:
        parts.append(
            "no setting does better, "
            f"but the custom assignor **{custom.label}** would bring it to "
            f"{_reached(custom, advice)}"
        )
    return "; " + ", ".join(parts)


def _first_owners(advice: Advice) -> str:
    best = [o for o in (advice.settable, advice.custom) if o is not None]
    said = [
        f"{'**' if k == 0 else 'the custom **'}{outcome.label}** "
        f"{'would leave the busiest consumer with ' if k == 0 else ''}"
        f"**{quantity(load(outcome, by_lag=advice.by_lag), by_lag=advice.by_lag)}**"
        for k, outcome in enumerate(best)
    ]
    return ", ".join(said)


def _reached(outcome: Outcome, advice: Advice) -> str:
    return f"**{amount(load(outcome, by_lag=advice.by_lag))}**{_moves(outcome)}"


def _moves(outcome: Outcome) -> str:
    moved = outcome.figures.moved
    if moved is None:
        return ""
    return f" ({plural(moved, 'partition')} {'moves' if moved == 1 else 'move'})"


def _floor(group: Group, advice: Advice, bound: int | None) -> str:
    if not advice.by_lag or bound is None:
        return "."
    partition = deciding_partition(group)
    if partition is None:
        return f". Best possible: {amount(bound)}."
    name = verbatim(group.partition_name(partition))
    return f". Best possible: {amount(bound)}, which partition {name} holds alone."


def remarks(group: Group, advice: Advice) -> tuple[str, ...]:
    """Return what limits the conclusion: partitions that nobody owns or wants."""
    said = []
    unwanted = int(np.count_nonzero(~group.is_wanted))
    if unwanted and group.member_count:
        said.append(f"Nobody subscribes to {plural(unwanted, 'partition')}.")
    if advice.now is not None and advice.now.figures.unowned > unwanted:
        unowned = advice.now.figures.unowned
        said.append(
            f"{plural(unowned, 'partition')} {'has' if unowned == 1 else 'have'} no owner now."
        )
    return tuple(said)
