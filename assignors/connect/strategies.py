"""The strategies of Connect, and how certain each is by what is known of a cluster."""

from typing import Final, TypeAlias

from assignors.certainty import EXACT, Certainty, Known
from assignors.connect.cluster import ConnectCluster, ConnectRound
from assignors.connect.eager import eager
from assignors.connect.incremental import incremental
from assignors.connect.rounds import rounds_of
from assignors.kind_strategy import KindPromise, KindStrategy
from assignors.kinds import GroupKind

ConnectStrategy: TypeAlias = KindStrategy[ConnectCluster, ConnectRound]

WITHOUT_REPORTS: Final = Certainty(
    Known.COUNTS_ONLY,
    "A worker stops what it reports first, and REST tells no order of reports: counts of "
    "connectors and tasks are exact, what moves is not.",
)


def _of_incremental(cluster: ConnectCluster) -> Certainty:
    """Return whether somebody stops something in these rounds, which its report decides."""
    if cluster.is_as_reported:
        return EXACT
    is_stopped = any(found.leader.has_revoked for _, found in rounds_of(cluster, incremental))
    return WITHOUT_REPORTS if is_stopped else EXACT


INCREMENTAL: Final = ConnectStrategy(
    name="connect-incremental",
    label="Incremental cooperative (Connect)",
    kind=GroupKind.CONNECT,
    releases="2.3 to 4.4",
    assign=incremental,
    steps=lambda cluster: incremental(cluster).placements,
    certainty_for=_of_incremental,
    promises=frozenset({KindPromise.EVERY_TASK_ONCE, KindPromise.EVEN_SORTS, KindPromise.AT_REST}),
    weakness="Counts are even over all connectors together, so the tasks of one connector may "
    "clump on one worker; load and lag play no part.",
    sources=("KIP-415", "IncrementalCooperativeAssignor"),
)
EAGER: Final = ConnectStrategy(
    name="connect-eager",
    label="Eager (Connect)",
    kind=GroupKind.CONNECT,
    releases="0.10 to 4.4",
    assign=eager,
    steps=lambda cluster: eager(cluster).placements,
    certainty_for=lambda _: EXACT,
    promises=frozenset({KindPromise.EVERY_TASK_ONCE, KindPromise.AT_REST}),
    weakness="Every connector and task stops and starts again at every rebalance.",
    sources=("EagerAssignor",),
)
CONNECT_STRATEGIES: Final = (INCREMENTAL, EAGER)
"""The default first."""
