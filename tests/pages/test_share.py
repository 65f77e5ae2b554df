"""Sharing as a user sees it, without a browser: opening links and creating them."""

import random
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from assignors.model import Group
from evaluation.assuming.clients import JAVA
from evaluation.configuration import configuration
from sources import links, samples
from sources.group_json import encode
from tests.pages.compare_page import copied_link, name, open_example, opened, paste, size

SHARED = Group.fresh({"payments": 5}, ["p0", "p1"], lags={"payments": [1, 2, 3, 4, 5]})
LINK = links.encode(SHARED) or ""


def share(page: AppTest) -> AppTest:
    page.session_state["present"] = True
    page.run()
    assert not page.exception
    return page


def test_a_link_with_a_group_shows_that_group() -> None:
    page = opened(group=LINK)

    assert name(page) == "A shared group"
    assert size(page) == "2 consumers · 1 topic · 5 partitions · 15 records behind"
    assert not page.error


def test_a_link_keeps_the_name_that_the_group_had_on_screen() -> None:
    title = name(opened())
    page = share(opened())
    link = copied_link(page)
    query = {name: values[0] for name, values in parse_qs(link.partition("?")[2]).items()}

    shared = opened(**query)

    assert name(shared) == title
    assert title != samples.load(samples.SAMPLES[0].id).group.id


def test_a_group_in_the_link_comes_before_an_example_in_it() -> None:
    page = opened(group=LINK, example=samples.SAMPLES[1].title)

    assert name(page) == "A shared group"


def test_an_example_in_the_address_stays_while_it_is_on_screen() -> None:
    title = samples.SAMPLES[1].title
    page = opened(example=title)
    assert name(page) == title
    assert page.query_params["example"] in (title, [title])

    paste(page, encode(SHARED).decode())

    assert name(page) != title
    assert "example" not in page.query_params


@pytest.mark.parametrize("text", [LINK[:-9], "z1.~", "orders", ""])
def test_a_broken_link_gives_one_sentence_and_the_first_example(text: str) -> None:
    page = opened(group=text)

    assert len(page.error) == 1
    assert page.error[0].value.startswith("The link could not be opened: this link ")
    assert name(page) == samples.SAMPLES[0].title


def test_the_sentence_goes_when_something_else_is_opened() -> None:
    page = opened(group="broken")

    open_example(page, samples.SAMPLES[1].id)

    assert not page.error
    assert name(page) == samples.SAMPLES[1].title


def test_the_link_leaves_the_address_when_something_else_is_opened() -> None:
    page = opened(group=LINK)
    before = "group" in page.query_params

    open_example(page, samples.SAMPLES[1].id)

    assert before
    assert "group" not in page.query_params


def test_a_shared_group_opens_on_the_rebalance_page_too() -> None:
    page = opened(group=LINK)

    page.switch_page("pages/rebalance.py").run()

    assert "**A shared group**" in page.main.markdown[0].value


def test_the_link_that_is_offered_opens_the_group_on_screen() -> None:
    page = share(opened(example=samples.SAMPLES[1].title))
    offered = copied_link(page)

    other = opened(group=offered.partition("group=")[2].partition("&")[0])

    assert size(other) == size(page)


def test_the_link_keeps_what_was_chosen_on_the_page() -> None:
    page = share(opened(view="Topics", example=samples.SAMPLES[1].title))

    offered = copied_link(page)

    assert "view=Topics" in offered
    assert "example=" not in offered


def test_a_group_too_large_for_a_link_is_offered_as_a_file() -> None:
    drawn = random.Random(5)  # noqa: S311 -- the same names every time
    names = [drawn.randbytes(100).hex() for _ in range(99)]  # nothing that packing would shorten
    page = opened(strategies="Range")
    paste(page, "TOPIC PARTITION LAG\n" + "".join(f"{name} 0 1\n" for name in names))

    page = share(page)

    assert not copied_link(page)
    assert any("too much for a link of 8,000 characters" in text.value for text in page.markdown)
    assert "Group as JSON" in [button.label for button in page.download_button]


def test_the_report_and_every_table_can_be_taken_away() -> None:
    tables = [
        {b.label for b in opened(view=v).download_button}
        for v in ("Consumers", "Partitions", "Fewest moves")
    ]
    files = {b.label for b in share(opened()).download_button}

    assert all(found >= {"CSV", "JSON"} for found in tables)
    assert files >= {"Report", "Slides as HTML", "Group as JSON"}


def test_the_consumers_under_every_strategy_are_listed_and_searched() -> None:
    page = opened(group=LINK, view="Consumers", strategies="Range")

    everybody = page.dataframe[0].value
    page.text_input(key="consumer_search").set_value("p1").run()

    assert everybody[["consumer", "partitions", "lag"]].to_numpy().tolist() == [
        ["p1", 2, 9],  # the busiest first
        ["p0", 3, 6],
    ]
    assert page.dataframe[0].value["consumer"].tolist() == ["p1"]


def test_what_to_set_for_a_compared_strategy_is_shown() -> None:
    page = opened(strategies="Uniform (Kafka 4.0.0)", view="Consumers")

    shown = [code.value for code in page.code]

    assert "group.protocol=consumer\ngroup.remote.assignor=uniform" in shown


def test_every_strategy_says_how_to_use_it() -> None:
    page = opened().switch_page("pages/strategies.py").run()

    steps = [s for each in JAVA.strategies for s in configuration(each, JAVA).steps]

    assert [code.value for code in page.code] == [step.settings for step in steps]
    how = [each for each in page.expander if each.label == "How to configure it"]
    assert len(how) == len(JAVA.strategies)
