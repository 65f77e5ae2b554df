"""The picture of an alarm, and of a group whose members run tasks."""

import math
from typing import Any, Final

import streamlit as st

from ui.picture.files import files_of
from ui.picture.model import (
    BarChart,
    BarRow,
    BlockChart,
    BlockRow,
    FactTable,
    IncidentPicture,
    StackChart,
    TaskBlock,
)
from ui.picture.parts import read
from ui.picture.places import at_least

_AROUND_PX: Final = 40
_ROW_PX: Final = 34
_HEAD_PX: Final = 25
_LINE_PX: Final = 31
"""A row of a table of facts."""
_STACK_PX: Final = 66
"""A stack with its caption."""
_GAP_PX: Final = 14

_draw = st.components.v2.component(
    "kafka_assignments_incident",
    html='<div class="place least alarm"></div>',
    css=read("palette.css", "incident.css", "saving.css"),
    js=read("elements.js", "saving.js", "incident.js"),
)


def show(picture: IncidentPicture, group: str, key: str = "incident_picture") -> None:
    """Show rates, with the causes in red, or tasks, and the facts beside and below them."""
    wide, narrow = _heights_px(picture)
    with at_least(wide, narrow_px=narrow, name=key):
        _draw(key=key, data=incident_data(picture) | files_of(picture.chart, group))


def _heights_px(picture: IncidentPicture) -> tuple[int, int]:
    """Return about how high a picture is, by the style in ``incident.css``; and on a phone."""
    beside = _facts_px(picture.beside) + _facts_px(picture.ends) + _GAP_PX * bool(picture.ends)
    below = _facts_px(picture.below)
    chart = _AROUND_PX + _ROW_PX * len(picture.chart.rows)
    if isinstance(picture.chart, BarChart):
        chart += _HEAD_PX * bool(picture.chart.title) + _HEAD_PX * bool(picture.chart.below)
    return max(chart, beside) + below, chart + beside + below


def _facts_px(part: FactTable | StackChart | None) -> int:
    if part is None:
        return 0
    head = _HEAD_PX * bool(part.title)
    if isinstance(part, StackChart):
        return head + _STACK_PX * len(part.stacks) + _HEAD_PX * bool(part.below)
    return head + _HEAD_PX + _LINE_PX * len(part.rows)


def incident_data(picture: IncidentPicture) -> dict[str, Any]:
    """Return what the script draws, as JSON; names are unescaped texts."""
    beside = picture.beside
    if isinstance(beside, FactTable):
        drawn: dict[str, Any] | None = _table(beside)
    else:
        drawn = None if beside is None else _stacks(beside)
    return {
        "chart": _blocks(picture.chart)
        if isinstance(picture.chart, BlockChart)
        else _bars(picture.chart),
        "beside": drawn,
        "ends": None if picture.ends is None else _table(picture.ends),
        "below": None if picture.below is None else _table(picture.below),
    }


def _blocks(chart: BlockChart) -> dict[str, Any]:
    return {
        "heads": list(chart.heads),
        "legend": [
            {"kind": kind, "shade": shade, "text": text} for kind, shade, text in chart.legend
        ],
        "below": chart.below,
        "blockRows": [_block_row(row) for row in chart.rows],
    }


def _block_row(row: BlockRow) -> dict[str, Any]:
    return {
        "home": row.home,
        "note": row.note,
        "label": row.label,
        "id": row.full_id,
        "blocks": list(map(_block, row.blocks)),
        "copies": list(map(_block, row.copies)),
        "figure": row.figure,
        "isGone": row.is_gone,
    }


def _block(block: TaskBlock) -> dict[str, Any]:
    return {
        "label": block.label,
        "kind": block.kind,
        "shade": block.shade,
        "isNew": block.is_new,
        "said": block.said,
    }


def _bars(chart: BarChart) -> dict[str, Any]:
    values = (value for row in chart.rows for value in (row.upper, row.lower))
    top = max((value for value in values if not math.isnan(value)), default=0) or 1
    return {
        "title": chart.title,
        "note": chart.note,
        "subject": chart.subject,
        "upper": chart.upper,
        "lower": chart.lower,
        "below": chart.below,
        "isAlarm": chart.is_alarm,
        "rows": [
            {
                "label": row.label,
                "id": row.full_id,
                "upper": _share(row.upper, top),
                "lower": _share(row.lower, top),
                "upperSaid": row.upper_said,
                "lowerSaid": row.lower_said,
                "behind": row.behind,
                "host": row.host,
                "isCause": row.is_cause,
                "said": _said(chart, row),
            }
            for row in chart.rows
        ],
    }


def _share(value: float, top: float) -> float | None:
    """Return the length of a bar; None if it is unknown."""
    return None if math.isnan(value) else round(value / top, 4)


def _said(chart: BarChart, row: BarRow) -> str:
    upper, lower = (
        "unknown" if math.isnan(value) else f"{value:,.0f}" for value in (row.upper, row.lower)
    )
    above = f"{chart.upper} {upper}, " if chart.upper else ""
    return f"{row.full_id}: {above}{chart.lower} {lower}"


def _table(table: FactTable) -> dict[str, Any]:
    return {
        "title": table.title,
        "note": table.note,
        "heads": [
            {
                "label": head.label,
                "isNumber": head.is_number,
                "isOnPhone": head.is_on_phone,
                "isCause": head.is_cause,
            }
            for head in table.heads
        ],
        "rows": [list(row) for row in table.rows],
        "causes": list(table.causes),
        "isAlarm": table.is_alarm,
    }


def _stacks(chart: StackChart) -> dict[str, Any]:
    widest = (sum(part.value for part in stack.parts) for stack in chart.stacks)
    top = max((*widest, *(stack.limit or 0 for stack in chart.stacks))) or 1
    return {
        "title": chart.title,
        "note": chart.note,
        "below": chart.below,
        "stacks": [
            {
                "caption": stack.caption,
                "parts": [
                    {"label": p.label, "share": round(p.value / top, 4), "kind": p.kind}
                    for p in stack.parts
                ],
                "limit": None if stack.limit is None else round(stack.limit / top, 4),
            }
            for stack in chart.stacks
        ],
    }
