"""The conclusion of the Compare page and its controls, without a browser."""

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from assignors.model import UNKNOWN, Group
from assignors.registry import STRATEGIES
from evaluation.assuming.clients import JAVA
from sources import links, samples
from sources.text import read_text
from tests.pages.compare_page import (
    PASTE,
    button,
    changing,
    choose_way,
    columns,
    copied_link,
    figures,
    name,
    open_example,
    opened,
    paste,
    press,
    size,
    texts,
    typed,
    verdict,
)
from tests.said import figures_in, lacks

PASTED = links.encode(read_text(PASTE)[0].group) or ""
NO_OWNERS = links.encode(Group.fresh({"t": 4}, ["a", "b"], lags={"t": [40, 30, 20, 10]})) or ""
NO_CONSUMERS = """
GROUP    TOPIC     PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST  CLIENT-ID
billing  invoices  0          10              110             100  -            -     -
billing  invoices  1          50              52              2    -            -     -
"""


def edited_lags(**link: str) -> AppTest:
    """Return the page for the pasted group, with the lag table open beside the conclusion."""
    return opened(edit="true", table="Lags and owners", group=PASTED, **link)


def test_what_is_shared_holds_the_edit_of_the_same_run() -> None:
    page = edited_lags()
    page.session_state["present"] = True
    page.run()

    typed(page, 0, "lag", "5000")

    text = copied_link(page).partition("group=")[2].partition("&")[0]
    assert links.decode(text).group.lags.tolist() == [5000, 2, UNKNOWN]


def test_undo_and_reset_work_right_after_the_first_edit() -> None:
    page = edited_lags()
    before = [each.label for each in page.button]

    typed(page, 0, "lag", "5000")

    assert "Undo" not in before
    assert button(page, "Undo")
    assert button(page, "Reset")


def test_the_answer_follows_an_edit_of_the_same_run() -> None:
    page = edited_lags()

    typed(page, 0, "lag", "5000")

    assert not lacks(verdict(page), "5,000 records")
    page.session_state["would_help"] = True
    page.run()
    now = columns(page)["As it is now"]
    assert (now["busiest"]["text"], now["was"]) == ("5,002", "was 102")
    assert not lacks(size(page), "5,002 records", "unknown", "1 partition")
    assert not lacks(texts(page), "1 changed")


def test_a_changed_figure_of_a_strategy_is_shown_beside_its_previous_value() -> None:
    page = opened(edit="true", table="Topics", group=NO_OWNERS, strategies=["Range", "Round robin"])

    button(page, "+1").click().run()

    shown = columns(page)
    robin, range_ = shown["Round robin"], shown["Range"]
    assert (robin["busiest"]["text"], robin["was"]) == ("50", "was 60")
    assert (range_["busiest"]["text"], range_["was"]) == ("70", "")
    assert not lacks(texts(page), "1 more")


def test_a_state_is_pinned_and_unpinned_as_the_baseline() -> None:
    page = edited_lags()
    page.session_state["would_help"] = True
    typed(page, 0, "lag", "5000")

    button(page, "Pin as baseline").click().run()
    pinned = columns(page)["As it is now"]["was"]
    typed(page, 0, "lag", "6000")
    against_pinned = columns(page)["As it is now"]["was"], texts(page)
    button(page, "Unpin").click().run()

    assert pinned == ""
    assert against_pinned[0] == "was 5,002"
    assert not lacks(against_pinned[1], "1 changed")
    assert columns(page)["As it is now"]["was"] == "was 102"


def test_reset_goes_back_to_what_was_opened_and_says_no_more_was() -> None:
    page = edited_lags()
    page.session_state["would_help"] = True
    typed(page, 0, "lag", "5000")

    button(page, "Reset").click().run()

    now = columns(page)["As it is now"]
    assert (now["busiest"]["text"], now["was"]) == ("102", "")
    assert "Compared with" not in texts(page)


def test_a_group_without_consumers_shows_its_backlog_and_takes_consumers() -> None:
    page = opened()
    paste(page, NO_CONSUMERS)
    said, controls = verdict(page), [found.label for found in page.button]

    button(page, "Add 2 consumers").click().run()

    assert "billing has no active consumer" in said
    assert "102 records wait" in said
    assert "Add 2 consumers" in controls
    assert not page.exception
    assert not lacks(size(page), "2 consumers", "1 topic", "2 partitions", "102 records")
    assert min(column["busiest"]["text"] for column in columns(page).values()) == "100"


