"""Places of a least height, so that what is below does not move when a picture comes."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import streamlit as st

_STEP_PX: Final = 20
_TALLEST_PX: Final = 600
_NARROW: Final = "narrow_at_least_"
OWN_LINE: Final = "own_line_if_narrow"
"""The key of a container that has a line of its own on a phone, before all of it has come, too."""
STYLE: Final = "\n".join(
    (
        # Streamlit lays a page out narrow until it has heard of its width.
        ".stMainBlockContainer { max-width: none !important }",
        "@media (max-width: 732px) {",
        f"  div:has(> .st-key-{OWN_LINE}) {{ min-width: 100% }}",
        "  [data-testid=stMetric] * { white-space: normal !important }",
        *(
            f'  [class*="{_NARROW}{px}_"] {{ min-height: {px}px }}'
            for px in range(_STEP_PX, _TALLEST_PX + 1, _STEP_PX)
        ),
        "}",
    )
)
"""The style that every page has from its first byte on."""


@contextmanager
def at_least(height_px: int, *, narrow_px: int = 0, name: str = "") -> Iterator[None]:
    """Show what the body draws in a place of at least this height.

    A component has no height until the browser has its script; a spacer beside it has one, and
    takes 16 pixels of the width, over which the component reaches (class ``least``). On a phone it
    is ``narrow_px`` high, if that is more; the place then has a ``name``.
    """
    steps = min(narrow_px // _STEP_PX, _TALLEST_PX // _STEP_PX)
    key = f"{name}_{_NARROW}{steps * _STEP_PX}_" if steps else None
    with st.container(horizontal=True, gap=None, wrap=False):
        yield
        with st.container(width=1, gap=None, key=key):
            st.space(height_px)
