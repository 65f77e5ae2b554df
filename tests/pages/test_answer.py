"""The conclusion of the Compare page and its controls, without a browser."""

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from assignors.model import UNKNOWN, Group
from assignors.registry import STRATEGIES
from sources import links, samples
from sources.text import read_text
from tests.pages.compare_page import (
    PASTE,
    button,
    conclusion,
    drawings,
    figures,
    metrics,
    open_example,
    opened,
    panels,
    paste,
    seen,
    size,
    texts,
    typed,
)

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
    page.session_state["share"] = True
    page.run()

    typed(page, 0, "lag", "5000")

    offered = next(code.value for code in page.code if "group=" in code.value)
    text = offered.partition("group=")[2].partition("&")[0]
    assert links.decode(text).group.lags.tolist() == [5000, 2, UNKNOWN]


def test_undo_and_reset_work_right_after_the_first_edit() -> None:
    page = edited_lags()
    before = button(page, "Undo").disabled

    typed(page, 0, "lag", "5000")

    assert before
    assert not button(page, "Undo").disabled
    assert button(page, "Reset")


def test_the_answer_follows_an_edit_of_the_same_run() -> None:
    page = edited_lags()

    typed(page, 0, "lag", "5000")

    assert "The busiest consumer is 5,002 records behind now" in conclusion(page)
    assert metrics(page)["Busiest now"] == ("5,002", "was 102")
    assert metrics(page)["Total lag"] == ("5,002", "was 102")
    assert panels(page)[0].endswith("**5,002** (was 102)")
    assert "Compared with what was opened: 1 changed lag" in texts(page)


def test_a_changed_figure_of_a_strategy_is_shown_beside_its_previous_value() -> None:
    page = opened(edit="true", table="Topics", group=NO_OWNERS, strategies=["Range", "Round robin"])

    button(page, "+1").click().run()

    robin, range_ = panels(page)
    assert robin.endswith("**50** (was 60)")
    assert range_.endswith("**70** (unchanged)")
    assert "Compared with what was opened: 1 more consumer" in texts(page)


def test_a_state_is_pinned_and_unpinned_as_the_baseline() -> None:
    page = edited_lags()
    typed(page, 0, "lag", "5000")

    button(page, "Pin as baseline").click().run()
    pinned = metrics(page)["Busiest now"][1]
    typed(page, 0, "lag", "6000")
    against_pinned = metrics(page)["Busiest now"], texts(page)
    button(page, "Unpin").click().run()

    assert "was" not in pinned
    assert against_pinned[0] == ("6,002", "was 5,002")
    assert "Compared with the pinned baseline: 1 changed lag" in against_pinned[1]
    assert metrics(page)["Busiest now"] == ("6,002", "was 102")


def test_reset_goes_back_to_what_was_opened_and_says_no_more_was() -> None:
    page = edited_lags()
    typed(page, 0, "lag", "5000")

    button(page, "Reset").click().run()

    assert metrics(page)["Busiest now"][0] == "102"
    assert "was" not in metrics(page)["Busiest now"][1]
    assert "Compared with" not in texts(page)


def test_a_group_without_consumers_shows_its_backlog_and_takes_consumers() -> None:
    page = opened()
    paste(page, NO_CONSUMERS)
    said, controls = conclusion(page), [found.label for found in page.button]

    button(page, "Add 2 consumers").click().run()

    assert said == ("This group has no consumers; 102 records wait in 2 partitions.")
    assert "Add 2 consumers" in controls
    assert not page.exception
    assert size(page).startswith("2 consumers, 1 topic, 2 partitions")
    assert metrics(page)["Total lag"][0] == "102"
    assert "would leave the busiest consumer with 100 records" in conclusion(page)


@pytest.mark.parametrize("link", [PASTED, NO_OWNERS], ids=["owners", "no owners"])
def test_without_a_strategy_the_total_lag_stays_known(link: str) -> None:
    page = opened(group=link)
    before = metrics(page)["Total lag"]

    page.pills(key="strategies").set_value([]).run()

    assert not page.exception
    assert metrics(page)["Total lag"] == before
    assert before[0] in {"102", "100"}


def test_the_title_names_the_group_and_the_size_follows_every_edit() -> None:
    page = opened(edit="true")
    title = page.title[0].value

    button(page, "+10").click().run()

    assert page.title[0].value == title
    assert not any(character.isdigit() for character in title)
    assert size(page) == "22 consumers, 8 topics, 134 partitions, edited"


def test_after_undo_the_picker_names_the_example_on_screen() -> None:
    first, second = samples.SAMPLES[1], samples.SAMPLES[2]
    page = opened()
    open_example(page, first.id)
    open_example(page, second.id)

    button(page, "Undo").click().run()

    assert seen(page.title[0].value) == first.title
    assert page.selectbox(key="example").value == first.title


def test_the_picker_names_no_example_over_a_paste() -> None:
    page = opened()
    paste(page, PASTE)

    page.segmented_control(key="start").set_value("Example").run()

    assert page.selectbox(key="example").value is None


@pytest.mark.parametrize("sample", samples.SAMPLES[:6], ids=lambda sample: sample.id)
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
    assert len(told["slides"]) >= 3
    assert all(slide["title"].endswith(".") for slide in told["slides"])
    assert not page.get("plotly_chart")
    assert not drawings(page)
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


def test_the_best_custom_strategy_is_chosen_for_each_group() -> None:
    page = opened(strategies="Best custom assignor")
    first = set(figures(page).index)

    paste(page, PASTE)

    assert first == {"As it is now", "Load-sticky"}
    assert set(figures(page).index) == {"As it is now", "Load-sticky"}


def test_both_recommendations_say_what_to_set() -> None:
    page = opened()

    shown = "\n".join(code.value for code in page.code)
    assert "RoundRobinAssignor" in shown
    assert metrics(page)["Best setting today"][1] == "Round robin"
    assert metrics(page)["Best custom"][1] == "Load-sticky"


def test_every_panel_is_labelled_with_the_strategys_kind_and_the_best_comes_first() -> None:
    page = opened()

    shown = panels(page)

    assert shown[0].startswith("**As it is now**")
    kinds = {s.label: s.kind.value for s in STRATEGIES.values()}
    labels = [panel.partition("**")[2].partition("**")[0] for panel in shown[1:]]
    badges = [f":blue-badge[{kinds[label]}]" for label in labels]
    assert all(badge in panel for badge, panel in zip(badges, shown[1:], strict=True))
    assert figures(page)["Max lag"].loc[labels].is_monotonic_increasing


def test_a_read_paste_closes_its_form_and_a_failed_one_stays() -> None:
    page = opened()

    paste(page, "no table here")
    failed = page.segmented_control(key="start").value
    paste(page, PASTE)

    assert failed == "Paste"
    assert page.segmented_control(key="start").value is None
    assert not page.text_area


def test_a_very_long_name_is_cut_in_the_title_and_whole_on_hover() -> None:
    name = "payments-" * 25
    group = replace(Group.fresh({"t": 1}, ["a"], lags={"t": [1]}), id=name)

    page = opened(group=links.encode(group) or "")

    assert len(page.title[0].value) < 100
    assert seen(page.title[0].value).startswith("payments-payments")
