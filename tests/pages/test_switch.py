"""The view "Switch" of the Compare page as a user sees it, without a browser."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages import compare_page
from tests.pages.compare_page import PASTE, texts
from tests.pages.test_one_set_of_facts import described
from tests.said import lacks


def said(page: AppTest) -> str:
    return next(text.value for text in page.main.markdown if "busiest consumer" in text.value)


def test_a_switch_tells_what_it_brings_what_the_way_costs_and_the_steps() -> None:
    page = compare_page.opened(
        view="How to switch", switch_from="range", switch_to="cooperative-sticky"
    )

    assert not lacks(said(page), "72.7 k", "k** records", "ids", "Two", "12 consumers")
    assert sum("olling restart" in text.value for text in page.markdown) >= 2


def test_what_the_verdict_proposes_is_what_to_switch_to_even_if_it_takes_a_jar() -> None:
    page = compare_page.opened(view="How to switch", example="Orders: one busy partition")

    assert page.selectbox(key="switch_to").value == "load-sticky"
    assert "LoadStickyAssignor" in page.code[0].value + page.code[-1].value


def test_what_piles_up_on_the_way_is_said_where_rates_are_known() -> None:
    page = compare_page.opened(view="How to switch", switch_from="range", switch_to="sticky")
    assert "pile up" not in said(page)

    compare_page.paste(page, described(0) + described(1))

    assert not lacks(said(page), "on average", "pile up")


def test_a_strategy_that_runs_already_is_shown_at_its_next_rebalance() -> None:
    page = compare_page.opened(
        view="How to switch", switch_from="cooperative-sticky", switch_to="cooperative-sticky"
    )

    assert not lacks(said(page), "45", "134")
    assert any(len(found.value) == 45 for found in page.dataframe)


def test_an_upgrade_of_the_brokers_changes_nothing_on_the_consumers() -> None:
    page = compare_page.opened(
        view="How to switch", switch_from="uniform", switch_to="uniform-kafka-18688"
    )

    assert page.code[-1].value.startswith("kafka-features.sh")


def test_a_group_that_owns_nothing_starts_from_what_it_uses() -> None:
    page = compare_page.opened(
        view="How to switch",
        switch_from="range",
        switch_to="range",
        example="KIP-49: roundrobin fails with unequal subscriptions",
    )

    assert "**0 of" in said(page)
    assert not page.error


def test_a_paste_switches_from_the_owners_it_shows() -> None:
    page = compare_page.opened(view="How to switch", switch_to="roundrobin")

    compare_page.paste(page, PASTE)

    assert not lacks(said(page), "3 partitions")


@pytest.mark.proof
def test_one_run_of_the_way_is_there_to_step_through_and_static_ids_are_advised() -> None:
    page = compare_page.opened(
        view="How to switch", switch_from="range", switch_to="cooperative-sticky", restarts="quick"
    )

    steps = next(table.value for table in page.dataframe if "What happens" in table.value)

    assert len(steps) == 24
    assert steps["Assigned by"].tolist() == ["Range"] * 11 + ["Cooperative sticky"] * 13
    assert not lacks(texts(page), "group.instance.id", "nobody")


def test_a_restart_that_the_group_notices_is_two_rebalances() -> None:
    page = compare_page.opened(
        view="How to switch", switch_from="range", switch_to="cooperative-sticky"
    )

    steps = next(table.value for table in page.dataframe if "What happens" in table.value)

    assert len(steps) == 48
    assert steps["What happens"][0].endswith("leaves")


def test_static_ids_are_advised_only_where_chance_decides_what_stays() -> None:
    static = "every later restart draws"
    by_chance = compare_page.opened(view="How to switch", switch_from="range", switch_to="sticky")
    by_rule = compare_page.opened(view="How to switch", switch_from="range", switch_to="roundrobin")

    assert static in texts(by_chance)
    assert static not in texts(by_rule)
