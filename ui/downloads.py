"""Tables to download, built when the button is pressed."""

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from ui.choices.text import TextChoice

_MIMES: Final = {
    "CSV": "text/csv",
    "JSON": "application/json",
    "Parquet": "application/vnd.apache.parquet",
}

COLUMNAR: Final = ("CSV", "Parquet")
"""Formats for tables of a fleet, which can be large."""
_UNSAFE: Final = re.compile(r"[^\w.-]+")
_LONGEST_NAME: Final = 100
_SIGNS: Final = (
    r"=+@\-\u2212\uff1d\uff0b\uff20\uff0d"
    r"\ufe66\ufe62\ufe6b\ufe63\u207c\u208c\u207a\u208a\u207b\u208b"
)
"""What begins a formula, also as wide, small, raised and lowered characters."""
_FORMULA: Final = re.compile(
    rf"\A(?=[{_SIGNS}\t\r])|(?:\A|(?<=[,;|:\"\s\x00-\x1f\x7f-\xa0\xad\u061c\u180e\u200b-\u200f"
    rf"\u2028-\u202f\u2060-\u206f\ufeff"
    r"\u034f\u115f\u1160\u3164\uffa0\ufe00-\ufe0f\ufff9-\ufffb\ufffe\U000e0000-\U000e0fff"
    rf"\u060c\u061b\u3001\uff0c\uff1a\uff1b\uff5c]))(?=[{_SIGNS}])"
)
"""Where formulas begin: at the start, and behind what a spreadsheet splits or trims texts at."""
_HARMLESS: Final = re.compile(r"[+-]?\d[\d.,]*(?:[eE][+-]?\d+)?|.", re.ASCII)
"""A plain number, or a single character."""


def offer(
    table: Callable[[], pd.DataFrame],
    name: str,
    what: str,
    kinds: Sequence[str] = ("CSV", "JSON"),
) -> None:
    """Show a menu as beside pictures: the whole table, with unformatted figures, in each format."""
    with st.popover("⋮", type="tertiary", help="Save this table", key=f"{what}_menu"):
        for kind in kinds:
            st.download_button(
                kind,
                partial(encoded, table, kind),
                file_name=file_name(name, f"-{what}.{kind.lower()}"),
                mime=_MIMES[kind],
                icon=":material/download:",
                on_click="ignore",
                key=f"{what}_{kind}",
            )


def file_name(name: str, ending: str) -> str:
    """Return a safe file name for a group of any name.

    >>> file_name("../orders: eu", "-report.html")
    'orders_eu-report.html'
    """
    safe = _UNSAFE.sub("_", name)[:_LONGEST_NAME].strip("._") or "group"
    return safe + ending


def searched(
    table: pd.DataFrame,
    texts: "Sequence[pd.Series[str]]",
    placeholder: str,
    key: str,
    file: tuple[str, str],
) -> pd.DataFrame:
    """Show a search field and download buttons; return the rows where a text contains it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sought = TextChoice(key).ask("Search", placeholder)
        rows = containing(table, texts, sought)
        offer(lambda: rows, *file)
    return rows


def containing(table: pd.DataFrame, texts: "Sequence[pd.Series[str]]", sought: str) -> pd.DataFrame:
    """Return the rows where a text contains the search term, ignoring case."""
    hits = [text.str.contains(sought, case=False, regex=False) for text in texts]
    return table[pd.Series(np.logical_or.reduce(hits), table.index)] if sought else table


def encoded(table: Callable[[], pd.DataFrame], kind: str) -> bytes:
    """Return the table in a file format; unknown values are empty in CSV, else null.

    In CSV every text is quoted, headings too, and an apostrophe stands wherever a spreadsheet
    would read a formula.
    """
    if kind == "Parquet":
        return table().to_parquet(index=False)
    if kind == "CSV":
        rows = table()
        texts = rows.select_dtypes(["object", "string", "category"]).map(_as_text)
        safe = rows.assign(**texts).rename(columns=_as_text)
        return safe.to_csv(index=False, quoting=csv.QUOTE_NONNUMERIC).encode()
    return table().to_json(orient="records").encode()


def csv_of(columns: Mapping[str, Sequence[object]]) -> str:
    """Return a small table as CSV, as ``encoded`` does, in a hundredth of its time."""
    file = io.StringIO()
    writer = csv.writer(file, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    rows = [tuple(columns), *zip(*columns.values(), strict=True)]
    writer.writerows(tuple(map(_as_text, row)) for row in rows)
    return file.getvalue()


def _as_text(cell: object) -> object:
    if isinstance(cell, (list, tuple, dict, set, np.ndarray)):
        cell = str(cell)
    if not isinstance(cell, str) or _HARMLESS.fullmatch(cell):
        return cell
    return _FORMULA.sub("'", cell)
