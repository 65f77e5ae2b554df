"""The picture as the browser gets it: shares of one scale, and every figure as text."""

from collections.abc import Mapping
from typing import Any, Final

from charts.shapes import round_values
from evaluation.takes import Takes
from evaluation.wording import amount, duration, listed, plural, round_amount
from ui.picture.model import HEADINGS, Others, SideBySide, StrategyColumn

_STEPS: Final = 9
"""Steps of lightness of the heatmap."""


def change_said(share: float) -> str:
    """Return a change in whole per cent, with a real minus.

    >>> change_said(-0.2513), change_said(0.04), change_said(-0.001), change_said(12.3)
    ('−25 %', '+4 %', '0 %', '+1,230 %')
    """
    per_cent = round(share * 100)
    return "0 %" if not per_cent else f"{per_cent:+,} %".replace("-", "−")


def span_said(low: float, high: float) -> str:
    """Return a range whose ends share their unit, if they do.

    >>> span_said(51_800, 79_000), span_said(9_000, 12_000), span_said(5, 5)
    ('51.8–79.0 k', '9,000–12.0 k', '5')
    """
    first, last = amount(low), amount(high)
    if first == last:
        return last
    unit = last.rpartition(" ")[2]
    shared = first.removesuffix(f" {unit}") if " " in last else first
    return f"{shared}–{last}"


def as_data(picture: SideBySide) -> dict[str, Any]:
    """Return what the script draws, as JSON; names are unescaped texts."""
    return {
        "rows": [
            {"label": row.label, "id": row.full_id, "note": row.note, "focus": row.is_focus}
            for row in picture.rows
        ],
        "columns": [_column(picture, column) for column in picture.columns],
        "bound": None
        if picture.bound is None
        else {
            "at": _share(picture.bound, picture),
            "ranked": _ranked(picture.bound, picture),
            "text": amount(picture.bound),
        },
        "ticks": [
            {"at": _share(value, picture), "text": round_amount(value)}
            for value in round_values(picture.top)
        ],
        "top": amount(picture.top),
        "most": f"{picture.most:,}",
        "noun": picture.noun,
        "unit": picture.unit,
        "isCounts": picture.is_counts,
        "hidden": plural(picture.hidden, "other") if picture.hidden else "",
        "focusWord": picture.focus_word,
        "isFocusBroken": picture.is_focus_broken,
        "notes": list(picture.notes),
        "consumers": picture.consumers,
        "hasUnknown": any(
            any(column.unknown) or (column.others is not None and column.others.unknown > 0)
            for column in picture.columns
        ),
        "hasRanges": any(_range(picture, column) for column in picture.columns),
        "hasEnds": any(column.ends_s is not None for column in picture.columns),
    }


def _column(picture: SideBySide, column: StrategyColumn) -> Mapping[str, Any]:
    is_now = column.takes is Takes.NOTHING
    was = column.was
    return {
        "key": column.key,
        "label": column.label,
        "isNow": is_now,
        "takes": "" if is_now else column.takes.value,
        "heading": HEADINGS[column.takes],
        "busiest": {"at": _ranked(column.busiest, picture), "text": amount(column.busiest)},
        "range": _range(picture, column),
        "change": "" if column.change is None else change_said(column.change),
        "was": f"was {amount(was)}" if was is not None and was != column.busiest else "",
        "moves": "" if column.moves is None else plural(column.moves, "move"),
        "moved": "" if column.moves is None else f"{column.moves:,}",
        "idle": f"{column.idle:,} idle" if column.idle else "",
        "ends": "" if column.ends_s is None else duration(column.ends_s),
        "never": column.ends_s == float("inf"),
        "same": f"Same: {', '.join(column.same)}" if column.same else "",
        "alike": _alike(column),
        "doubt": column.doubt,
        "why": column.why_doubted,
        "isFault": column.is_fault,
        "peak": column.peak,
        "cells": [_cell(picture, column, row) for row in range(len(picture.rows))],
        "others": None if column.others is None else _others(picture, column, column.others),
    }


def _cell(picture: SideBySide, column: StrategyColumn, row: int) -> Mapping[str, Any]:
    load, count, unknown = column.loads[row], column.counts[row], column.unknown[row]
    said = f"{load:,} {picture.unit}"
    if not picture.is_counts:
        said += f", {plural(count, 'partition')}"
    if unknown:
        said += f", {unknown:,} of unknown lag"
    return {
        "at": _share(load, picture),
        "text": amount(load) + ("+" if unknown else ""),
        "count": f"{count:,}",
        "isIdle": not count,
        "isPartly": unknown > 0,
        "step": _step(load, picture.top),
        "countStep": _step(count, picture.most),
        "said": f"{picture.rows[row].full_id}, {column.label}: {said if count else 'idle'}",
    }


def _others(picture: SideBySide, column: StrategyColumn, others: Others) -> Mapping[str, Any]:
    loads, many = others.loads, f"{picture.hidden:,} others"
    counts = f"{others.fewest:,}" if others.fewest == others.most else ""
    counts = counts or f"{others.fewest:,}–{others.most:,}"
    span = span_said(loads[-1], loads[0])
    middle = loads[len(loads) // 2]
    return {
        "at": [_share(load, picture) for load in loads],
        "text": span,
        "count": counts,
        "step": _step(middle, picture.top),
        "countStep": _step((others.fewest + others.most) // 2, picture.most),
        "said": f"{many}, {column.label}: {span} {picture.unit}, {counts} partitions each",
        "isPartly": others.unknown > 0,
    }


def _step(value: int, most: int) -> int:
    """Return the lightness of a value in the heatmap."""
    return min(value * _STEPS // (most + 1), _STEPS - 1)


def _alike(column: StrategyColumn) -> str:
    """Return which other strategies a column stands for, as a sentence."""
    if not column.same:
        return ""
    names, is_one = listed(column.same), len(column.same) == 1
    if column.takes is Takes.NOTHING:
        return f"{names} {'leaves' if is_one else 'leave'} it as it is."
    return f"{names} {'gives' if is_one else 'give'} the same as {column.label}."


def _range(picture: SideBySide, column: StrategyColumn) -> Mapping[str, Any] | None:
    """Return the range of the busiest load; None if it is one figure, as written."""
    if column.low is None or column.high is None or amount(column.low) == amount(column.high):
        return None
    return {
        "low": _ranked(column.low, picture),
        "high": _ranked(column.high, picture),
        "text": span_said(column.low, column.high),
    }


def _ranked(value: float, picture: SideBySide) -> float:
    """Return where a load stands on the ranking's scale, which the ranges fit on."""
    return round(value / max(picture.top, *(c.high or 0 for c in picture.columns)), 4)


def _share(value: float, picture: SideBySide) -> float:
    return round(value / picture.top, 4)
