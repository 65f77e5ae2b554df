"""Shows the large picture; its form, its strategy and its colours stand in the link."""

from typing import Final

import streamlit as st

from evaluation.takes import Takes
from ui.picture.drawn import as_data
from ui.picture.files import files_of
from ui.picture.model import SideBySide
from ui.picture.parts import read
from ui.picture.places import at_least

MODES: Final = ("before", "all", "heat")
"""Before and after, all side by side, heatmap; as links write them."""
_MODE: Final = "picture"
_PICKED: Final = "compared"
_COLOURED: Final = "coloured"
_KEY: Final = "group_picture"
_AROUND_PX: Final = 108
_NOTE_PX: Final = 24
_ROW_PX: Final = 28
_ROWS_OF_OTHERS: Final = 5
_draw = st.components.v2.component(
    "kafka_assignments_picture",
    html='<div class="place least picture"></div>',
    css=read("palette.css", "picture.css", "saving.css"),
    js=read("elements.js", "saving.js", "side_by_side.js", "before_and_after.js", "picture.js"),
)


def show(picture: SideBySide, group: str, of: str, usual: str = "") -> None:
    """Show the picture of a ``group``, ``of`` this fingerprint.

    ``usual`` is the strategy to compare with now.

    Where nothing else is chosen, few consumers in a wide place stand side by side, and others
    before and after.
    """
    is_ranked = any(column.takes is not Takes.NOTHING for column in picture.columns)
    data = (
        as_data(picture)
        | files_of(picture, group)
        | {
            "of": of,
            "mode": st.query_params.get(_MODE, ""),
            "picked": st.query_params.get(_PICKED, ""),
            "coloured": st.query_params.get(_COLOURED, ""),
            "usual": usual,
            "modes": MODES if is_ranked else MODES[:1],
        }
    )
    rows = len(picture.rows) + (_ROWS_OF_OTHERS if picture.hidden else 0)
    with at_least(_AROUND_PX + _ROW_PX * rows + _NOTE_PX * len(picture.notes)):
        _draw(
            key=_KEY,
            data=data,
            on_mode_change=_keep_mode,
            on_picked_change=_keep_picked,
            on_coloured_change=_keep_coloured,
        )


def _keep_mode() -> None:
    _keep(_MODE, "mode")


def _keep_picked() -> None:
    _keep(_PICKED, "picked")


def _keep_coloured() -> None:
    _keep(_COLOURED, "coloured")


def _keep(name: str, state: str) -> None:
    chosen = (st.session_state.get(_KEY) or {}).get(state)
    if chosen:
        st.query_params[name] = str(chosen)
