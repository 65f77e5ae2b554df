"""Metrics that count a group's members and name none: nothing is proposed, and nobody is said."""

from tests.pages.compare_page import alarm, band, opened, paste, size
from tests.said import lacks

METRICS = """kafka_consumergroup_lag{consumergroup="g",partition="0",topic="t"} 1200
kafka_consumergroup_lag{consumergroup="g",partition="1",topic="t"} 40
kafka_consumergroup_members{consumergroup="g"} 1
"""


def test_owners_that_the_metrics_lack_are_unknown_and_no_strategy_is_proposed() -> None:
    page = opened()

    paste(page, METRICS)

    assert "--describe" in band(page)["action"]  # what names them, and no strategy
    assert [button["key"] for button in band(page)["buttons"]] == ["add"]
    owners = {row[1] for row in alarm(page)["beside"]["rows"]}
    assert owners == {"unknown"}


def test_consumers_that_the_metrics_lack_are_unknown_and_not_none() -> None:
    page = opened()

    paste(page, "".join(METRICS.splitlines(keepends=True)[:2]))

    assert not lacks(size(page), "unknown", "1 topic", "2 partitions")
