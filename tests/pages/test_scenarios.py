"""The page of scenarios: what is compared, what is concluded, and that it can be asked again."""

from datetime import date

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from assignors.model import Group
from evaluation.reading import Reading
from evaluation.what_if import Asked, Weather, WhatIf
from sources import links, plans, what_ifs
from sources.plans import Plan
from tests.doors.texts import PASTES
from tests.pages.compare_page import (
    band,
    button,
    drawings,
    matrix,
    opened_alone,
    press,
    seen,
    verdict,
)
from tests.pages.compare_page import opened as opened_in_app
from tests.pasted import the_group
from tests.said import lacks
from ui.facts import again
from ui.what_ifs import view

# a owns 80 of 100 records, b 20; at 10/s that is 8 s and 2 s; 100 / 2 consumers would be 5 s
GROUP = Group.of(
    ["t"], [4], ["a", "b"], owners=[0, 0, 1, 1], lags=[40, 40, 10, 10], rates=[0, 0, 0, 0]
)
LINK = links.encode(GROUP) or ""
BUSY = (
    links.encode(
        Group.of(["t"], [4], ["a", "b"], owners=[0, 0, 1, 1], lags=[20] * 4, rates=[2.0] * 4)
    )
    or ""
)


def opened(*choices: WhatIf, **link: str) -> AppTest:
    """Return the page for the group, with these scenarios."""
    if choices:
        link["what_if"] = what_ifs.encode(Asked(choices))
    return opened_alone("scenarios", group=LINK, **link)


def cell(page: AppTest, title: str, case: str = "Today") -> dict[str, str]:
    """Return a choice's figures in a case, by measure."""
    table = page.dataframe[0].value
    row = table[(table["Choice"] == title) & (table["Case"] == case)]
    (found,) = row.to_dict("records")
    return {str(name): str(value) for name, value in found.items()}


def rows(page: AppTest) -> list[str]:
    """Return the titles of the choices, in order."""
    return [row["title"] for row in matrix(page)["rows"]]


def cases(page: AppTest) -> list[str]:
    """Return the titles of the cases, in order."""
    return [case["title"] for case in matrix(page)["cases"]]


def tones(page: AppTest) -> list[list[str]]:
    """Return how the matrix colours its cells."""
    return [[each["tone"] for each in row["cells"]] for row in matrix(page)["rows"]]


def test_at_first_todays_choices_meet_more_arrivals_and_a_lost_consumer() -> None:
    page = opened_alone("scenarios", group=BUSY, throughput="10")

    assert rows(page)[0] == "As today"
    assert rows(page)[-1] == "+1 consumer"
    assert cases(page) == ["Today", "1.5 times the arrivals", "1 consumer lost"]
    assert len(page.dataframe[0].value) == 3 * len(rows(page))
    assert len(drawings(page)) == len(rows(page))


def test_where_no_arrivals_are_known_more_of_them_are_no_case() -> None:
    unknown = Group.of(["t"], [4], ["a", "b"], owners=[0, 0, 1, 1], lags=[40, 40, 10, 10])
    alone = Group.of(["t"], [4], ["a"], owners=[0] * 4, lags=[40, 40, 10, 10])

    two, one = (
        opened_alone("scenarios", group=links.encode(each) or "") for each in (unknown, alone)
    )

    assert cases(two) == ["Today", "1 consumer lost"]
    assert cases(one) == ["Today"]


def test_figures_are_those_of_the_group_at_the_stated_speed() -> None:
    page = opened(WhatIf(), WhatIf(consumers=2), throughput="10", allowed_min="1")

    today, more = cell(page, "As today"), cell(page, "+2 consumers")

    assert today["Busiest consumer"].startswith("80 records")
    assert today["Time to clear"] == "8 s"
    assert today["Consumers"] == "2"
    assert more["Consumers"] == "4"
    assert more["Time to clear"] == "4 s"  # range gives each of four one partition


def test_without_consumers_the_backlog_never_ends_until_one_starts() -> None:
    stopped = links.encode(Group.of(["t"], [2], [], lags=[600, 600])) or ""

    page = opened_alone("scenarios", group=stopped, throughput="10")

    assert cell(page, "As today")["Time to clear"] == "never"
    assert cell(page, "+1 consumer")["Time to clear"] == "2 min"
    assert "+1 consumer" in verdict(page)


def test_with_stopped_consumers_what_is_in_time_rests_on_that_they_read_again() -> None:
    reading = the_group(PASTES["uneven, dated"])
    group = links.encode(reading) or ""

    page = opened_alone("scenarios", group=group)

    assert cell(page, "As today")["In time?"] == "in time"
    assert again(len(reading.group.members)) in verdict(page)


def test_the_cheapest_that_is_in_time_is_taken() -> None:
    enough = opened(WhatIf(), WhatIf(consumers=2), throughput="10", allowed_min="1")
    tight = opened(
        WhatIf(), WhatIf(consumers=2), throughput="10", allowed_min="0.08333333333333333"
    )

    assert lacks(verdict(enough), "2 consumers", "8 s", "1 min") == []
    assert cell(enough, "As today")["In time?"] == "in time"
    assert lacks(verdict(tight), "4 consumers", "4 s of the 5 s", "+2 consumers") == []
    assert cell(tight, "As today")["In time?"] == "3 s late"


