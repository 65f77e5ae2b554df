"""The choice "Which client?" as a user sees it, without a browser."""

import json
from collections.abc import Sequence

import pytest
from streamlit.testing.v1 import AppTest

from assignors.clients.registry import ALL_STRATEGIES
from assignors.strategy import Strategy
from evaluation.assuming.clients import CLIENTS, JAVA, client_of
from evaluation.releases import holds_for
from tests.named import named
from tests.pages.compare_page import (
    changing,
    columns,
    copied_link,
    figures,
    opened,
    opened_alone,
    paste,
    press,
    texts,
    verdict,
)
from tests.pages.test_share import share

KAFKAJS, LIBRDKAFKA = CLIENTS["kafkajs"], CLIENTS["librdkafka"]


def choose(page: AppTest, client: str) -> None:
    changing(page).selectbox(key="client").set_value(client).run()
    assert not page.exception


def compared(page: AppTest) -> set[str]:
    return set(figures(page).index) - {"As it is now"}


def labels(strategies: Sequence[Strategy]) -> set[str]:
    return {strategy.label for strategy in strategies}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("name", ["compare", "rebalance", "capacity", "strategies"])
def test_every_page_opens_for_every_client(client: str, name: str) -> None:
    page = opened_alone(name, client=client)

    assert not page.error
    page = changing(page) if name == "compare" else page
    assert page.selectbox(key="client").value == client


def test_the_strategies_compared_are_those_of_the_client() -> None:
    page = opened()

    choose(page, "librdkafka")

    assert compared(page) == labels(LIBRDKAFKA.settable) - labels(named("uniform"))


def test_java_is_the_client_until_another_is_chosen() -> None:
    page = changing(opened())

    assert page.selectbox(key="client").value == JAVA.name
    assert "client" not in page.query_params


def test_an_unknown_client_in_the_link_is_java() -> None:
    page = changing(opened(client="kafka-rs"))

    assert page.selectbox(key="client").value == JAVA.name


def test_advice_keeps_to_what_the_client_can_do() -> None:
    on_librdkafka, on_kafkajs = opened(client="librdkafka"), opened(client="kafkajs")

    assert set(columns(on_librdkafka)) <= {"As it is now", *labels(LIBRDKAFKA.settable)}
    assert any(label in verdict(on_librdkafka) for label in labels(LIBRDKAFKA.settable))
    assert set(columns(on_kafkajs)) & labels(KAFKAJS.custom)


def test_what_to_set_is_in_the_client_s_words() -> None:
    page = opened(client="kafka-go", total_rate="100")
    press(page, "switch")

    shown = [code.value for code in page.code]

    assert any("GroupBalancers: []kafka.GroupBalancer{" in code for code in shown)
    assert not any("org.apache.kafka" in code for code in shown)


def test_the_client_is_in_the_link_that_is_shared() -> None:
    page = share(opened(client="sarama"))

    assert "client=sarama" in copied_link(page)


def test_the_client_outlasts_undo_and_another_page() -> None:
    page = opened(client="franz-go")
    paste(page, "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
                "\ng t 0 1 2 1 a /1.1.1.1 a\n")  # fmt: skip

    next(found for found in page.button if found.label == "Undo").click().run()
    page.switch_page("pages/rebalance.py").run()
    page.switch_page("pages/compare.py").run()

    assert "franz-go" in page.query_params["client"]
    assert changing(page).selectbox(key="client").value == "franz-go"


def test_what_a_link_says_outlasts_another_page_which_has_no_link() -> None:
    label = ALL_STRATEGIES["franz-go-range"].label
    page = opened(client="franz-go", judge="partitions", **{"franz-go_strategies": [label]})

    for name in ("rebalance", "compare"):
        page.query_params.clear()
        page.switch_page(f"pages/{name}.py").run()

    assert compared(page) == {label}
    assert label in page.query_params["franz-go_strategies"]
    assert "partitions" in page.query_params["judge"]
    assert changing(page).selectbox(key="client").value == "franz-go"


