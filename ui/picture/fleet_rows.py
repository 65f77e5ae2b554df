"""The groups of a fleet in sections, the most urgent first, each in a row that opens it."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from ui.picture.model import Tone
from ui.picture.parts import read
from ui.picture.places import at_least

KEY: Final = "fleet_rows"
_HEAD_PX: Final = 30
_ROW_PX: Final = 49
_SECTION_PX: Final = 34
_FOOT_PX: Final = 30
_NARROW_ROW_PX: Final = 120

_draw = st.components.v2.component(
    "kafka_assignments_fleet_rows",
    html='<div class="place least"></div>',
    css=read("palette.css", "fleet_rows.css"),
    js=read("elements.js", "fleet_rows.js"),
)


@dataclass(frozen=True, kw_only=True)
class FleetRow:
    """One group."""

    cluster: str
    name: str
    size: str
    """Its consumers."""
    now: str
    tone: Tone
    course: tuple[float, ...]
    """Lag from snapshot to snapshot; NaN where it is unknown."""
    behind: str
    is_known: bool
    """Whether that is a number."""
    load: float
    """The busiest consumer's, mean over the window; NaN if unknown."""
    by_setting: float = 0.0
    """The share of it that a setting takes off."""
    with_jar: float = 0.0
    """The share that a jar takes off."""
    gain: str = ""
    do: str = ""


@dataclass(frozen=True, kw_only=True)
class FleetSection:
    """Groups of one urgency."""

    title: str
    note: str
    tone: Tone
    rows: tuple[FleetRow, ...]
    is_folded: bool = False


@dataclass(frozen=True, kw_only=True)
class FleetList:
    """All sections, and what their columns are."""

    sections: tuple[FleetSection, ...]
    load_head: str
    note: str


def show(drawn: FleetList, see: Callable[[str, str], None]) -> None:
    """Show the sections; a click on a name calls ``see`` with cluster and name."""

    def opened() -> None:
        found = (st.session_state.get(KEY) or {}).get("opened")
        if isinstance(found, list) and len(found) == 2:  # noqa: PLR2004 -- cluster and name
            see(str(found[0]), str(found[1]))

    wide, narrow = _heights_px(drawn.sections)
    with at_least(wide, narrow_px=narrow, name=KEY):
        _draw(key=KEY, data=list_data(drawn), on_opened_change=opened)


def _heights_px(sections: Sequence[FleetSection]) -> tuple[int, int]:
    """Return about how high the list is, by the style in ``fleet_rows.css``; and on a phone."""
    shown = [each for each in sections if not each.is_folded]
    rows = sum(len(each.rows) for each in shown)
    around = _HEAD_PX + _SECTION_PX * len(shown) + _FOOT_PX
    return around + _ROW_PX * rows, around + _NARROW_ROW_PX * rows


def list_data(drawn: FleetList) -> dict[str, Any]:
    """Return what the script draws, as JSON; names are unescaped texts."""
    rows = [row for section in drawn.sections for row in section.rows]
    top = max((row.load for row in rows if not math.isnan(row.load)), default=0.0) or 1.0
    return {
        "loadHead": drawn.load_head,
        "note": drawn.note,
        "sections": [
            {
                "title": section.title,
                "note": section.note,
                "tone": section.tone.value,
                "isFolded": section.is_folded,
                "rows": [_row(row, top) for row in section.rows],
            }
            for section in drawn.sections
        ],
    }


def _row(row: FleetRow, top: float) -> dict[str, Any]:
    least = max(row.by_setting, row.with_jar)
    load = 0.0 if math.isnan(row.load) else row.load / top
    return {
        "cluster": row.cluster,
        "name": row.name,
        "size": row.size,
        "now": row.now,
        "tone": row.tone.value,
        "course": _course(row.course),
        "behind": row.behind,
        "isKnown": row.is_known,
        "stays": round(load * (1 - least), 4),
        "byJar": round(load * (least - row.by_setting), 4),
        "bySetting": round(load * row.by_setting, 4),
        "gain": row.gain,
        "do": row.do,
    }


def _course(lags: Sequence[float]) -> list[float | None]:
    """Return lags as shares of the largest; of one that never had any, zeros."""
    top = max((lag for lag in lags if not math.isnan(lag)), default=0.0) or 1.0
    return [None if math.isnan(lag) else round(lag / top, 3) for lag in lags]
