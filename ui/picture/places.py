"""Places of a least height, so that what is below does not move when a picture comes."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st


@contextmanager
def at_least(height_px: int) -> Iterator[None]:
    """Show what the body draws in a place of at least this height.

    A component has no height until the browser has its script; a spacer beside it has one, and
    takes 16 pixels of the width, over which the component reaches (class ``least``).
    """
    with st.container(horizontal=True, gap=None, wrap=False):
        yield
        with st.container(width=1, gap=None):
            st.space(height_px)
