"""A pasted group whose brokers assign: it is recognised, and offered what such a group can set."""

from base64 import urlsafe_b64encode
from hashlib import sha256

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.compare_page import changing, columns, opened, paste, seen, texts
from tests.said import lacks

IDS = [urlsafe_b64encode(sha256(b"%d" % k).digest()[:16]).decode()[:22] for k in range(4)]
HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
LAGS = [9_000, 100, 100, 100, 9_000, 100, 100, 100, 50, 50, 50, 50]


@pytest.fixture
def page() -> AppTest:
    """Return the page with four consumers of three partitions each, two of them with much lag."""
    rows = [
        f"pay cards {p} 1000 {1_000 + lag} {lag} {IDS[p // 3]} /10.0.0.{p // 3} billing-{p // 3}\n"
        for p, lag in enumerate(LAGS)
    ]
    page = opened()
    paste(page, HEAD + "".join(rows))
    return page


def shown(page: AppTest) -> str:
    return seen(" ".join([texts(page), *(code.value for code in page.code)]))


def test_its_strategy_is_one_of_the_brokers(page: AppTest) -> None:
    assert not lacks(shown(page), "Uniform", "4.0.1")


def test_no_setting_of_a_client_is_compared_or_offered(page: AppTest) -> None:
    labels = changing(page).pills(key="broker_strategies").options

    assert labels[:2] == ["Uniform (Kafka 4.0.1+)", "Range (broker)"]
    assert "partition.assignment.strategy" not in shown(page)
    page.session_state["would_help"] = True
    page.run()
    assert {column["takes"] for column in columns(page).values()} <= {"", "broker", "jar"}


def test_its_consumers_go_by_their_client_ids(page: AppTest) -> None:
    page.pills(key="view").set_value("Consumers").run()

    table = next(frame.value for frame in page.dataframe if "consumer" in frame.value)
    assert set(table["consumer"]) == {f"billing-{k}" for k in range(4)}
    assert "billing-1" in shown(page)


def test_the_autoscaler_replays_what_its_brokers_run(page: AppTest) -> None:
    page.switch_page("pages/autoscaler.py").run()

    assert page.selectbox(key="broker_scaled_strategy").value == "uniform-kafka-18688"


def test_capacity_and_its_settings_keep_to_the_brokers_strategies(page: AppTest) -> None:
    page.switch_page("pages/capacity.py").run()

    assert not page.exception
    assert "partition.assignment.strategy" not in shown(page)
