"""The small fleet that ships in ``sample_data/fleet``: each group shows one thing.

Incidents are timed for 24 hourly snapshots.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from pipeline.generating.names import CLUSTERS
from pipeline.generating.traits import NEVER, RESETS, SHIPPED, Event, Traits

_RELEASE: Final = ((14, Event.DEPLOY),)
_ROLLING: Final = tuple((at, Event.RESTART) for at in (9, 10, 11))
_AT_NIGHT: Final = ((6, Event.STOP), (20, Event.DEPLOY))
_SCALED: Final = ((8, Event.JOIN), (12, Event.JOIN), (18, Event.LEAVE), (21, Event.LEAVE))


@dataclass(frozen=True)
class _Sketch:
    """One group in a line; what is left out is unremarkable."""

    name: str
    topics: int
    partitions: int
    members: int
    strategy: str = "range"
    rate: float = 8.0
    skew: float = 0.3
    headroom: float = 2.5
    behind_s: float = 8.0
    churn: float = 0.0
    is_static: bool = False
    has_racks: bool = False
    is_mixed: bool = False
    is_troubled: bool = False
    uncommitted: float = 0.0
    unanswered: float = 0.0
    reset: str | None = None
    script: tuple[tuple[int, Event], ...] = ()
    stuck_at: int = NEVER


_COOPERATIVE: Final = "cooperative-sticky"
_PAYMENTS: Final = (
    # Many topics of three partitions under range: some of the consumers get all, others none.
    _Sketch("ledger-projector", 8, 24, 6, rate=40.0, skew=0.9, headroom=1.3, behind_s=900.0),
    # Very uneven partitions: who gets which decides, and switching gains most here.
    _Sketch("fraud-scorer", 4, 24, 6, rate=90.0, skew=1.5, headroom=1.25, behind_s=1800.0),
    _Sketch("payment-router", 2, 12, 4, _COOPERATIVE, 30.0, is_static=True, script=_ROLLING),
    _Sketch("checkout-orchestrator", 3, 18, 6, _COOPERATIVE, 24.0, script=_RELEASE),
    _Sketch("checkout-receipts", 1, 6, 3, "sticky", 12.0, script=_RELEASE),
    _Sketch("checkout-metrics", 1, 4, 2, "roundrobin", 6.0, script=_RELEASE),
    # A poison record: its first partition stands still from 09:00 on.
    _Sketch("refund-processor", 1, 8, 4, "roundrobin", 9.0, stuck_at=9),
    # Deployed with twelve replicas for eight partitions: four are idle.
    _Sketch("settlement-export", 1, 8, 12, rate=10.0),
    _Sketch("chargeback-alerts", 1, 3, 1, rate=0.4),
    # Most of it has no committed offset, and its brokers often time out on offsets.
    _Sketch("audit-archiver", 2, 10, 3, "uniform", 6.0, uncommitted=0.6, unanswered=0.25),
    _Sketch("currency-rates-cache", 1, 1, 2, rate=0.2),
    _Sketch("invoice-renderer", 1, 6, 3, "uniform", 4.0, 0.8, 1.1, 1200.0),
    _Sketch("dunning-scheduler", 1, 3, 2, "server-range", 0.6),
    _Sketch("wallet-balance-view", 2, 12, 4, "uniform", 22.0, 1.0, 1.4, 300.0),
    _Sketch("notify-email", 1, 6, 2, rate=5.0, churn=0.05),
    _Sketch("notify-push", 1, 6, 3, "sticky", 9.0, churn=0.05),
    # Abandoned for years: nothing consumes it, and its lag only grows.
    _Sketch("legacy-sepa-bridge", 1, 4, 1, rate=2.0, script=((1, Event.STOP),)),
)
_LOGISTICS: Final = (
    _Sketch("parcel-tracker", 3, 30, 8, rate=60.0, skew=1.2, headroom=1.3, behind_s=600.0),
    _Sketch("stock-levels", 2, 16, 4, "uniform", 20.0, has_racks=True),
    # Scaled up for the day and down in the evening.
    _Sketch("route-planner", 1, 12, 3, _COOPERATIVE, 25.0, 0.6, 1.2, 400.0, script=_SCALED),
    _Sketch("warehouse-picks", 2, 8, 4, is_static=True, has_racks=True, script=_ROLLING),
    _Sketch("carrier-webhooks", 1, 6, 2, "roundrobin", 5.0, churn=0.04),
    # A batch job: its consumers are there at night only.
    _Sketch("customs-declarations", 1, 6, 3, rate=4.0, script=_AT_NIGHT),
    # Some consumers read only half of the topics.
    _Sketch("delivery-timeline", 4, 16, 6, "roundrobin", 18.0, 0.9, 1.3, 500.0, is_mixed=True),
    _Sketch("returns-inspector", 1, 3, 3, rate=0.8),
    _Sketch("cold-chain-alerts", 1, 2, 1, rate=0.1),
    _Sketch("fleet-telematics", 1, 20, 5, "sticky", 70.0, 0.4, 1.15, 900.0),
    _Sketch("dock-scheduler", 2, 6, 3, _COOPERATIVE, 2.0, script=_RELEASE),
    _Sketch("label-printer", 1, 4, 4, rate=1.5, is_static=True),
    _Sketch("inventory-sync", 2, 10, 2, "sticky", 14.0, 0.7, 0.95, 700.0),
)
_ANALYTICS: Final = (
    # Too few consumers for what arrives: lag can be evened out, and grows all the same.
    _Sketch("clickstream-sessions", 2, 24, 4, "uniform", 120.0, 0.4, 0.9, 2400.0),
    _Sketch("clickstream-enricher", 2, 24, 6, _COOPERATIVE, 110.0, 1.3, 1.2, 1500.0),
    # One partition is so hot that who owns it hardly matters: it cannot be split.
    _Sketch("ad-impressions", 1, 16, 4, "roundrobin", 80.0, 1.4, 1.3, 1200.0),
    _Sketch("search-indexer", 3, 12, 4, "range", 16.0, 1.0, 1.4, 600.0, churn=0.06),
    _Sketch("recommendation-features", 5, 15, 5, "range", 20.0, 0.8, 1.3, 500.0),
    _Sketch("experiment-metrics", 1, 6, 2, "uniform", 7.0, is_troubled=True, reset="earliest"),
    _Sketch("warehouse-sink", 6, 18, 3, "sticky", 28.0, 0.9, 1.5, 300.0),
    _Sketch("error-budget", 1, 3, 1, rate=0.5),
    _Sketch("gdpr-eraser", 1, 2, 1, rate=0.05, behind_s=7200.0),
    _Sketch("session-replay", 1, 8, 3, "server-range", 15.0, 0.5, 1.2, 400.0, script=_RELEASE),
    _Sketch("churn-model", 2, 6, 2, "uniform", 3.0, script=_AT_NIGHT),
    _Sketch("user-profiles-cdc", 1, 12, 4, _COOPERATIVE, 12.0, is_static=True, churn=0.04),
)


def showcase() -> Traits:
    """Return the fleet, cluster by cluster."""
    fleet = (_PAYMENTS, _LOGISTICS, _ANALYTICS)
    sketches = [sketch for cluster in fleet for sketch in cluster]
    return Traits(
        names=tuple(sketch.name for sketch in sketches),
        number=np.arange(len(sketches)),
        cluster=np.repeat(np.arange(len(CLUSTERS)), [len(cluster) for cluster in fleet]),
        topics=np.array([sketch.topics for sketch in sketches]),
        partitions=np.array([sketch.partitions for sketch in sketches]),
        members=np.array([sketch.members for sketch in sketches]),
        strategy=np.array([SHIPPED.index(sketch.strategy) for sketch in sketches]),
        rate=np.array([sketch.rate for sketch in sketches]),
        skew=np.array([sketch.skew for sketch in sketches]),
        headroom=np.array([sketch.headroom for sketch in sketches]),
        behind_s=np.array([sketch.behind_s for sketch in sketches]),
        churn=np.array([sketch.churn for sketch in sketches]),
        is_static=np.array([sketch.is_static for sketch in sketches]),
        has_racks=np.array([sketch.has_racks for sketch in sketches]),
        is_mixed=np.array([sketch.is_mixed for sketch in sketches]),
        is_troubled=np.array([sketch.is_troubled for sketch in sketches]),
        uncommitted=np.array([sketch.uncommitted for sketch in sketches]),
        unanswered=np.array([sketch.unanswered for sketch in sketches]),
        reset=np.array([-1 if s.reset is None else RESETS.index(s.reset) for s in sketches]),
        script=tuple(sketch.script for sketch in sketches),
        stuck_at=np.array([sketch.stuck_at for sketch in sketches]),
    )
