"""The view "Explain" of the Compare page as a user sees it, without a browser."""

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from assignors.registry import STRATEGIES
from evaluation.answering.compose import answer_of
from evaluation.answering.why_not_words import why_not_words
from evaluation.assuming.clients import JAVA
from sources import samples
from sources.asking import given_of
from tests.pages import compare_page
from tests.pages.compare_page import EXAMPLES, texts
from tests.pasted import the_group
from tests.said import lacks
from ui.untrusted import verbatim

HEADER = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


def opened(**link: str) -> AppTest:
    """Return the page with this view open."""
    return compare_page.opened(view="Why", **link)


def described(owners: list[str]) -> str:
    """Return a description of topic ``odd_name`` whose partitions have these owners."""
    rows = (f"g odd_name {n} 1 2 1 {owner} /10.0.0.1 app" for n, owner in enumerate(owners))
    return HEADER + "\n".join(rows)


def paste(page: AppTest, owners: list[str]) -> None:
    """Paste such a description."""
    compare_page.paste(page, described(owners))


def table(page: AppTest, column: str) -> pd.DataFrame:
    return next(found.value for found in page.dataframe if column in found.value)


@pytest.mark.parametrize("sample", EXAMPLES)
def test_every_example_is_explained(sample: samples.Example) -> None:
    page = opened(example=sample.title)

    assert not page.error
    assert "owns" in texts(page)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_is_explained_from_its_link(name: str) -> None:
    page = opened(explained=STRATEGIES[name].label)

    assert page.selectbox(key="explained").value == name
    assert not page.error
    assert len(table(page, "What decided")) == 134


def test_the_strategies_that_explain_a_paste_are_named() -> None:
    page = opened()

    paste(page, ["a", "a", "a", "b", "b"])

    assert "give exactly what is there now" in texts(page)
    found = table(page, "Started from")
    fits = found[found["Strategy"] == STRATEGIES["range"].label].iloc[0]
    assert (fits["Same owner"], fits["Fits"]) == (5, "exactly")
    old = found[found["Strategy"] == "Sticky as of KAFKA-12464"]
    assert set(old["Takes"]) == {"earlier release"}


def test_a_paste_that_no_strategy_explains_shows_the_differences() -> None:
    page = opened()

    paste(page, ["a", "a", "b", "b", "b"])

    found = table(page, "Started from")
    fits = found[found["Strategy"] == STRATEGIES["range"].label].iloc[0]
    assert (fits["Same owner"], fits["Partitions with another owner"]) == (4, "odd_name-2")


def test_the_steps_of_a_chosen_partition_are_shown_with_names_as_they_stand() -> None:
    page = opened(explained=STRATEGIES["range"].label)
    paste(page, ["a", "a", "a", "b", "b"])

    page.number_input(key="explained_partition").set_value(3).run()

    assert not page.exception
    shown = texts(page)
    assert not lacks(shown, "odd_name-3 under", "Range")
    assert "Quota:" in shown
    assert not lacks(shown, "2nd block", "3", "4")


def test_a_partition_is_chosen_from_the_link() -> None:
    page = opened(explained_topic="orders", explained_partition="7")

    assert "orders-7 under" in texts(page)


def test_nonsense_in_the_link_is_ignored() -> None:
    page = opened(
        explained="nonsense",
        explained_topic="nowhere",
        explained_partition="99999",
        decision="-5",
        explained_consumer="nobody at all",
    )

    assert not page.error
    assert "owns" in texts(page)


def test_the_slider_walks_through_all_decisions() -> None:
    page = opened()
    paste(page, ["a", "a", "a", "b", "b"])

    page.slider(key="decision").set_value(5).run()

    assert not page.exception
    assert "Decision 5 of 5" in texts(page)
    assert table(page, "So far")["So far"].tolist() == [3, 2]


def test_the_decisions_of_one_consumer_can_be_picked() -> None:
    page = opened()
    paste(page, ["a", "a", "a", "b", "b"])

    page.selectbox(key="explained_consumer").set_value("b").run()

    assert not page.exception
    assert table(page, "What decided")["Partition"].tolist() == ["odd_name-3", "odd_name-4"]


def test_choices_that_a_new_group_does_not_offer_are_forgotten() -> None:
    page = opened()
    paste(page, ["a", "a", "a", "b", "b"])
    page.number_input(key="explained_partition").set_value(4).run()
    page.slider(key="decision").set_value(5).run()
    page.selectbox(key="explained_consumer").set_value("b").run()

    compare_page.open_example(page, "kip-49")
    paste(page, ["x"])

    assert not page.error
    assert "x owns" in texts(page)


@pytest.mark.proof
def test_a_large_group_is_explained_one_partition_or_one_consumer_at_a_time() -> None:
    large = next(sample for sample in samples.SAMPLES if sample.id == "large")
    page = opened(example=large.title)
    consumer = page.selectbox(key="explained_consumer").options[1]

    page.selectbox(key="explained_consumer").set_value(consumer).run()

    assert not page.exception
    assert any("one is explained at a time" in caption.value for caption in page.caption)
    assert set(table(page, "What decided")["Consumer"]) == {consumer}


@pytest.mark.proof
def test_a_strategy_that_a_switch_would_take_is_said_to_be_explained_with_todays_ids() -> None:
    today = "With today's ids and owners, to show how"
    other = opened(explained=STRATEGIES["range"].label, runs="sticky")
    own = opened(explained=STRATEGIES["range"].label, runs="range")

    assert today in compare_page.texts(other)
    assert today not in compare_page.texts(own)


def test_each_strategy_says_why_it_is_not_proposed() -> None:
    page = opened()

    paste(page, owners := ["a", "a", "b", "b", "b"])

    listed = next(each.value for each in page.markdown if "- **As it is now**" in each.value)
    answer = answer_of(given_of(the_group(described(owners))), shown=JAVA.strategies)
    reasons = {
        option.outcome.label: why_not_words(option, answer)
        for option in answer.strategies
        if option.outcome is not None
    }
    now, *others = listed.splitlines()
    assert "Not proposed" not in now
    assert others
    for line in others:
        reason = reasons.get(line.split("**")[1], "")
        assert ("Not proposed" in line) == bool(reason)
        assert verbatim(reason) in line
    assert "Not proposed" in listed
