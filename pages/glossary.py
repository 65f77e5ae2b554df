"""Glossary: the words of every page, as the documents define them."""

import re
from pathlib import Path
from typing import Final

import streamlit as st

from ui import entry

_LINK: Final = re.compile(r"\[([^]]+)\]\([^)]+\)")
"""To another document, which no page shows."""

entry.through_app(__file__)

text = (Path(__file__).parents[1] / "docs" / "glossary.md").read_text(encoding="utf-8")
title, body = text.removeprefix("# ").split("\n", 1)
st.title(title)
st.markdown(_LINK.sub(r"\1", body))
