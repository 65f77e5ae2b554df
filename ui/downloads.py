"""Tables to take away, made when they are asked for."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

_MIMES: Final = {
    "CSV": "text/csv",
    "JSON": "application/json",
    "Parquet": "application/vnd.apache.parquet",
}


def offer(
    table: Callable[[], pd.DataFrame],
    name: str,
    what: str,
    kinds: Sequence[str] = ("CSV", "JSON"),
) -> None:
    """Show a button for the table in each kind of file, whole and with unformatted figures."""
    for kind in kinds:
        st.download_button(
            kind,
            partial(written, table, kind),
            file_name=f"{name}-{what}.{kind.lower()}",
            mime=_MIMES[kind],
            icon=":material/download:",
            on_click="ignore",
            key=f"{what}_{kind}",
        )


def written(table: Callable[[], pd.DataFrame], kind: str) -> bytes:
    """Return the table as a file of one kind; what is unknown is empty in CSV, else null."""
    if kind == "Parquet":
        return table().to_parquet(index=False)
    text = table().to_csv(index=False) if kind == "CSV" else table().to_json(orient="records")
    return text.encode()
