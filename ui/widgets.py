"""Widgets shared by all pages: choices, large figures, pictures and tables."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from charts.report import Figure
from evaluation.wording import sentence
from ui.untrusted import verbatim

_MOST_ROWS: Final = 5_000
"""The most rows of a table in the browser; a file has all of them."""
WRAPPED: Final = 70
"""The least row height at which Streamlit wraps texts."""
_ROW_PX: Final = 35
"""The height of a table's head, and of a row unless it is stated."""
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


def is_dark() -> bool:
    """Return whether the visitor's theme is dark; on the first run of a visit it may be unknown."""
    return st.context.theme.type == "dark"


def refusal(error: object) -> None:
    """Show an error as one sentence, with quoted text shown literally."""
    st.error(verbatim(sentence(str(error))), icon=":material/error:")


def figures(shown: Sequence[Figure], width: int, *, border: bool = True) -> None:
    """Show large figures side by side, each at least this wide, in pixels."""
    columns = 5 if len(shown) == 5 else 4  # noqa: PLR2004 -- a fifth does not stand alone
    with st.grid(columns, min_column_width=width, gap="small"):
        for label, value, note, about in shown:
            st.metric(
                label,
                value,
                note or None,
                delta_color="off",
                delta_arrow="off",
                border=border,
                help=about or None,
            )


def picture(figure: go.Figure, key: str, alt: str) -> None:
    """Show a Plotly figure without its toolbar."""
    st.plotly_chart(figure, key=key, config={"displayModeBar": False}, alt=alt)


def column(  # noqa: PLR0913 -- one argument per property of the column
    values: pd.Series,
    *,
    form: str | None,
    label: str | None = None,
    about: str | None = None,
    width: int | None = None,
    is_pinned: bool = False,
    most: float | None = None,
) -> ColumnConfig:
    """Return how a column is shown: texts, numbers in this form, or bars up to ``most``."""
    shared: dict[str, Any] = {"label": label, "help": about, "width": width, "pinned": is_pinned}
    if most is not None:
        return st.column_config.ProgressColumn(**shared, format=form, min_value=0, max_value=most)
    if pd.api.types.is_numeric_dtype(values):
        return st.column_config.NumberColumn(**shared, format=form)
    return st.column_config.TextColumn(**shared)


def table(  # noqa: PLR0913 -- one argument per property of the table
    rows: pd.DataFrame,
    alt: str,
    about: Mapping[str, str] = _NONE,
    formats: Mapping[str, str] = _NONE,
    *,
    labels: Mapping[str, str] = _NONE,
    pinned: Sequence[str] = ("Strategy",),
    widths: Mapping[str, int] = _NONE,
    placeholder: str = "unknown",
    bars: Sequence[str] = (),
    ids: Mapping[str, str] = _NONE,
    row_height: int | None = None,
    height: int | Literal["auto", "content"] = "auto",
) -> None:
    """Show a table; numbers have thousands separators unless ``formats`` overrides it.

    ``about`` is the help on column headers; numbers of ``bars`` get a bar. Consumers are shown by
    the labels of their ``ids``. Very long tables are cut.
    """
    shown = rows.head(_MOST_ROWS)
    if ids:
        texts = [n for n in map(str, shown) if not pd.api.types.is_numeric_dtype(shown[n])]
        shown = shown.assign(
            **{name: shown[name].map(lambda cell: ids.get(cell, cell)) for name in texts}
        )
    config = {
        name: column(
            rows[name],
            label=labels.get(name),
            about=about.get(name),
            width=widths.get(name),
            is_pinned=name in pinned,
            form=formats.get(name, "localized"),
            most=float(max(rows[name].max(), 1)) if name in bars else None,
        )
        for name in map(str, rows.columns)
    }
    st.dataframe(
        shown,
        hide_index=True,
        column_config=config,
        placeholder=placeholder,
        height=_whole_px(len(shown), row_height) if height == "content" else height,
        row_height=row_height,
        alt=alt,
    )
    if len(rows) > _MOST_ROWS:
        st.caption(f"The first {_MOST_ROWS:,} of {len(rows):,} rows; the menu ⋮ saves all of them.")


def _whole_px(count: int, row_height: int | None) -> int:
    """Return how high a table that shows all of its rows is: only a stated height is held."""
    return _ROW_PX + (row_height or _ROW_PX) * count + 3
