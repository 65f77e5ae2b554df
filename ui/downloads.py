"""Tables to take away, made when they are asked for."""

from collections.abc import Callable
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

_KINDS: Final = (("CSV", "text/csv"), ("JSON", "application/json"))


def offer(table: Callable[[], pd.DataFrame], name: str, what: str) -> None:
    """Show a button each for the table as CSV and as JSON, whole and with unformatted figures."""
    for kind, mime in _KINDS:
        st.download_button(
            kind,
            partial(written, table, kind),
            file_name=f"{name}-{what}.{kind.lower()}",
            mime=mime,
            icon=":material/download:",
            on_click="ignore",
            key=f"{what}_{kind}",
        )


def written(table: Callable[[], pd.DataFrame], kind: str) -> bytes:
    """Return the table as a file of one kind; what is unknown is empty in CSV, null in JSON."""
    text = table().to_csv(index=False) if kind == "CSV" else table().to_json(orient="records")
    return text.encode()
