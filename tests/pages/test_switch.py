"""The view "Switch" of the Compare page as a user sees it, without a browser."""

from streamlit.testing.v1 import AppTest

from tests.pages import compare_page
from tests.pages.compare_page import PASTE, texts


def said(page: AppTest) -> str:
    return next(
        text.value
        for text in page.main.markdown
        if " moves**" in text.value or " move**" in text.value
    )


def test_a_switch_tells_what_moves_what_pauses_and_the_steps() -> None:
    page = compare_page.opened(view="Switch")

    assert "**45 of 134 partitions move**, and all 134 pause" in said(page)
    assert "goes from 72.7 k to **51.8 k** records" in said(page)
    assert "First rolling restart" in texts(page)
    assert any(len(found.value) == 45 for found in page.dataframe)


def test_an_upgrade_of_the_brokers_changes_nothing_on_the_consumers() -> None:
    page = compare_page.opened(
        view="Switch", switch_from="uniform", switch_to="uniform-kafka-18688"
    )

    assert "Upgrade the brokers one by one" in texts(page)
    assert page.code[-1].value.startswith("kafka-features.sh")


def test_a_group_that_owns_nothing_starts_from_what_it_uses() -> None:
    page = compare_page.opened(
        view="Switch",
        switch_from="range",
        switch_to="range",
        example="KIP-49: roundrobin fails with unequal subscriptions",
    )

    assert "**0 of" in said(page)
    assert not page.error


def test_a_paste_switches_from_the_owners_it_shows() -> None:
    page = compare_page.opened(view="Switch", switch_to="roundrobin")

    compare_page.paste(page, PASTE)

    assert "**2 of 3 partitions move**" in said(page)
