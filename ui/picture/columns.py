"""Outcomes -> the picture's rows and columns."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from assignors.certainty import EXACT
from assignors.model import Group, LongArray
from charts.labels import short_names
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import Outcome
from evaluation.consumer_labels import bare_labels, labels_of
from evaluation.judging import JudgeBy
from evaluation.metrics import count_per_member, unknown_per_member
from evaluation.takes import Takes, takes_of
from evaluation.wording import amount, natural
from ui.picture.model import ConsumerRow, Others, SideBySide, StrategyColumn

MOST_ROWS: Final = 24
"""Up to this many consumers each has a row."""
ROWS_OF_MANY: Final = 12
"""Rows where there are more: the busiest consumers, those that are it under some strategy first."""
_MOST_POINTS: Final = 96
"""Points of the outline that stands for all others."""
_FEW: Final = "After one simulated restart each: in a group of this size, others differ by little."
_IN_ORDER: Final = tuple(Takes)


@dataclass(frozen=True, kw_only=True)
class Focus:
    """The consumers that the verdict names, by number."""

    members: Collection[int] = ()
    word: str = ""
    """What they are in an alarm: "stopped"; "" if it is none."""
    is_broken: bool = True
    """Whether they are broken, which is red, or will be."""


def side_by_side(  # noqa: PLR0913 -- what is drawn, how it counts, and what stands out
    group: Group,
    outcomes: Sequence[Outcome],
    load: Load,
    bound: int | None,
    *,
    before: Mapping[str, Outcome] | None = None,
    named: Collection[str] = (),
    ends_s: Mapping[str, float] | None = None,
    hosts: Mapping[str, str] | None = None,
    focus: Focus | None = None,
) -> SideBySide:
    """Return the picture of a group with consumers under these outcomes.

    Of strategies that give the same, one is drawn: one of ``named``, what the verdict speaks of, if
    it is among them. ``before`` holds the outcomes before the edits on screen and ``ends_s`` when
    the backlog ends, by the strategy's name; ``hosts`` where consumers run, by id.
    """
    focus = focus or Focus()
    drawn = _drawn(_ordered(outcomes, load), load, set(named))
    loads = [load.per_member(group, outcome.owners) for outcome, _ in drawn]
    chosen = _with_rows(group, loads, focus.members)
    columns = tuple(
        _column(group, outcome, load, each, chosen)
        for (outcome, _), each in zip(drawn, loads, strict=True)
    )
    now = next((c.busiest for c in columns if c.takes is Takes.NOTHING), None)
    return SideBySide(
        rows=_rows(group, chosen, hosts or {}, focus.members),
        columns=tuple(
            replace(
                column,
                same=tuple(same),
                change=_change(column, now),
                was=_was(outcome, before or {}, load),
                ends_s=(ends_s or {}).get(column.key),
            )
            for column, (outcome, same) in zip(columns, drawn, strict=True)
        ),
        top=max((*(c.busiest for c in columns), bound or 0, 1)),
        bound=bound,
        noun="records behind" if load.measure.by is JudgeBy.LAG else load.noun,
        unit=load.unit,
        is_counts=not load.by_weight,
        hidden=group.member_count - chosen.size,
        focus_word=focus.word,
        is_focus_broken=focus.is_broken,
        notes=_notes(outcomes, load),
    )


def _notes(outcomes: Sequence[Outcome], load: Load) -> tuple[str, ...]:
    """Return what the ranges are of, if there are any."""
    drawn = [o.outlook.draws for o in outcomes if o.outlook is not None and load.ends(o)]
    if not drawn:
        is_rough = any(o.outlook is not None and o.outlook.is_rough for o in outcomes)
        return (_FEW,) if is_rough else ()
    said = f"Medians and 5th to 95th percentiles of up to {max(drawn):,} simulated restarts"
    return (f"{said}, each of which brings new ids.",)


def _ordered(outcomes: Sequence[Outcome], load: Load) -> list[Outcome]:
    return sorted(outcomes, key=lambda o: (_IN_ORDER.index(takes_of(o.strategy)), load.of(o)))


def _drawn(
    outcomes: Sequence[Outcome], load: Load, named: set[str]
) -> list[tuple[Outcome, list[str]]]:
    """Return the outcomes to draw, in order, each with the labels of those that give the same."""
    families: list[list[Outcome]] = []
    for outcome in outcomes:
        same = next((f for f in families if _is_same(f[0], outcome, load)), None)
        if same is None:
            families.append([outcome])
        else:
            same.append(outcome)
    drawn = []
    for family in families:
        shown = next((o for o in family if o.strategy is None or o.name in named), family[0])
        drawn.append((shown, [o.label for o in family if o is not shown]))
    return drawn


def _is_same(one: Outcome, other: Outcome, load: Load) -> bool:
    """Return whether two outcomes cannot be told apart in the picture, ranges included."""
    return (
        one.certainty == other.certainty
        and load.ends(one) == load.ends(other)
        and np.array_equal(one.owners, other.owners)
        and one.figures.moved == other.figures.moved
    )


def _with_rows(
    group: Group, loads: Sequence[LongArray], focus: Collection[int]
) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """Return the consumers that have a row, in the order of the rows."""
    labels = labels_of(group)
    order = sorted(range(group.member_count), key=lambda m: natural(labels[m]))
    if group.member_count > MOST_ROWS:
        busiest = [int(np.argmax(each)) for each in loads if each.size]
        by_load = np.argsort(-loads[0], kind="stable").tolist() if loads else order
        wanted = list(dict.fromkeys((*sorted(focus), *busiest, *by_load)))[:ROWS_OF_MANY]
        order = [member for member in order if member in set(wanted)]
    first = [m for m in order if m in focus] if focus else []
    return np.array([*first, *(m for m in order if m not in first)], dtype=np.int64)


def _rows(
    group: Group, chosen: LongArray, hosts: Mapping[str, str], focus: Collection[int]
) -> tuple[ConsumerRow, ...]:
    labels = short_names(bare_labels(group))
    return tuple(
        ConsumerRow(
            label=labels[member],
            full_id=group.members[member],
            note=hosts.get(group.members[member], ""),
            is_focus=member in focus,
        )
        for member in chosen.tolist()
    )


def _column(
    group: Group, outcome: Outcome, load: Load, loads: LongArray, chosen: LongArray
) -> StrategyColumn:
    counts = count_per_member(group, outcome.owners)
    unknown = unknown_per_member(group, outcome.owners) if load.by_weight else np.zeros_like(loads)
    low, high = load.ends(outcome) or (None, None)
    is_uneven = loads.size > 1 and amount(int(loads.max())) != amount(int(loads.min()))
    peak = np.flatnonzero(chosen == int(np.argmax(loads))) if is_uneven else chosen[:0]
    is_exact = outcome.certainty == EXACT
    return StrategyColumn(
        key=outcome.name,
        label=outcome.label,
        takes=takes_of(outcome.strategy),
        busiest=load.of(outcome),
        low=low,
        high=high,
        moves=outcome.figures.moved if outcome.strategy else None,
        idle=outcome.figures.idle,
        loads=tuple(loads[chosen].tolist()),
        counts=tuple(counts[chosen].tolist()),
        unknown=tuple(unknown[chosen].tolist()),
        peak=int(peak[0]) if peak.size else None,
        others=_others(loads, counts, unknown, chosen),
        doubt="" if is_exact else outcome.certainty.text,
        why_doubted=outcome.certainty.why,
        is_fault=outcome.certainty.is_fault,
    )


def _others(
    loads: LongArray, counts: LongArray, unknown: LongArray, chosen: LongArray
) -> Others | None:
    rest = np.setdiff1d(np.arange(loads.size), chosen)
    if not rest.size:
        return None
    falling = np.sort(loads[rest])[::-1]
    places = np.linspace(0, falling.size - 1, min(falling.size, _MOST_POINTS)).round()
    return Others(
        loads=tuple(falling[places.astype(np.int64)].tolist()),
        fewest=int(counts[rest].min()),
        most=int(counts[rest].max()),
        unknown=int(np.count_nonzero(unknown[rest])),
    )


def _change(column: StrategyColumn, now: int | None) -> float | None:
    if column.takes is Takes.NOTHING or not now:
        return None
    return column.busiest / now - 1


def _was(outcome: Outcome, before: Mapping[str, Outcome], load: Load) -> int | None:
    earlier = before.get(outcome.name)
    return None if earlier is None else load.of(earlier)
