"""A button that copies a text, such as a link."""

from pathlib import Path
from typing import Final

import streamlit as st

from charts.deck.component import CLIPBOARD

_HERE: Final = Path(__file__).parent / "static"
_copy = st.components.v2.component(
    "kafka_assignments_copy",
    css=(_HERE / "copy.css").read_text(),
    js=f"{CLIPBOARD}\n{(_HERE / 'copy.js').read_text()}",
)


def copy_button(label: str, text: str, key: str) -> None:
    """Show a button that puts the text on the clipboard."""
    _copy(key=key, data={"label": label, "text": text})
