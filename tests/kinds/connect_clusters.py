"""Random Connect clusters."""

from dataclasses import replace

from hypothesis import strategies as st

from assignors.connect.cluster import ConnectCluster, ConnectorTask, Worker
from assignors.connect.incremental import incremental
from assignors.connect.rounds import after, rounds_of

_NAMES = ["jdbc-orders", "sink-9", "file-in", "es", "b-c", "zz"]


@st.composite
def clusters(draw: st.DrawFn) -> ConnectCluster:
    """Draw a cluster whose workers run what is configured, no task twice, under a new leader."""
    names = draw(st.lists(st.sampled_from(_NAMES), unique=True))
    configured = {name: draw(st.integers(0, 6)) for name in names}
    count = draw(st.integers(1, 7))
    ids = [f"connect-10.0.0.{at}:8083-{draw(st.uuids())}" for at in range(count)]
    cluster = ConnectCluster(configured=configured, workers=[Worker(each) for each in ids])
    held: list[list[ConnectorTask]] = [[] for _ in ids]
    for work in cluster.work:
        if (at := draw(st.sampled_from([None, *range(count)]))) is not None:
            held[at].append(work)
    pairs = zip(ids, held, strict=True)
    return replace(cluster, workers=[Worker(name, work) for name, work in pairs])


def at_rest(cluster: ConnectCluster) -> ConnectCluster:
    """Return the cluster once its rounds have ended, its leader the same."""
    return after(*rounds_of(cluster, incremental)[-1])
