"""The slides in a browser: the parts of a Streamlit component, and one file that opens offline."""

import base64
import hashlib
import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any, Final

from charts.deck.model import Deck, as_data
from charts.palette import ALARM, BAR, BOUND_LINE, BUSIEST

_HERE: Final = Path(__file__).parent
STYLE: Final = (_HERE / "deck.css").read_text()
CLIPBOARD: Final = (_HERE.parent / "clipboard.js").read_text()
_PALETTE: Final = {"BAR": BAR, "BUSIEST": BUSIEST, "ALARM": ALARM, "BOUND_LINE": BOUND_LINE}
_COLOURS: Final = "".join(f"const {name} = '{colour}';" for name, colour in _PALETTE.items())
_SHOW: Final = f"{CLIPBOARD}\n{_COLOURS}\n{(_HERE / 'deck.js').read_text()}"
SCRIPT: Final = f"{_SHOW}\n{(_HERE / 'component.js').read_text()}"
_START: Final = (_HERE / "file.js").read_text()


def component_data(deck: Deck, slide: int, link: str) -> Mapping[str, Any]:
    """Return what the component shows: the deck at a slide, its link and its file for printing."""
    return as_data(deck) | {"slide": slide, "link": link, "file": deck_html(deck)}


def deck_html(deck: Deck) -> str:
    """Return the slides as one file; it opens offline, and may run this script alone."""
    script = f"{_SHOW}\n{_START}"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "img-src data: blob:"
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(deck.title)}</title>
<style>body {{ margin: 0; }}
{STYLE}</style>
</head>
<body>
<main id="root"></main>
<script type="application/json" id="deck">{_in_script(as_data(deck))}</script>
<script>{script}</script>
</body>
</html>
"""


def _in_script(data: Mapping[str, Any]) -> str:
    """Return JSON that cannot end the element it stands in, whatever its texts hold."""
    text = json.dumps(data)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
