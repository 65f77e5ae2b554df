"""The file of the slides as text; what a browser makes of it is tested in one."""

import base64
import hashlib
import json
import re

from charts.deck.component import component_data, deck_html
from charts.deck.model import as_data
from tests.charts.deck.decks import DECK, HOSTILE


def test_the_file_holds_the_whole_deck_as_data() -> None:
    page = deck_html(DECK)

    found = re.search(r'<script type="application/json" id="deck">(.*?)</script>', page, re.DOTALL)

    assert found is not None
    assert json.loads(found[1]) == json.loads(json.dumps(as_data(DECK)))


def test_no_name_becomes_markup_in_the_file() -> None:
    page = deck_html(DECK)

    assert HOSTILE not in page
    assert page.count("<script") == 2


def test_the_file_may_run_its_own_script_alone() -> None:
    page = deck_html(DECK)

    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    script = page[page.rindex("<script>") + len("<script>") : page.rindex("</script>")]

    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy is not None
    assert f"script-src 'sha256-{digest}'" in policy[1]
    assert policy[1].startswith("default-src 'none'")


def test_the_component_gets_the_deck_its_place_and_its_link() -> None:
    data = component_data(DECK, 2, "group=abc")

    assert data["slide"] == 2
    assert data["link"] == "group=abc"
    assert [slide["name"] for slide in data["slides"]] == ["Finding", "Proposal", "Next step"]
    assert data["slides"][0]["figures"][0]["value"] == "90"