def test_a_case_happens_to_every_choice_and_is_taken_by_none() -> None:
    link = {"group": BUSY, "throughput": "10", "allowed_min": "1"}
    choices = (WhatIf(), WhatIf(consumers=2))
    calm = opened_alone("scenarios", what_if=what_ifs.encode(Asked(choices)), **link)
    storm = Asked(choices, (Weather(), Weather(arrivals=3.0)))
    three = "3 times the arrivals"

    stormy = opened_alone("scenarios", what_if=what_ifs.encode(storm), **link)

    # a reads 10/s of 40 records while 2 * 2/s arrive for it: 40 / 6 s; of 3 times as many, never
    assert cell(calm, "As today")["Time to clear"] == "6.7 s"
    # Of 10/s, 40 records in 60 s take 0.67/s: 9.33/s for the 4/s that arrive.
    assert cell(calm, "As today")["Headroom"].startswith("133.3 %")
    assert cell(stormy, "As today", three)["Headroom"] == "none"
    assert cell(stormy, "As today", three)["In time?"] == "never"
    assert cell(stormy, "+2 consumers", three)["Time to clear"] == "5 s"  # 20 / (10 - 6)
    assert not lacks(verdict(stormy), "3 times")
    assert tones(stormy) == [["good", "bad"], ["good", "good"]]
    assert [row["is_taken"] for row in matrix(stormy)["rows"]] == [False, True]
    assert not [title for title in rows(stormy) if "times" in title]


def test_an_earlier_link_with_arrivals_in_a_choice_opens_as_a_case() -> None:
    page = opened_alone(
        "scenarios", group=BUSY, throughput="10", what_if='[{},{"consumers":2,"arrivals":3.0}]'
    )

    assert not page.exception
    assert cases(page) == ["3 times the arrivals"]
    assert cell(page, "As today", "3 times the arrivals")["In time?"] == "never"


def test_a_lost_consumer_is_missing_from_every_choice_and_stays_in_the_link() -> None:
    page = opened(WhatIf(), WhatIf(consumers=2), throughput="10")

    page.number_input(key="weather_lost").set_value(1)
    button(page, "Add case").click().run()

    assert not page.exception
    assert cell(page, "As today", "1 consumer lost")["Consumers"] == "1"
    assert cell(page, "+2 consumers", "1 consumer lost")["Consumers"] == "3"
    assert [row["consumers"] for row in matrix(page)["rows"]] == ["2", "4"]
    assert asked(page).weathers == (Weather(), Weather(lost=1))

    press(page, {"act": "drop", "at": 0}, "matrix")

    assert cases(page) == ["1 consumer lost"]
    assert asked(page) == Asked((WhatIf(), WhatIf(consumers=2)), (Weather(lost=1),))


def asked(page: AppTest) -> Asked:
    """Return what the link asks."""
    kept = page.query_params["what_if"]
    return what_ifs.decode(kept[0] if isinstance(kept, list) else kept)


def test_what_no_choice_stands_is_planned_for_on_consumers() -> None:
    busiest = what_ifs.encode(Asked((WhatIf(),), (Weather(arrivals=3.0, lost=1),)))
    page = opened_in_app(group=BUSY, throughput="10", what_if=busiest)
    page.switch_page("pages/scenarios.py").run()

    press(page, "plan")

    assert page.number_input(key="peak").value == 3
    assert page.selectbox(key="survive").value == "one consumer"


def test_what_is_to_be_taken_opens_from_the_band() -> None:
    page = opened(WhatIf(), WhatIf(consumers=2), throughput="10", allowed_min="0.08333333333333333")

    press(page, "open")

    assert page.session_state["scenario"].group.member_count == 4


def test_where_today_is_enough_nothing_is_to_be_pressed() -> None:
    page = opened(WhatIf(), WhatIf(consumers=2), throughput="10", allowed_min="1")

    assert band(page)["buttons"] == []


def test_consumers_that_clear_nothing_sooner_are_not_taken() -> None:
    # t-0 takes its consumer 80 s at 10/s, beside t-1 80.5 s; more consumers leave it alone with 80.
    hot = Group.of(
        ["t"], [4], ["a", "b"], owners=[0, 0, 1, 1], lags=[800, 5, 1, 1], rates=[0, 0, 0, 0]
    )
    page = opened_alone(
        "scenarios",
        group=links.encode(hot) or "",
        what_if=what_ifs.encode(Asked((WhatIf(), WhatIf(consumers=2)))),
        throughput="10",
        allowed_min="0.08333333333333333",
    )

    assert cell(page, "+2 consumers")["Time to clear"] == "1 min 20 s"
    assert cell(page, "As today")["In time?"] == "1 min 16 s late"
    assert lacks(verdict(page), "None of these is in time", "1 min 15 s late") == []


def test_a_guess_is_called_a_guess() -> None:
    page = opened(WhatIf())

    assert "If " in verdict(page)
    assert "a guess" in verdict(page)


