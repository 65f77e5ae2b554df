"""Places of a least height, so that what is below does not move when a picture comes."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

_STEP_PX: Final = 20
_TALLEST_PX: Final = 600
_NARROW: Final = "narrow_at_least_"
OWN_LINE: Final = "own_line_if_narrow"
"""The key of a container that has a line of its own on a phone, before all of it has come, too."""
CHIPS: Final = "chips_to_filter_by"
"""The key of a container of chips, which on a phone are three lines."""
STEPS: Final = "steps_of_a_history"
"""The key of a container with a list and buttons, which on a phone are two lines."""
OVER: Final = "over_what_is_below"
"""The key of a container that lies over the page, so that nothing moves when it goes."""
ANSWER: Final = "answer"
"""The key of the container that the band leads."""
FORMER: Final = "whose_answer_is_below"
"""The key of a container that says that the answer below is of the group that was read before."""
LOW: Final = "as_low_as_its_line"
"""The key of a button in a line of text."""
FIELDS: Final = "labelled_fields"
"""The key of a container whose fields have labels, which they lack until the browser has them."""
FIGURES: Final = "figures_without_border"
"""The key of a container of figures without borders."""
PASTED: Final = "pasted"
"""The key of the field for a paste."""
CLOCK: Final = "place_of_the_clock"
"""The key of the container of what asks the browser for its time, and is never seen."""
AT_WORK: Final = "at_work"
"""The key of a container whose bar of progress lies over the page."""


class Awaited(NamedTuple):
    """A place that is held for what takes seconds to compute."""

    key: str
    height_px: int
    narrow_px: int
    """On a phone."""


VERDICT_AND_FIGURES: Final = Awaited("awaits_verdict_and_figures", 253, 540)
VERDICT: Final = Awaited("awaits_verdict", 118, 230)
MATRIX: Final = Awaited("awaits_matrix", 297, 408)
TOTALS: Final = Awaited("awaits_totals", 25, 103)
VERDICT_OF_FLEET: Final = Awaited("awaits_verdict_of_fleet", 164, 372)
LARGE_PICTURE: Final = Awaited("awaits_large_picture", 600, 640)
MOVES_AND_PAUSES: Final = Awaited("awaits_moves_and_pauses", 300, 420)
_AWAITED: Final = (
    VERDICT_AND_FIGURES,
    VERDICT,
    MATRIX,
    TOTALS,
    VERDICT_OF_FLEET,
    LARGE_PICTURE,
    MOVES_AND_PAUSES,
)
_PANEL: Final = (
    "background: light-dark(#ffffff, #12161c); padding: 1rem; border-radius: 8px; "
    "min-height: 142px; border: 1px solid light-dark(#dde3ea, #2d3743); "
    "box-shadow: 0 6px 20px rgb(0 0 0 / 16%)"
)
_TOAST: Final = (
    "position: fixed; bottom: 16px; right: 24px; width: auto !important; z-index: 99; "
    "padding: 6px 14px; border-radius: 8px; background: light-dark(#e9f0f8, #1d2f45)"
)
_OUTLINE: Final = (
    "content: ''; width: 100%; height: 118px; border-radius: 10px; "
    "background: light-dark(#f5f7fa, #1a2029)"
)
_FIRST: Final = "[data-testid=stElementContainer]:first-child:not(:has(h1, p, button))"
_NOTHING_COMES: Final = "nothing_comes"
_AWAITS: Final = f".stMain:not(:has(.st-key-{_NOTHING_COMES}))"
_BANDS: Final = f":is(.st-key-{VERDICT_AND_FIGURES.key}, .st-key-{VERDICT.key})"
_BLANK: Final = f"{_BANDS}:not(:has(> :nth-child(2)))"
_WORK: Final = f"div:has(> .st-key-{AT_WORK})"
_ACT: Final = "light-dark(#1f5fa8, #6aa9f0)"
_ON_ACT: Final = "light-dark(#ffffff, #0d1420)"
_MUTED: Final = "light-dark(#526070, #a9b4c1)"
_FOCUSED: Final = ":is(a, button, summary, [role=tab]):focus-visible"
_FORMER: Final = f".block-container:has(.st-key-{FORMER})"
_HELP: Final = "[data-testid=stTooltipHoverTarget]"
_UNDRAWN: Final = "[data-testid=stElementContainer]:has([data-testid=stSkeleton])"
_CSV: Final = '[data-testid=stElementToolbarButton]:has([aria-label^="Download as CSV"])'
_ALONE: Final = (
    "[data-testid=stButtonGroup] button, [data-testid=stSidebarNavLink], "
    "[data-testid=stExpandSidebarButton], [data-testid=stMainMenuButton], summary"
)
"""What is touched alone, rather than in a row of small ones."""
STYLE: Final = "\n".join(
    (
        # A large file takes seconds to read; its form goes once the answer has come.
        f"div:has(> .st-key-{OVER}) {{ height: 0; margin-bottom: -1rem; z-index: 9 }}",
        f".st-key-{OVER} {{ {_PANEL} }}",
        # What takes long is said where it moves nothing.
        f"[data-testid=stElementContainer]:has([data-testid=stSpinner]) {{ {_TOAST} }}",
        f"{_WORK}:has([data-testid=stProgress]) {{ {_TOAST}; max-width: 90vw }}",
        f"{_WORK}:not(:has(button)) {{ display: none }}",
        # What is awaited moves nothing when it comes; the band is outlined until then.
        f"{_AWAITS} {_BLANK}::before {{ {_OUTLINE} }}",
        *(f"{_AWAITS} .st-key-{key} {{ min-height: {px}px }}" for key, px, _ in _AWAITED),
        # While the browser has not got its script, the first of an answer can be nothing else.
        f".st-key-{ANSWER} > {_FIRST} {{ {_TOAST} }}",
        # What was read before a text that could not be is not taken for its answer.
        f"{_FORMER} .st-key-{ANSWER} {{ filter: grayscale(1); opacity: 0.6 }}",
        f".st-key-{ANSWER} [data-stale=true] {{ filter: grayscale(1) }}",
        # A button below the name is no higher than the line in which it stands.
        f".st-key-{LOW} button {{ min-height: 0; padding-top: 0; padding-bottom: 0 }}",
        # A command in a label is read, too: Streamlit sets it in 10.5 px.
        "[data-testid=stWidgetLabel] code, .stMarkdown td code { font-size: 12.5px }",
        f".st-key-{CLOCK} {{ display: none }}",
        f".st-key-{PASTED}:has([data-testid=stSkeleton]) {{ min-height: 201px }}",
        f".st-key-{FIELDS} {_UNDRAWN} {{ min-height: 68px }}",
        f".st-key-{FIGURES} {_UNDRAWN} {{ min-height: 87px }}",
        f".st-key-{VERDICT_AND_FIGURES.key} {_UNDRAWN} {{ min-height: 118px }}",
        # Streamlit lays a page out narrow until it has heard of its width.
        ".stMainBlockContainer { max-width: none !important }",
        # A table is saved from its menu, whose CSV no spreadsheet runs as formulas.
        f"{_CSV} {{ display: none }}",
        # Streamlit's ring is half transparent, and its names of pages have none.
        f".stApp {_FOCUSED} {{ outline: 2px solid {_ACT} !important; outline-offset: 1px }}",
        f"[kind=tertiary][aria-expanded=true] {{ color: {_ACT} !important }}",
        # Streamlit writes white on the light blue of the dark theme, and pale captions and code.
        f"[kind^=primary]:not(:disabled) {{ color: {_ON_ACT} !important }}",
        f"[data-testid=stCaptionContainer] {{ color: {_MUTED} !important; opacity: 1 !important }}",
        f"[data-testid=stCode] .token {{ color: {_MUTED} !important }}",
        f"[data-testid=stCode] .token.attr-value {{ color: {_ACT} !important }}",
        "[data-testid=stCode] .token.attr-name { color: inherit !important }",
        "@media (pointer: coarse) {",
        f"  .st-key-{LOW} button {{ min-height: 28px }}",
        f"  :is({_ALONE}) {{ min-height: 40px; min-width: 40px }}",
        f"  {_HELP} {{ position: relative }}",
        f"  {_HELP}::before {{ content: ''; position: absolute; inset: -12px }}",
        "}",
        "@media (max-width: 732px) {",
        f"  div:has(> .st-key-{OWN_LINE}) {{ min-width: 100% }}",
        f"  .st-key-{CHIPS} {{ min-height: 176px }}",
        f"  div:has(> .st-key-{STEPS}) {{ min-width: 100%; min-height: 96px }}",
        "  [data-testid=stMetric] * { white-space: normal !important }",
        "  .stMarkdown :is(th, td) { padding: 6px; font-size: 14px; line-height: 1.4 }",
        "  .stMarkdown td:nth-child(2), .stMarkdown td code { overflow-wrap: anywhere }",
        "  .stMarkdown td code { white-space: normal }",
        *(
            f'  [class*="{_NARROW}{px}_"] {{ min-height: {px}px }}'
            for px in range(_STEP_PX, _TALLEST_PX + 1, _STEP_PX)
        ),
        *(f"  {_AWAITS} .st-key-{key} {{ min-height: {px}px }}" for key, _, px in _AWAITED),
        "}",
    )
)
"""The style that every page has from its first byte on."""


def held(place: Awaited) -> DeltaGenerator:
    """Return a container that is about as high as what will come into it."""
    area = st.container(key=place.key)
    area.empty()  # a container without an element is not drawn
    return area


def await_nothing() -> None:
    """Let the places that this page holds be as low as what they have, because no more comes."""
    st.container(key=_NOTHING_COMES).empty()


def over_the_page() -> DeltaGenerator:
    """Return a place for the progress of work, which moves nothing when it comes and goes."""
    return st.container(key=AT_WORK).empty()


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
