"""The small fleet that ships in ``sample_data/fleet``: each group shows one thing.

Incidents are timed for 24 hourly snapshots.
"""

from typing import Final

import numpy as np

from pipeline.generating.traits import FleetEvent, GroupTraits, Traits, traits_of

_RELEASE: Final = ((14, FleetEvent.DEPLOY),)
_ROLLING: Final = tuple((at, FleetEvent.RESTART) for at in (9, 10, 11))
_AT_NIGHT: Final = ((6, FleetEvent.STOP), (20, FleetEvent.DEPLOY))
_SCALED: Final = (
    (8, FleetEvent.JOIN),
    (12, FleetEvent.JOIN),
    (18, FleetEvent.LEAVE),
    (21, FleetEvent.LEAVE),
)
_COOPERATIVE: Final = "cooperative-sticky"
_PAYMENTS: Final = (
    # Many topics of three partitions under range: some consumers get everything, others nothing.
    GroupTraits("ledger-projector", 8, 24, 6, rate=40.0, skew=0.9, headroom=1.3, behind_s=900.0),
    # Very uneven partitions: the choice of owners matters, and switching gains most here.
    GroupTraits("fraud-scorer", 4, 24, 6, rate=90.0, skew=1.5, headroom=1.25, behind_s=1800.0),
    GroupTraits("payment-router", 2, 12, 4, _COOPERATIVE, 30.0, is_static=True, script=_ROLLING),
    GroupTraits("checkout-orchestrator", 3, 18, 6, _COOPERATIVE, 24.0, script=_RELEASE),
    GroupTraits("checkout-receipts", 1, 6, 3, "sticky", 12.0, script=_RELEASE),
    GroupTraits("checkout-metrics", 1, 4, 2, "roundrobin", 6.0, script=_RELEASE),
    # A poison record: its first partition makes no progress from 09:00 on.
    GroupTraits("refund-processor", 1, 8, 4, "roundrobin", 9.0, stuck_at=9),
    # Deployed with twelve replicas for eight partitions: four are idle.
    GroupTraits("settlement-export", 1, 8, 12, rate=10.0),
    GroupTraits("chargeback-alerts", 1, 3, 1, rate=0.4),
    # Most partitions have no committed offset, and the brokers often time out on offsets.
    GroupTraits("audit-archiver", 2, 10, 3, "uniform", 6.0, uncommitted=0.6, unanswered=0.25),
    GroupTraits("currency-rates-cache", 1, 1, 2, rate=0.2),
    GroupTraits("invoice-renderer", 1, 6, 3, "uniform", 4.0, 0.8, 1.1, 1200.0),
    GroupTraits("dunning-scheduler", 1, 3, 2, "server-range", 0.6),
    GroupTraits("wallet-balance-view", 2, 12, 4, "uniform", 22.0, 1.0, 1.4, 300.0),
    GroupTraits("notify-email", 1, 6, 2, rate=5.0, churn=0.05),
    GroupTraits("notify-push", 1, 6, 3, "sticky", 9.0, churn=0.05),
    # Abandoned for years: nothing consumes it, and its lag only grows.
    GroupTraits("legacy-sepa-bridge", 1, 4, 1, rate=2.0, script=((1, FleetEvent.STOP),)),
)
_LOGISTICS: Final = (
    GroupTraits("parcel-tracker", 3, 30, 8, rate=60.0, skew=1.2, headroom=1.3, behind_s=600.0),
    GroupTraits("stock-levels", 2, 16, 4, "uniform", 20.0, has_racks=True),
    # Scaled up for the day and down in the evening.
    GroupTraits("route-planner", 1, 12, 3, _COOPERATIVE, 25.0, 0.6, 1.2, 400.0, script=_SCALED),
    GroupTraits("warehouse-picks", 2, 8, 4, is_static=True, has_racks=True, script=_ROLLING),
    GroupTraits("carrier-webhooks", 1, 6, 2, "roundrobin", 5.0, churn=0.04),
    # A batch job: its consumers run only at night.
    GroupTraits("customs-declarations", 1, 6, 3, rate=4.0, script=_AT_NIGHT),
    # Some consumers subscribe to only half of the topics.
    GroupTraits("delivery-timeline", 4, 16, 6, "roundrobin", 18.0, 0.9, 1.3, 500.0, is_mixed=True),
    GroupTraits("returns-inspector", 1, 3, 3, rate=0.8),
    GroupTraits("cold-chain-alerts", 1, 2, 1, rate=0.1),
    GroupTraits("fleet-telematics", 1, 20, 5, "sticky", 70.0, 0.4, 1.15, 900.0),
    GroupTraits("dock-scheduler", 2, 6, 3, _COOPERATIVE, 2.0, script=_RELEASE),
    GroupTraits("label-printer", 1, 4, 4, rate=1.5, is_static=True),
    GroupTraits("inventory-sync", 2, 10, 2, "sticky", 14.0, 0.7, 0.95, 700.0),
)
_ANALYTICS: Final = (
    # Too few consumers for the load: lag can be evened out, but grows all the same.
    GroupTraits("clickstream-sessions", 2, 24, 4, "uniform", 120.0, 0.4, 0.9, 2400.0),
    GroupTraits("clickstream-enricher", 2, 24, 6, _COOPERATIVE, 110.0, 1.3, 1.2, 1500.0),
    # One partition is so hot that its owner hardly matters: it cannot be split.
    GroupTraits("ad-impressions", 1, 16, 4, "roundrobin", 80.0, 1.4, 1.3, 1200.0),
    GroupTraits("search-indexer", 3, 12, 4, "range", 16.0, 1.0, 1.4, 600.0, churn=0.06),
    GroupTraits("recommendation-features", 5, 15, 5, "range", 20.0, 0.8, 1.3, 500.0),
    GroupTraits("experiment-metrics", 1, 6, 2, "uniform", 7.0, is_troubled=True, reset="earliest"),
    GroupTraits("warehouse-sink", 6, 18, 3, "sticky", 28.0, 0.9, 1.5, 300.0),
    GroupTraits("error-budget", 1, 3, 1, rate=0.5),
    GroupTraits("gdpr-eraser", 1, 2, 1, rate=0.05, behind_s=7200.0),
    GroupTraits("session-replay", 1, 8, 3, "server-range", 15.0, 0.5, 1.2, 400.0, script=_RELEASE),
    GroupTraits("churn-model", 2, 6, 2, "uniform", 3.0, script=_AT_NIGHT),
    GroupTraits("user-profiles-cdc", 1, 12, 4, _COOPERATIVE, 12.0, is_static=True, churn=0.04),
)


def showcase() -> Traits:
    """Return the fleet, cluster by cluster."""
    fleet = (_PAYMENTS, _LOGISTICS, _ANALYTICS)
    cluster = np.repeat(np.arange(len(fleet)), list(map(len, fleet)))
    return traits_of(*_PAYMENTS, *_LOGISTICS, *_ANALYTICS, cluster=cluster)
