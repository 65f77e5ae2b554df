"""What a cluster calls itself."""

from live.cluster import Cluster


def cluster_id(cluster: Cluster) -> str:
    """Return the id that the cluster was formatted with; it stays for life.

    Raises UnreachableError or another LiveError.
    """
    asked = cluster.admin.describe_cluster(request_timeout=cluster.patience.timeout_s)
    return str(cluster.answer({0: asked}, "the cluster")[0].cluster_id)
