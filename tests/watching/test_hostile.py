"""A server of metrics that lies, and names that attack: a poll goes on, and says it in a line."""

import time
from collections.abc import Mapping
from typing import Final

import pytest
from prometheus_client.exposition import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from sources.metrics import metrics_of
from tests.metrics.stub import prometheus, serving
from tests.metrics.test_hostile import Respond, drip, elsewhere, flood, nothing, sends
from tests.watching.test_metered import Samples, add
from tests.watching.test_watch import Polled
from watching.metered import WatchedMetrics

_NOW: Final = int(time.time()) // 15 * 15 - 15
_MOST: Final = '"9223372036854775807"'


def _polled(url: str) -> Polled:
    return Polled(WatchedMetrics(metrics_of(url, None, None), (), 1.0, lambda: False))


def _of(labels: str, value: str = '"5"', at: float = _NOW) -> Respond:
    """Return what answers every query with one series."""
    name = '"__name__":"kafka_consumergroup_current_offset"'
    series = f'{{"metric":{{{name},{labels}}},"values":[[{at},{value}]],"value":[{at},{value}]}}'
    body = f'{{"status":"success","data":{{"result":[{series}]}}}}'
    return sends(body.encode(errors="surrogatepass"))


_USUAL: Final = '"consumergroup":"g","topic":"t","partition":"0"'


@pytest.mark.parametrize(
    "respond",
    [
        *(drip, flood, nothing, elsewhere),
        *(sends(b""), sends(b"null"), sends(b"{}"), sends(b"\xff\xfe"), sends(b"[]", 429)),
        sends(b'{"status":"success","data":{"result":[]}}'),
        sends(b'{"status":"success","data":null}'),
        sends(b'{"status":"error","error":"' + b"x" * 100_000 + b'"}', 422),
        *(
            _of(_USUAL, value)
            for value in ('"NaN"', '"+Inf"', '"-1"', '"1e308"', _MOST, "null", "5")
        ),
        *(_of(_USUAL, at=at) for at in (-1.0, 1e300, 0.5)),
        _of('"consumergroup":"g","topic":"t","partition":"9999999999999999999"'),
        _of('"consumergroup":"g","topic":"t","partition":"-1"'),
        _of('"consumergroup":"g","topic":"t","partition":"\u00b2"'),
        _of('"consumergroup":"","topic":"","partition":""'),
        _of('"consumergroup":"\\ud800","topic":"\\u0000","partition":"0"'),
        _of(f'"consumergroup":"{"g" * 200_000}","topic":"t","partition":"0"'),
        _of(",".join([_USUAL, *(f'"l{n}":"v"' for n in range(5_000))])),
        _of('"consumergroup":["g"],"topic":{},"partition":0'),
    ],
)
def test_whatever_a_server_answers_a_poll_ends_with_a_line(respond: Respond) -> None:
    with serving(respond) as url:
        polled = _polled(url)
        began_s = time.monotonic()
        polled.poll()

    assert time.monotonic() - began_s < 60
    assert len(polled.said) == 1
    assert "\n" not in polled.said[0]
    assert len(polled.said[0]) < 1_500
    _readable(polled)


@pytest.mark.parametrize(
    "name",
    [
        "a\\b", "a{b=c}", "\u202egroup", "g" * 4_000, "'; drop", "$(reboot)", ".*", "[31m",
        "<script>", "🦑", " ", "%s%n", "{{.}}",
    ],
)  # fmt: skip
def test_a_hostile_group_of_metrics_is_published_by_its_name(name: str) -> None:
    table: Samples = {}
    now = int(time.time()) // 15 * 15 - 15  # not of the import, which may be long ago
    add(table, now, (100, 100), (90, 80))
    quoted: Mapping[str, dict[int, float | None]] = {
        each.replace('consumergroup="g"', f'consumergroup="{name}"'): samples
        for each, samples in table.items()
    }
    with prometheus(quoted) as url:
        polled = _polled(url)
        polled.poll(2)

    (state,) = polled.watch.found().states
    assert state.group == name
    _readable(polled)


def _readable(polled: Polled) -> None:
    """Check that Prometheus' own parser takes what is published."""
    text = generate_latest(polled.registry).decode()
    families = {family.name for family in text_string_to_metric_families(text)}
    assert "kafka_assignments_up" in families
