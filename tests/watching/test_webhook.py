"""Alerts are sent in order, again after a failure, and never more than can wait."""

import pytest

from tests.patience import await_
from tests.watching.receiver import receiving
from watching.webhook import Webhook, WebhookError


def test_alerts_arrive_in_order_at_the_whole_address() -> None:
    with receiving() as receiver:
        webhook = Webhook(receiver.url)

        for number in range(5):
            webhook.send({"number": number})
        await_(lambda: webhook.counts["sent"] == 5)

    assert [each["number"] for each in receiver.alerts] == [0, 1, 2, 3, 4]
    assert set(receiver.paths) == {"/hook?token=1"}


@pytest.mark.parametrize("status", [500, 503, 429, 408])
def test_a_failure_that_may_pass_is_retried(status: int) -> None:
    with receiving(status, status) as receiver:
        webhook = Webhook(receiver.url, first_pause_s=0.01)

        webhook.send({"number": 1})
        webhook.send({"number": 2})
        await_(lambda: webhook.counts["sent"] == 2)

    assert [each["number"] for each in receiver.alerts] == [1, 2]
    assert webhook.counts["retried"] == 2


@pytest.mark.parametrize("status", [400, 404, 410, 302])
def test_a_refusal_is_not_retried_and_counted(status: int) -> None:
    with receiving(status) as receiver:
        webhook = Webhook(receiver.url, first_pause_s=0.01)

        webhook.send({"number": 1})
        webhook.send({"number": 2})
        await_(lambda: webhook.counts["sent"] == 1)

    assert [each["number"] for each in receiver.alerts] == [2]
    assert webhook.counts == {"sent": 1, "dropped": 1}


def test_what_waits_for_a_receiver_that_is_gone_is_bounded() -> None:
    with receiving() as receiver:
        url = receiver.url
    webhook = Webhook(url, first_pause_s=60.0)

    for number in range(1_500):
        webhook.send({"number": number})

    assert webhook.waiting == 1_000
    assert webhook.counts["dropped"] == 500


def test_stopping_sends_what_waits() -> None:
    with receiving() as receiver:
        webhook = Webhook(receiver.url)
        webhook.send({"number": 1})

        webhook.stop(60.0)

        assert [each["number"] for each in receiver.alerts] == [1]


@pytest.mark.parametrize(
    "url", ["", "ftp://x/y", "hooks.example.com", "https://", "http://[", "http://h:99999/"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(WebhookError, match="webhook"):
        Webhook(url)
