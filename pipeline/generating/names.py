"""Names in the generated fleet; group ids are distinct by construction."""

from typing import Final

CLUSTERS: Final = ("payments-eu", "logistics-eu", "analytics-us")
_DOMAINS: Final = (
    "billing", "cart", "catalog", "checkout", "clickstream", "delivery", "fraud", "inventory",
    "invoice", "loyalty", "notify", "orders", "payments", "pricing", "returns", "search",
    "shipping", "stock", "subscriptions", "warehouse",
)  # fmt: skip
_TASKS: Final = (
    "aggregator", "alerts", "archiver", "audit", "cache-warmer", "cdc-sink", "enricher", "export",
    "indexer", "ledger", "matcher", "mirror", "projector", "reconciler", "router", "scorer",
)  # fmt: skip
_EVENTS: Final = (
    "accepted", "cancelled", "changed", "changelog", "commands", "created", "deleted", "errors",
    "events", "expired", "failed", "metrics", "refunds", "requests", "retries", "updates",
)  # fmt: skip


def group_name(number: int) -> str:
    """Return the id of a group; the first few hundred need no number.

    >>> group_name(1), group_name(321)
    ('cart-alerts', 'cart-alerts-2')
    """
    combinations = len(_DOMAINS) * len(_TASKS)
    lap, place = divmod(number, combinations)
    # Steps through both lists at the same time, and through all pairs before one repeats.
    domain = _DOMAINS[place % len(_DOMAINS)]
    task = _TASKS[(place + place // 80) % len(_TASKS)]
    return f"{domain}-{task}" + (f"-{lap + 1}" if lap else "")


def topic_names(group: str, count: int) -> list[str]:
    """Return the topics that only this group reads, in Java's string order.

    >>> topic_names("cart-alerts", 2)
    ['cart-alerts.accepted', 'cart-alerts.cancelled']
    """
    laps = (
        f"{_EVENTS[t % len(_EVENTS)]}{f'.{t // len(_EVENTS) + 1}' if t >= len(_EVENTS) else ''}"
        for t in range(count)
    )
    return sorted(f"{group}.{event}" for event in laps)