def test_where_more_arrives_than_is_read_nothing_is_said_to_end() -> None:
    busy = Group.of(
        ["t"], [2], ["a", "b"], owners=[0, 1], lags=[40, 40], rates=np.array([50.0, 50.0])
    )
    page = opened_alone(
        "scenarios", group=links.encode(busy) or "", throughput="10", what_if="[{}]"
    )

    assert cell(page, "As today")["Time to clear"] == "never"
    assert lacks(verdict(page).lower(), "none of these", "backlog end") == []


def test_a_price_gives_a_cost_a_month() -> None:
    page = opened(WhatIf(), throughput="10", pod_cost="0.5")

    assert cell(page, "As today")["Cost a month"] == "USD 730"  # 2 consumers, 730 hours, 0.5 each


def test_a_choice_is_added_kept_in_the_link_and_removed() -> None:
    page = opened(WhatIf(), throughput="10")

    page.text_input(key="what_if_name").set_value("plan B")
    page.number_input(key="what_if_consumers").set_value(1)
    button(page, "Add choice").click().run()
    added, kept = rows(page), asked(page)
    press(page, {"act": "remove", "at": 0}, "matrix")

    assert added == ["As today", "plan B"]
    assert kept.choices[1].name == "plan B"
    assert rows(page) == ["plan B"]


def test_a_choice_opens_as_the_group_on_every_page() -> None:
    page = opened(WhatIf(), WhatIf(consumers=2), throughput="10")

    press(page, {"act": "open", "at": 1}, "matrix")

    assert page.session_state["scenario"].group.member_count == 4


def test_the_same_scenarios_are_asked_of_another_group_and_what_no_longer_applies_is_said() -> None:
    other = Group.of(["u"], [2], ["x"], owners=[0, 0], lags=[5, 5])

    page = opened_alone(
        "scenarios",
        group=links.encode(other) or "",
        what_if=what_ifs.encode(Asked((WhatIf(topic="t", partitions=8),))),
    )

    assert any("There is no topic t" in seen(each.value) for each in page.markdown)


def test_a_changed_link_is_refused_in_a_sentence_and_the_page_stays() -> None:
    page = opened_alone("scenarios", group=LINK, what_if="[{")

    assert "could not be read" in seen(page.error[0].value)
    assert page.dataframe


def test_an_unknown_lag_is_not_called_no_backlog() -> None:
    page = opened_alone("scenarios", group=links.encode(Group.fresh({"t": 4}, ["a"])) or "")

    table = page.dataframe[0].value
    assert set(table["Time to clear"]) == {"unknown"}
    assert set(table["Way there"]) == {"the first start"}
    assert {tone for row in tones(page) for tone in row} == {""}


def test_what_several_scenarios_assume_is_said_once() -> None:
    fresh = links.encode(Group.fresh({"t": 4}, ["a"])) or ""
    two = what_ifs.encode(Asked((WhatIf(consumers=1), WhatIf(consumers=2))))

    page = opened_alone("scenarios", group=fresh, what_if=two)

    said = [each.value for each in page.markdown if "running strategy is unknown" in each.value]
    assert len(said) == 1


def test_last_weeks_plan_is_asked_again_of_todays_group_and_what_changed_is_listed() -> None:
    last_week = GROUP.with_lags(np.array([400, 400, 10, 10]))
    plan = Plan(
        reading=Reading(group=last_week),
        saved=date(2026, 11, 17),
        said="We should take plan B.",
        stated={"throughput": "10", "total_rate": "5000", "allowed_min": "1"},
        asked=Asked((WhatIf(), WhatIf("plan B", consumers=2))),
    )
    page = opened()

    uploader = page.file_uploader(key="plan_file")
    uploader.upload("plan.json", plans.encode(plan), "application/json").run()

    assert not page.exception
    assert rows(page) == ["As today", "plan B"]
    assert cell(page, "plan B")["Time to clear"] == "4 s"  # of today's lag
    said = [seen(each.value) for each in page.markdown]
    assert any(not lacks(each, "100 records", "820") for each in said)
    assert any(not lacks(each, "17", "2026") for each in said)
    assert any("not assumed again" in each for each in said)
    assert page.number_input(key="total_rate").value is None  # stated of that day's group


def test_a_file_that_is_no_plan_is_refused_in_a_sentence() -> None:
    page = opened()

    page.file_uploader(key="plan_file").upload("x.json", b"[]", "application/json").run()

    assert "no saved plan" in seen(page.error[0].value)
    assert page.dataframe


def test_a_limit_per_partition_counts_in_the_time_to_clear() -> None:
    page = opened(WhatIf(), throughput="100", partition_cap="4")

    assert cell(page, "As today")["Time to clear"] == "10 s"  # 40 records at 4/s


def test_cells_that_take_long_are_all_computed_and_the_page_comes_to_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(view, "_FIRST_S", -1.0)

    page = opened_alone("scenarios", group=BUSY, throughput="10")

    assert [len(row["cells"]) for row in matrix(page)["rows"]] == [3] * len(rows(page))
    assert verdict(page)