@pytest.mark.parametrize("link", [PASTED, NO_OWNERS], ids=["owners", "no owners"])
def test_without_a_strategy_the_total_lag_stays_known(link: str) -> None:
    page = opened(group=link)
    before = size(page)

    changing(page).pills(key="strategies").set_value([]).run()

    assert not page.exception
    assert size(page) == before
    assert "102 records" in before or "100 records" in before


def test_the_title_names_the_group_and_the_size_follows_every_edit() -> None:
    page = opened(edit="true")
    title = name(page)

    button(page, "+10").click().run()

    assert name(page) == title
    assert not any(character.isdigit() for character in title)
    assert figures_in(size(page)) == ["22", "8", "134", "439", "2"]


def test_after_undo_the_picker_names_the_example_on_screen() -> None:
    first, second = samples.SAMPLES[1], samples.SAMPLES[2]
    page = opened()
    open_example(page, first.id)
    open_example(page, second.id)

    button(page, "Undo").click().run()

    assert name(page) == first.title
    assert page.selectbox(key="example").value == first.title


def test_the_picker_names_no_example_over_a_paste() -> None:
    page = opened()
    paste(page, PASTE)

    choose_way(page, "Example")

    assert page.selectbox(key="example").value is None


@pytest.mark.parametrize(
    "sample",
    [
        pytest.param(each, id=each.id, marks=() if number < 2 else pytest.mark.proof)
        for number, each in enumerate(samples.SAMPLES[:6])
    ],
)
def test_the_slides_of_every_example_have_a_sentence_each_and_nothing_else_is_drawn(
    sample: samples.Example,
) -> None:
    page = opened(slide="1", edit="true", example=sample.title)

    told = next(
        json.loads(element.proto.json)
        for element in page.get("bidi_component")
        if element.proto.component_name.endswith("slides")
    )

    assert told["title"] == sample.title
    least = {"orders-quiet": 1, "large": 2}  # all keep up; one snapshot is no reason for a jar
    assert len(told["slides"]) >= least.get(sample.id, 3)
    assert all(slide["title"].endswith(".") for slide in told["slides"])
    assert not page.get("plotly_chart")
    assert len(page.get("bidi_component")) == 1
    assert not page.button
    assert not page.segmented_control


def test_the_usual_strategies_are_those_in_use_the_recommended_and_the_best_custom_one() -> None:
    page = opened()

    usual = (
        "range",
        "roundrobin",
        "sticky",
        "cooperative-sticky",
        "uniform-kafka-18688",
        "load-sticky",
    )
    labels = {STRATEGIES[name].label for name in usual}
    assert set(figures(page).index) == {"As it is now", *labels}


@pytest.mark.parametrize(
    "label", ["Best by jar", "Best custom assignor"]
)  # as earlier links have it
def test_the_best_custom_strategy_is_chosen_for_each_group(label: str) -> None:
    page = opened(strategies=label)
    first = set(figures(page).index)

    paste(page, PASTE)

    assert first == {"As it is now", "Load-sticky"}
    assert len(set(figures(page).index) & {each.label for each in JAVA.custom}) == 1


def test_a_button_of_the_band_says_what_to_set() -> None:
    page = opened()

    press(page, "switch")

    assert any("RoundRobinAssignor" in code.value for code in page.code)


def test_every_column_says_what_it_takes_and_the_best_of_each_kind_comes_first() -> None:
    page = opened()

    shown = list(columns(page).values())
    of_each: dict[str, list[float]] = {}
    for column in shown:
        of_each.setdefault(column["takes"], []).append(column["busiest"]["at"])

    assert shown[0]["label"] == "As it is now"
    assert list(of_each) == ["", "setting", "broker", "jar"]
    assert all(loads == sorted(loads) for loads in of_each.values())


def test_a_read_paste_closes_its_form_and_a_failed_one_stays() -> None:
    page = opened()

    paste(page, "no table here")
    failed = page.session_state["start"]
    paste(page, PASTE)

    assert failed == "Paste"
    assert page.session_state["start"] is None
    assert not page.text_area


def test_a_very_long_name_is_cut_in_the_title_and_whole_on_hover() -> None:
    long = "payments-" * 25
    group = replace(Group.fresh({"t": 1}, ["a"], lags={"t": [1]}), id=long)

    page = opened(group=links.encode(group) or "")

    assert len(page.header[0].value) < 150
    assert name(page).startswith("payments-payments")
