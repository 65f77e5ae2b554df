"""A strategy's panel on a page: the report's drawing, which says what the pointer is at.

It is drawn by no library, so that the first picture of a visit waits for no script of megabytes.
"""

from pathlib import Path
from typing import Final

import streamlit as st

from charts.loads import Panel
from charts.panels import LEFT, STYLE, hatches_svg, panel_svg
from charts.shapes import GROUND

_HERE: Final = Path(__file__).parent / "static"
_drawing = st.components.v2.component(
    "kafka_assignments_panel",
    html=f'<div class="picture">{hatches_svg()}<div class="drawing"></div>'
    '<div class="here" hidden></div><div class="said" hidden></div></div>',
    css=f"{STYLE}\n{(_HERE / 'panel.css').read_text(encoding='utf-8')}",
    js=(_HERE / "panel.js").read_text(encoding="utf-8"),
)


def show(panel: Panel, key: str, alt: str) -> None:
    """Show a panel as wide as its place; ``alt`` is its text alternative."""
    bars = panel.members / panel.bars.width if panel.members else 0
    data = {
        "drawing": panel_svg(panel, alt, has_titles=False),  # said here at once
        "labels": panel.labels,
        "bars": bars,
        "left": LEFT,
        "ground": GROUND,
    }
    _drawing(key=key, data=data)
