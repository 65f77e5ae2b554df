"""Which releases a prediction holds for, and the known defects beside which it is exact.

Sources: docs/exactness.md; KAFKA-16277 (sticky of Java clients before 3.7.1), aiokafka#1176.
"""

from collections.abc import Iterable
from typing import Final

from assignors.strategy import Strategy, StrategyKind

_JAVA: Final = "Kafka's Java clients 3.7.1 to 4.4.0"
_BROKERS: Final = {
    "uniform": "Kafka's brokers 4.0.0",
    "uniform-kafka-18688": "Kafka's brokers 4.0.1 to 4.4.0",
    "server-range": "Kafka's brokers 4.0.0 to 4.4.0",
}
_STICKY_BEFORE: Final = (
    "Java clients 3.5.0 to 3.7.0 lack KAFKA-16277: as many partitions for each, not always the same"
)
_DEFECTS: Final = {
    "aiokafka-sticky": (
        "aiokafka's members send no generation (aiokafka#1176), so a claim from before a missed "
        "rebalance counts"
    ),
    "kafka-python-cooperative-sticky": (
        "kafka-python's members send no generation, so a claim from before a missed rebalance "
        "counts"
    ),
    "sticky": _STICKY_BEFORE,
    "cooperative-sticky": _STICKY_BEFORE,
}


def release_of(strategy: Strategy) -> str:
    """Return the releases whose assignment is predicted; "" for strategies of no client."""
    if strategy.kind is StrategyKind.OTHER_CLIENT:
        return strategy.sources[0]
    if strategy.name in _BROKERS:
        return _BROKERS[strategy.name]
    return _JAVA if (strategy.client_class or "").startswith("org.apache.kafka.") else ""


def holds_for(strategies: Iterable[Strategy]) -> str:
    """Return in sentences what "exact" holds for among these strategies; "" if for no client.

    >>> from assignors.catalogue import strategy_called
    >>> holds_for([strategy_called("librdkafka-range")])
    'Exact: as confluentinc/librdkafka v2.16.0 assigns.'
    """
    shown = list(strategies)
    releases = dict.fromkeys(filter(None, map(release_of, shown)))
    defects = dict.fromkeys(_DEFECTS[each.name] for each in shown if each.name in _DEFECTS)
    exact = (
        f"Exact: as {' and '.join(releases)} {_verb(len(releases), releases)}." if releases else ""
    )
    return " ".join([exact, *(f"{each}." for each in defects)]).strip()


def _verb(count: int, releases: Iterable[str]) -> str:
    is_one_library = count == 1 and next(iter(releases)) not in {_JAVA, *_BROKERS.values()}
    return "assigns" if is_one_library else "assign"
