"""The gallery as a user sees it, without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from assignors.registry import STRATEGIES
from sources.gallery import CARDS, Card, filled
from sources.kind_gallery import KIND_CARDS
from tests.pages import compare_page
from tests.pages.compare_page import figures, open_example, opened_from_menu, seen, verdict
from tests.said import lacks

REPLAYED = [card for card in CARDS if card.guide]


def opened(**link: str) -> AppTest:
    return opened_from_menu("gallery", **link)


def test_every_card_shows_its_surprise_figures_reason_and_way_out() -> None:
    page = opened()

    texts = [text.value for text in page.markdown]
    assert [heading.value for heading in page.subheader] == [
        *(filled(c).surprise for c in CARDS),
        *(c.surprise for c in KIND_CARDS),
    ]
    assert len(page.get("plotly_chart")) == len(CARDS)
    for card in CARDS:
        shown = filled(card)
        assert {shown.happens, f"**Why:** {shown.why}", f"**Instead:** {shown.instead}"} <= set(
            texts
        )


def test_the_cards_are_filtered_by_strategy() -> None:
    page = opened()

    page.pills(key="about").set_value(["cooperative-sticky"]).run()

    about = [card for card in CARDS if "cooperative-sticky" in card.strategies]
    assert [heading.value for heading in page.subheader] == [filled(c).surprise for c in about]


def test_a_link_filters_too() -> None:
    page = opened(about=STRATEGIES["fair"].label)

    assert len(page.subheader) == sum("fair" in card.strategies for card in CARDS)


def test_a_card_opens_its_example_under_its_strategies() -> None:
    card = next(card for card in CARDS if card.id == "sticky-topic-clump-KAFKA-16277")

    page = opened(about=STRATEGIES["sticky"].label).button(key=f"open_{card.id}").click().run()
    page.run()  # in AppTest, a button's switch ends with its run

    assert not page.exception
    page = page.switch_page("pages/compare.py").run()
    assert compare_page.name(page) == filled(card).title
    assert compared(page) == {STRATEGIES[name].label for name in card.strategies}


def compared(page: AppTest) -> set[str]:
    return set(figures(page).index) - {"As it is now"}


def test_the_strategies_of_a_card_hold_for_its_example_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    card = CARDS[0]
    page = compare_page.opened()
    usual = compared(page)
    page.switch_page("pages/gallery.py").run()

    page.button(key=f"open_{card.id}").click().run()
    opened_with = compared(page)
    page.switch_page("pages/compare.py").run()  # in AppTest, a button's switch ends with its run
    open_example(page, "orders")

    assert opened_with == {STRATEGIES[name].label for name in card.strategies}
    assert compared(page) == usual
    assert "default value" not in caplog.text


@pytest.mark.parametrize("card", REPLAYED[:3], ids=lambda card: card.id)
def test_a_card_replays_its_guided_history(card: Card) -> None:
    page = opened().button(key=f"replay_{card.id}").click().run()

    assert not page.exception
    assert card.guide is not None
    assert card.guide.title in seen(page.main.markdown[0].value)
    assert page.selectbox(key="history_step").value == len(card.guide.events)


def test_a_surprise_of_another_kind_opens_with_its_what_if() -> None:
    page = opened()
    page.button(key="open_share-queue").click().run()
    page.switch_page("pages/compare.py").run()

    assert not page.exception
    assert not lacks(verdict(page), "2 consumers")
    assert page.number_input(key="consumers_more").value == 20
