"""On a real broker: a consumer that stops brings one alert, and its return the end of it."""

import signal
import time
from contextlib import ExitStack
from typing import Final

import pytest

from tests.broker.kafka_node import Cluster
from tests.broker.paced import PacedConsumer, PacedProducer
from tests.live.on_a_broker import make_topic
from tests.patience import await_
from tests.watching.receiver import receiving
from tests.watching.test_command import fetched, watching

pytestmark = [pytest.mark.needs("broker"), pytest.mark.proof]
_GROUP, _TOPIC = "guarded", "guarded-topic"
_KIND: Final = "stopped-consumers"
_INTERVAL_S: Final = 40
"""A consumer counts as stopped once it has committed nothing for half a minute, and the polls of a
busy machine are some seconds early or late.
"""


def test_a_consumer_that_stops_brings_one_alert_and_its_return_another(kafka: Cluster) -> None:
    make_topic(kafka.bootstrap, _TOPIC, [0, 0, 0, 0])
    with ExitStack() as stack:
        receiver = stack.enter_context(receiving())
        consumers = [
            stack.enter_context(PacedConsumer(kafka.bootstrap, _GROUP, _TOPIC, name, 400.0))
            for name in ("first", "second")
        ]
        await_(lambda: all(len(each.owned) == 2 for each in consumers))
        stack.enter_context(PacedProducer(kafka.bootstrap, _TOPIC, dict.fromkeys(range(4), 40.0)))
        process, url = stack.enter_context(
            watching(
                *("--bootstrap-server", kafka.bootstrap, "--interval", f"{_INTERVAL_S}s"),
                *("--group", _GROUP, "--cluster", "proof", "--per-consumer"),
                *("--webhook", receiver.url, "--page-url", "http://127.0.0.1:8501"),
            )
        )
        labels = f'cluster="proof",group="{_GROUP}"'
        await_(
            lambda: f'kafka_group_verdict{{{labels},kind="healthy"' in fetched(f"{url}/metrics")[1]
        )
        assert receiver.alerts == []

        consumers[0].stands.set()
        stopped_s = time.monotonic()
        await_(lambda: _KIND in [each["kind"] for each in receiver.alerts])
        took_s = time.monotonic() - stopped_s

        # A busy machine's consumers may have been behind before: then the alert has changed.
        assert [each["event"] for each in receiver.alerts].count("begun") == 1
        begun = receiver.alerts[-1]
        assert begun["kind"] == _KIND
        assert begun["hosts"] == ["127.0.0.1"]
        assert [name.startswith("first") for name in begun["consumers"]] == [True]
        assert "first" in begun["headline"]
        assert begun["action"]
        assert took_s < 3 * _INTERVAL_S + 15  # and the time of a poll on a busy machine
        text = fetched(f"{url}/metrics")[1]
        assert (
            f'kafka_group_verdict{{{labels},kind="stopped-consumers",severity="alarm"}} 1.0' in text
        )
        time.sleep(_INTERVAL_S)
        assert [each["kind"] for each in receiver.alerts].count(_KIND) == 1

        consumers[0].stands.clear()
        await_(lambda: "ended" in [each["event"] for each in receiver.alerts])

        assert [each["event"] for each in receiver.alerts].count("begun") == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
