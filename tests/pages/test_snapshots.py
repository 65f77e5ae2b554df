"""A second paste of the group on screen is its next snapshot."""

import json
import time
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.doors.texts import Flow, describe
from tests.pages.compare_page import PASTE, alarm, name, open_example, opened, paste, seen, verdict
from tests.pages.test_start import upload
from tests.said import lacks

LATER = PASTE.replace("10              110             100", "10              710             700")
OTHER = PASTE.replace("billing", "ledger")


def strip(page: AppTest) -> dict[str, Any]:
    sent = (each.proto for each in page.get("bidi_component"))
    found = [json.loads(e.json) for e in sent if e.component_name.endswith("snapshots")]
    return found[0] if found else {}


def test_a_second_paste_of_the_group_on_screen_is_added_with_the_time_of_pasting() -> None:
    page = opened()
    paste(page, PASTE)
    assert not strip(page)

    paste(page, LATER)

    marks = strip(page)["marks"]
    assert [mark["behind"] for mark in marks] == ["102 behind", "702 behind"]
    assert all(mark["when"].startswith("pasted ") for mark in marks)
    assert strip(page)["is_asked"]
    assert strip(page)["seconds"] >= 0
    assert [each["key"] for each in strip(page)["buttons"]] == ["replace", "undo"]
    reading = page.session_state["scenario"].reading
    assert reading.history.is_approximate
    assert len(reading.history.moments) == 2


def test_a_consumer_that_stands_is_the_headline_however_soon_the_second_text_is_pasted() -> None:
    flows = [
        Flow(3, 1_000, 1_000, 250.0) if k % 4 == 3 else Flow(k % 4, 1_900, 100, 250.0, 225.0)
        for k in range(12)
    ]
    page = opened()

    for seconds in (0.0, 4.0):
        paste(page, describe([flow.after(seconds) for flow in flows]))

    assert not lacks(verdict(page), "worker-3 has")
    # Counts need no seconds; what does is marked, and so soon no rate is measured.
    assert (alarm(page)["chart"]["upper"], alarm(page)["chart"]["lower"]) == ("arrived", "read")
    assert next(each["lowerSaid"] for each in alarm(page)["chart"]["rows"]) == "read 0"
    assert alarm(page)["beside"]["rows"][0][-1].startswith("> ")


def test_pastes_are_dated_by_the_clock_of_the_browser() -> None:
    page = opened()
    page.session_state["browser_ahead_s"] = 86_400.0
    paste(page, PASTE)

    paste(page, LATER)

    history = page.session_state["scenario"].reading.history
    ahead = [moment.at_s - time.time() for moment in history.moments]
    assert all(80_000 < each <= 86_400 for each in ahead)


def test_the_seconds_between_two_pastes_can_be_corrected() -> None:
    page = opened(snapshot_interval="60")
    paste(page, PASTE)
    page.query_params["snapshot_interval"] = "60"
    paste(page, LATER)

    assert strip(page)["seconds"] == 60


def test_an_equal_second_paste_is_left_out_and_said() -> None:
    page = opened()
    paste(page, PASTE)

    paste(page, PASTE)

    assert page.session_state["scenario"].reading.history is None
    assert "nothing was added" in page.info[0].value
    assert not strip(page)


def test_the_paste_of_another_group_takes_the_place_of_the_first() -> None:
    page = opened()
    paste(page, PASTE)

    paste(page, OTHER)

    assert name(page) == "ledger"
    assert page.session_state["scenario"].reading.history is None


def test_an_example_takes_no_snapshot() -> None:
    page = opened()
    open_example(page, "kip-49")

    paste(page, PASTE)

    assert not strip(page)


def test_a_file_that_cannot_be_read_is_told_beside_the_others_and_blocks_nothing() -> None:
    page = opened()

    upload(page, photo_png=bytes(range(256)), half_json=b'{"topics": {"t":', big_txt=PASTE.encode())

    assert name(page) == "billing"
    said = [seen(error.value) for error in page.error]
    assert [each.partition(":")[0] for each in said] == ["photo.png", "half.json"]


def test_after_an_error_the_page_says_whose_answer_stands_below() -> None:
    page = opened()
    paste(page, PASTE)

    paste(page, "the cat sat on the mat")

    assert page.error
    assert "Below is still billing" in seen(" ".join(each.value for each in page.markdown))


def test_what_is_stated_of_a_group_returns_with_it() -> None:
    page = opened(view="Over time")
    upload(page, two_txt=(PASTE + OTHER).encode())
    page.session_state["total_rate"] = 120.0
    page.query_params["total_rate"] = "120"
    page.run()

    page.pills(key="group_read").set_value("2. ledger").run()
    of_the_second = page.query_params.get("total_rate")
    page.pills(key="group_read").set_value("1. billing").run()

    assert of_the_second is None
    assert page.query_params["total_rate"] == "120"
