"""Widgets that all pages share: choices, large figures, pictures and tables."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from charts.report import Figure
from evaluation.wording import sentence, without_uuids
from ui.untrusted import verbatim

_MOST_ROWS: Final = 5_000
"""Of one table in the browser; files hold all of them."""
WRAPPED: Final = 70
"""The least height of a row from which Streamlit wraps its texts."""
_NONE: Final[Mapping[str, Any]] = MappingProxyType({})


def refusal(error: object) -> None:
    """Show an error as one sentence; what it quotes is shown literally."""
    st.error(verbatim(sentence(str(error))), icon=":material/error:")


def choose(label: str, options: Sequence[str], key: str, *, is_label_shown: bool = True) -> str:
    """Show a few options side by side, kept in the link; return the one chosen."""
    chosen = st.segmented_control(
        label,
        options,
        default=options[0],
        required=True,
        key=key,
        bind="query-params",
        label_visibility="visible" if is_label_shown else "collapsed",
        wrap=True,
    )
    return chosen or options[0]  # none, where the link has the name without a value


def figures(shown: Sequence[Figure], width: int, *, border: bool = True) -> None:
    """Show large figures side by side, each at least this many pixels wide."""
    with st.grid(4, min_column_width=width, gap="small"):
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
    """Show a figure without Plotly's toolbar."""
    st.plotly_chart(figure, key=key, config={"displayModeBar": False}, alt=alt)


def table(  # noqa: PLR0913 -- a property of the table each, most of them seldom given
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
    ids: Sequence[str] = (),
    row_height: int | None = None,
    height: int | Literal["auto", "content"] = "auto",
) -> None:
    """Show a table; numbers have separators unless ``formats`` says otherwise.

    ``about`` is what hovering over a column's head says; the numbers of ``bars`` have a bar beside
    them. The consumers ``ids`` show without the UUIDs that Kafka appends, as long as they stay
    distinct. Of very long tables the first rows show.
    """
    shown = rows.head(_MOST_ROWS)
    if ids:
        short = dict(zip(ids, without_uuids(ids), strict=True))
        texts = [n for n in map(str, shown) if not pd.api.types.is_numeric_dtype(shown[n])]
        shown = shown.assign(
            **{name: shown[name].map(lambda cell: short.get(cell, cell)) for name in texts}
        )
    config = {}
    for name in map(str, rows.columns):
        shared: dict[str, Any] = {
            "label": labels.get(name),
            "help": about.get(name),
            "width": widths.get(name),
            "pinned": name in pinned,
        }
        written = formats.get(name, "localized")
        if name in bars:
            most = float(max(rows[name].max(), 1))
            config[name] = st.column_config.ProgressColumn(**shared, format=written, max_value=most)
        elif pd.api.types.is_numeric_dtype(rows[name]):
            config[name] = st.column_config.NumberColumn(**shared, format=written)
        else:
            config[name] = st.column_config.TextColumn(**shared)
    st.dataframe(
        shown,
        hide_index=True,
        column_config=config,
        placeholder=placeholder,
        height=height,
        row_height=row_height,
        alt=alt,
    )
    if len(rows) > _MOST_ROWS:
        st.caption(
            f"The first {_MOST_ROWS:,} of {len(rows):,} rows; the downloads hold all of them."
        )
