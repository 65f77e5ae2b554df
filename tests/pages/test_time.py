"""Lag as time on the Compare and Capacity pages, from a paste of two snapshots."""

import json
import re

import pandas as pd
from streamlit.testing.v1 import AppTest

from tests.pages.compare_page import PASTE, band, opened, paste, seen, texts, typed
from tests.said import figures_in, lacks
from ui import visited

_TABLE = """
GROUP   TOPIC   PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG   CONSUMER-ID  HOST       CLIENT-ID
orders  orders  0          {}              {}              {}    app-1-aa     /10.0.0.1  app-1
orders  orders  1          {}              {}              {}    app-2-bb     /10.0.0.2  app-2
"""
FIRST = _TABLE.format(0, 9_000, 9_000, 100, 100, 0)
SECOND = _TABLE.format(300, 9_600, 9_300, 400, 400, 0)
TWO = f"Mon Nov 23 01:32:11 UTC 2026\n{FIRST}\nMon Nov 23 01:33:11 UTC 2026\n{SECOND}"


def _line(page: AppTest) -> str:
    said = (seen(text.value) for text in page.markdown)
    return next((text for text in said if text.startswith(":material/schedule:")), "")


def _shown(page: AppTest, column: str) -> list[object]:
    return next(t.value for t in page.dataframe if column in t.value)[column].tolist()


def test_two_snapshots_say_how_far_behind_the_group_is() -> None:
    page = opened(view="Over time")

    paste(page, TWO)

    # 9,300 records wait, written at 10 a second: 930 s, at half the speed.
    assert not lacks(_line(page), "orders-0", "15 min", "never", "5/s")
    assert _shown(page, "Time lag") == ["≈ 15 min 30 s", "0 s"]
    assert _shown(page, "Catches up") == ["never", "keeps up"]
    assert _shown(page, "Read/s") == [5, 5]
    assert not lacks(texts(page), "1 min", "2 snapshots")


def test_an_age_has_one_form_in_the_verdict_in_the_view_and_in_the_tables() -> None:
    # 8,690 records wait, written at 10 a second; none is read.
    first, second = ((0, end, end, read, read, 0) for end, read in ((8_090, 100), (8_690, 400)))
    page = opened(view="Over time")

    paste(page, TWO.replace(FIRST, _TABLE.format(*first)).replace(SECOND, _TABLE.format(*second)))

    places = [json.dumps(band(page)), _line(page), *_shown(page, "Time lag")]
    told = [re.findall(r"14 min(?: \d+ s)?", str(place)) for place in places]
    assert [set(each) for each in told] == [{"14 min 29 s"}] * 2 + [{"14 min 29 s"}, set()]


def test_the_view_goes_into_the_report() -> None:
    page = opened(view="Over time")

    paste(page, TWO)

    table, basis = page.session_state["visited"]["Over time"][1].parts
    first = dict(zip(table.columns, table.rows[0], strict=True))
    assert (first["Lag"], first["Time lag"]) == ("9,300", "≈ 15 min 30 s")
    assert (first["Catches up"], first["Loses data in"]) == ("never", "-")
    assert figures_in(basis) == ["1", "2"]


def test_what_is_unknown_stays_unknown_in_the_report() -> None:
    rows = pd.DataFrame({"Partition": ["t-0", "t-1"], "Lag": pd.array([None, 1_200], "Int64")})

    assert visited.table("By partition", rows).rows == [["t-0", "-"], ["t-1", "1,200"]]


def test_a_stated_retention_says_when_data_is_lost() -> None:
    page = opened(view="Over time")
    paste(page, TWO)

    page.number_input(key="retention_hours").set_value(1.0).run()

    # It ages by half a second per second, and has 3,600 - 930 s left.
    assert not lacks(_line(page), "1 h", "29 min")
    assert _shown(page, "Loses data in") == ["1 h 29 min", "never"]


def test_data_that_is_older_than_the_retention_is_being_lost() -> None:
    page = opened(view="Over time")
    paste(page, TWO)

    page.number_input(key="retention_hours").set_value(0.1).run()

    assert not lacks(_line(page), "5/s")


def test_without_times_nothing_is_guessed_and_the_interval_is_requested() -> None:
    page = opened(view="Over time")
    paste(page, FIRST + SECOND)
    assert "state the seconds between them" in _line(page)
    assert pd.isna(_shown(page, "Arrive/s")).all()
    assert not any("backlog" in seen(text.value) for text in page.markdown)

    page.number_input(key="snapshot_interval").set_value(120.0).run()

    assert "31 min" in _line(page)


def test_an_ambiguous_date_is_asked_for_on_the_page() -> None:
    page = opened(view="Over time")
    first, second = "11/12/2026 10:00:00", "12/12/2026 11:00:00"

    paste(page, f"{first}\n{FIRST}\n{second}\n{SECOND}")

    assert "state the seconds between them" in _line(page)
    assert page.number_input(key="snapshot_interval").value is None
    page.number_input(key="snapshot_interval").set_value(0.0).run()
    assert not page.exception
    assert "state the seconds between them" in _line(page)


def test_consumers_and_strategies_have_their_own_figures() -> None:
    page = opened(view="Over time", time_by="By consumer")
    paste(page, TWO)
    assert _shown(page, "Time lag") == ["15 min 30 s", "0 s"]

    page.segmented_control(key="time_by").set_value("By strategy").run()
    page.number_input(key="throughput").set_value(20.0).run()

    assert set(_shown(page, "Catches up")) == {"15 min 30 s"}  # 9,300 at 20 - 10 a second


def test_a_history_survives_edits() -> None:
    page = opened(view="Over time", edit="true", table="Lags and owners")
    paste(page, TWO)

    typed(page, 0, "lag", "600")

    assert not lacks(_line(page), "orders-0", "1 min")


def test_without_a_history_the_view_says_how_to_get_one() -> None:
    page = opened(view="Over time")
    paste(page, PASTE)

    assert _line(page) == ""
    assert any("two snapshots" in info.value for info in page.info)


def test_capacity_takes_its_rates_from_the_history() -> None:
    page = opened(view="Over time")
    paste(page, TWO)

    page.switch_page("pages/capacity.py").run()

    assert not page.exception
    said = "15 records/s arrive, measured over 1 min", "15 min 30 s behind"
    assert lacks(texts(page), *said) == []