def test_the_strategies_page_lists_those_of_the_client() -> None:
    page = opened(client="sarama").switch_page("pages/strategies.py").run()

    shown = {title.value for title in page.subheader}

    assert shown == labels(CLIENTS["sarama"].strategies)


def test_the_strategies_page_ticks_what_each_strategy_looks_at() -> None:
    page = opened().switch_page("pages/strategies.py").run()

    table = page.dataframe[0].value.set_index("Strategy")
    ticked = {label: set(row.index[row == "✓"]) for label, row in table.iterrows()}
    assert ticked[ALL_STRATEGIES["range"].label] == {"Racks", "Static ids"}
    assert ticked[ALL_STRATEGIES["roundrobin"].label] == {"Static ids"}
    assert ticked[ALL_STRATEGIES["lag-based"].label] == {"Lag"}
    assert ticked[ALL_STRATEGIES["sticky"].label] == {"Racks", "Present owners", "Listing order"}
    said = [text.value for text in page.markdown]
    assert "**Looks at:** racks and static ids." in said
    assert f"**Prediction:** {holds_for([ALL_STRATEGIES['range']])}" in said


FRESH = "KIP-49: roundrobin fails with unequal subscriptions"
COUNTS_ONLY = ("Uniform (Kafka 4.0.1+)", "counts only")


def badges(page: AppTest) -> dict[str, str]:
    """Return what is uncertain of each strategy, as its column says."""
    shown = columns(page)
    return {label: column["doubt"] for label, column in shown.items() if column["doubt"]}


def test_where_new_ids_decide_after_a_switch_the_row_gives_the_range_and_the_panel_one_figure() -> (
    None
):
    page = opened()

    said = figures(page)["Prediction"].to_dict()
    drawn = {label for label, text in said.items() if " to " in text}
    assert badges(page) == {}
    assert drawn == {"Sticky", "Cooperative sticky", COUNTS_ONLY[0]}  # Range is assumed to run
    assert said["Load-sticky"] == "after a switch"  # of which the first figure is one simulation
    assert said["Round robin"] == "after a switch"


def test_what_changes_nothing_stands_with_the_present_owners() -> None:
    page = opened(example=FRESH, strategies=["Range", "Round robin"])

    shown = columns(page)
    assert len({json.dumps(column["cells"]) for column in shown.values()}) == len(shown)


def test_a_group_under_its_own_strategy_is_shown_at_its_next_rebalance() -> None:
    page = opened(runs="uniform-kafka-18688")

    assert badges(page)[COUNTS_ONLY[0]] == COUNTS_ONLY[1]
    assert figures(page)["Prediction"][COUNTS_ONLY[0]] == COUNTS_ONLY[1]


def test_a_link_with_a_former_name_of_a_strategy_opens_it() -> None:
    page = opened(strategies=["Range", "Lag-sticky"])

    assert set(figures(page).index) >= {"As it is now", "Range", "Load-sticky"}


def test_where_all_predictions_are_exact_none_is_marked() -> None:
    page = opened(strategies=["Range", "Round robin"], example=FRESH)

    assert not badges(page)
    assert "Prediction" not in figures(page)


def test_the_strategy_drawn_in_a_rebalance_says_what_is_known_of_it() -> None:
    page = opened(strategies=COUNTS_ONLY[0]).switch_page("pages/rebalance.py").run()

    assert f":orange-badge[{COUNTS_ONLY[1]}]" in texts(page)


@pytest.mark.parametrize("client", sorted(set(CLIENTS) - {JAVA.name}))
def test_the_decisions_explained_are_those_of_the_client(client: str) -> None:
    page = opened(client=client, view="Why")

    name = str(page.selectbox(key="explained").value)

    assert client_of(ALL_STRATEGIES[name]) is CLIENTS[client]
    assert f"under {ALL_STRATEGIES[name].label}:" in texts(page)
    decided = next(t.value for t in page.dataframe if "What decided" in t.value)
    assert len(decided) == 134
