"""The band at the top of a group's page: the verdict, its evidence, and what to do."""

from textwrap import wrap
from typing import Any, Final

import streamlit as st

from charts.deck.component import CLIPBOARD
from ui.picture.model import BandButton, VerdictBand
from ui.picture.parts import read
from ui.picture.places import at_least

_KEY: Final = "verdict"
_AROUND_PX: Final = 72
_LINE_PX: Final = 23
_FEWEST_LINES: Final = 2
_OF_A_LINE: Final = 124
"""Letters that fit in one line beside the buttons."""
_HELD: Final = "height_of_the_band"
_draw = st.components.v2.component(
    "kafka_assignments_verdict",
    html='<div class="place least"></div>',
    css=read("palette.css", "verdict.css"),
    js=f"{CLIPBOARD}\n{read('elements.js', 'verdict.js')}",
)


def show(band: VerdictBand, link: str = "", *, is_held: bool = False) -> str:
    """Show the band; return the key of the button that was pressed, "" if none was.

    ``link`` is the query that opens this group elsewhere; a copied message ends with it. A band
    that is held is never lower than one before it, so that the next answer moves no picture.
    """
    least = _wide_px(band)
    if is_held:
        least = st.session_state[_HELD] = max(least, st.session_state.get(_HELD, 0))
    data = band_data(band) | {"link": link, "least": f"{least}px"}
    with at_least(least, narrow_px=_narrow_px(band), name=_KEY):
        found = _draw(key=_KEY, data=data, on_pressed_change=_noticed)
    return str(found.get("pressed") or "")


def _wide_px(band: VerdictBand) -> int:
    """Return about how high the band is beside its buttons; one that settles may get a line more.

    By the style in ``verdict.css``.
    """
    lines = sum(len(wrap(text, _OF_A_LINE)) for text in (band.evidence, band.action))
    return _AROUND_PX + _LINE_PX * max(_FEWEST_LINES, lines + band.is_settling)


def _narrow_px(band: VerdictBand) -> int:
    """Return about how high the band is on a phone, by the style in ``verdict.css``."""
    parts = [27 * len(wrap(band.finding, 32))]
    parts += [2 + 23 * len(wrap(text, 45)) for text in (band.evidence, band.action) if text]
    labels = "".join(button.label.ljust(len(button.label) + 5) for button in band.buttons)
    parts += [6 + 48 * len(wrap(labels, 45))] if labels else []
    return 36 + sum(parts)


def _noticed() -> None:
    """Let the page run with what was pressed."""


def band_data(band: VerdictBand) -> dict[str, Any]:
    """Return what the script draws, as JSON; texts are unescaped."""
    return {
        "tone": band.tone.value,
        "finding": band.finding,
        "evidence": band.evidence,
        "action": band.action,
        "buttons": [button_data(button) for button in band.buttons],
    }


def button_data(button: BandButton) -> dict[str, Any]:
    """Return a button as JSON."""
    return {
        "key": button.key,
        "label": button.label,
        "isMain": button.is_main,
        "copies": button.copies,
        "hasLink": button.has_link,
    }
