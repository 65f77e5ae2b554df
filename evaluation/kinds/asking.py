"""One question for groups of every other kind: what the next rebalance brings."""

from assignors.connect.cluster import ConnectCluster
from assignors.share.group import ShareGroup
from assignors.streams.application import StreamsApplication
from evaluation.kinds.forecast import NO_CHANGE, Forecast, KindGroup, OtherMembers
from evaluation.kinds.instances import instances_forecast
from evaluation.kinds.share import share_forecast, share_strategy
from evaluation.kinds.tasks import broker_strategy, tasks_forecast
from evaluation.kinds.workers import workers_forecast
from evaluation.stated import require_a


def forecast(
    group: KindGroup, what_if: OtherMembers = NO_CHANGE, release: tuple[int, int] | None = None
) -> Forecast:
    """Return who has what, now and then, in a share group, a Connect cluster, or Streams.

    ``release`` is that of the brokers; without one the newest is taken, as a condition. Raises
    UnknownMemberError, UnpredictedReleaseError, and InvalidArgumentError for a consumer group.
    """
    require_a(KindGroup, "group", group, "compare() predicts consumer groups")
    if isinstance(group, ConnectCluster):
        return workers_forecast(group, what_if)
    if isinstance(group, StreamsApplication):
        return instances_forecast(group, what_if)
    if isinstance(group, ShareGroup):
        since, condition = _taken(release, (4, 2))
        return share_forecast(group, what_if, share_strategy(since), condition)
    since, condition = _taken(release, (4, 4))
    return tasks_forecast(group, what_if, broker_strategy(since), condition)


def _taken(release: tuple[int, int] | None, newest: tuple[int, int]) -> tuple[tuple[int, int], str]:
    """Return the release, else the first with the newest strategy and the condition that it is."""
    if release is not None:
        return release, ""
    return newest, f"if brokers run Kafka {newest[0]}.{newest[1]} or newer"
