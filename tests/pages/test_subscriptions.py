"""Who reads what is assumed in the open, and read otherwise in a click."""

import pytest

from tests.pages.compare_page import changing, opened, paste, verdict
from tests.said import lacks

pytestmark = pytest.mark.slow
_ROWS = [
    *(("c1", topic, 0, 100) for topic in ("audit", "bills", "cards", "dates", "exits", "fines")),
    ("c1", "games", 0, 100),
    ("c2", "games", 1, 100),
]
_PASTE = "\n".join(
    [
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID",
        *(
            f"g {topic} {number} 50 {50 + 8 * lag} {8 * lag} {member}-id /10.0.0.1 {member}"
            for member, topic, number, lag in _ROWS
        ),
    ]
)


def test_the_other_reading_is_a_click_away_and_changes_the_answer() -> None:
    page = opened()
    paste(page, _PASTE)
    before = verdict(page)

    changing(page).button(key="other_subscriptions").click().run()

    assert not page.exception
    assert not lacks(before, "Round robin")
    assert "Switch to Round robin" not in verdict(page)
